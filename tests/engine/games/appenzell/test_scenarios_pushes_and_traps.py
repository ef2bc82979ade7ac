"""The acceptance scenarios of pushing the floor, and of mice that fall."""

from support.appenzell import (
    F1,
    F1X,
    PUSHES,
    fallen,
    floor,
    given,
    legal,
    line,
    mice,
    seen,
    texts,
    when,
)

F1_PUSHED = (
    "#E#.#R#",
    "ESXG.SC",
    "#.#E#X#",
    "B.GOCGR",
    "#S#.#.#",
    "CO.BR.O",
    "#X#.#.#",
)
"""F1 with a plain tile pushed into column f from the south."""


def test_scenario_19_a_mouse_falls_into_the_trap_under_it() -> None:
    state = given(mice={0: "a1", 1: "f5"})
    draft = when(state, "push sf")
    assert line(draft.state, "sf") == "...GXSR"
    assert floor(draft.state) == F1_PUSHED
    assert texts(draft.events) == [
        "TilePushed 0 0 sf 1 [f1 plain, f2 plain, f3 plain, f4 gouda, f5 trap, f6 slices, f7 brie]"
        " plain blue [f4 gouda, f5 trap]",
        "MouseTrapped 0 1 1 f5",
    ]
    assert (draft.state.spare, draft.state.actions_left) == ("blue", 3)
    assert (mice(draft.state), fallen(draft.state)) == (["a1", ""], [0, 1])
    assert draft.state.players[1].reserve == 3


def test_scenario_19_the_room_of_the_fallen_mouse_is_covered_again() -> None:
    draft = when(given(mice={0: "a1", 1: "f5"}), "push sf")
    assert draft.state.open_roofs == ("I",)
    draft = when(draft.state, "end_turn")
    assert texts(draft.events) == ["RoofsReplaced 0 [I]", "TurnEnded 0 0 3", "TurnStarted 1 1 0 4"]
    assert draft.state.open_roofs == ()


def test_scenario_20_a_mouse_on_stone_is_safe_and_keeps_the_room_open() -> None:
    draft = when(given(mice={0: "a1", 1: "f5 e5"}), "push sf")
    assert texts(draft.events)[1:] == ["MouseTrapped 0 1 1 f5"]
    assert (mice(draft.state), fallen(draft.state)) == (["a1", "e5"], [0, 1])
    draft = when(draft.state, "end_turn")
    assert texts(draft.events) == ["TurnEnded 0 0 3", "TurnStarted 1 1 0 4"]
    assert draft.state.open_roofs == ("I",)
    found = seen(draft.state)
    assert not any(found[square].is_covered for square in ("e4", "e5", "f4", "f5"))
    assert found["f5"].tile == "trap"


def test_scenario_21_two_mice_fall_by_one_push() -> None:
    state = given(floor=F1X, spare="X", mice={0: "a4 a1", 1: "g4", 2: "g7"})
    draft = when(state, "push w4")
    assert line(draft.state, "w4") == "XB.GOCX"
    assert texts(draft.events) == [
        "TilePushed 0 0 w4 1 [a4 trap, b4 blue, c4 plain, d4 gouda, e4 goat, f4 camembert, g4 trap]"
        " trap brie [a4 trap, b4 blue, g4 trap]",
        "MouseTrapped 0 0 1 a4",
        "MouseTrapped 0 1 1 g4",
    ]
    assert (mice(draft.state), fallen(draft.state)) == (["a1", "", "g7"], [1, 1, 0])
    assert (draft.state.spare, draft.state.actions_left) == ("brie", 3)
    draft = when(draft.state, "end_turn")
    assert texts(draft.events)[0] == "RoofsReplaced 0 [G, K]"
    assert draft.state.open_roofs == ()


def test_scenario_22_a_turn_has_one_push() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    assert legal(state, "push") == list(PUSHES)
    state = when(state, "push nb").state
    assert legal(state) == ["uncover L", "uncover O", "enter a7 a7", "enter g1 g1", "end_turn"]
    assert legal(when(state, "uncover L").state, "push") == []


def test_scenario_22_the_next_seat_may_undo_a_push() -> None:
    state = when(given(mice={0: "a1", 1: "g7"}), "push nb", "end_turn").state
    assert (state.active, state.has_pushed) == (1, False)
    assert floor(state) != F1
    draft = when(state, "push sb")
    assert floor(draft.state) == F1
    assert draft.state.spare == "plain"
