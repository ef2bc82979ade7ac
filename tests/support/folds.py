"""What projections have to come to, folded in memory by other code than theirs.

A projection has its fold in `FOLDS`, by the name of its plan: a pure function from matches in the
order of their ends to rows. Those without one are compared with what an undisturbed run makes.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import sqrt
from statistics import fmean
from typing import Any, Final

import rfc8785
from openskill.models import PlackettLuce

from howff.engine.codec import to_json
from howff.engine.outcome import Figure
from howff.match.events import Account
from howff.scoring.adapters.plans import PLANS
from howff.scoring.domain.results import MatchResult, SeatResult

Place = tuple[int, MatchResult]
"""A match, and the position of its end."""
Row = dict[str, Any]
Fold = Callable[[Sequence[Place]], Mapping[str, Iterable[Row]]]
Exported = dict[str, dict[str, bytes]]
"""By table and key the rows of a generation, without its number, in canonical JSON."""

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


def canonical_rows(plan: str, places: Sequence[Place]) -> Exported:
    """Return the canonical export of what the fold of *plan* makes of matches in order."""
    tables = {
        str(table.__tablename__): table
        for each in PLANS
        if each.name == plan
        for table in each.tables
    }
    found: Exported = {}
    for name, rows in FOLDS[plan](places).items():
        columns = tables[name].__table__.c  # type: ignore[attr-defined]
        keys = [each.name for each in columns if each.primary_key and each.name != "generation"]
        found[name] = {",".join(str(row[key]) for key in keys): rfc8785.dumps(row) for row in rows}
    return found


def fold_results(places: Sequence[Place]) -> Mapping[str, Iterable[Row]]:
    """Return a row for each seat."""
    rows = [
        _result_row(position, result, seat, each)
        for position, result in places
        for seat, each in enumerate(result.seats)
    ]
    return {"scoring_result": rows}


def _result_row(position: int, result: MatchResult, seat: int, each: SeatResult) -> Row:
    name, is_person = _name(each), isinstance(each.holder, Account)
    shared = ("match", "game", "speed", "is_public", "is_rated", "is_branch", "reason")
    return {
        **{field: getattr(result, field) for field in (*shared, "started_at", "ended_at")},
        "position": position,
        "seat": seat,
        "seats": len(result.seats),
        "account": name if is_person else None,
        "level": None if is_person else name,
        "place": each.place,
        "score": next((figure.value for figure in each.figures), None),
        "figures": [to_json(Figure, figure) for figure in each.figures],
        "stay": each.stay,
        "flags": each.flags,
    }


def fold_ratings(places: Sequence[Place]) -> Mapping[str, Iterable[Row]]:
    """Return the ratings, and the steps by which they have come about, by openskill alone.

    Nothing of the domain is asked: the rules stand here once more.
    """
    known: dict[tuple[str, str, str], _Known] = {}
    steps: list[Row] = []
    for position, result in places:
        for kind, seats in _contests(result):
            before = {
                _name(each): known.get((result.game, kind, _name(each)), _Known()) for each in seats
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


FOLDS: Final[Mapping[str, Fold]] = {"results": fold_results, "ratings": fold_ratings}


def _contests(result: MatchResult) -> Iterable[tuple[str, list[SeatResult]]]:
    people = [each for each in result.seats if isinstance(each.holder, Account)]
    bots = [each for each in result.seats if not isinstance(each.holder, Account)]
    if result.is_rated and len(people) > 1:
        yield result.speed, people
    is_told = result.reason == "finished" and not result.is_branch
    if is_told and len({_name(each) for each in bots}) > 1:
        yield "bots", bots


def _rated(seats: Sequence[SeatResult], before: Mapping[str, _Known], at: str) -> dict[str, _Known]:
    teams = [[_MODEL.rating(mu=was.mu, sigma=_idle(was, at))] for was in _known_of(seats, before)]
    # The worse of two has the greater rank: who has left comes behind all who stayed.
    ranks = [(each.place or 0) + (0.0 if each.stay == "stayed" else 100.0) for each in seats]
    rated = [team[0] for team in _MODEL.rate(teams, ranks=ranks)]
    found: dict[str, _Known] = {}
    for player in {_name(each): None for each in seats}:
        own = [new for each, new in zip(seats, rated, strict=True) if _name(each) == player]
        mu, sigma = fmean(new.mu for new in own), fmean(new.sigma for new in own)
        found[player] = _Known(mu, sigma, before[player].matches + 1, at)
    return found


def _known_of(seats: Sequence[SeatResult], known: Mapping[str, _Known]) -> list[_Known]:
    return [known[_name(each)] for each in seats]


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


def _name(seat: SeatResult) -> str:
    holder = seat.holder
    return holder.account if isinstance(holder, Account) else holder.level
