"""How a game is played, folded in memory."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from math import ceil

from howff.match.events import Account
from howff.scoring.domain.results import MatchResult
from support.folds.told import Place, Row, summed

Bar = tuple[str, str, int]
"""What was measured, of what, and the number."""


def fold_statistics(places: Sequence[Place]) -> Mapping[str, Iterable[Row]]:
    """Return how often each number was met in each game, by its seats and who held them."""
    bars = (
        (
            {
                "game": told.game,
                "seats": len(told.seats),
                "who": _who(told),
                **dict(zip(("measure", "about", "value"), bar, strict=True)),
            },
            {"count": 1},
        )
        for _, told in places
        if told.is_public and not told.is_branch
        for bar in _bars(told)
    )
    return {
        "scoring_statistic": summed(bars),
        "scoring_statistic_counted": [{"position": position} for position, _ in places],
    }


def _who(result: MatchResult) -> str:
    people = sum(isinstance(each.holder, Account) for each in result.seats)
    return {0: "bots", len(result.seats): "people"}.get(people, "mixed")


def _bars(result: MatchResult) -> Iterator[Bar]:
    yield "ended", result.reason, 0
    if result.reason != "finished":
        return
    began, ended = map(datetime.fromisoformat, (result.started_at, result.ended_at))
    yield "commits", "", result.commits
    yield "minutes", result.speed, ceil((ended - began).total_seconds() / 60)
    for number, seat in enumerate(result.seats):
        yield "place", str(number), seat.place or 0
        yield from (("score", str(number), figure.value) for figure in seat.figures[:1])
    moves: Counter[str] = Counter()
    for seat in result.seats:
        moves.update({each.kind: each.count for each in seat.moves})
    yield from (("moves", kind, count) for kind, count in moves.items())
