"""How accounts have done, folded in memory."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import rfc8785

from howff.match.events import Account
from howff.scoring.domain.results import MatchResult, SeatResult
from support.folds.told import Place, Row, name_of, standing_in, summed


def fold_records(places: Sequence[Place]) -> Mapping[str, Iterable[Row]]:
    """Return how each account has done at each seat, with each option, against each opponent."""
    counted = [
        result for _, result in places if result.reason != "aborted" and not result.is_branch
    ]
    return {
        "scoring_seat_record": summed(each for told in counted for each in _by_seat(told)),
        "scoring_option_record": summed(each for told in counted for each in _by_option(told)),
        "scoring_head_to_head": summed(each for told in counted for each in _met(told)),
        "scoring_recorded": [{"position": position} for position, _ in places],
    }


def _best(result: MatchResult) -> dict[str, int]:
    """Return the best seat of everybody who has one; of several as good, the first."""
    found: dict[str, int] = {}
    for number, seat in enumerate(result.seats):
        name = ("" if isinstance(seat.holder, Account) else "bot:") + name_of(seat)
        before = found.get(name)
        if before is None or standing_in(seat) < standing_in(result.seats[before]):
            found[name] = number
    return found


def _accounts(result: MatchResult) -> Iterator[tuple[Row, int, SeatResult]]:
    for name, number in _best(result).items():
        if not name.startswith("bot:"):
            key = {"player": name, "game": result.game, "is_public": result.is_public}
            yield key, number, result.seats[number]


def _done(seat: SeatResult) -> Row:
    left = seat.stay != "stayed"
    return {"matches": 1, "firsts": int(seat.place == 1), "places": seat.place, "left": int(left)}


def _by_seat(result: MatchResult) -> Iterator[tuple[Row, Row]]:
    for key, number, seat in _accounts(result):
        yield {**key, "seats": len(result.seats), "seat": number}, _done(seat)


def _by_option(result: MatchResult) -> Iterator[tuple[Row, Row]]:
    for key, _, seat in _accounts(result):
        for name, value in result.options.items():
            text = rfc8785.dumps(value).decode()
            if not isinstance(value, list | dict | None) and len(name) <= 200 >= len(text):
                yield {**key, "name": name, "value": text}, _done(seat)


def _met(result: MatchResult) -> Iterator[tuple[Row, Row]]:
    for key, number, seat in _accounts(result):
        for opponent, other in _best(result).items():
            if other != number:
                own, theirs = standing_in(seat), standing_in(result.seats[other])
                counts = {"ahead": own < theirs, "behind": own > theirs, "level": own == theirs}
                yield (
                    {**key, "opponent": opponent},
                    {"matches": 1} | {name: int(counted) for name, counted in counts.items()},
                )
