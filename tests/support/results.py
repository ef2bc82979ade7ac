"""Results of matches for tests, as an archive would have them."""

from typing import Any

from howff.engine.codec import to_json
from howff.engine.outcome import Figure
from howff.match.events import Account, Bot
from howff.scoring.adapters.rows import ArchiveRow
from howff.scoring.domain.results import MatchResult, MoveCount, SeatResult
from howff.servicekit.sql.database import Database


def seat(holder: str, place: int | None, **changes: Any) -> SeatResult:
    """Return what became of the seat of an account, or of a bot: its name begins with `bot:`."""
    level = holder.removeprefix("bot:")
    terms: dict[str, Any] = {
        "holder": Account(holder) if level == holder else Bot(level),
        "place": place,
        "figures": () if place is None else (Figure("points", 10 - place),),
        "stay": "stayed",
        "flags": 0,
        "moves": (MoveCount("Pass", 3),),
    }
    return SeatResult(**{**terms, **changes})


def result(match: str, *seats: SeatResult, **changes: Any) -> MatchResult:
    """Return what became of a rated match."""
    terms: dict[str, Any] = {
        "match": match,
        "game": "troedler",
        "speed": "live",
        "options": {},
        "is_public": True,
        "is_rated": True,
        "is_branch": False,
        "reason": "finished",
        "started_at": "2026-11-27T12:00:00.000Z",
        "ended_at": "2026-11-27T12:30:00.000Z",
        "commits": 20,
        "seats": seats,
    }
    return MatchResult(**{**terms, **changes})


async def archive(database: Database, position: int, told: MatchResult) -> None:
    """Put a match into the archive, as if it had been verified."""
    async with database.writing() as session:
        session.add(
            ArchiveRow(
                position=position,
                match=told.match,
                game=told.game,
                head_hash="0" * 64,
                content=b"",
                unchecked="",
                result=to_json(MatchResult, told),
                results_version=1,
            )
        )
