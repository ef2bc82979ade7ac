"""The pairs that a seat can make: which two of its mice go to which tiles of a kind."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from howff.bots.policies.games.appenzell.ways import AT, FAR, TILES_AT, Castle, Ways
from howff.engine.games.appenzell.data import CHEESES, Tile
from howff.engine.games.appenzell.state import State
from howff.engine.seats import Seat

STEPS: Final = (8, 4, 2, 1, 1, 1)
"""What an action counts that the cheapest plan needs, the next one, and so on."""

Places = dict[Tile, list[int]]
"""On which squares, by their numbers, each sort of tile lies."""
Plan = tuple[int, int, int, int, int]
"""What it costs; the number of a mouse and of the square it goes to, twice."""

_MICE: Final = 3
"""Bits for the number of a mouse."""
_PAIRS: Final = {count: tuple(combinations(range(count), 2)) for count in range(4)}


@dataclass(frozen=True, slots=True)
class Plans:
    """What a seat can do for each kind that it has not, the cheapest first."""

    ways: Sequence[Ways]
    """By the number of a mouse: those that are in, then up to two of the reserve."""
    found: Sequence[Plan]


def places_of(state: State) -> Places:
    """Return where each sort of tile lies."""
    places: Places = {}
    for at, tile in zip(TILES_AT, state.floor, strict=True):
        if tile in places:
            places[tile].append(at)
        else:
            places[tile] = [at]
    return places


def plans_of(state: State, seat: Seat, castle: Castle, places: Places) -> Plans:
    """Return what *seat* can do; nothing if it has a single mouse."""
    player = state.players[seat]
    ways = [castle.ways(AT[square]) for square in player.mice]
    if player.reserve:
        ways += [castle.entrances] * min(player.reserve, 2)
    if len(ways) == 1:
        return Plans(ways, ())
    costs = [each.costs for each in ways]
    missing = [kind for kind in CHEESES if kind not in player.cheese]
    return Plans(ways, sorted([_cheapest(costs, places[kind]) for kind in missing]))


def _cheapest(costs: Sequence[Sequence[int]], squares: Sequence[int]) -> Plan:
    """Return the cheapest way to have two mice on two of *squares*."""
    nearest = [
        sorted([row[square] << _MICE | mouse for mouse, row in enumerate(costs)])
        for square in squares
    ]
    best = (2 * FAR, 0, squares[0], 1, squares[1])
    for one, other in _PAIRS[len(squares)]:
        first, second = nearest[one][0], nearest[other][0]
        if not (first ^ second) % (1 << _MICE):
            if nearest[one][1] + second < first + nearest[other][1]:
                first = nearest[one][1]
            else:
                second = nearest[other][1]
        cost = (first >> _MICE) + (second >> _MICE)
        if cost < best[0]:
            mouse = (1 << _MICE) - 1
            best = (cost, first & mouse, squares[one], second & mouse, squares[other])
    return best
