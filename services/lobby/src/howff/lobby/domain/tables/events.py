"""What happens at a table."""

from dataclasses import dataclass
from typing import Literal

from howff.lobby.domain.reasons import Reason
from howff.lobby.domain.terms import Terms
from howff.match.events import Bot

Visibility = Literal["public", "invitation"]
"""Who may sit down: anybody, or who is invited."""
LeftBecause = Literal["left", "kicked", "suspended", "erased"]
ClosedBecause = Literal["cancelled", "empty", "expired", "administrator", "ticket_gone", "refused"]
"""By the host; since nobody is left; since it stood open for too long; by an administrator; since
a ticket was taken back before its match; since the match was refused that tickets had led to."""


@dataclass(frozen=True, slots=True)
class TableOpened:
    """A table stands open for who wants to sit down; *reserved* names accounts by seat."""

    terms: Terms
    visibility: Visibility
    host: str
    seed_commitment: str
    reserved: tuple[str | None, ...]
    previous: str | None = None
    """The table whose match this one plays again."""


@dataclass(frozen=True, slots=True)
class TicketSeat:
    """A seat that an account gets by a ticket."""

    account: str
    ticket: str


@dataclass(frozen=True, slots=True)
class TableMatched:
    """Tickets fit each other: their accounts have these seats once each has been claimed."""

    terms: Terms
    seed_commitment: str
    seats: tuple[TicketSeat | Bot, ...]


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """An account sits down, and may have fixed an entropy by its SHA-256.

    Who has the seat already fixes another entropy; those that were told by then are given up.
    """

    seat: int
    account: str
    entropy_hash: str | None = None


@dataclass(frozen=True, slots=True)
class BotSeated:
    """A bot sits down."""

    seat: int
    level: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A seat is free again, for anybody; entropies that were told by then are given up."""

    seat: int
    because: LeftBecause


@dataclass(frozen=True, slots=True)
class ReservationLifted:
    """A seat that nobody has taken is kept for nobody any more."""

    seat: int
    because: LeftBecause


@dataclass(frozen=True, slots=True)
class SeatReadied:
    """The account in a seat is ready, and tells its entropy if it has fixed one."""

    seat: int
    entropy: str | None = None


@dataclass(frozen=True, slots=True)
class ReadyWithdrawn:
    """The account in a seat is not ready any more."""

    seat: int


@dataclass(frozen=True, slots=True)
class HostChanged:
    """Another account is the host."""

    account: str


@dataclass(frozen=True, slots=True)
class InvitationMade:
    """Whoever has this invitation may sit down, in the seat it names or in any."""

    invitation: str
    seat: int | None = None


@dataclass(frozen=True, slots=True)
class InvitationRevoked:
    """An invitation is good for nothing any more."""

    invitation: str


@dataclass(frozen=True, slots=True)
class TableStarted:
    """The match is asked for, for the *attempt*-th time."""

    attempt: int


@dataclass(frozen=True, slots=True)
class StartRefused:
    """The match was refused; the table is open again, and nobody is ready."""

    attempt: int
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class MatchBegun:
    """The match is played."""


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has ended."""


@dataclass(frozen=True, slots=True)
class TableClosed:
    """There will be no match; *reason* is an administrator's."""

    because: ClosedBecause
    reason: Reason | None = None


OpeningEvent = TableOpened | TableMatched
"""What makes a table."""
LaterEvent = (
    SeatTaken
    | BotSeated
    | SeatLeft
    | ReservationLifted
    | SeatReadied
    | ReadyWithdrawn
    | HostChanged
    | InvitationMade
    | InvitationRevoked
    | TableStarted
    | StartRefused
    | MatchBegun
    | MatchOver
    | TableClosed
)
"""What happens at a table that is there."""
TableEvent = OpeningEvent | LaterEvent
