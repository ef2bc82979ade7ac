"""The ratings, folded in memory by openskill alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from statistics import fmean
from typing import Final

from openskill.models import PlackettLuce

from howff.scoring.domain.results import SeatResult
from support.folds.told import Place, Row, contests_in, name_of

_POOL = ("game", "kind", "player")
_MODEL: Final = PlackettLuce(mu=25.0, sigma=25.0 / 3)
_POINTS: Final = 350 / (25.0 / 3)
_YEARS: Final = timedelta(days=5 * 365)


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of somebody who has been rated: by whom it is by hand."""

    mu: float = 25.0
    sigma: float = 25.0 / 3
    matches: int = 0
    at: str | None = None


def fold_ratings(places: Sequence[Place]) -> Mapping[str, Iterable[Row]]:
    """Return the ratings, and the steps by which they have come about, by openskill alone.

    Nothing of the domain is asked: the rules stand here once more.
    """
    known: dict[tuple[str, str, str], _Known] = {}
    steps: list[Row] = []
    for position, result in places:
        for kind, seats in contests_in(result):
            before = {
                name_of(each): known.get((result.game, kind, name_of(each)), _Known())
                for each in seats
            }
            after = _rated(seats, before, result.ended_at)
            for player, new in after.items():
                known[result.game, kind, player] = new
                shown = _shown(new)
                steps.append(
                    {
                        "position": position,
                        "kind": kind,
                        "player": player,
                        "game": result.game,
                        "match": result.match,
                        "is_public": result.is_public,
                        "at": result.ended_at,
                        "points": shown["points"],
                        "deviation": shown["deviation"],
                        "change": shown["points"] - _shown(before[player])["points"],
                    }
                )
    ratings = [
        {
            **dict(zip(_POOL, pool, strict=True)),
            "mu": each.mu,
            "sigma": each.sigma,
            "matches": each.matches,
            "at": each.at,
            **_shown(each),
        }
        for pool, each in known.items()
    ]
    return {"scoring_rating": ratings, "scoring_rating_step": steps}


def _rated(seats: Sequence[SeatResult], before: Mapping[str, _Known], at: str) -> dict[str, _Known]:
    teams = [[_MODEL.rating(mu=was.mu, sigma=_idle(was, at))] for was in _known_of(seats, before)]
    # The worse of two has the greater rank: who has left comes behind all who stayed.
    ranks = [(each.place or 0) + (0.0 if each.stay == "stayed" else 100.0) for each in seats]
    rated = [team[0] for team in _MODEL.rate(teams, ranks=ranks)]
    found: dict[str, _Known] = {}
    for player in {name_of(each): None for each in seats}:
        own = [new for each, new in zip(seats, rated, strict=True) if name_of(each) == player]
        mu, sigma = fmean(new.mu for new in own), fmean(new.sigma for new in own)
        found[player] = _Known(mu, sigma, before[player].matches + 1, at)
    return found


def _known_of(seats: Sequence[SeatResult], known: Mapping[str, _Known]) -> list[_Known]:
    return [known[name_of(each)] for each in seats]


def _idle(known: _Known, at: str) -> float:
    if known.at is None:
        return known.sigma
    idle = max(datetime.fromisoformat(at) - datetime.fromisoformat(known.at), timedelta())
    return min(sqrt(known.sigma**2 + (25.0 / 3) ** 2 * (idle / _YEARS)), 25.0 / 3)


def _shown(known: _Known) -> dict[str, int]:
    return {
        "points": round(1500 + _POINTS * (known.mu - 25.0)),
        "deviation": round(_POINTS * known.sigma),
        "sure_points": round(1500 + _POINTS * (known.mu - 25.0 - 2 * known.sigma)),
    }
