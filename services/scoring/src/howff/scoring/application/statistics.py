"""What is told of how a game is played, made of the counters that are stored."""

from collections.abc import Iterable, Mapping
from typing import Final

from pydantic import BaseModel

from howff.scoring.domain.statistics import Measure, Who, mean_of, quantile_of, total_of

DIGITS: Final = 3
"""Of a mean, after the point."""
Histogram = Mapping[int, int]
Histograms = dict[tuple[Measure, str], dict[int, int]]
"""By what is measured, and of what."""


class Distribution(BaseModel):
    """Numbers that were met: how many, their mean, and of which so many percent are no greater."""

    count: int
    mean: float
    least: int
    p10: int
    p25: int
    median: int
    p75: int
    p90: int
    most: int


class SeatBalance(BaseModel):
    """How those have done who held a seat."""

    seat: int
    matches: int
    wins: int
    """First places, shared ones too."""
    mean_place: float
    mean_score: float | None
    """Null where the game has no scores."""


class MoveFigures(BaseModel):
    """How often a kind of move was made."""

    kind: str
    total: int
    per_match: float
    """The mean of all matches, those without one too."""
    matches: int
    """In how many it was made at all."""
    most: int
    """In one match."""


class StatisticGroup(BaseModel):
    """Matches with so many seats, held by people, bots, or both."""

    seats: int
    who: Who
    matches: int
    finished: int
    """All below is of these."""
    resigned: int
    aborted: int
    commits: Distribution | None
    minutes_live: Distribution | None
    minutes_days: Distribution | None
    scores: Distribution | None
    by_seat: tuple[SeatBalance, ...]
    moves: tuple[MoveFigures, ...]
    """The most frequent first."""


class Statistics(BaseModel):
    """How a game is played."""

    game: str
    groups: tuple[StatisticGroup, ...]


class Counter(BaseModel):
    """How often a number was met: what all statistics are made of."""

    seats: int
    who: Who
    measure: Measure
    about: str
    value: int
    count: int


def statistics_of(game: str, counters: Iterable[Counter]) -> Statistics:
    """Return what the counters of a game tell."""
    groups: dict[tuple[int, Who], Histograms] = {}
    for each in counters:
        histograms = groups.setdefault((each.seats, each.who), {})
        histograms.setdefault((each.measure, each.about), {})[each.value] = each.count
    found = (_group(*key, groups[key]) for key in sorted(groups))
    return Statistics(game=game, groups=tuple(found))


def _group(seats: int, who: Who, told: Histograms) -> StatisticGroup:
    ended = {
        about: sum(each.values()) for (measure, about), each in told.items() if measure == "ended"
    }
    finished = ended.get("finished", 0)
    return StatisticGroup(
        seats=seats,
        who=who,
        matches=sum(ended.values()),
        finished=finished,
        resigned=ended.get("resigned", 0),
        aborted=ended.get("aborted", 0),
        commits=_distribution(told.get(("commits", ""), {})),
        minutes_live=_distribution(told.get(("minutes", "live"), {})),
        minutes_days=_distribution(told.get(("minutes", "days"), {})),
        scores=_distribution(_scores(told)),
        by_seat=tuple(_balance(seat, told) for seat in range(seats)) if finished else (),
        moves=_moves(told, finished),
    )


def _distribution(histogram: Histogram) -> Distribution | None:
    if not histogram:
        return None
    least, p10, p25, median, p75, p90, most = (
        quantile_of(histogram, percent) for percent in (0, 10, 25, 50, 75, 90, 100)
    )
    return Distribution(
        count=sum(histogram.values()),
        mean=_mean(histogram),
        least=least,
        p10=p10,
        p25=p25,
        median=median,
        p75=p75,
        p90=p90,
        most=most,
    )


def _mean(histogram: Histogram) -> float:
    return round(mean_of(histogram), DIGITS)


def _scores(told: Histograms) -> Histogram:
    """Return the scores of all seats."""
    found: dict[int, int] = {}
    for (measure, _), histogram in told.items():
        if measure == "score":
            for value, count in histogram.items():
                found[value] = found.get(value, 0) + count
    return found


def _balance(seat: int, told: Histograms) -> SeatBalance:
    places, scores = told["place", str(seat)], told.get(("score", str(seat)))
    return SeatBalance(
        seat=seat,
        matches=sum(places.values()),
        wins=places.get(1, 0),
        mean_place=_mean(places),
        mean_score=None if scores is None else _mean(scores),
    )


def _moves(told: Histograms, finished: int) -> tuple[MoveFigures, ...]:
    found = (
        MoveFigures(
            kind=kind,
            total=total_of(histogram),
            per_match=round(total_of(histogram) / finished, DIGITS),
            matches=sum(histogram.values()),
            most=max(histogram),
        )
        for (measure, kind), histogram in told.items()
        if measure == "moves"
    )
    return tuple(sorted(found, key=lambda each: (-each.total, each.kind)))
