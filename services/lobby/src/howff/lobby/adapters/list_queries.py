"""What lists show, read from their rows."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final, TypeVar

from pydantic import BaseModel
from sqlalchemy import tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import Mapped
from sqlmodel import SQLModel, col, select
from sqlmodel.sql.expression import SelectOfScalar

from howff.engine.errors import RefusalError
from howff.lobby.adapters.commit_rows import ticket_summary
from howff.lobby.adapters.list_rows import (
    MatchPartRow,
    MatchRow,
    TablePartRow,
    TableRow,
    TicketRow,
    TurnRow,
)
from howff.lobby.adapters.match_rows import match_summary
from howff.lobby.application.lists import (
    AnyState,
    LobbySnapshot,
    MySnapshot,
    Page,
    Place,
    Span,
)
from howff.lobby.application.summaries import MatchSummary, MyMatchSummary, TableSummary
from howff.servicekit.eventstore.commits import time_text
from howff.servicekit.eventstore.store import Position
from howff.servicekit.sql.checkpoints import CheckpointRow
from howff.servicekit.sql.database import Database

T = TypeVar("T", bound=BaseModel)
R = TypeVar("R", bound=SQLModel)

COMMITS: Final = "lobby_commits"
"""The projection of stream `LOBBY`."""
MOST_IN_SNAPSHOT: Final = 500
"""Of each list that a feed begins with; pages have the rest."""
MOST_SWEPT: Final = 100
"""Tables that are closed in one go since nobody has started them."""
_OVER: Final = ("over", "closed")


class NotReadYetError(RefusalError):
    """The rows have not come as far as is asked for."""

    code = "not_read_yet"
    retry_after = 1

    def __init__(self, position: int, found: int) -> None:
        expected = f"commits up to position {position}"
        super().__init__("not read yet", expected=expected, found=f"up to {found}")


class SqlLists:
    """The lists of the lobby and of each account, in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open_tables(self, span: Span, game: str | None) -> Page[TableSummary]:
        """Return open tables where anybody may sit down, the newest first."""
        async with self._database.reading() as session:
            return await _tables(session, _open_tables(game), span)

    async def tables_of(self, account: str, span: Span) -> Page[TableSummary]:
        """Return the tables where *account* has a part and that are not over, the newest first."""
        async with self._database.reading() as session:
            return await _tables(session, _own_tables(account), span)

    async def watchable_matches(
        self, span: Span, game: str | None, state: AnyState
    ) -> Page[MatchSummary]:
        """Return matches that everybody may watch, the newest first; ended ones by their end."""
        async with self._database.reading() as session:
            rows = await _matches(session, _watchable(game, state), state, span)
        return _page([match_summary(each) for each in rows], _place_in(state), span)

    async def matches_of(self, account: str, span: Span, state: AnyState) -> Page[MyMatchSummary]:
        """Return the matches of *account*, the newest first; ended ones by their end."""
        async with self._database.reading() as session:
            return await _own_matches(session, account, state, span)

    async def tables_with(self, account: str, through: Position) -> tuple[str, ...]:
        """Return the tables where *account* has a part and that have no match yet.

        Raises:
            NotReadYetError: the commits up to *through* have not been read.
        """
        async with self._database.reading() as session:
            checkpoint = await session.get(CheckpointRow, COMMITS)
            found = 0 if checkpoint is None else checkpoint.position
            if found < through:
                raise NotReadYetError(through, found)
            query = _own_tables(account).where(col(TableRow.phase).in_(("open", "gathering")))
            rows = (await session.execute(query)).scalars()
            return tuple(sorted(each.id for each in rows))

    async def opened_before(self, moment: datetime) -> tuple[str, ...]:
        """Return tables that stand open since before *moment*, the oldest first."""
        opened_at, phase = col(TableRow.opened_at), col(TableRow.phase)
        async with self._database.reading() as session:
            query = select(col(TableRow.id)).where(phase == "open", opened_at < time_text(moment))
            found = await session.execute(query.order_by(opened_at).limit(MOST_SWEPT))
            return tuple(found.scalars())


async def lobby_snapshot(session: AsyncSession) -> LobbySnapshot:
    """Return the newest open tables and watchable matches."""
    span = Span(MOST_IN_SNAPSHOT)
    tables = await _tables(session, _open_tables(None), span)
    rows = await _matches(session, _watchable(None, "playing"), "playing", span)
    matches = _page([match_summary(each) for each in rows], _place_in("playing"), span)
    is_whole = tables.next is None and matches.next is None
    return LobbySnapshot(tables=tables.items, matches=matches.items, is_whole=is_whole)


async def account_snapshot(session: AsyncSession, account: str) -> MySnapshot:
    """Return the open tickets, tables, and matches that go on of *account*."""
    span = Span(MOST_IN_SNAPSHOT)
    tickets = select(TicketRow).where(col(TicketRow.account) == account)
    ordered = tickets.order_by(col(TicketRow.opened_at), col(TicketRow.id))
    waiting = (await session.execute(ordered)).scalars().all()
    tables = await _tables(session, _own_tables(account), span)
    matches = await _own_matches(session, account, "playing", span)
    return MySnapshot(
        tickets=tuple(map(ticket_summary, waiting)),
        tables=tables.items,
        matches=matches.items,
        is_whole=tables.next is None and matches.next is None,
    )


def _open_tables(game: str | None) -> SelectOfScalar[TableRow]:
    query = select(TableRow).where(
        col(TableRow.visibility) == "public", col(TableRow.phase) == "open"
    )
    return query if game is None else query.where(col(TableRow.game) == game)


def _own_tables(account: str) -> SelectOfScalar[TableRow]:
    own = select(col(TablePartRow.table_id)).where(col(TablePartRow.account) == account)
    return select(TableRow).where(col(TableRow.id).in_(own), col(TableRow.phase).not_in(_OVER))


def _watchable(game: str | None, state: AnyState) -> SelectOfScalar[MatchRow]:
    query = _in_state(select(MatchRow).where(col(MatchRow.watch) == "public"), state)
    return query if game is None else query.where(col(MatchRow.game) == game)


def _in_state(query: SelectOfScalar[MatchRow], state: AnyState) -> SelectOfScalar[MatchRow]:
    return query if state is None else query.where(col(MatchRow.state) == state)


async def _tables(
    session: AsyncSession, query: SelectOfScalar[TableRow], span: Span
) -> Page[TableSummary]:
    order = (col(TableRow.opened_at), col(TableRow.id))
    rows = (await session.execute(_within(query, order, span))).scalars()
    return _page([TableSummary.model_validate(each.summary) for each in rows], _table_place, span)


async def _matches(
    session: AsyncSession, query: SelectOfScalar[MatchRow], state: AnyState, span: Span
) -> Sequence[MatchRow]:
    moment = col(MatchRow.ended_at) if state == "ended" else col(MatchRow.started_at)
    order = (moment, col(MatchRow.id))
    return (await session.execute(_within(query, order, span))).scalars().all()


async def _own_matches(
    session: AsyncSession, account: str, state: AnyState, span: Span
) -> Page[MyMatchSummary]:
    own = select(col(MatchPartRow.match_id)).where(col(MatchPartRow.account) == account)
    query = _in_state(select(MatchRow).where(col(MatchRow.id).in_(own)), state)
    rows = await _matches(session, query, state, span)
    awaited = select(TurnRow).where(col(TurnRow.match_id).in_([each.id for each in rows]))
    turns = {each.match_id: each.waits_for for each in (await session.execute(awaited)).scalars()}
    matches = [_own_match(each, turns.get(each.id, {}), account) for each in rows]
    return _page(matches, _place_in(state), span)


def _own_match(row: MatchRow, waits_for: dict[str, str | None], account: str) -> MyMatchSummary:
    waits = row.state == "playing" and account in waits_for
    due = waits_for.get(account) if waits else None
    return MyMatchSummary(**match_summary(row).model_dump(), waits_for_me=waits, due=due)


def _within(
    query: SelectOfScalar[R], order: tuple[Mapped[Any], Mapped[str]], span: Span
) -> SelectOfScalar[R]:
    """Return the rows of *query* within *span*, and one more if there are others after it."""
    if span.after is not None:
        query = query.where(tuple_(*order) < tuple_(*span.after))
    return query.order_by(*(each.desc() for each in order)).limit(span.limit + 1)


def _page(items: list[T], place: Callable[[T], Place], span: Span) -> Page[T]:
    kept = tuple(items[: span.limit])
    return Page(kept, place(kept[-1]) if len(items) > span.limit else None)


def _table_place(table: TableSummary) -> Place:
    return table.opened_at, table.id


def _place_in(state: AnyState) -> Callable[[MatchSummary], Place]:
    return _ended_place if state == "ended" else _started_place


def _started_place(match: MatchSummary) -> Place:
    return match.started_at, match.id


def _ended_place(match: MatchSummary) -> Place:
    return match.ended_at or "", match.id
