"""The lobby in memory, with an outbox that may be late, forgetful and out of order."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from howff.contracts.matches import MatchRefused, MatchStarted, StartMatch
from howff.lobby.application.ledgers import (
    TABLE_PREFIX,
    TABLES,
    TICKET_PREFIX,
    TICKETS,
    Ledger,
    TableLedger,
    TicketLedger,
)
from howff.lobby.application.news import News
from howff.lobby.application.table_outbox import TableOutbox
from howff.lobby.domain.tables.commands import MatchTickets
from howff.lobby.domain.tables.events import TicketSeat
from howff.lobby.domain.tables.table import Table
from howff.lobby.domain.terms import Terms
from howff.lobby.domain.tickets.commands import EndTicket, OpenTicket
from howff.lobby.domain.tickets.events import GameWished, Wish
from howff.lobby.domain.tickets.tickets import Tickets
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore.commits import Kind, PlainCommit
from howff.servicekit.eventstore.errors import UnavailableError
from howff.servicekit.eventstore.memory import MemoryStore
from howff.servicekit.eventstore.store import Mark, Position, StreamId
from support.rng import LocalRng

Delivery = Callable[[], Awaitable[None]]
WISH = Wish(games=(GameWished("troedler", {}),), seats=(2, 3), clocks=(None,), rated="no")


class Heard(MemoryStore[Any]):
    """A store that tells of each commit that it has taken."""

    def __init__(
        self, kind: Kind[Any, Any, Any], hear: Callable[[StreamId, Any, Mark], None]
    ) -> None:
        super().__init__(kind.form)
        self._hear = hear

    async def append(self, stream: StreamId, commit: PlainCommit[Any], after: Mark) -> Mark:
        mark = await super().append(stream, commit, after)
        self._hear(stream, commit, mark)
        return mark


@dataclass
class Claims:
    """Tables, tickets, and what has not been delivered yet."""

    rng: LocalRng
    waiting: list[Delivery] = field(default_factory=list)
    tables: set[str] = field(default_factory=set)
    asked: list[StartMatch] = field(default_factory=list)
    """The matches that were asked for."""
    begun: set[str] = field(default_factory=set)
    """The matches that the match service has started."""
    tickets: dict[str, str] = field(default_factory=dict)
    """By ticket, its account."""

    def __post_init__(self) -> None:
        self.now = datetime(2026, 11, 28, tzinfo=UTC)
        store = Heard(TABLES, self._heard)
        aggregates = Aggregates(store, TABLES.fold, most_kept=3, patience=0.0)
        self.table_ledger: TableLedger = Ledger(TABLES, aggregates, TABLE_PREFIX, self._clock)
        ticket_aggregates = Aggregates(
            MemoryStore(TICKETS.form), TICKETS.fold, most_kept=3, patience=0.0
        )
        self.ticket_ledger: TicketLedger = Ledger(
            TICKETS, ticket_aggregates, TICKET_PREFIX, self._clock
        )
        self.outbox = TableOutbox(self.table_ledger, self.ticket_ledger, seeds=self, starter=self)
        self.news = News(self.table_ledger)

    async def open(self, account: str, ticket: str) -> None:
        """Let *account* wait with *ticket*."""
        command = OpenTicket(ticket=ticket, wish=WISH, lifetime=600)
        await self.ticket_ledger.order(account, command, by=account, key=ticket)
        self.tickets[ticket] = account

    async def cancel(self, ticket: str) -> None:
        """Let the account of *ticket* wait no longer with it, if it may."""
        account = self.tickets[ticket]
        command = EndTicket(ticket=ticket, because="cancelled")
        await self.ticket_ledger.order(account, command, by=account, key=f"cancel-{ticket}")

    async def propose(self, table: str, tickets: tuple[str, ...]) -> None:
        """Bring *tickets* to a *table*, whether they are free or not."""
        seats = tuple(TicketSeat(self.tickets[each], each) for each in tickets)
        terms = Terms(game="troedler", options={}, seats=len(seats))
        command = MatchTickets(terms=terms, seed_commitment="0" * 64, seats=seats)
        await self.table_ledger.order(table, command, by="platform", key=f"propose-{table}")
        self.tables.add(table)

    async def deliver(self) -> None:
        """Let something be delivered, most often for good; what fails comes again."""
        at = self.rng.roll("delivery", range(len(self.waiting)))
        try:
            await self.waiting[at]()
        except UnavailableError:
            return
        if self.rng.roll("fate", range(4)):
            self.waiting.pop(at)

    async def settle(self) -> None:
        """Let everything be delivered."""
        while self.waiting:
            await self.deliver()

    async def table(self, table: str) -> Table:
        folded = await self.table_ledger.find(table)
        assert folded is not None, "it was proposed"
        return folded.state

    async def known(self, account: str) -> Tickets:
        folded = await self.ticket_ledger.find(account)
        assert folded is not None, "it has waited"
        return folded.state

    async def commitment(self, match: str) -> str:
        """Return the same for all: nobody looks at it."""
        return match[:0] + "0" * 64

    async def discard(self, match: str) -> None:
        """Forget the seed; the match must not have begun."""
        self._may_fail()
        assert match not in self.begun, "a table with a match was closed"

    async def publish(self, message: StartMatch) -> None:
        """Ask for a match; it is started or refused, and that is told some time."""
        self._may_fail()
        self.asked.append(message)
        self.waiting.append(lambda: self._answer(message))

    async def _answer(self, message: StartMatch) -> None:
        is_refused = message.match.endswith("refused") and message.match not in self.begun
        if is_refused:
            told = MatchRefused(
                match=message.match, order=1, attempt=message.attempt, code="no", detail="no"
            )
            self.waiting.append(lambda: self.news.on_message(told))
            return
        self.begun.add(message.match)
        started = MatchStarted(
            match=message.match, game=message.game, seats=message.seats, rated=False, at="now"
        )
        self.waiting.append(lambda: self.news.on_message(started))

    def _heard(self, stream: StreamId, commit: PlainCommit[Any], mark: Mark) -> None:
        table = stream.removeprefix(TABLE_PREFIX)
        self.waiting.append(lambda: self.outbox.on_commit(table, commit, Position(mark.position)))

    def _may_fail(self) -> None:
        if not self.rng.roll("failure", range(5)):
            raise UnavailableError(expected="an answer", found="none")

    def _clock(self) -> datetime:
        self.now += timedelta(milliseconds=1)
        return self.now
