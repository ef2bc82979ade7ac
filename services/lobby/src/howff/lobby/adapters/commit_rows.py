"""The rows of tables and tickets, as the commits of stream `LOBBY` make them."""

from typing import assert_never

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col

from howff.engine.codec import from_json, to_json
from howff.lobby.adapters.feed_rows import (
    LOBBY_AUDIENCE,
    Note,
    Numbers,
    audience_of,
    notes_to,
    tell,
)
from howff.lobby.adapters.list_rows import TablePartRow, TableRow, TicketRow
from howff.lobby.adapters.messages import id_in
from howff.lobby.application.ledgers import (
    TABLE_PREFIX,
    TABLES,
    TICKET_PREFIX,
    TICKETS,
)
from howff.lobby.application.summaries import (
    TableSummary,
    TicketSummary,
    table_summary,
    wish_summary,
)
from howff.lobby.domain.tables.events import TableEvent
from howff.lobby.domain.tables.table import Table
from howff.lobby.domain.tickets.events import (
    EndedBecause,
    TicketClaimed,
    TicketEnded,
    TicketEvent,
    TicketMatched,
    TicketOpened,
    TicketReleased,
    Wish,
)
from howff.lobby.domain.tickets.tickets import TicketState
from howff.servicekit.eventstore.commits import PlainCommit


async def apply_commit(session: AsyncSession, subject: str, payload: bytes) -> Numbers:
    """Store what the commit of a table or of tickets tells, and what feeds tell of it.

    Raises:
        UnreadableCommitError: it is none, or not the next of its table.
    """
    about, notes = id_in(subject), list[Note]()
    if subject.startswith(TABLE_PREFIX):
        notes = await _table(session, about, TABLES.form.read(payload))
    elif subject.startswith(TICKET_PREFIX):
        notes = await _tickets(session, about, TICKETS.form.read(payload))
    return await tell(session, notes)


async def _table(session: AsyncSession, table: str, commit: PlainCommit[TableEvent]) -> list[Note]:
    """Store a table as *commit* has changed it, and return who is told of it."""
    row = await session.get(TableRow, table)
    if row is None:
        before, version, opened_at = None, 0, commit.at
    else:
        before, version, opened_at = from_json(Table, row.folded), row.version, row.opened_at
    now = TABLES.state_after(before, version, commit)
    summary = table_summary(table, commit.version, now, opened_at)
    await session.merge(_table_row(now, summary))
    await _store_parts(session, table, _parts(before), _parts(now))
    return _notes(before, now, summary, commit.at)


def _table_row(table: Table, summary: TableSummary) -> TableRow:
    return TableRow(
        id=summary.id,
        version=summary.version,
        phase=table.phase,
        visibility=table.visibility,
        game=table.terms.game,
        opened_at=summary.opened_at,
        folded=to_json(Table, table),
        summary=summary.model_dump(mode="json"),
    )


def _notes(before: Table | None, now: Table, summary: TableSummary, at: str) -> list[Note]:
    """Return who is told what of a table: its parts, and the lobby if it is or was open to all."""
    notes = notes_to(_parts(before) | _parts(now), "table", summary, at)
    was_open = before is not None and before.phase == "open"
    if now.visibility == "public" and (was_open or now.phase == "open"):
        notes.append(Note(LOBBY_AUDIENCE, "table", summary, at))
    return notes


def _parts(table: Table | None) -> frozenset[str]:
    if table is None:
        return frozenset()
    seated = (each.account for each in table.persons.values())
    return frozenset(each for each in (table.host, *table.reserved, *seated) if each is not None)


async def _store_parts(
    session: AsyncSession, table: str, former: frozenset[str], parts: frozenset[str]
) -> None:
    if gone := former - parts:
        of_table = col(TablePartRow.table_id) == table
        await session.execute(
            delete(TablePartRow).where(of_table, col(TablePartRow.account).in_(gone))
        )
    for account in sorted(parts - former):
        session.add(TablePartRow(account=account, table_id=table))


async def _tickets(
    session: AsyncSession, account: str, commit: PlainCommit[TicketEvent]
) -> list[Note]:
    """Store the open tickets of *account* after *commit*, and return what it is told of them."""
    told = [await _ticket(session, account, event) for event in commit.events]
    return [Note(audience_of(account), "ticket", each, commit.at) for each in told]


async def _ticket(session: AsyncSession, account: str, event: TicketEvent) -> TicketSummary:
    if isinstance(event, TicketOpened):
        row = TicketRow(
            id=event.ticket,
            account=account,
            opened_at=event.opened_at,
            expires_at=event.expires_at,
            wish=to_json(Wish, event.wish),
        )
        session.add(row)
        return ticket_summary(row)
    row = await session.get_one(TicketRow, event.ticket)
    return await _changed(session, row, event)


async def _changed(
    session: AsyncSession,
    row: TicketRow,
    event: TicketClaimed | TicketReleased | TicketMatched | TicketEnded,
) -> TicketSummary:
    match event:
        case TicketClaimed(table=table):
            row.table_id = table
        case TicketReleased():
            row.table_id = None
        case TicketMatched(table=table):
            row.table_id = table
            await session.delete(row)
            return ticket_summary(row, "matched")
        case TicketEnded(because=because):
            row.table_id = None
            await session.delete(row)
            return ticket_summary(row, "ended", because)
        case _:
            assert_never(event)
    return ticket_summary(row)


def ticket_summary(
    row: TicketRow, state: TicketState | None = None, because: EndedBecause | None = None
) -> TicketSummary:
    """Return the ticket of a row in short; it is open unless *state* says how it has ended."""
    return TicketSummary(
        id=row.id,
        **wish_summary(from_json(Wish, row.wish)),
        opened_at=row.opened_at,
        expires_at=row.expires_at,
        state=state or ("waiting" if row.table_id is None else "claimed"),
        ended_because=because,
        table=row.table_id,
    )
