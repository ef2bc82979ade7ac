"""The state of a match of Burg Appenzell, and questions about it.

What `evolve` changes has no slots, see `howff.engine.values`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final, Literal

from howff.engine.games.appenzell.data import (
    CHEESES_OF_KIND,
    MICE,
    PLAIN,
    ROOMS,
    SLIDING,
    Cheese,
    Roofs,
    Rooms,
    Side,
    Square,
    Squares,
    Tile,
)
from howff.engine.seats import Seat

Stage = Literal["placement", "turn", "finished"]
EndReason = Literal["cheese_target", "third_mouse", "round_limit"]

FIRST_SEAT: Final = Seat(0)
FLOOR_AT: Final = {square: at for at, square in enumerate(SLIDING)}
"""Which tile of `State.floor` lies on each of the sliding squares."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    cheese_target: Literal[4, 5, 6] = 4
    """So many kinds of cheese win."""
    board_side: Side | Literal["random"] = "a"
    """The scheme of rooms."""
    spare_tile: Literal["any", "plain"] = "any"
    """Which tile may lie outside at first."""
    open_setup: bool = False
    """Whether the floor is shown before the roofs go on."""
    memory: Literal["strict", "open"] = "strict"
    """Whether what was shown once must be remembered, or may be looked up."""
    start_seat: Seat | Literal["random"] = "random"
    round_limit: int = 0
    """The match ends after so many rounds at the latest; 0 for none."""


@dataclass(frozen=True, slots=True)
class TileAt:
    """A tile of the floor, and the square it lies on."""

    square: Square
    tile: Tile


@dataclass(frozen=True)
class Player:
    """What a seat has; its mice are alike."""

    mice: Squares = ()
    """Where its mice stand, on towers and in the castle, sorted."""
    reserve: int = MICE
    trapped: int = 0
    cheese: tuple[Cheese, ...] = ()
    """In the order collected."""


@dataclass(frozen=True, slots=True)
class Ending:
    """Why the match ended, and the place of each seat."""

    reasons: tuple[EndReason, ...]
    ranking: tuple[Seat, ...]
    """The seats from the first place to the last."""


@dataclass(frozen=True)
class State:
    """Everything about a match; only the floor under roofs is secret."""

    options: Options
    seats: int
    stage: Stage = "placement"
    side: Side = "a"
    start_seat: Seat = FIRST_SEAT
    active: Seat = FIRST_SEAT
    """Whose turn it is, or was when the match ended."""
    turn: int = -1
    """Turns count from 0; -1 during placement."""
    actions_left: int = 0
    has_pushed: bool = False
    """Whether a tile was pushed in this turn."""
    open_roofs: Roofs = ()
    """The roofs that lie beside the castle, sorted."""
    floor: tuple[Tile, ...] = ()
    """The tile on each of the sliding squares, in the order of their names."""
    spare: Tile = PLAIN
    """The tile outside."""
    players: tuple[Player, ...] = ()
    ending: Ending | None = None

    @property
    def rooms(self) -> Rooms:
        return ROOMS[self.side]

    @property
    def round(self) -> int:
        """Rounds count from 0; -1 during placement."""
        return self.turn // self.seats

    def tile_on(self, square: Square) -> Tile | None:
        """Return the tile on *square*, None on towers and stone."""
        at = FLOOR_AT.get(square)
        return None if at is None else self.floor[at]

    def tiles_on(self, squares: Iterable[Square]) -> tuple[TileAt, ...]:
        """Return the tiles on those of *squares* that slide, sorted."""
        return tuple(
            TileAt(square, self.floor[FLOOR_AT[square]])
            for square in sorted(squares)
            if square in FLOOR_AT
        )

    def is_open(self, square: Square) -> bool:
        """Return whether *square* lies in a room without its roof."""
        return self.rooms.roof_of.get(square) in self.open_roofs

    @property
    def mice(self) -> frozenset[Square]:
        """Where mice stand; no two of them on one square."""
        return frozenset(chain.from_iterable(player.mice for player in self.players))

    def seat_on(self, square: Square) -> Seat | None:
        """Return whose mouse stands on *square*."""
        owners = (seat for seat, player in enumerate(self.players) if square in player.mice)
        return next(map(Seat, owners), None)

    def supply_of(self, cheese: Cheese) -> int:
        """Return how many cheeses of a kind nobody has."""
        return CHEESES_OF_KIND - sum(cheese in player.cheese for player in self.players)
