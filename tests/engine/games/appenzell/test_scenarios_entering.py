"""The acceptance scenarios of bringing mice in through towers."""

from support.appenzell import costs, given, mice, texts, when


def test_scenario_12_a_mouse_enters_over_the_one_in_the_tower() -> None:
    state = given(mice={0: "g7", 1: "a1"}, opened="L")
    assert costs(state, "enter") == {"enter a1 a2": 2, "enter a7 a7": 1, "enter g1 g1": 1}
    draft = when(state, "enter a1 a2")
    assert texts(draft.events) == ["MouseEntered 0 0 a1 a2 2"]
    assert mice(draft.state) == ["a2 g7", "a1"]
    assert (draft.state.actions_left, draft.state.players[0].reserve) == (2, 2)


def test_scenario_12_a_mouse_enters_over_two_others() -> None:
    state = given(mice={0: "g7", 1: "a1 a2"})
    assert costs(state, "enter") == {"enter a1 a3": 3, "enter a7 a7": 1, "enter g1 g1": 1}
    draft = when(state, "enter a1 a3")
    assert texts(draft.events) == ["MouseEntered 0 0 a1 a3 3"]
    assert (draft.state.actions_left, draft.state.players[0].reserve) == (1, 2)
