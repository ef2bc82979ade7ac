"""Bringing tickets that wait to tables, and letting those expire whose time is over.

Who is at a table is decided in the tickets, each of which can be claimed once. So what is done here
twice, or on rows that are behind, costs a table that comes to nothing and no more: it is done under
a lease only because one process is enough for it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Protocol, TypeVar

from howff.engine.errors import RefusalError
from howff.lobby.application.ledgers import TableLedger, TicketLedger
from howff.lobby.application.ports import Seeds
from howff.lobby.domain.matching.proposals import Proposal, propose
from howff.lobby.domain.matching.seating import seated
from howff.lobby.domain.matching.waiting import WaitingTicket
from howff.lobby.domain.tables.commands import MatchTickets
from howff.lobby.domain.tickets.commands import EndTicket
from howff.servicekit.retries import log_failure

T = TypeVar("T")

AT_ONCE: Final = 16
"""How many commands may be on their way."""
SEEN_WITHIN: Final = timedelta(seconds=10)
"""For how long an account is left out after a proposal, unless its ticket is seen to be taken."""

Waiting = Callable[[], Awaitable[tuple[WaitingTicket, ...]]]
"""Returns the tickets that wait, also those whose time is over, as far as that is known.

Those of an account one of whose tickets is claimed are left out.
"""


class Turn(Protocol):
    """Whether it is this process's turn to do the work."""

    @property
    def is_held(self) -> bool: ...


@dataclass(slots=True, kw_only=True)
class QuickMatch:
    """Makes tables for tickets that fit each other."""

    tables: TableLedger
    tickets: TicketLedger
    waiting: Waiting
    seeds: Seeds
    turn: Turn
    new_id: Callable[[], str]
    now: Callable[[], datetime]
    _proposed: dict[str, tuple[str, datetime]] = field(
        default_factory=dict[str, "tuple[str, datetime]"]
    )
    """By account, the ticket that was proposed, and until when the account is left out."""

    async def round(self) -> None:
        """Look once through the tickets that wait; what is refused is logged and passed by.

        Raises:
            RefusalError: the tickets can't be read.
        """
        now = self.now()
        tickets = await self.waiting()
        await self._each(self._expire, [each for each in tickets if each.is_over(now)])
        # In a thread, for a crowd takes a moment for which nobody else should have to wait.
        proposals = await asyncio.to_thread(propose, self._open(tickets, now), now)
        await self._each(self._make, proposals)

    def _open(self, tickets: tuple[WaitingTicket, ...], now: datetime) -> list[WaitingTicket]:
        """Return those of *tickets* that may be proposed: what is read of them may be behind."""
        waiting = {each.ticket for each in tickets}
        self._proposed = {
            account: (ticket, until)
            for account, (ticket, until) in self._proposed.items()
            if ticket in waiting and until > now
        }
        return [each for each in tickets if each.account not in self._proposed]

    async def _make(self, proposal: Proposal) -> None:
        table = self.new_id()
        commitment = await self.seeds.commitment(table)
        until = self.now() + SEEN_WITHIN
        for each in proposal.tickets:
            self._proposed[each.account] = each.ticket, until
        command = MatchTickets(
            terms=proposal.terms,
            seed_commitment=commitment,
            seats=seated(proposal.seats, commitment),
        )
        await self.tables.react(table, command, cause=table)

    async def _expire(self, ticket: WaitingTicket) -> None:
        command = EndTicket(ticket=ticket.ticket, because="expired")
        await self.tickets.react(ticket.account, command, cause=ticket.ticket)

    async def _each(self, act: Callable[[T], Awaitable[None]], things: Iterable[T]) -> None:
        """Do *act* with all *things*, some at a time, while it is this process's turn."""
        room = asyncio.Semaphore(AT_ONCE)

        async def alone(thing: T) -> None:
            async with room:
                if self.turn.is_held:
                    await _refusable(act, thing)

        async with asyncio.TaskGroup() as group:
            for each in things:
                group.create_task(alone(each))


async def _refusable(act: Callable[[T], Awaitable[None]], thing: T) -> None:
    try:
        await act(thing)
    except RefusalError as refusal:  # the next round may do, or somebody was faster
        log_failure("a step of quick match", refusal)
