"""The rows of results, folded in memory."""

from collections.abc import Iterable, Mapping, Sequence

from howff.engine.codec import to_json
from howff.engine.outcome import Figure
from howff.match.events import Account
from howff.scoring.domain.results import MatchResult, SeatResult
from support.folds.told import Place, Row, name_of


def fold_results(places: Sequence[Place]) -> Mapping[str, Iterable[Row]]:
    """Return a row for each seat."""
    rows = [
        _result_row(position, result, seat, each)
        for position, result in places
        for seat, each in enumerate(result.seats)
    ]
    return {"scoring_result": rows}


def _result_row(position: int, result: MatchResult, seat: int, each: SeatResult) -> Row:
    name, is_person = name_of(each), isinstance(each.holder, Account)
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
