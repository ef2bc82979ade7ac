"""Ratings: who is how good at a game, as the places of matches tell it.

The model is Plackett and Luce's, by Weng and Lin (2011), as openskill has it: each player has a
strength *mu* and an uncertainty *sigma*. Matches count in the order in which they were told of.

In a match people are rated among people, if it was to be rated, and bots among bots, if it was
played to its end. Who has resigned, or been replaced by a bot that kept the seat, comes behind all
who stayed, whatever the seat has reached; equals are equal.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from math import sqrt
from statistics import fmean
from typing import Final, Literal

from openskill.models import PlackettLuce

from howff.match.events import Account, Bot
from howff.scoring.domain.results import MatchResult, SeatResult
from howff.scoring.domain.standings import standing_of

PARAMETERS_VERSION: Final = 1
"""Goes up with every change here that may change a rating: then all are made anew."""
FIRST_POINTS: Final = 1500
FIRST_DEVIATION: Final = 350
FIRST_MU: Final = 25.0
FIRST_SIGMA: Final = FIRST_MU / 3
_POINTS: Final = FIRST_DEVIATION / FIRST_SIGMA
"""Points of a rating as it is shown, for one of *mu*."""
_FORGOTTEN_AFTER: Final = timedelta(days=5 * 365)
"""After that time without a match a rating is as uncertain as a first one."""
_SURE: Final = 2
"""Of how many deviations a rating is lessened to compare those who have played little."""
_MODEL: Final = PlackettLuce(mu=FIRST_MU, sigma=FIRST_SIGMA)

Kind = Literal["live", "days", "bots"]
"""Matches in one sitting, over days, and those of bots, are rated apart."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Those who are compared with one another: the players of a game, of one kind."""

    game: str
    kind: Kind


@dataclass(frozen=True, slots=True)
class Rating:
    """How good somebody is, and how sure that is."""

    mu: float = FIRST_MU
    sigma: float = FIRST_SIGMA
    matches: int = 0
    at: str | None = None
    """The end of the last match that counted, in UTC (RFC 3339)."""

    @property
    def points(self) -> int:
        """The rating as it is shown, 1500 at first."""
        return round(FIRST_POINTS + _POINTS * (self.mu - FIRST_MU))

    @property
    def deviation(self) -> int:
        """How uncertain it is: in two of three cases the truth is no further away."""
        return round(_POINTS * self.sigma)

    @property
    def sure_points(self) -> int:
        """What the rating is at the least, in 97 of 100 cases."""
        return round(FIRST_POINTS + _POINTS * (self.mu - FIRST_MU - _SURE * self.sigma))


@dataclass(frozen=True, slots=True)
class Contest:
    """What a match says of a pool: by seat a player, and its rank, 1 the best."""

    pool: Pool
    seats: tuple[tuple[str, int], ...]


def contests_of(result: MatchResult) -> tuple[Contest, ...]:
    """Return what counts of a match: nothing, or a contest of people, of bots, or of both."""
    contests: list[Contest] = []
    people = [seat for seat in result.seats if isinstance(seat.holder, Account)]
    bots = [seat for seat in result.seats if isinstance(seat.holder, Bot)]
    if result.is_rated and _has_rivals(people):
        contests.append(_contest(Pool(result.game, result.speed), people))
    if result.reason == "finished" and not result.is_branch and _has_rivals(bots):
        contests.append(_contest(Pool(result.game, "bots"), bots))
    return tuple(contests)


def rated(contest: Contest, before: Mapping[str, Rating], at: str) -> dict[str, Rating]:
    """Return the ratings of those in *contest*, which ended at *at*, after it.

    *before* has those that they had; who is not in it has a first one.
    """
    ratings = [_after_idling(before.get(player, Rating()), at) for player, _ in contest.seats]
    teams = [[_MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in ratings]
    ranks = [float(rank) for _, rank in contest.seats]
    found = [team[0] for team in _MODEL.rate(teams, ranks=ranks)]
    players = sorted(zip(contest.seats, ratings, found, strict=True), key=lambda each: each[0][0])
    after: dict[str, Rating] = {}
    for player, seats in groupby(players, key=lambda each: each[0][0]):
        own = list(seats)  # a level may hold several seats
        after[player] = Rating(
            mu=fmean(each.mu for _, _, each in own),
            sigma=fmean(each.sigma for _, _, each in own),
            matches=own[0][1].matches + 1,
            at=at,
        )
    return after


def _contest(pool: Pool, seats: Sequence[SeatResult]) -> Contest:
    keys = [standing_of(seat) for seat in seats]
    order = sorted(set(keys))
    return Contest(
        pool,
        tuple((name_of(seat), 1 + order.index(key)) for seat, key in zip(seats, keys, strict=True)),
    )


def _has_rivals(seats: Iterable[SeatResult]) -> bool:
    return len({name_of(seat) for seat in seats}) > 1


def name_of(seat: SeatResult) -> str:
    """Return who is rated for a seat: an account, or a level of bots."""
    holder = seat.holder
    return holder.account if isinstance(holder, Account) else holder.level


def _after_idling(rating: Rating, at: str) -> Rating:
    """Return a rating as uncertain as it has become since its last match."""
    if rating.at is None:
        return rating
    idle = max(datetime.fromisoformat(at) - datetime.fromisoformat(rating.at), timedelta())
    grown = rating.sigma**2 + FIRST_SIGMA**2 * (idle / _FORGOTTEN_AFTER)
    return Rating(rating.mu, min(sqrt(grown), FIRST_SIGMA), rating.matches, rating.at)
