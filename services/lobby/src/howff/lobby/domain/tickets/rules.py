"""What commands to the tickets of an account cause, and when they are refused."""

from datetime import datetime, timedelta
from typing import Final, assert_never

from howff.lobby.domain.errors import (
    NoSuchTicketError,
    NothingChangesError,
    TicketClaimedError,
    TicketExistsError,
    TicketNotDueError,
    TooManyTicketsError,
    WrongWishError,
)
from howff.lobby.domain.tickets.commands import (
    ClaimTicket,
    EndAllTickets,
    EndTicket,
    NoteMatched,
    OpenTicket,
    ReleaseTicket,
    TicketCommand,
)
from howff.lobby.domain.tickets.events import (
    EndedBecause,
    TicketClaimed,
    TicketEnded,
    TicketEvent,
    TicketMatched,
    TicketOpened,
    TicketReleased,
)
from howff.lobby.domain.tickets.tickets import Tickets
from howff.lobby.domain.tickets.wishes import checked
from howff.match.commit import time_text

MOST_TICKETS: Final = 5
"""How many an account may have open at a time."""
LIFETIMES: Final = range(10, 24 * 60 * 60 + 1)
"""Seconds."""
Events = tuple[TicketEvent, ...]


def decide(tickets: Tickets | None, command: TicketCommand, now: datetime) -> Events:
    """Return what *command* causes; None stands for an account that never had a ticket.

    Raises:
        RefusalError: it is not possible, or not now.
    """
    known = tickets or Tickets()
    match command:
        case OpenTicket():
            return _open(known, command, now)
        case EndTicket():
            return _end(known, command, now)
        case EndAllTickets(because=because):
            return _end_all(known, because)
        case ClaimTicket():
            return _claim(known, command, now)
        case ReleaseTicket():
            return _release(known, command)
        case NoteMatched(table=table):
            return _note_matched(known, table)
        case _:
            assert_never(command)


def _open(known: Tickets, command: OpenTicket, now: datetime) -> Events:
    if known.find(command.ticket) is not None:
        raise TicketExistsError
    if len(known.waiting) >= MOST_TICKETS:
        raise TooManyTicketsError(MOST_TICKETS)
    if command.lifetime not in LIFETIMES:
        expected = f"{LIFETIMES[0]} to {LIFETIMES[-1]} seconds"
        raise WrongWishError("lifetime", expected=expected, found=str(command.lifetime))
    expires = now + timedelta(seconds=command.lifetime)
    wish = checked(command.wish)
    return (TicketOpened(command.ticket, wish, time_text(now), time_text(expires)),)


def _end(known: Tickets, command: EndTicket, now: datetime) -> Events:
    ticket = known.find(command.ticket)
    if ticket is None:
        raise NoSuchTicketError
    if known.claimed is not None and known.claimed.ticket == command.ticket:
        raise TicketClaimedError
    if command.because == "expired" and time_text(now) < ticket.expires_at:
        raise TicketNotDueError
    return (TicketEnded(command.ticket, command.because),)


def _end_all(known: Tickets, because: EndedBecause) -> Events:
    if not known.waiting:
        raise NothingChangesError("no open ticket")
    return tuple(TicketEnded(each.ticket, because) for each in known.waiting)


def _claim(known: Tickets, command: ClaimTicket, now: datetime) -> Events:
    ticket = known.find(command.ticket)
    if ticket is None or ticket.expires_at <= time_text(now):
        raise NoSuchTicketError
    if known.claimed is not None:
        raise TicketClaimedError
    return (TicketClaimed(command.ticket, command.table),)


def _release(known: Tickets, command: ReleaseTicket) -> Events:
    claimed = known.claimed
    if claimed is None or claimed.table != command.table:
        raise NothingChangesError("no ticket that the table has claimed")
    if command.because is not None:
        return (TicketEnded(claimed.ticket, command.because),)
    return (TicketReleased(claimed.ticket, command.table),)


def _note_matched(known: Tickets, table: str) -> Events:
    claimed = known.claimed
    if claimed is None or claimed.table != table:
        raise NothingChangesError("no ticket that the table has claimed")
    others = (each.ticket for each in known.waiting if each.ticket != claimed.ticket)
    ended = (TicketEnded(each, "matched_elsewhere") for each in others)
    return (TicketMatched(claimed.ticket, table), *ended)
