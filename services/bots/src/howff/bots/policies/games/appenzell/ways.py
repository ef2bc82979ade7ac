"""How far mice have to go, through open rooms and through those that they uncover first.

Squares and roofs are numbers here, in the order of their names: ways are most of a search's work.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from howff.engine.games.appenzell.data import (
    BESIDE,
    ROOFS,
    ROOMS,
    SIDES,
    SLIDING,
    SQUARES,
    TOWERS,
    TRAP,
    Roofs,
    Side,
    Square,
)
from howff.engine.games.appenzell.moves import Enter, Move, Run, Uncover
from howff.engine.games.appenzell.state import State

AT: Final[Mapping[Square, int]] = {square: at for at, square in enumerate(SQUARES)}
"""The number of each square."""
TILES_AT: Final = tuple(AT[square] for square in SLIDING)
"""The number of the square on which each tile of a floor lies."""
FAR: Final = 7
"""What it costs to go further than anybody plans."""
_CASTLES_KEPT: Final = 2048
"""Most moves leave roofs and traps as they are, so most ways were found before."""
_BLOCKED: Final = -1


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways of a mouse, by the number of the square that it goes to."""

    costs: Sequence[int]
    """The actions that it takes, with those that uncover rooms; `FAR` or more: too many."""
    begins: Sequence[Move | None]
    """The first of them; None where the mouse stands. A run or an entrance may hit on a mouse."""


_BITS: Final = {roof: 1 << at for at, roof in enumerate(ROOFS)}
_RUNS: Final = tuple(tuple(Run(start, target) for target in SQUARES) for start in SQUARES)
_UNCOVERS: Final = {_BITS[roof]: Uncover(roof) for roof in ROOFS}
_ENTRANCES: Final = {AT[tower]: Enter(tower, tower) for tower in TOWERS}
_RESERVE: Final = -1


def _steps(side: Side, square: Square) -> tuple[tuple[int, int], ...]:
    """Return where a mouse may step, each with the bit of its roof; 0 within a room."""
    roof_of = ROOMS[side].roof_of
    return tuple(
        (AT[other], 0 if roof_of[other] == roof_of.get(square) else _BITS[roof_of[other]])
        for other in sorted(BESIDE[square].difference(TOWERS))
    )


_STEPS: Final = {side: tuple(_steps(side, square) for square in SQUARES) for side in SIDES}


class Castle:
    """The ways through the castle, as roofs and traps are."""

    __slots__ = ("_covered", "_found", "_steps", "_traps")

    def __init__(self, side: Side, open_roofs: Roofs, traps: tuple[int, ...]) -> None:
        self._steps = _STEPS[side]
        self._covered = sum(_BITS.values()) - sum(_BITS[roof] for roof in open_roofs)
        self._traps = traps
        self._found: dict[int, Ways] = {}

    def ways(self, start: int) -> Ways:
        """Return the ways of a mouse on *start*: over other mice, never over traps."""
        if start not in self._found:
            self._found[start] = self._explored({start: 0}, {})
        return self._found[start]

    @property
    def entrances(self) -> Ways:
        """The ways of a mouse of the reserve."""
        if _RESERVE not in self._found:
            towers = dict.fromkeys(_ENTRANCES, 1)
            self._found[_RESERVE] = self._explored(towers, _ENTRANCES)
        return self._found[_RESERVE]

    def _explored(self, starts: Mapping[int, int], moves: Mapping[int, Move]) -> Ways:
        """Return the ways from *starts*, which cost as much to get to (Dijkstra, by layers)."""
        costs, begins = [FAR] * len(SQUARES), [moves.get(each) for each in range(len(SQUARES))]
        for trap in self._traps:
            costs[trap] = _BLOCKED
        layers: list[list[int]] = [[] for _ in range(FAR + 1)]
        for start, cost in starts.items():
            costs[start] = cost
            layers[cost].append(start)
        for cost, layer in enumerate(layers):
            for square in layer:
                if costs[square] == cost:
                    self._explore(square, costs, begins, layers)
        for trap in self._traps:
            costs[trap] = FAR
        return Ways(costs, begins)

    def _explore(
        self, square: int, costs: list[int], begins: list[Move | None], layers: list[list[int]]
    ) -> None:
        """Go from *square* to those beside it."""
        covered, cost, begin = self._covered, costs[square], begins[square]
        for other, bit in self._steps[square]:
            reached = cost + (2 if bit & covered else 1)
            if reached < costs[other]:
                costs[other] = reached
                layers[reached].append(other)
                begins[other] = begin or (_UNCOVERS[bit] if bit & covered else _RUNS[square][other])


def castle_of(state: State) -> Castle:
    """Return the castle of *state*, a sampled world: mice know what lies under its roofs."""
    floor, traps, at = state.floor, list[int](), -1
    for _ in range(floor.count(TRAP)):
        at = floor.index(TRAP, at + 1)
        traps.append(TILES_AT[at])
    return _castle(state.side, state.open_roofs, tuple(traps))


_castle: Final = lru_cache(_CASTLES_KEPT)(Castle)
