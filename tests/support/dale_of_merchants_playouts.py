"""Random matches of Dale of Merchants, played once and shared by many tests."""

import os
from functools import lru_cache
from typing import Final

from hypothesis import strategies as st

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import SetId
from howff.engine.games.dale_of_merchants.events import Event
from howff.engine.games.dale_of_merchants.moves import Move
from howff.engine.games.dale_of_merchants.state import Options, State
from support import courses
from support.courses import course_of

SETS: Final[dict[int, tuple[tuple[SetId, ...], ...]]] = {
    2: (("raccoons", "ocelots", "chameleons"), ("macaws", "pandas", "squirrels")),
    3: (
        ("raccoons", "ocelots", "chameleons", "squirrels"),
        ("macaws", "pandas", "squirrels", "chameleons"),
    ),
    4: (
        ("macaws", "raccoons", "squirrels", "ocelots", "chameleons"),
        ("macaws", "pandas", "raccoons", "squirrels", "ocelots"),
    ),
}
"""The sets of the matches, in turn: the copiers most often, as they are the hardest."""
SEEDS: Final = 100 if os.environ.get("HOWFF_LONG") else 2
"""How many matches of each number of seats there are to choose from."""


Moment = courses.Moment[State, Event]
Step = courses.Step[State, Move, Event]
Playout = courses.Course[Options, State, Move, Event]


@lru_cache(maxsize=3 * 4)
def playout(seats: int, seed: int) -> Playout:
    """Return the random match of *seats* seats that *seed* gives."""
    sets = SETS[seats]
    return course_of(GAME, Options(sets=sets[seed % len(sets)]), seats, seed)


playouts = st.builds(playout, st.sampled_from(tuple(GAME.seats)), st.integers(0, SEEDS - 1))
places = st.integers(0, 10_000)
"""Steps of a match, counted round and round."""
