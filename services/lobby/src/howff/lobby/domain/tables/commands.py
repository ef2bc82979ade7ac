"""What anyone may ask of a table; *by* is the account that asks."""

from dataclasses import dataclass

from howff.lobby.domain.reasons import Reason
from howff.lobby.domain.tables.events import (
    ClosedBecause,
    LeftBecause,
    TicketSeat,
    Visibility,
)
from howff.lobby.domain.terms import Terms
from howff.match.events import Bot


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenTable:
    """Open a table; its host sits down in *seat*, if there is one named."""

    by: str
    terms: Terms
    visibility: Visibility
    seed_commitment: str
    seat: int | None
    entropy_hash: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenRematch:
    """Open a table for those who have played before, each with a seat *reserved*."""

    by: str
    terms: Terms
    visibility: Visibility
    seed_commitment: str
    reserved: tuple[str | None, ...]
    bots: tuple[str | None, ...]
    """The levels of bots, by seat."""
    previous: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchTickets:
    """Bring tickets that fit each other to a table."""

    terms: Terms
    seed_commitment: str
    seats: tuple[TicketSeat | Bot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeSeat:
    """Sit down; the *invitation* is the id of one."""

    by: str
    seat: int
    entropy_hash: str | None = None
    invitation: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaveSeat:
    """Make a seat free: one's own, or as the host anybody's, or one that is reserved."""

    by: str
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveAccount:
    """Let an account be no part of the table any more, as the platform says."""

    account: str
    because: LeftBecause


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatBot:
    """Give a seat to a bot, as the host."""

    by: str
    seat: int
    level: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TellReady:
    """Be ready in one's own seat; *entropy* is what the hash was told of."""

    by: str
    seat: int
    entropy: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawReady:
    """Be ready no longer."""

    by: str
    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeInvitation:
    """Let whoever has the *invitation* sit down, as the host."""

    by: str
    invitation: str
    seat: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RevokeInvitation:
    """Let an invitation be good for nothing any more, as the host."""

    by: str
    invitation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartTable:
    """Ask for the match, as the host."""

    by: str


@dataclass(frozen=True, slots=True)
class SettleMatched:
    """Ask for the match of tickets, each of which has been claimed."""


@dataclass(frozen=True, slots=True)
class NoteRefused:
    """The match was refused when it was asked for the *attempt*-th time; 0 is not known which."""

    attempt: int
    code: str
    detail: str


@dataclass(frozen=True, slots=True)
class NoteBegun:
    """The match has begun."""


@dataclass(frozen=True, slots=True)
class NoteOver:
    """The match has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CloseTable:
    """Give the table up, as the host."""

    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DissolveTable:
    """Give the table up, as the platform says; *reason* is an administrator's."""

    because: ClosedBecause
    reason: Reason | None = None


OpeningCommand = OpenTable | OpenRematch | MatchTickets
"""What a table begins with."""
StandingCommand = (
    TakeSeat
    | LeaveSeat
    | RemoveAccount
    | SeatBot
    | TellReady
    | WithdrawReady
    | MakeInvitation
    | RevokeInvitation
    | StartTable
    | SettleMatched
    | NoteRefused
    | NoteBegun
    | NoteOver
    | CloseTable
    | DissolveTable
)
"""What is asked of a table that is there."""
TableCommand = OpeningCommand | StandingCommand
