"""Ends of whole matches, with the order of seats worked by hand."""

from dataclasses import dataclass

import pytest

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.state import Options, State
from support.appenzell import F1, F1X, Floor, given, when

THREE_TRAPS: Floor = (F1[0], "ESGG.RC", F1[2], "X.XOXCR", *F1[4:6], "#B#.#.#")
"""F1 with all traps in row 4: pushed from the west, they lie on b4, d4 and f4."""


@dataclass(frozen=True)
class End:
    """A position, the move that ends the match, and how it ends."""

    state: State
    move: str
    reasons: tuple[str, ...]
    table: tuple[tuple[int, int, int, int], ...]
    """For each seat its place, its kinds of cheese, its trapped mice, and how many turns would
    come before its next one."""


TARGET = End(
    given(
        mice={0: "g1", 1: "a1", 2: "a6 a7", 3: "g7"},
        opened="A",
        cheese={0: "blue goat brie", 1: "blue gouda brie", 2: "blue slices goat gouda"}
        | {3: "blue slices brie camembert"},
        trapped={0: 2, 2: 1},
        active=2,
        turn=6,
        options=Options(cheese_target=5),
    ),
    "run a7 b7",
    ("cheese_target",),
    ((3, 3, 2, 1), (4, 3, 0, 2), (1, 5, 1, 3), (2, 4, 0, 0)),
)
"""Seats 0 and 1 have as many kinds; the last turn of seat 0 lies further back."""
BEYOND = End(
    given(
        mice={0: "e6 f3 g4 g6", 1: "b6 b7", 2: "a1"},
        cheese=dict.fromkeys((0, 1), "blue goat camembert"),
    ),
    "push w6",
    ("cheese_target",),
    ((1, 5, 0, 2), (2, 4, 0, 0), (3, 0, 0, 1)),
)
"""Ruling 23: both reach the target; the seat that pushed has a kind more."""
MOST_CHEESE_IN_THE_CELLAR = End(
    given(
        mice={0: "a1", 1: "g7", 2: "f5", 3: "g1"},
        cheese={2: "blue gouda brie", 3: "goat"},
        trapped={0: 2, 2: 2},
        active=1,
    ),
    "push sf",
    ("third_mouse",),
    ((2, 0, 2, 2), (3, 0, 0, 3), (4, 3, 3, 0), (1, 1, 0, 1)),
)
"""Ruling 28: with three kinds, seat 2 stands behind seats without any."""
BOTH_REASONS = End(
    given(
        mice={0: "b6 f6", 1: "g7", 2: "f5"},
        cheese={0: "blue gouda brie", 2: "blue gouda goat"},
        trapped={2: 2},
        active=1,
    ),
    "push sf",
    ("cheese_target", "third_mouse"),
    ((1, 4, 0, 1), (2, 0, 0, 2), (3, 3, 3, 0)),
)
"""Seat 0 has its fourth kind by the push of seat 1 that drops the third mouse of seat 2."""
TWO_FALLEN = End(
    given(
        floor=F1X,
        spare="X",
        mice={0: "a1", 1: "a4", 2: "g7", 3: "g4"},
        cheese={0: "blue", 1: "blue goat", 2: "goat", 3: "goat gouda"},
        trapped={1: 2, 3: 2},
        active=2,
    ),
    "push w4",
    ("third_mouse",),
    ((1, 1, 0, 1), (4, 2, 3, 2), (2, 1, 0, 3), (3, 2, 3, 0)),
)
"""Seats 1 and 3 lose their third mice; among them too, the last turn of 3 lies further back."""
ALL_FALLEN = End(
    given(
        floor=THREE_TRAPS,
        mice={0: "b4", 1: "d4 g1", 2: "f4"},
        cheese={0: "blue", 1: "blue goat", 2: "goat gouda"},
        trapped={0: 2, 1: 2, 2: 2},
        active=1,
    ),
    "push w4",
    ("third_mouse",),
    ((3, 1, 3, 1), (2, 2, 3, 2), (1, 2, 3, 0)),
)
"""Ruling 26: nobody remains, so that all are compared."""
FOUR_FALLEN = End(
    given(
        floor=THREE_TRAPS,
        mice={0: "b4 d4", 1: "f4", 2: "g7"},
        cheese={0: "blue", 1: "goat"},
        trapped={0: 2, 1: 2, 2: 2},
        active=2,
    ),
    "push w4",
    ("third_mouse",),
    ((2, 1, 4, 0), (3, 1, 3, 1), (1, 0, 2, 2)),
)
"""Seat 0 loses its third mouse and its fourth, which is as bad as the third alone."""
LAST_ROUND = End(
    given(
        mice={0: "a1", 1: "a7", 2: "g7"},
        cheese={0: "blue goat", 1: "blue brie", 2: "goat gouda brie"},
        trapped={2: 2},
        active=0,
        turn=5,
        options=Options(round_limit=2),
    ),
    "end_turn",
    ("round_limit",),
    ((3, 2, 0, 2), (2, 2, 0, 0), (1, 3, 2, 1)),
)
"""Seat 1 has begun, so that the turn of seat 0 is the last one."""


@pytest.mark.parametrize(
    "end",
    [
        TARGET,
        BEYOND,
        MOST_CHEESE_IN_THE_CELLAR,
        BOTH_REASONS,
        TWO_FALLEN,
        ALL_FALLEN,
        FOUR_FALLEN,
        LAST_ROUND,
    ],
)
def test_a_match_ends_as_worked_by_hand(end: End) -> None:
    state = when(end.state, end.move).state
    assert state.ending is not None
    assert state.ending.reasons == end.reasons
    places = tuple(place for place, *_ in end.table)
    seats = range(state.seats)
    assert state.ending.ranking == tuple(sorted(seats, key=lambda seat: places[seat]))
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.places == places
    found = [{figure.name: figure.value for figure in figures} for figures in outcome.figures]
    assert found == [
        {"kinds": kinds, "trapped": trapped, "turns_away": turns}
        for _, kinds, trapped, turns in end.table
    ]
    assert outcome.winners == (state.ending.ranking[0],)


@pytest.mark.parametrize(
    ("active", "ranking"),
    [(0, (1, 2, 0, 3)), (1, (2, 0, 1, 3)), (2, (0, 1, 2, 3)), (3, (0, 1, 2, 3))],
)
def test_equal_seats_stand_clockwise_from_the_seat_after_the_active_one(
    active: int, ranking: tuple[int, ...]
) -> None:
    state = given(mice={0: "a1", 1: "g7", 2: "a7", 3: "f5"}, trapped={3: 2}, active=active)
    ending = when(state, "push sf").state.ending
    assert ending is not None
    assert ending.ranking == ranking


@pytest.mark.parametrize(
    ("start_seat", "ranking"),
    [(0, (0, 1, 2, 3)), (1, (1, 2, 3, 0)), (2, (2, 3, 0, 1)), (3, (3, 0, 1, 2))],
)
def test_when_rounds_are_over_equal_seats_stand_in_the_order_of_turns(
    start_seat: int, ranking: tuple[int, ...]
) -> None:
    active = (start_seat + 3) % 4
    mice = {0: "a1", 1: "g7", 2: "a7", 3: "g1"}
    state = given(mice=mice, active=active, turn=3, options=Options(round_limit=1))
    assert state.start_seat == start_seat
    ending = when(state, "end_turn").state.ending
    assert ending is not None
    assert ending.ranking == ranking


def test_before_the_end_there_is_no_outcome() -> None:
    state = given(mice={0: "a1", 1: "f5"}, trapped={1: 1}, cheese={0: "blue goat brie"})
    assert GAME.outcome(state) is None
    state = when(state, "push sf").state
    assert state.players[1].trapped == 2
    assert GAME.outcome(state) is None
    assert GAME.to_act(state) == (0,)
