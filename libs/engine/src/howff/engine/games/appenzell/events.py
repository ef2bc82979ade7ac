"""What happens in a match of Burg Appenzell, with who may know which field.

What lies under a roof is nobody's; what is shown of it is shown to all, for the moment.
"""

from dataclasses import dataclass
from typing import Annotated

from howff.engine.games.appenzell.data import Cheese, Roof, Roofs, Side, Slot, Square, Squares, Tile
from howff.engine.games.appenzell.state import EndReason, Options, TileAt
from howff.engine.seats import Seat
from howff.engine.visibility import hidden, momentary

Tiles = tuple[TileAt, ...]
"""Tiles of the floor, sorted by square."""


@dataclass(frozen=True, slots=True)
class GameSetUp:
    """The match begins, with the roofs of *board_side*."""

    turn: int
    options: Options
    seats: int
    board_side: Side
    start_seat: Seat


@dataclass(frozen=True, slots=True)
class FloorLaid:
    """The tiles lie in the castle; *shown* is empty unless the floor is laid in the open."""

    turn: int
    spare: Tile
    floor: Annotated[Tiles, hidden()]
    shown: Annotated[Tiles, momentary()]


@dataclass(frozen=True, slots=True)
class FirstMousePlaced:
    """A seat has its first mouse on a tower."""

    turn: int
    seat: Seat
    tower: Square


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat's turn begins; turns and rounds count from 0."""

    turn: int
    seat: Seat
    round: int
    actions: int


@dataclass(frozen=True, slots=True)
class RoofRemoved:
    """A roof lies beside the castle; *shown* is the floor of its room."""

    turn: int
    seat: Seat
    roof: Roof
    cost: int
    shown: Annotated[Tiles, momentary()]


@dataclass(frozen=True, slots=True)
class MouseRan:
    """A mouse stands on another square."""

    turn: int
    seat: Seat
    start: Square
    target: Square
    cost: int


@dataclass(frozen=True, slots=True)
class MouseEntered:
    """A mouse came in through a tower."""

    turn: int
    seat: Seat
    tower: Square
    target: Square
    cost: int


@dataclass(frozen=True, slots=True)
class TilePushed:
    """The floor of a line has moved on by a square; *shown* is what lies open of it."""

    turn: int
    seat: Seat
    slot: Slot
    cost: int
    line: Annotated[Tiles, hidden()]
    inserted: Annotated[Tile, momentary()]
    ejected: Annotated[Tile, momentary()]
    shown: Annotated[Tiles, momentary()]


@dataclass(frozen=True, slots=True)
class MouseTrapped:
    """A mouse of *seat* has fallen into a trap; it has lost *total* now."""

    turn: int
    seat: Seat
    total: int
    square: Annotated[Square, momentary()]


@dataclass(frozen=True, slots=True)
class CheeseCollected:
    """A seat has mice on two or more tiles of a kind, and gets a cheese of it."""

    turn: int
    seat: Seat
    kind: Cheese
    squares: Annotated[Squares, momentary()]


@dataclass(frozen=True, slots=True)
class RoofsReplaced:
    """Rooms without mice have their roofs back."""

    turn: int
    roofs: Roofs


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat's turn is over, with *unused* actions."""

    turn: int
    seat: Seat
    unused: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The match is over; *ranking* begins with the winner, and the whole floor lies open."""

    turn: int
    reasons: tuple[EndReason, ...]
    ranking: tuple[Seat, ...]
    floor: Tiles
    spare: Tile


Event = (
    GameSetUp
    | FloorLaid
    | FirstMousePlaced
    | TurnStarted
    | RoofRemoved
    | MouseRan
    | MouseEntered
    | TilePushed
    | MouseTrapped
    | CheeseCollected
    | RoofsReplaced
    | TurnEnded
    | GameEnded
)
