"""What a seat may do in Burg Appenzell."""

from dataclasses import dataclass

from howff.engine.games.appenzell.data import Roof, Slot, Square


@dataclass(frozen=True, slots=True)
class PlaceFirstMouse:
    """Begin the match with a mouse on a tower."""

    tower: Square


@dataclass(frozen=True, slots=True)
class Uncover:
    """Take a roof off."""

    roof: Roof


@dataclass(frozen=True, slots=True)
class Run:
    """Let a mouse run to a free square: the next one, or over other mice to one behind them."""

    start: Square
    target: Square


@dataclass(frozen=True, slots=True)
class Enter:
    """Bring a mouse in through a tower: onto it, or over the mouse there to a free square."""

    tower: Square
    target: Square


@dataclass(frozen=True, slots=True)
class Push:
    """Push the outside tile into the castle."""

    slot: Slot


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Do no more in this turn."""


Move = PlaceFirstMouse | Uncover | Run | Enter | Push | EndTurn
