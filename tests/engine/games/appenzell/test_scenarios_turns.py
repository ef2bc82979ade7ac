"""The acceptance scenarios of ending a turn."""

from support.appenzell import given, mice, texts, when


def test_scenario_23_the_fourth_action_ends_the_turn() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    draft = when(state, "uncover L", "run a1 a2", "run a2 a3", "enter a1 a1")
    assert texts(draft.events) == [
        "MouseEntered 0 0 a1 a1 1",
        "TurnEnded 0 0 0",
        "TurnStarted 1 1 0 4",
    ]
    assert mice(draft.state) == ["a1 a3", "g7"]
    assert draft.state.open_roofs == ("L",)
    assert (draft.state.active, draft.state.actions_left) == (1, 4)


def test_scenario_24_a_turn_may_be_passed() -> None:
    draft = when(given(mice={0: "a1", 1: "g7"}), "end_turn")
    assert texts(draft.events) == ["TurnEnded 0 0 4", "TurnStarted 1 1 0 4"]
    assert (draft.state.active, draft.state.turn) == (1, 1)


def test_scenario_25_rooms_without_mice_are_covered_at_the_end_of_the_turn() -> None:
    state = given(mice={0: "a2", 1: "b5"})
    assert state.open_roofs == ("H", "L")
    state = when(state, "uncover M", "run a2 a3", "run a3 b3").state
    assert state.open_roofs == ("H", "L", "M")
    draft = when(state, "end_turn")
    assert texts(draft.events) == ["RoofsReplaced 0 [L]", "TurnEnded 0 0 1", "TurnStarted 1 1 0 4"]
    assert draft.state.open_roofs == ("H", "M")
