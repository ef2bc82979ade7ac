"""What a seat that forgets nothing knows of the floor: the tiles shown, wherever pushes moved them.

Who has missed what was shown is not helped by what could be concluded from where mice went.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from howff.engine.games.appenzell.data import LINES, TRAP, Square, Tile
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    Event,
    FloorLaid,
    GameEnded,
    MouseTrapped,
    RoofRemoved,
    TilePushed,
)
from howff.engine.games.appenzell.state import State, TileAt
from howff.engine.seats import Seat
from howff.engine.values import replace
from howff.engine.visibility import told


@dataclass(frozen=True)
class Memory:
    """What a seat remembers."""

    floor: tuple[TileAt, ...] = ()
    """The tiles whose places are known, sorted by square."""
    spare: Tile | None = None
    """The tile outside, where it is known."""

    @property
    def tiles(self) -> dict[Square, Tile]:
        """The known tiles by their squares."""
        return {each.square: each.tile for each in self.floor}


def remember(  # noqa: PLR0911
    memory: Memory, event: Event, seat: Seat
) -> Memory:
    """Return what *seat* knows after *event*, which may hold sealed fields; all know the same."""
    del seat
    match event:
        case FloorLaid(_, spare, _, shown):
            return _knowing(Memory(spare=spare), told(shown) or ())
        case RoofRemoved(_, _, _, _, shown):
            return _knowing(memory, told(shown) or ())
        case TilePushed():
            return _pushed(memory, event)
        case MouseTrapped(_, _, _, square):
            fallen = told(square)
            return memory if fallen is None else _knowing(memory, (TileAt(fallen, TRAP),))
        case CheeseCollected(_, _, kind, squares):
            return _knowing(memory, (TileAt(square, kind) for square in told(squares) or ()))
        case GameEnded(_, _, _, floor, spare):
            return Memory(floor, spare)
        case _:
            return memory


def is_true(memory: Memory, state: State, seat: Seat) -> bool:
    """Return whether every tile lies where it is remembered to lie."""
    del seat
    is_spare = memory.spare in {None, state.spare}
    return is_spare and all(state.tile_on(each.square) == each.tile for each in memory.floor)


def _pushed(memory: Memory, event: TilePushed) -> Memory:
    """Return what is known once a line has moved on, known and unknown tiles alike."""
    line, tiles = LINES[event.slot], memory.tiles
    moved = (told(event.inserted) or memory.spare, *(tiles.get(square) for square in line[:-1]))
    ejected = told(event.ejected) or tiles.get(line[-1])
    for square, tile in zip(line, moved, strict=True):
        tiles.pop(square, None)
        if tile is not None:
            tiles[square] = tile
    return _knowing(Memory(_sorted(tiles), ejected), told(event.shown) or ())


def _knowing(memory: Memory, shown: Iterable[TileAt]) -> Memory:
    tiles = memory.tiles | {each.square: each.tile for each in shown}
    return replace(memory, floor=_sorted(tiles))


def _sorted(tiles: dict[Square, Tile]) -> tuple[TileAt, ...]:
    return tuple(TileAt(square, tiles[square]) for square in sorted(tiles))
