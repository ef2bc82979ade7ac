"""Statistics: what a match adds to what is known of its game, as bars of exact histograms.

Only matches that everybody may know of count, and no branches. How they ended is counted of all;
lengths, places, scores and moves of those alone that were played to their end by the rules: the
others would tell of people's patience, not of the game.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Literal

from howff.match.events import Account
from howff.scoring.domain.results import MatchResult

Who = Literal["people", "bots", "mixed"]
"""Who has held the seats of a match at its start."""
Measure = Literal["ended", "commits", "minutes", "place", "score", "moves"]


@dataclass(frozen=True, slots=True)
class Tally:
    """A number that a match adds to a histogram; no match tells the same twice."""

    seats: int
    who: Who
    measure: Measure
    about: str
    """Of `ended` the reason, of `minutes` the speed, of `place` and `score` the seat, of `moves`
    their kind."""
    value: int


def tallies_of(result: MatchResult) -> tuple[Tally, ...]:
    """Return what a match adds to the histograms of its game."""
    if not result.is_public or result.is_branch:
        return ()
    seats, who = len(result.seats), who_played(result)
    return tuple(Tally(seats, who, *each) for each in _measured(result))


def who_played(result: MatchResult) -> Who:
    """Tell whether people, bots or both have held the seats of a match at its start."""
    are_people = {isinstance(seat.holder, Account) for seat in result.seats}
    if len(are_people) > 1:
        return "mixed"
    return "people" if True in are_people else "bots"


def mean_of(histogram: Mapping[int, int]) -> float:
    """Return the mean of the numbers that a histogram, which has some, tells."""
    return total_of(histogram) / sum(histogram.values())


def total_of(histogram: Mapping[int, int]) -> int:
    """Return the sum of the numbers that a histogram tells."""
    return sum(value * count for value, count in histogram.items())


def quantile_of(histogram: Mapping[int, int], percent: int) -> int:
    """Return the least number that no less than *percent* of all don't exceed.

    It is one of those in the histogram, which has some; of 0 percent it is the least.
    """
    wanted = max(1, -(-sum(histogram.values()) * percent // 100))
    values = sorted(histogram)
    seen = accumulate(histogram[value] for value in values)
    return next(value for value, so_far in zip(values, seen, strict=True) if so_far >= wanted)


def _measured(result: MatchResult) -> Iterator[tuple[Measure, str, int]]:
    yield "ended", result.reason, 0
    if result.reason != "finished":
        return
    yield "commits", "", result.commits
    yield "minutes", result.speed, _minutes(result)
    moves: Counter[str] = Counter()
    for number, seat in enumerate(result.seats):
        assert seat.place is not None, "what is finished has places"
        yield "place", str(number), seat.place
        if seat.figures:
            yield "score", str(number), seat.figures[0].value
        for each in seat.moves:
            moves[each.kind] += each.count
    for kind, count in moves.items():
        yield "moves", kind, count


def _minutes(result: MatchResult) -> int:
    """Return how many minutes a match has lasted, the last one whole or not."""
    lasted = datetime.fromisoformat(result.ended_at) - datetime.fromisoformat(result.started_at)
    return -(-lasted // timedelta(minutes=1))
