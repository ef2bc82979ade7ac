"""What a tournament shows: places, groups won, and ratings, each with its uncertainty.

These are figures for people; nothing is decided by them, so they may be fractions.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import fmean
from typing import Any, Final

from openskill.models import PlackettLuce

from howff.bots.arena.tournaments import Played, Tournament

_Z: Final = 1.96
"""For intervals that hold the truth in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How one entrant did."""

    name: str
    matches: int
    mean_place: float
    rating: float
    """By Plackett and Luce (openskill), 25 for everybody before the first match."""
    rating_interval: float
    """The true rating is at most so far away, in 95 of 100 cases."""
    decisions: int
    milliseconds: float
    """The mean time of a decision with a choice."""


@dataclass(frozen=True, slots=True)
class Duel:
    """How often *better* had the better mean place in a group than *worse*; a tie is half."""

    better: str
    worse: str
    groups: int
    share: float
    low: float
    high: float


def whole_groups(tournament: Tournament, played: Iterable[Played]) -> list[Played]:
    """Return the matches of those groups that were *played* to their end, in order.

    In other groups not everybody has sat everywhere, so that they tell nothing.
    """
    matches = list(played)
    counts = Counter(each.pairing.group for each in matches)
    whole = [each for each in matches if counts[each.pairing.group] == len(tournament.seatings)]
    return sorted(whole, key=lambda each: (each.pairing.group, each.pairing.seating))


def standings_of(tournament: Tournament, played: Sequence[Played]) -> list[Standing]:
    """Return how the entrants did in *played*, which are whole groups, the best first."""
    ratings = _ratings(tournament, played)
    found: list[Standing] = []
    for number, entrant in enumerate(tournament.entrants):
        seats = [(each, seat) for each in played for seat in _seats_of(each, number)]
        decisions = sum(each.course.decisions[seat] for each, seat in seats)
        nanoseconds = sum(each.course.nanoseconds[seat] for each, seat in seats)
        found.append(
            Standing(
                name=entrant.name,
                matches=len(seats),
                mean_place=fmean(each.course.outcome.places[seat] for each, seat in seats),
                rating=ratings[number].mu,
                rating_interval=_Z * ratings[number].sigma,
                decisions=decisions,
                milliseconds=nanoseconds / max(decisions, 1) / 1e6,
            )
        )
    return sorted(found, key=lambda each: each.mean_place)


def duels_of(tournament: Tournament, played: Sequence[Played]) -> list[Duel]:
    """Return how each entrant did against each other in *played*, group by group."""
    groups: dict[int, list[Played]] = {}
    for each in played:
        groups.setdefault(each.pairing.group, []).append(each)
    return [
        _duel(tournament, one, other, groups.values())
        for one, other in combinations(range(len(tournament.entrants)), 2)
    ]


def _duel(tournament: Tournament, one: int, other: int, groups: Iterable[Sequence[Played]]) -> Duel:
    shares: list[float] = []
    for group in groups:
        both = [each for each in group if {one, other} <= set(each.pairing.seating)]
        mine, theirs = _mean_place(both, one), _mean_place(both, other)
        shares.append(1.0 if mine < theirs else 0.5 if mine == theirs else 0.0)
    share = fmean(shares)
    low, high = wilson(share, len(shares))
    names = tournament.entrants[one].name, tournament.entrants[other].name
    if share >= 0.5:  # noqa: PLR2004 — as often as not
        return Duel(*names, len(shares), share, low, high)
    return Duel(names[1], names[0], len(shares), 1 - share, 1 - high, 1 - low)


def wilson(share: float, tries: int) -> tuple[float, float]:
    """Return between what the true share lies in 95 of 100 cases (Wilson 1927)."""
    square = _Z * _Z / tries
    middle = (share + square / 2) / (1 + square)
    spread = _Z * sqrt(share * (1 - share) / tries + square / (4 * tries)) / (1 + square)
    return middle - spread, middle + spread


def _ratings(tournament: Tournament, played: Sequence[Played]) -> list[Any]:
    """Return the ratings after all matches in which everybody sits once or more."""
    model = PlackettLuce()
    ratings = [model.rating() for _ in tournament.entrants]
    for each in played:
        numbers = each.pairing.seating
        teams = [[ratings[number]] for number in numbers]
        rated = model.rate(teams, ranks=[float(place) for place in each.course.outcome.places])
        for number in set(numbers):
            own = [team[0] for at, team in zip(numbers, rated, strict=True) if at == number]
            ratings[number] = model.rating(
                mu=fmean(rating.mu for rating in own), sigma=fmean(r.sigma for r in own)
            )
    return ratings


def _mean_place(played: Sequence[Played], number: int) -> float:
    return fmean(
        each.course.outcome.places[seat] for each in played for seat in _seats_of(each, number)
    )


def _seats_of(played: Played, number: int) -> list[int]:
    return [seat for seat, each in enumerate(played.pairing.seating) if each == number]
