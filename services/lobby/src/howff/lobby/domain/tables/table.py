"""A table as it stands, and how its events change it."""

from dataclasses import dataclass, replace
from typing import Literal, assert_never

from howff.engine.values import with_item
from howff.lobby.domain.tables.events import (
    BotSeated,
    ClosedBecause,
    HostChanged,
    InvitationMade,
    InvitationRevoked,
    LaterEvent,
    MatchBegun,
    MatchOver,
    ReadyWithdrawn,
    ReservationLifted,
    SeatLeft,
    SeatReadied,
    SeatTaken,
    StartRefused,
    TableClosed,
    TableEvent,
    TableMatched,
    TableOpened,
    TableStarted,
    TicketSeat,
    Visibility,
)
from howff.lobby.domain.terms import Terms
from howff.match.draws import Entropies
from howff.match.events import Account, Bot

Phase = Literal["open", "gathering", "starting", "playing", "over", "closed"]
"""Gathering: by tickets, not all of which have been claimed."""


@dataclass(frozen=True, slots=True)
class Person:
    """An account at the table."""

    account: str
    entropy_hash: str | None = None
    entropy: str | None = None
    is_ready: bool = False
    ticket: str | None = None
    """By which it got the seat, if by one."""

    def forgoing(self) -> "Person":
        """Return the account with its entropy given up, if that was told."""
        return self if self.entropy is None else Person(self.account, ticket=self.ticket)


Holder = Person | Bot | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why the match was refused that the table has asked for."""

    code: str
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table; *seats* and *reserved* are by seat."""

    terms: Terms
    visibility: Visibility
    host: str | None
    """None for a table that tickets have led to."""
    seed_commitment: str
    seats: tuple[Holder, ...]
    reserved: tuple[str | None, ...]
    previous: str | None = None
    phase: Phase = "open"
    invitations: tuple[InvitationMade, ...] = ()
    attempt: int = 0
    """How often the match was asked for."""
    refusal: Refusal | None = None
    closed_because: ClosedBecause | None = None

    @property
    def is_matched(self) -> bool:
        """Whether tickets have led to it."""
        return self.host is None

    @property
    def persons(self) -> dict[int, Person]:
        """The accounts at the table by seat."""
        return {at: each for at, each in enumerate(self.seats) if isinstance(each, Person)}

    @property
    def free(self) -> tuple[int, ...]:
        return tuple(at for at, each in enumerate(self.seats) if each is None)

    @property
    def holders(self) -> tuple[Account | Bot, ...]:
        """The seats as a match has them, of a table that is full."""
        return tuple(
            Account(each.account) if isinstance(each, Person) else each
            for each in self.seats
            if each is not None
        )

    @property
    def entropies(self) -> Entropies:
        """What the seats add to the luck of the match."""
        return tuple(each.entropy if isinstance(each, Person) else None for each in self.seats)

    def seat_of(self, account: str) -> int | None:
        """Return the seat of *account*, if it has one."""
        seats = (at for at, each in self.persons.items() if each.account == account)
        return next(seats, None)

    def is_known_to(self, account: str | None) -> bool:
        """Tell whether *account* may look at the table without an invitation."""
        if self.visibility == "public":
            return True
        return account is not None and (
            account == self.host or account in self.reserved or self.seat_of(account) is not None
        )

    def invitation(self, id: str) -> InvitationMade | None:  # noqa: A002 — that is what it is
        """Return the invitation with this *id*, if it is still good."""
        return next((each for each in self.invitations if each.invitation == id), None)

    def with_seat(self, seat: int, holder: Holder) -> "Table":
        return replace(self, seats=with_item(self.seats, seat, holder))

    def reserved_for_nobody(self, seat: int) -> "Table":
        return replace(self, reserved=with_item(self.reserved, seat, None))


def evolve(table: Table | None, event: TableEvent) -> Table:
    """Return the table after *event*, of which the first makes it."""
    match event:
        case TableOpened():
            return _opened(event)
        case TableMatched():
            return _matched(event)
        case _:
            assert table is not None, "a table is opened first"
            return _changed(table, event)


def _changed(table: Table, event: LaterEvent) -> Table:  # noqa: C901, PLR0911, PLR0912
    match event:
        case SeatTaken(seat, account, entropy_hash):
            return _forgoing(table).with_seat(seat, Person(account, entropy_hash))
        case BotSeated(seat, level):
            return table.with_seat(seat, Bot(level))
        case SeatLeft(seat):
            return _forgoing(table).with_seat(seat, None).reserved_for_nobody(seat)
        case ReservationLifted(seat):
            return table.reserved_for_nobody(seat)
        case SeatReadied(seat, entropy):
            person = replace(table.persons[seat], is_ready=True, entropy=entropy)
            return table.with_seat(seat, person)
        case ReadyWithdrawn(seat):
            return table.with_seat(seat, replace(table.persons[seat], is_ready=False))
        case HostChanged(account):
            return replace(table, host=account)
        case InvitationMade():
            return replace(table, invitations=(*table.invitations, event))
        case InvitationRevoked(invitation):
            kept = tuple(each for each in table.invitations if each.invitation != invitation)
            return replace(table, invitations=kept)
        case TableStarted(attempt):
            return replace(table, phase="starting", attempt=attempt, refusal=None)
        case StartRefused(_, code, detail):
            return _refused(table, Refusal(code=code, detail=detail))
        case MatchBegun():
            return replace(table, phase="playing")
        case MatchOver():
            return replace(table, phase="over")
        case TableClosed(because):
            return replace(table, phase="closed", closed_because=because)
        case _:
            assert_never(event)


def _opened(event: TableOpened) -> Table:
    return Table(
        terms=event.terms,
        visibility=event.visibility,
        host=event.host,
        seed_commitment=event.seed_commitment,
        seats=(None,) * event.terms.seats,
        reserved=event.reserved,
        previous=event.previous,
    )


def _matched(event: TableMatched) -> Table:
    return Table(
        terms=event.terms,
        visibility="invitation",
        host=None,
        seed_commitment=event.seed_commitment,
        seats=tuple(map(_holder, event.seats)),
        reserved=(None,) * event.terms.seats,
        phase="gathering",
    )


def _holder(seat: TicketSeat | Bot) -> Holder:
    match seat:
        case TicketSeat(account, ticket):
            return Person(account, is_ready=True, ticket=ticket)
        case Bot():
            return seat


def _forgoing(table: Table) -> Table:
    """Return the table with all entropies given up that were told.

    Whoever sits down now, or fixes another entropy, could know them and choose its own by them. So
    they count no more, and who told them can fix another.
    """
    seats = tuple(each.forgoing() if isinstance(each, Person) else each for each in table.seats)
    return replace(table, seats=seats)


def _refused(table: Table, refusal: Refusal) -> Table:
    seats = tuple(
        replace(each, is_ready=False) if isinstance(each, Person) else each for each in table.seats
    )
    return replace(table, phase="open", seats=seats, refusal=refusal)
