"""Random matches of Highland Clans, played once and shared by many tests."""

import os
from functools import lru_cache

from hypothesis import strategies as st

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.events import Event
from howff.engine.games.highland_clans.moves import Move
from howff.engine.games.highland_clans.state import Options, State
from support import courses
from support.courses import course_of

OPTIONS = (Options(), Options(edition="dutch"))
SEEDS = 100 if os.environ.get("HOWFF_LONG") else 3
"""How many matches of each number of seats there are to choose from."""


Moment = courses.Moment[State, Event]
Step = courses.Step[State, Move, Event]
Playout = courses.Course[Options, State, Move, Event]


@lru_cache(maxsize=3 * 6)
def playout(seats: int, seed: int) -> Playout:
    """Return the random match of *seats* seats that *seed* gives."""
    return course_of(GAME, OPTIONS[seed % len(OPTIONS)], seats, seed)


playouts = st.builds(playout, st.sampled_from(tuple(GAME.seats)), st.integers(0, SEEDS - 1))
places = st.integers(0, 10_000)
"""Steps of a match, counted round and round."""
