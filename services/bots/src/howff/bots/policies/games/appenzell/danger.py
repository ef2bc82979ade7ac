"""Where the next push may open a trap."""

from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import Final

from howff.engine.games.appenzell.data import LINES, SLIDING, TRAP, Square, Squares
from howff.engine.games.appenzell.state import State


def _beside_on_lines(square: Square) -> Squares:
    """Return the squares that a tile on *square* may be pushed to."""
    return tuple(
        following
        for line in LINES.values()
        for before, following in pairwise(line)
        if before == square
    )


_BESIDE_ON_LINES: Final = {square: _beside_on_lines(square) for square in SLIDING}
_ENTRIES: Final = tuple(line[0] for line in LINES.values())


def squares_in_danger(state: State) -> AbstractSet[Square]:
    """Return the squares that the next push may bring a trap to."""
    floor, at, found = state.floor, -1, set[Square]()
    for _ in range(floor.count(TRAP)):
        at = floor.index(TRAP, at + 1)
        found.update(_BESIDE_ON_LINES[SLIDING[at]])
    if state.spare == TRAP:
        found.update(_ENTRIES)
    return found
