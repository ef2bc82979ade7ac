"""What is read of records and streaks."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import func, or_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.scoring.adapters.plans import RECORDS, STREAKS
from howff.scoring.adapters.projections import live_generation
from howff.scoring.adapters.rows import HeadToHeadRow, OptionRecordRow, SeatRecordRow, StreakRow
from howff.scoring.application.answers import (
    HeadToHead,
    OptionRecord,
    PlayerRecord,
    PlayerStreak,
    SeatRecord,
)
from howff.scoring.application.ports import Standing
from howff.scoring.application.statistics import DIGITS
from howff.scoring.domain.standings import BOT


async def records_of(session: AsyncSession, player: str, *, is_own: bool) -> list[PlayerRecord]:
    """Return how an account has done in each game; *is_own* tells whether it asks itself."""
    query = _summed(SeatRecordRow, "game", "seats", "seat")
    seats = await _rows(session, query, SeatRecordRow, player, is_own=is_own)
    query = _summed(OptionRecordRow, "game", "name", "value")
    options = await _rows(session, query, OptionRecordRow, player, is_own=is_own)
    games = sorted({row.game for row in seats})
    return [
        _record(
            game,
            [row for row in seats if row.game == game],
            [row for row in options if row.game == game],
        )
        for game in games
    ]


async def streaks_of(session: AsyncSession, player: str) -> list[PlayerStreak]:
    """Return the streaks of an account in each pool."""
    query = (
        select(StreakRow)
        .where(
            col(StreakRow.generation) == await live_generation(session, STREAKS.name),
            col(StreakRow.player) == player,
        )
        .order_by(col(StreakRow.game), col(StreakRow.kind))
    )
    return [
        PlayerStreak(
            game=row.game,
            kind=row.kind,
            is_won=row.is_won,
            length=row.length,
            since=row.since,
            longest=row.longest,
            longest_since=row.longest_since,
        )
        for row in (await session.execute(query)).scalars()
    ]


async def opponents_of(  # noqa: PLR0913 — all that narrows it
    session: AsyncSession,
    player: str,
    game: str | None,
    limit: int,
    after: Standing | None,
    *,
    is_own: bool,
) -> list[tuple[Standing, HeadToHead]]:
    """Return whom an account has met most after a standing, each with its own."""
    row = HeadToHeadRow
    matches, opponent = func.sum(col(row.matches)), col(row.opponent)
    sums = (func.sum(col(each)) for each in (row.ahead, row.behind, row.level))
    query: Any = select(opponent, matches, *sums).where(
        col(row.generation) == await live_generation(session, RECORDS.name),
        col(row.player) == player,
    )
    if game is not None:
        query = query.where(col(row.game) == game)
    if not is_own:
        query = query.where(col(row.is_public))
    query = query.group_by(opponent).order_by(matches.desc(), opponent).limit(limit)
    if after is not None:
        met, last = after
        query = query.having(or_(matches < met, (matches == met) & (opponent > last)))
    return [
        ((met, name), _head_to_head(name, met, *counts))
        for name, met, *counts in (await session.execute(query)).all()
    ]


def _summed(row: type[SeatRecordRow | OptionRecordRow], *about: str) -> Any:
    """Return a query of the sums of public and private matches."""
    kept = ("matches", "firsts", "places", "left")
    columns = [getattr(row, name) for name in about]
    sums = [func.sum(getattr(row, name)).label(name) for name in kept]
    return select(*columns, *sums).group_by(*columns).order_by(*columns)


async def _rows(
    session: AsyncSession,
    query: Any,
    row: type[SeatRecordRow | OptionRecordRow],
    player: str,
    *,
    is_own: bool,
) -> Sequence[Any]:
    generation = await live_generation(session, RECORDS.name)
    query = query.where(col(row.generation) == generation, col(row.player) == player)
    if not is_own:
        query = query.where(col(row.is_public))
    rows: Sequence[Any] = (await session.execute(query)).all()
    return rows


def _record(game: str, seats: Sequence[Any], options: Iterable[Any]) -> PlayerRecord:
    matches = sum(row.matches for row in seats)
    return PlayerRecord(
        game=game,
        matches=matches,
        wins=sum(row.firsts for row in seats),
        mean_place=round(sum(row.places for row in seats) / matches, DIGITS),
        left=sum(row.left for row in seats),
        by_seat=tuple(SeatRecord(seats=row.seats, seat=row.seat, **_figures(row)) for row in seats),
        by_option=tuple(
            OptionRecord(name=row.name, value=row.value, **_figures(row)) for row in options
        ),
    )


def _figures(row: Any) -> dict[str, Any]:
    return {
        "matches": row.matches,
        "wins": row.firsts,
        "mean_place": round(row.places / row.matches, DIGITS),
        "left": row.left,
    }


def _head_to_head(opponent: str, matches: int, ahead: int, behind: int, equal: int) -> HeadToHead:
    level = opponent.removeprefix(BOT) if opponent.startswith(BOT) else None
    return HeadToHead(
        account=opponent if level is None else None,
        level=level,
        matches=matches,
        ahead=ahead,
        behind=behind,
        equal=equal,
    )
