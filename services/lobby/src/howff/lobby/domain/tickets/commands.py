"""What may be asked of the tickets of one account."""

from dataclasses import dataclass

from howff.lobby.domain.tickets.events import EndedBecause, Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTicket:
    """Wait for a match for so many seconds."""

    ticket: str
    wish: Wish
    lifetime: int


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTicket:
    """Wait no longer with this ticket; one that has *expired* must be due."""

    ticket: str
    because: EndedBecause


@dataclass(frozen=True, slots=True, kw_only=True)
class EndAllTickets:
    """Wait with none of the tickets any longer, not even with one that is claimed."""

    because: EndedBecause


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimTicket:
    """Have a ticket for the *table*."""

    ticket: str
    table: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseTicket:
    """Let the ticket go that the *table* has claimed; end it if there is a reason to."""

    table: str
    because: EndedBecause | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteMatched:
    """The match of the *table* is played, so no other ticket is needed any more."""

    table: str


TicketCommand = OpenTicket | EndTicket | EndAllTickets | ClaimTicket | ReleaseTicket | NoteMatched
