"""Where tickets wait for quick match, in memory: rows that may be behind, seeds that may fail."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

from howff.lobby.application.quick_match import QuickMatch
from howff.lobby.domain.matching.waiting import WaitingTicket
from howff.lobby.domain.tables.table import Table
from howff.lobby.domain.tickets.events import TicketOpened
from howff.servicekit.nats.errors import NatsUnavailableError
from support.claims import Claims
from support.rng import LocalRng


def waiting_ticket(account: str, opened: TicketOpened) -> WaitingTicket:
    """Return the ticket as the lists would tell it."""
    return WaitingTicket(
        ticket=opened.ticket,
        account=account,
        wish=opened.wish,
        since=datetime.fromisoformat(opened.opened_at),
        expires_at=datetime.fromisoformat(opened.expires_at),
        ratings={},
    )


@dataclass
class Hall:
    """The lobby in memory with quick match in it; *rows* is what was read of the tickets last."""

    claims: Claims = field(default_factory=lambda: Claims(LocalRng(1)))
    is_held: bool = True
    failing: int = 0
    """How many of the next questions for a seed stay without an answer."""
    rows: tuple[WaitingTicket, ...] = ()

    def __post_init__(self) -> None:
        self.numbers = count()
        self.worker = QuickMatch(
            tables=self.claims.table_ledger,
            tickets=self.claims.ticket_ledger,
            waiting=self._read,
            seeds=self,
            turn=self,
            new_id=self._new_table,
            now=lambda: self.claims.now,
        )

    async def open(self, *tickets: str) -> None:
        """Let tickets be opened, each by the account that its first letter names."""
        for ticket in tickets:
            await self.claims.open(ticket[0], ticket)
            self.wait(seconds=1)

    def wait(self, seconds: float) -> None:
        self.claims.now += timedelta(seconds=seconds)

    async def catch_up(self) -> None:
        """Let the rows tell what is so."""
        rows: list[WaitingTicket] = []
        for account in sorted(set(self.claims.tickets.values())):
            known = await self.claims.known(account)
            if known.claimed is None:
                rows.extend(waiting_ticket(account, each) for each in known.waiting)
        self.rows = tuple(rows)

    async def round(self) -> None:
        """Let quick match look at rows that are not behind."""
        await self.catch_up()
        await self.worker.round()

    async def tables(self) -> list[Table]:
        """Return the tables in the order in which they were made."""
        return [
            folded.state
            for name in sorted(self.claims.tables)
            if (folded := await self.claims.table_ledger.find(name)) is not None
        ]

    async def seated(self) -> list[set[str]]:
        """Return the accounts at each table that has not been given up."""
        return [
            {each.account for each in table.persons.values()}
            for table in await self.tables()
            if table.phase != "closed"
        ]

    async def commitment(self, match: str) -> str:
        if self.failing:
            self.failing -= 1
            raise NatsUnavailableError("seeds", found="nobody")
        return await self.claims.commitment(match)

    async def discard(self, match: str) -> None:
        await self.claims.discard(match)

    async def _read(self) -> tuple[WaitingTicket, ...]:
        return self.rows

    def _new_table(self) -> str:
        name = f"table-{next(self.numbers):03}"
        self.claims.tables.add(name)
        return name
