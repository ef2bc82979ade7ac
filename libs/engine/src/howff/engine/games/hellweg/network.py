"""The roads on which a seat has carriages: where they lead, and what a way over them clears.

The carriages of other seats never matter.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from howff.engine.games.hellweg.data import HOUSES, ROADS, ROADS_OF, Road, Town
from howff.engine.games.hellweg.state import Houses, Roads
from howff.engine.once import once

_ANSWERS_KEPT: Final = 4096
"""So many answers on ways are kept: sales ask for the same ones again and again."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way of goods: the roads from the town *start* on, and those of them that it clears."""

    start: Town
    route: Roads
    removes: Roads
    """In alphabetical order."""
    has_village: bool


def bordering_roads(tokens: Houses) -> Roads:
    """Return the roads that lead to a town in which one of *tokens* lies."""
    return _roads_of(frozenset(HOUSES[house].town for house in tokens))


def is_connected(carriages: Roads, ends: tuple[Town, Town]) -> bool:
    """Return whether roads with *carriages* lead from one of the two towns to the other."""
    start, goal = ends
    reached, new = {start}, [start]
    roads = _by_town(carriages)
    while new:
        for _, town in roads.get(new.pop(), ()):
            if town not in reached:
                reached.add(town)
                new.append(town)
    return goal in reached


@lru_cache(_ANSWERS_KEPT)
def ways_between(
    starts: frozenset[Town], goal: Town, carriages: Roads, *, by_villages: bool
) -> tuple[Way, ...]:
    """Return the ways from *starts* to *goal* over *carriages* that visit no town twice.

    Ways that start in the same town and clear the same roads come to the same: the shortest of
    them is told, the first by its roads' names among equals. *by_villages* prefers ways with a
    village to all others, where those bring a Thaler.
    """

    def rank(way: Way) -> tuple[bool, int, Roads]:
        return (by_villages and not way.has_village, len(way.route), way.route)

    best: dict[tuple[Town, Roads], Way] = {}
    singles = frozenset(road for road, count in Counter(carriages).items() if count == 1)
    for start, route in _routes_to(goal, (), frozenset((goal,)), _by_town(carriages)):
        if start not in starts:
            continue
        way = _way(start, route, singles)
        known = best.get((start, way.removes))
        if known is None or rank(way) < rank(known):
            best[start, way.removes] = way
    return tuple(best[key] for key in sorted(best))


def _way(start: Town, route: Roads, singles: frozenset[Road]) -> Way:
    # Ruling 7: cobbled roads and those with more than one carriage are never cleared.
    removes = (road for road in route if road in singles and ROADS[road].surface == "brown")
    return Way(start, route, tuple(sorted(removes)), any(ROADS[road].village for road in route))


_RoadsByTown = dict[Town, list[tuple[Road, Town]]]
"""Where roads lead from each town."""


def _routes_to(
    town: Town, route: Roads, visited: frozenset[Town], roads: _RoadsByTown
) -> Iterator[tuple[Town, Roads]]:
    """Yield all ways that end with *route*, which begins in *town*, and where each begins."""
    for road, start in roads.get(town, ()):
        if start not in visited:
            longer = (road, *route)
            yield start, longer
            yield from _routes_to(start, longer, visited | {start}, roads)


def _by_town(carriages: Iterable[Road]) -> _RoadsByTown:
    roads: _RoadsByTown = {}
    for road in dict.fromkeys(carriages):
        one, other = ROADS[road].ends
        roads.setdefault(one, []).append((road, other))
        roads.setdefault(other, []).append((road, one))
    return roads


@once
def _roads_of(towns: frozenset[Town]) -> Roads:
    return tuple(sorted({road for town in towns for road in ROADS_OF[town]}))
