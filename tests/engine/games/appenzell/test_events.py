"""The fields and the order of events in each kind of commit, and who may know which field."""

import pytest

from howff.engine.codec import classes_of
from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.events import Event, GameSetUp
from howff.engine.games.appenzell.state import Options
from howff.engine.seats import Seat
from howff.engine.visibility import visibilities
from support.appenzell import F1, Floor, Laid, cheese, fallen, given, mice, texts, when

BUSY: Floor = (F1[0], "ESGG.RC", F1[2], "X.XOCBR", *F1[4:])
"""F1 with two of the traps in row 4: pushed from the west, they lie on b4 and d4."""
BUSY_MICE = {0: "d4 f4 g6", 1: "f7 g4", 2: "b2 b4 e4"}
BUSY_EVENTS = [
    "TilePushed 7 1 w4 1 [a4 plain, b4 trap, c4 plain, d4 trap, e4 goat, f4 camembert, g4 blue] "
    "plain brie [a4 plain, b4 trap, d4 trap, e4 goat, f4 camembert, g4 blue]",
    "MouseTrapped 7 2 1 b4",
    "MouseTrapped 7 0 1 d4",
    "CheeseCollected 7 1 blue [f7, g4]",
    "CheeseCollected 7 2 goat [b2, e4]",
    "CheeseCollected 7 0 camembert [f4, g6]",
]
"""What that push causes in a turn of seat 1."""
SEEN_ONCE = {
    "FloorLaid": {"shown"},
    "RoofRemoved": {"shown"},
    "TilePushed": {"inserted", "ejected", "shown"},
    "MouseTrapped": {"square"},
    "CheeseCollected": {"squares"},
}
HIDDEN = {"FloorLaid": {"floor"}, "TilePushed": {"line"}}


def test_the_opening_tells_options_and_floor() -> None:
    options = Options(board_side="b", start_seat=Seat(1), open_setup=True)
    set_up, laid = GAME.start(options, 3, Laid()).events
    assert set_up == GameSetUp(-1, options, 3, "b", Seat(1))
    assert texts([laid]) == [f"FloorLaid -1 plain {'/'.join(F1)} {'/'.join(F1)}"]


def test_a_push_drops_mice_along_its_line_and_collects_clockwise() -> None:
    state = given(floor=BUSY, mice=BUSY_MICE, active=1, turn=7)
    draft = when(state, "push w4")
    assert texts(draft.events) == BUSY_EVENTS
    assert cheese(draft.state) == ["camembert", "blue", "goat"]
    assert (mice(draft.state), fallen(draft.state)) == (["f4 g6", "f7 g4", "b2 e4"], [1, 0, 1])


def test_the_kinds_of_a_seat_stand_in_their_order() -> None:
    state = given(mice={0: "e6 f3 g4 g6", 1: "b6 b7", 2: "a1"})
    assert texts(when(state, "push w6").events)[1:] == [
        "CheeseCollected 0 0 gouda [e6, f3]",
        "CheeseCollected 0 0 brie [g4, g6]",
        "CheeseCollected 0 1 emmental [b6, b7]",
    ]


def test_a_push_with_the_last_action_ends_the_turn_after_all_else() -> None:
    state = given(floor=BUSY, mice=BUSY_MICE, active=1, turn=7, actions_left=1)
    assert state.open_roofs == ("C", "F", "G", "I", "J", "K", "O")
    draft = when(state, "push w4")
    assert texts(draft.events) == [
        *BUSY_EVENTS,
        "RoofsReplaced 7 [G, J]",
        "TurnEnded 7 1 0",
        "TurnStarted 8 2 2 4",
    ]
    assert draft.state.open_roofs == ("C", "F", "I", "K", "O")


def test_a_roof_taken_off_last_goes_back_with_the_others() -> None:
    state = given(mice={0: "a2", 1: "g7"}, opened="Q", actions_left=1)
    assert texts(when(state, "uncover M").events) == [
        "RoofRemoved 0 0 M 1 [b3 slices]",
        "RoofsReplaced 0 [M, Q]",
        "TurnEnded 0 0 0",
        "TurnStarted 1 1 0 4",
    ]


def test_entering_may_collect_and_end_the_turn() -> None:
    state = given(mice={0: "a6 g1", 1: "a7"}, opened="A L", actions_left=2)
    assert texts(when(state, "enter a7 b7").events) == [
        "MouseEntered 0 0 a7 b7 2",
        "CheeseCollected 0 0 emmental [a6, b7]",
        "RoofsReplaced 0 [L]",
        "TurnEnded 0 0 0",
        "TurnStarted 1 1 0 4",
    ]


def test_a_turn_without_empty_rooms_ends_without_roofs() -> None:
    state = given(mice={0: "a2", 1: "g7"}, actions_left=1)
    assert texts(when(state, "run a2 a3").events) == [
        "MouseRan 0 0 a2 a3 1",
        "TurnEnded 0 0 0",
        "TurnStarted 1 1 0 4",
    ]


@pytest.mark.parametrize("actions", [1, 3])
def test_the_end_within_a_turn_ends_no_turn(actions: int) -> None:
    owned = {0: "blue slices goat"}
    state = given(
        mice={0: "a6 a7", 1: "g7"},
        opened="A L",
        cheese=owned,
        turn=4,
        actions_left=actions,
        options=Options(round_limit=3),
    )
    draft = when(state, "run a7 b7")
    assert texts(draft.events) == [
        "MouseRan 4 0 a7 b7 1",
        "CheeseCollected 4 0 emmental [a6, b7]",
        f"GameEnded 4 [cheese_target] [0, 1] {'/'.join(F1)} plain",
    ]
    assert draft.state.open_roofs == ("A", "D", "L")
    assert draft.state.actions_left == actions - 1


def test_the_last_action_of_the_last_round_may_still_reach_the_target() -> None:
    state = given(
        mice={0: "g7", 1: "a6 a7"},
        opened="A",
        cheese={1: "blue slices goat"},
        active=1,
        actions_left=1,
        options=Options(round_limit=1),
    )
    assert texts(when(state, "run a7 b7").events)[1:] == [
        "CheeseCollected 1 1 emmental [a6, b7]",
        f"GameEnded 1 [cheese_target] [1, 0] {'/'.join(F1)} plain",
    ]


def test_the_last_action_of_the_last_round_ends_turn_and_match() -> None:
    state = given(
        mice={0: "a1", 1: "a2", 2: "g7"},
        opened="Q",
        active=1,
        turn=5,
        actions_left=1,
        options=Options(round_limit=2),
    )
    draft = when(state, "run a2 a3")
    assert texts(draft.events) == [
        "MouseRan 5 1 a2 a3 1",
        "RoofsReplaced 5 [Q]",
        "TurnEnded 5 1 0",
        f"GameEnded 5 [round_limit] [2, 0, 1] {'/'.join(F1)} plain",
    ]
    assert draft.state.open_roofs == ("L",)


@pytest.mark.parametrize(
    ("turn", "active", "started"),
    [(0, 2, "TurnStarted 1 0 0 4"), (2, 1, "TurnStarted 3 2 1 4"), (7, 0, "TurnStarted 8 1 2 4")],
)
def test_a_round_is_a_turn_of_each_seat(turn: int, active: int, started: str) -> None:
    state = given(mice={0: "a1", 1: "g7", 2: "g1"}, turn=turn, active=active)
    assert texts(when(state, "end_turn").events) == [f"TurnEnded {turn} {active} 4", started]


@pytest.mark.parametrize("kind", classes_of(Event))
def test_a_field_is_public_unless_it_tells_of_the_floor(kind: type) -> None:
    declared = visibilities(kind)
    once = {name for name, each in declared.items() if each.momentary and each.seats is None}
    never = {name for name, each in declared.items() if not each.momentary and each.seats == ()}
    assert once == SEEN_ONCE.get(kind.__name__, set())
    assert never == HIDDEN.get(kind.__name__, set())
    assert declared.keys() == once | never
