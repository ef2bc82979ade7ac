"""What follows from the commits of tables.

Commits arrive at least once, and after a redelivery not in order. So whatever is done here is done
once by its own identity: a command under an id that follows from its cause, a match by its table.
"""

from typing import assert_never

from howff.contracts.matches import AccountSeat, BotSeat, Holder, StartMatch
from howff.lobby.application.clocks import clock_message
from howff.lobby.application.ledgers import TableLedger, TicketLedger
from howff.lobby.application.ports import Seeds, Starter
from howff.lobby.domain.errors import TicketClaimedError
from howff.lobby.domain.tables.commands import DissolveTable, SettleMatched
from howff.lobby.domain.tables.events import (
    MatchBegun,
    MatchOver,
    TableClosed,
    TableEvent,
    TableMatched,
    TableStarted,
    TicketSeat,
)
from howff.lobby.domain.tables.table import Table
from howff.lobby.domain.tickets.commands import (
    ClaimTicket,
    NoteMatched,
    ReleaseTicket,
)
from howff.lobby.domain.tickets.events import EndedBecause
from howff.match.events import Account, Bot
from howff.servicekit.eventstore.commits import PlainCommit
from howff.servicekit.eventstore.store import Position


class TableOutbox:
    """Does what follows from commits of tables."""

    def __init__(
        self, tables: TableLedger, tickets: TicketLedger, *, seeds: Seeds, starter: Starter
    ) -> None:
        self._tables = tables
        self._tickets = tickets
        self._seeds = seeds
        self._starter = starter

    async def on_commit(
        self, table: str, commit: PlainCommit[TableEvent], position: Position
    ) -> None:
        """Do what follows from a *commit* of a table.

        Raises:
            RefusalError: it could not be done now; the commit has to come again.
        """
        for event in commit.events:
            match event:
                case TableMatched():
                    await self._claim(table, event)
                case TableStarted(attempt):
                    await self._start(table, attempt, position)
                case MatchBegun() | MatchOver():  # the end may be heard of first
                    await self._note_matched(table, position)
                case TableClosed():
                    await self._release(table, await self._table(table, position))
                    await self._seeds.discard(table)
                case _:
                    pass

    async def _claim(self, table: str, matched: TableMatched) -> None:
        """Claim the tickets of *table*, and ask for its match; or give it up."""
        if await self._are_claimed(table, matched):
            await self._tables.react(table, SettleMatched(), cause=table)
        else:
            await self._tables.react(table, DissolveTable(because="ticket_gone"), cause=table)
        # It may have been given up, and its tickets released, before some were claimed here.
        now = await self._table(table)
        if now.phase == "closed":
            await self._release(table, now)

    async def _are_claimed(self, table: str, matched: TableMatched) -> bool:
        for seat in matched.seats:
            if isinstance(seat, TicketSeat):
                claim = ClaimTicket(ticket=seat.ticket, table=table)
                cause = f"{table}\n{seat.ticket}"
                try:
                    claimed = await self._tickets.react(seat.account, claim, cause=cause)
                except TicketClaimedError:
                    return False
                if claimed is None:
                    return False
        return True

    async def _start(self, table: str, attempt: int, position: Position) -> None:
        """Ask for the match of *table*, unless it was settled since."""
        now = await self._table(table, position)
        if now.phase == "starting" and now.attempt == attempt:
            await self._starter.publish(start_message(table, now))

    async def _note_matched(self, table: str, position: Position) -> None:
        now = await self._table(table, position)
        for person in now.persons.values():
            if person.ticket is not None:
                note = NoteMatched(table=table)
                await self._tickets.react(person.account, note, cause=table)

    async def _release(self, table: str, closed: Table) -> None:
        """Let the tickets go that *table* has claimed; those of a refused match end."""
        because: EndedBecause | None = "refused" if closed.closed_because == "refused" else None
        for person in closed.persons.values():
            tickets = await self._tickets.find(person.account)
            if person.ticket is not None and tickets is not None:
                # By the version, since a ticket may be claimed again after it was released.
                release, cause = ReleaseTicket(table=table, because=because), tickets.version
                await self._tickets.react(person.account, release, cause=f"{table}\n{cause}")

    async def _table(self, table: str, through: Position | None = None) -> Table:
        folded = await self._tables.find(table, through=through)
        assert folded is not None, "a table that has commits is there"
        return folded.state


def start_message(table: str, state: Table) -> StartMatch:
    """Return the order of the match of a table that is full."""
    terms = state.terms
    return StartMatch(
        match=table,
        game=terms.game,
        options=terms.options,
        seats=tuple(map(_holder, state.holders)),
        watch=terms.watch,
        rated=terms.rated,
        entropies=state.entropies,
        clock=clock_message(terms.clock),
        on_flag=terms.on_flag,
        on_leave=terms.on_leave,
        stand_in=terms.stand_in,
        attempt=state.attempt,
    )


def _holder(holder: Account | Bot) -> Holder:
    match holder:
        case Account(account):
            return AccountSeat(account=account)
        case Bot(level):
            return BotSeat(bot=level)
        case _:
            assert_never(holder)
