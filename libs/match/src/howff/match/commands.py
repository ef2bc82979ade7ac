"""What anyone may ask of a match; every command has an id that its sender has made."""

from dataclasses import dataclass, field
from typing import Any

from howff.engine.codec import JSON
from howff.engine.seats import Seat
from howff.match.clocks import Clock
from howff.match.commit import PLATFORM, CommandId, MatchId, Version, actor_of
from howff.match.draws import Entropies
from howff.match.events import AbortReason, Account, Bot, OnFlag, OnLeave, Watch
from howff.match.presence import Wish


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a branch begins: the *state* of the match *parent* as it was at *version*."""

    parent: MatchId
    version: Version
    state: Any = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class StartMatch:
    """Start a match; *options* are those of its game."""

    id: CommandId
    match: MatchId
    options: Any
    seats: tuple[Account | Bot, ...]
    watch: Watch = "public"
    rated: bool = False
    entropies: Entropies
    """One of every seat, null where it has given none."""
    clock: Clock | None = None
    on_flag: OnFlag = "resign"
    on_leave: OnLeave = "default_moves"
    stand_in: str | None = None
    """The level of the bots that take seats over, if any do."""
    origin: Origin | None = None
    """Where it begins if it is a branch."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayMove:
    """Make a move of the game; *bot* tells how a bot came to it."""

    id: CommandId
    seat: Seat
    move: Any
    bot: JSON = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayDefault:
    """Decide for a seat that has resigned, as its game says."""

    id: CommandId
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Resign:
    """Leave the match for good."""

    id: CommandId
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class TellWish:
    """Say what the seat wants, or wants no longer; it happens when all agree.

    Clocks that are paused go on when nobody wants the pause any more.
    """

    id: CommandId
    seat: Seat
    wish: Wish
    is_wanted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBack:
    """Take a seat back from the bot that has taken it over."""

    id: CommandId
    seat: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpireDeadline:
    """Let happen what is due by the clocks alone."""

    id: CommandId


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditTime:
    """Give a seat time, as an administrator may after an outage."""

    id: CommandId
    seat: Seat
    seconds: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AbortMatch:
    """End the match without places, as an administrator may."""

    id: CommandId
    reason: AbortReason | None = None
    """Why; None in older logs alone."""


SeatCommand = PlayMove | PlayDefault | Resign | TellWish | TakeBack
"""What a seat gives."""
PlatformCommand = ExpireDeadline | CreditTime | AbortMatch
"""What no seat gives."""
Command = SeatCommand | PlatformCommand
"""What may be asked of a match that has started."""


def actor_giving(command: Command) -> str:
    """Return who gives *command*, as its commit names the actor."""
    match command:
        case ExpireDeadline() | CreditTime() | AbortMatch():
            return PLATFORM
        case _:
            return actor_of(command.seat)
