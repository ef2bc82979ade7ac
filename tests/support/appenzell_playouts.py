"""Random matches of Burg Appenzell, played once and shared by many tests."""

import os
from functools import lru_cache
from typing import Final

from hypothesis import strategies as st

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.events import Event
from howff.engine.games.appenzell.moves import Move
from howff.engine.games.appenzell.state import Options, State
from howff.engine.seats import Seat
from support import courses
from support.courses import course_of

OPTIONS: Final = (
    Options(),
    Options(board_side="b", open_setup=True),
    Options(board_side="random", cheese_target=6, spare_tile="plain", memory="open"),
    Options(board_side="b", cheese_target=5, start_seat=Seat(1), round_limit=12),
)
SEEDS: Final = 100 if os.environ.get("HOWFF_LONG") else len(OPTIONS)
"""How many matches of each number of seats there are to choose from."""

Moment = courses.Moment[State, Event]
Step = courses.Step[State, Move, Event]
Playout = courses.Course[Options, State, Move, Event]


@lru_cache(maxsize=3 * len(OPTIONS))
def playout(seats: int, seed: int) -> Playout:
    """Return the random match of *seats* seats that *seed* gives."""
    return course_of(GAME, OPTIONS[seed % len(OPTIONS)], seats, seed)


def all_playouts() -> tuple[Playout, ...]:
    """Return a match with each set of options and each number of seats."""
    return tuple(playout(seats, seed) for seats in GAME.seats for seed in range(len(OPTIONS)))


playouts = st.builds(playout, st.sampled_from(tuple(GAME.seats)), st.integers(0, SEEDS - 1))
places = st.integers(0, 10_000)
"""Steps of a match, counted round and round."""
