"""Tables, tickets and accounts of the lobby, as tests of its domain begin with them."""

import hashlib
from dataclasses import replace
from typing import Any, Final

from howff.lobby.application.ledgers import ACCOUNTS, TABLES, TICKETS
from howff.lobby.domain.accounts.account import AccountCommand, Standing
from howff.lobby.domain.accounts.events import AccountEvent
from howff.lobby.domain.tables.commands import TableCommand
from howff.lobby.domain.tables.events import (
    SeatTaken,
    TableEvent,
    TableMatched,
    TableOpened,
    TicketSeat,
)
from howff.lobby.domain.tables.table import Table
from howff.lobby.domain.terms import Terms, resolved
from howff.lobby.domain.tickets.commands import TicketCommand
from howff.lobby.domain.tickets.events import GameWished, TicketEvent, TicketOpened, Wish
from howff.lobby.domain.tickets.tickets import Tickets
from howff.lobby.domain.tickets.wishes import checked
from support.given import Given

COMMITMENT: Final = "5e" * 32
TERMS: Final = resolved(Terms(game="troedler", options={}, seats=3))
WISH: Final = Wish(
    games=(GameWished("troedler", {}),), seats=(2, 3), clocks=(None,), rated="either"
)
NOBODY: Final = (None, None, None)

Tables = Given[Table, TableCommand, TableEvent]
SomeTickets = Given[Tickets, TicketCommand, TicketEvent]
Accounts = Given[Standing, AccountCommand, AccountEvent]


def table(*events: TableEvent) -> Tables:
    """Return a table that these events have happened to."""
    return Given(TABLES, events)


def tickets(*events: TicketEvent) -> SomeTickets:
    """Return the tickets of an account that these events have happened to."""
    return Given(TICKETS, events)


def standing(*events: AccountEvent) -> Accounts:
    """Return an account that these events have happened to."""
    return Given(ACCOUNTS, events)


def opened(**changes: Any) -> TableOpened:
    """Return how Ada opens a table for three, but for the *changes*."""
    event = TableOpened(
        terms=TERMS,
        visibility="public",
        host="ada",
        seed_commitment=COMMITMENT,
        reserved=NOBODY,
    )
    return replace(event, **changes)


def rated(terms: Terms = TERMS) -> Terms:
    """Return *terms* of a match that counts."""
    return replace(terms, rated=True)


def full(*entropies: str | None) -> tuple[TableEvent, ...]:
    """Return a table of Ada, Bea and Cid, each with an entropy, or with none for None."""
    told = (*entropies, None, None, None)
    taken = (
        SeatTaken(seat, account, None if entropy is None else hash_of(entropy))
        for seat, (account, entropy) in enumerate(zip(("ada", "bea", "cid"), told, strict=False))
    )
    return (opened(), *taken)


def matched(**changes: Any) -> TableMatched:
    """Return how tickets of Ada, Bea and Cid are brought together, but for the *changes*."""
    seats = tuple(TicketSeat(each, f"of-{each}") for each in ("ada", "bea", "cid"))
    event = TableMatched(terms=TERMS, seed_commitment=COMMITMENT, seats=seats)
    return replace(event, **changes)


def hash_of(entropy: str) -> str:
    """Return SHA-256 of *entropy*, as a seat tells it."""
    return hashlib.sha256(entropy.encode()).hexdigest()


def waiting(ticket: str, **changes: Any) -> TicketOpened:
    """Return a ticket that waits from 20:00 to 20:10, but for the *changes*."""
    event = TicketOpened(
        ticket, checked(WISH), "2026-11-28T20:00:00.000Z", "2026-11-28T20:10:00.000Z"
    )
    return replace(event, **changes)
