"""What anyone may ask of a match; every command has an id that its sender has made."""

from dataclasses import dataclass
from typing import Any

from howff.engine.codec import JSON
from howff.engine.seats import Seat
from howff.match.commit import CommandId, MatchId
from howff.match.draws import Entropies
from howff.match.events import Account, Bot, Watch


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


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayMove:
    """Make a move of the game; *bot* tells how a bot came to it."""

    id: CommandId
    seat: Seat
    move: Any
    bot: JSON = None


Command = PlayMove
"""What may be asked of a match that has started."""
