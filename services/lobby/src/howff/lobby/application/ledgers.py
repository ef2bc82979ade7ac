"""The aggregates of the service: tables, the tickets of accounts, and how accounts stand."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Generic, TypeVar

from howff.lobby.domain.accounts import account
from howff.lobby.domain.accounts.account import AccountCommand, Standing
from howff.lobby.domain.accounts.events import AccountEvent
from howff.lobby.domain.errors import (
    NoSuchTableError,
    NoSuchTicketError,
    NothingChangesError,
    WrongPhaseError,
)
from howff.lobby.domain.tables import rules as table_rules
from howff.lobby.domain.tables import table
from howff.lobby.domain.tables.commands import TableCommand
from howff.lobby.domain.tables.events import TableEvent
from howff.lobby.domain.tables.table import Table
from howff.lobby.domain.tickets import rules as ticket_rules
from howff.lobby.domain.tickets import tickets
from howff.lobby.domain.tickets.commands import TicketCommand
from howff.lobby.domain.tickets.events import TicketEvent
from howff.lobby.domain.tickets.tickets import Tickets
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore.commits import BoundCommand, Folded, Kind, PlainCommit
from howff.servicekit.eventstore.store import BEGINNING, Position, StreamId
from howff.servicekit.ids import id_from

S = TypeVar("S")
D = TypeVar("D")
E = TypeVar("E")

PLATFORM: Final = "platform"
"""Who gives the commands that no account gives."""
TABLES: Final[Kind[Table, TableCommand, TableEvent]] = Kind(
    TableEvent, table_rules.decide, table.evolve
)
TICKETS: Final[Kind[Tickets, TicketCommand, TicketEvent]] = Kind(
    TicketEvent, ticket_rules.decide, tickets.evolve
)
ACCOUNTS: Final[Kind[Standing, AccountCommand, AccountEvent]] = Kind(
    AccountEvent, account.decide, account.evolve
)
_MOOT: Final = (NothingChangesError, NoSuchTableError, NoSuchTicketError, WrongPhaseError)
"""What tells a reaction that there is nothing to do, or nothing any more."""


@dataclass(frozen=True, slots=True)
class Ledger(Generic[S, D, E]):
    """All aggregates of one kind, by id; their streams are subjects that begin with *prefix*."""

    kind: Kind[S, D, E]
    aggregates: Aggregates[Folded[S], PlainCommit[E]]
    prefix: str
    now: Callable[[], datetime]

    async def find(self, id: str, *, through: Position | None = None) -> Folded[S] | None:  # noqa: A002
        """Return the aggregate as it stands, or None; it has come at least as far as *through*.

        Raises:
            UnavailableError: the store can't be reached.
        """
        base = await self.aggregates.load(self._stream(id), through=through)
        return None if base is None else base.aggregate

    async def history(self, id: str) -> tuple[PlainCommit[E], ...]:  # noqa: A002
        """Return all commits of an aggregate.

        Raises:
            UnavailableError: the store can't be reached.
        """
        recorded = await self.aggregates.since(self._stream(id), BEGINNING)
        return tuple(each.commit for each in recorded)

    def check_first(self, command: D) -> None:
        """Refuse what no aggregate begins with.

        Raises:
            RefusalError: it is such.
        """
        self.kind.decide(None, command, self.now())

    async def order(self, id: str, command: D, *, by: str, key: str) -> Folded[S]:  # noqa: A002
        """Do what *by* orders under *key*, if it has not been done yet; return what is so now.

        Raises:
            RefusalError: the aggregate refuses it.
            UnresolvedError: the store gave no answer in time.
        """
        stream = self._stream(id)
        bound = BoundCommand(self.kind, stream, command, by, key, self.now)
        return (await self.aggregates.handle(stream, bound)).aggregate

    async def react(self, id: str, command: D, *, cause: str) -> Folded[S] | None:  # noqa: A002
        """Do what follows from a *cause*, once however often it comes; None if it is moot.

        Raises:
            RefusalError: the aggregate refuses it for a reason of its own, or can't be reached.
        """
        key = id_from(f"{type(command).__name__}\n{cause}")
        try:
            return await self.order(id, command, by=PLATFORM, key=key)
        except _MOOT:
            return None

    def _stream(self, id: str) -> StreamId:  # noqa: A002
        return StreamId(f"{self.prefix}{id}")


TableLedger = Ledger[Table, TableCommand, TableEvent]
TicketLedger = Ledger[Tickets, TicketCommand, TicketEvent]
AccountLedger = Ledger[Standing, AccountCommand, AccountEvent]

TABLE_PREFIX: Final = "lobby.table."
TICKET_PREFIX: Final = "lobby.tickets."
ACCOUNT_PREFIX: Final = "lobby.account."
