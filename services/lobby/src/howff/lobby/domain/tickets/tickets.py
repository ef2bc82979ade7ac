"""The tickets of one account, and how events change them.

They are one aggregate, for they are decided together: whoever claims one of them for a table does
so in the version in which no other is claimed. So nobody gets two seats, whoever else proposes.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, assert_never

from howff.lobby.domain.tickets.events import (
    EndedBecause,
    TicketClaimed,
    TicketEnded,
    TicketEvent,
    TicketMatched,
    TicketOpened,
    TicketReleased,
)

MOST_ENDED: Final = 20
"""How many of the tickets that have ended are still known."""

TicketState = Literal["waiting", "claimed", "matched", "ended"]


@dataclass(frozen=True, slots=True)
class Ended:
    """A ticket that waits no longer: it has led to *table*, or ended *because* of something."""

    ticket: TicketOpened
    table: str | None = None
    because: EndedBecause | None = None

    @property
    def state(self) -> TicketState:
        return "ended" if self.table is None else "matched"


@dataclass(frozen=True, slots=True)
class Tickets:
    """The tickets that wait, the table that has claimed one, and the newest that have ended.

    Oldest first.
    """

    waiting: tuple[TicketOpened, ...] = ()
    claimed: TicketClaimed | None = None
    ended: tuple[Ended, ...] = ()

    def find(self, ticket: str) -> TicketOpened | None:
        """Return the open ticket with this id."""
        return next((each for each in self.waiting if each.ticket == ticket), None)

    def claiming(self, ticket: str) -> str | None:
        """Return the table that has claimed *ticket*."""
        is_it = self.claimed is not None and self.claimed.ticket == ticket
        return self.claimed.table if self.claimed is not None and is_it else None


def evolve(tickets: Tickets | None, event: TicketEvent) -> Tickets:
    """Return the tickets after *event*; None stands for an account that never had one."""
    known = tickets or Tickets()
    match event:
        case TicketOpened():
            return replace(known, waiting=(*known.waiting, event))
        case TicketClaimed():
            return replace(known, claimed=event)
        case TicketReleased():
            return replace(known, claimed=None)
        case TicketMatched(ticket, table):
            return _without(known, ticket, table, None)
        case TicketEnded(ticket, because):
            return _without(known, ticket, None, because)
        case _:
            assert_never(event)


def _without(
    known: Tickets, ticket: str, table: str | None, because: EndedBecause | None
) -> Tickets:
    ended = (Ended(each, table, because) for each in known.waiting if each.ticket == ticket)
    return Tickets(
        waiting=tuple(each for each in known.waiting if each.ticket != ticket),
        claimed=None if known.claiming(ticket) is not None else known.claimed,
        ended=(*known.ended, *ended)[-MOST_ENDED:],
    )
