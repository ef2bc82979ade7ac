"""Random matches of Hellweg Westfalicus, played once and shared by many tests."""

import os
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from typing import Final

from hypothesis import strategies as st

from howff.engine.game import AnyGame
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import HOUSES, ROADS, Road
from howff.engine.games.hellweg.events import Event
from howff.engine.games.hellweg.moves import (
    Move,
    PlaceCarriage,
    PlaceStartCarriage,
    PlaceStartToken,
    PlaceToken,
    StockUpAll,
    TakeBackCarriage,
    UsePrivilegeStockUp,
)
from howff.engine.games.hellweg.state import Options, State
from howff.engine.seats import Seat
from support import courses
from support.courses import course_of

ALL_OPTIONS: Final = tuple(Options(*each) for each in product((False, True), repeat=4))
"""Every set of options that a table may choose."""
HELLWEG: Final = tuple(
    Road("_".join(sorted(ends)))
    for ends in pairwise(("duisburg", "essen", "dortmund", "soest", "paderborn"))
)
"""The roads that lead from Duisburg to Paderborn."""


def hellweg_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """Return the legal moves of a seat that would build the Hellweg before all else."""
    moves = GAME.legal_moves(state, seat)
    missing = set(HELLWEG) - {*state.players[seat].carriages}
    helpful = tuple(move for move in moves if _helps(move, missing))
    return helpful or tuple(move for move in moves if not _harms(move))


def _helps(move: Move, missing: set[Road]) -> bool:
    match move:
        case PlaceStartToken(house) | PlaceToken(house):
            return any(HOUSES[house].town in ROADS[road].ends for road in missing)
        case PlaceStartCarriage(road) | PlaceCarriage(road):
            return road in missing
        case StockUpAll() | UsePrivilegeStockUp():
            return True
        case _:
            return False


def _harms(move: Move) -> bool:
    return isinstance(move, TakeBackCarriage) and move.origin in HELLWEG


@dataclass(frozen=True, slots=True)
class Table:
    """Who plays what: by the rules, or by fewer legal moves to see more of something rare."""

    options: Options
    game: AnyGame = GAME


EVERYTHING: Final = Options(*[True] * 4)
TABLES: Final = (
    Table(Options()),
    Table(Options(warehouse_and_privileges=True)),
    Table(Options(passenger_transportation=True)),
    Table(Options(warehouse_and_privileges=True, passenger_transportation=True)),
    Table(EVERYTHING),
    # At random hardly any seat gets the black carriages.
    Table(Options(warehouse_and_privileges=True), replace(GAME, legal_moves=hellweg_moves)),
)
SEEDS: Final = len(TABLES) * (10 if os.environ.get("HOWFF_LONG") else 1)
"""How many matches of each number of seats there are to choose from."""

Moment = courses.Moment[State, Event]
Step = courses.Step[State, Move, Event]
Playout = courses.Course[Options, State, Move, Event]


@lru_cache(maxsize=3 * len(TABLES))
def playout(seats: int, seed: int) -> Playout:
    """Return the random match of *seats* seats that *seed* gives, at each of the tables in turn."""
    table = TABLES[seed % len(TABLES)]
    return course_of(table.game, table.options, seats, seed)


playouts = st.builds(playout, st.sampled_from(tuple(GAME.seats)), st.integers(0, SEEDS - 1))
places = st.integers(0, 10_000)
"""Steps of a match, counted round and round."""
