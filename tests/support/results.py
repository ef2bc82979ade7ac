"""Results of matches for tests, as an archive would have them."""

from dataclasses import replace
from typing import Any, Final

from howff.engine.codec import to_json
from howff.engine.outcome import Figure
from howff.match.events import Account, Bot
from howff.scoring.adapters.rows import ArchiveRow
from howff.scoring.domain.results import MatchResult, MoveCount, SeatResult
from howff.servicekit.sql.database import Database
from support.rng import LocalRng

PLAYERS: Final = ("freya", "ivy", "jack", "scott", "bot:casual", "bot:strong")


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


def results_of_all_kinds(count: int) -> list[MatchResult]:
    """Return so many matches, of every kind and with every kind of end."""
    rng, found = LocalRng(3), list[MatchResult]()
    for number in range(count):
        accounts = rng.shuffle("accounts", PLAYERS)[: 2 + rng.draw("seats", 3)]
        places = [1 + rng.draw("place", 3) for _ in accounts]
        stays = [
            rng.roll("stay", ("stayed", "stayed", "stayed", "resigned", "replaced")) for _ in places
        ]
        seats = [
            seat(account, place, stay=stay)
            for account, place, stay in zip(accounts, places, stays, strict=True)
        ]
        told = result(
            f"match-{number}",
            *seats,
            ended_at=f"2026-11-{1 + number % 28:02}T12:30:00.000Z",
            game=rng.roll("game", ("troedler", "hellweg")),
            speed=rng.roll("speed", ("live", "days")),
            is_rated=bool(rng.draw("rated", 4)),
            is_public=bool(rng.draw("public", 4)),
            options={"memory": rng.roll("memory", ("strict", "open")), "limit": 1, "clans": None},
        )
        if not rng.draw("branch", 8):
            told = replace(told, is_branch=True, is_rated=False)
        if not rng.draw("aborted", 6):
            ended = tuple(replace(each, place=None, figures=()) for each in seats)
            told = replace(told, reason="aborted", is_rated=False, seats=ended)
        found.append(told)
    return found


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
