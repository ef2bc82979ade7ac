"""Where mice can go, and how many actions that takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from howff.engine.games.appenzell.data import (
    BESIDE,
    ROOMS,
    SLIDING,
    TRAP,
    Roofs,
    Side,
    Square,
    Tile,
)
from howff.engine.games.appenzell.state import State

Costs = Mapping[Square, int]
"""The squares that can be reached, with the actions that each takes."""

_CASTLES_KEPT: Final = 1024
"""For so many castles it is kept where mice may walk: most moves change neither roofs nor floor."""


@dataclass(frozen=True, slots=True)
class Castle:
    """The castle as mice see it."""

    walkable: frozenset[Square]
    """Squares of open rooms without a trap, mice or not; towers are never among them."""
    mice: frozenset[Square]
    """Where mice stand, on towers too."""

    def reach(self, start: Square, actions: int, *, spent: int = 0) -> Costs:
        """Return the free squares that a mouse on *start* reaches with *actions* in one go.

        It runs over other mice only (ruling 11: round corners too), and stops on the first free
        square. *spent* is what it took to come to *start*.
        """
        ahead = self.walkable & BESIDE[start]
        if ahead.isdisjoint(self.mice):  # as nearly always
            return dict.fromkeys(ahead, spent + 1) if spent < actions else {}
        costs: dict[Square, int] = {}
        for cost in range(spent + 1, actions + 1):
            taken = ahead & self.mice
            for square in ahead - taken:
                costs.setdefault(square, cost)
            ahead = self.walkable.intersection(
                {square for mouse in taken for square in BESIDE[mouse]}
            )
        return costs

    def entrances(self, tower: Square, actions: int) -> Costs:
        """Return where a mouse of the reserve may go through *tower* with *actions*, at least 1."""
        if tower not in self.mice:
            return {tower: 1}
        # Ruling 10: over the mouse in the tower, as over any other.
        return self.reach(tower, actions, spent=1)


def castle_of(state: State) -> Castle:
    """Return the castle as it stands."""
    return Castle(_walkable(state.side, state.open_roofs, state.floor), state.mice)


@lru_cache(_CASTLES_KEPT)
def _walkable(side: Side, open_roofs: Roofs, floor: tuple[Tile, ...]) -> frozenset[Square]:
    squares_of = ROOMS[side].squares_of
    squares = {square for roof in open_roofs for square in squares_of[roof]}
    traps = {square for square, tile in zip(SLIDING, floor, strict=True) if tile == TRAP}
    return frozenset(squares - traps)
