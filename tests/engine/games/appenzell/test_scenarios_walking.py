"""The acceptance scenarios of taking roofs off and running."""

from support.appenzell import costs, given, legal, mice, texts, when


def test_scenario_03_a_trap_and_a_roof_keep_a_mouse_in_its_tower() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    draft = when(state, "uncover O")
    assert texts(draft.events) == ["RoofRemoved 0 0 O 1 [b1 trap, b2 goat]"]
    assert draft.state.open_roofs == ("O",)
    assert draft.state.actions_left == 3
    assert legal(draft.state, "run") == []
    assert legal(draft.state, "uncover") == ["uncover L"]


def test_scenario_03_a_mouse_runs_out_of_its_tower() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    draft = when(state, "uncover O", "uncover L")
    assert texts(draft.events) == ["RoofRemoved 0 0 L 1 [a2 camembert]"]
    assert draft.state.actions_left == 2
    assert legal(draft.state, "uncover") == []
    assert costs(draft.state, "run") == {"run a1 a2": 1}
    draft = when(draft.state, "run a1 a2")
    assert texts(draft.events) == ["MouseRan 0 0 a1 a2 1"]
    assert mice(draft.state) == ["a2", "g7"]
    assert draft.state.actions_left == 1


def test_scenario_03_the_roof_over_the_mouse_stays_off() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    draft = when(state, "uncover O", "uncover L", "run a1 a2", "end_turn")
    assert texts(draft.events) == ["RoofsReplaced 0 [O]", "TurnEnded 0 0 1", "TurnStarted 1 1 0 4"]
    assert draft.state.open_roofs == ("L",)
    assert (draft.state.active, draft.state.turn, draft.state.actions_left) == (1, 1, 4)


def test_scenario_04_all_roofs_that_touch_the_mouse_can_be_taken_off() -> None:
    state = given(mice={0: "c7", 1: "g7"})
    assert state.open_roofs == ("A",)
    assert legal(state, "uncover") == ["uncover B", "uncover D", "uncover E"]


def test_scenario_05_corners_touch() -> None:
    state = given(mice={0: "c5", 1: "g7"})
    assert state.open_roofs == ("H",)
    assert legal(state, "uncover") == ["uncover D", "uncover E", "uncover G", "uncover J"]


def test_scenario_06_no_mouse_runs_under_a_roof() -> None:
    state = given(mice={0: "a2", 1: "a3"})
    assert state.open_roofs == ("L",)
    assert legal(state, "run") == []


def test_scenario_07_a_jump_over_a_mouse_costs_two() -> None:
    state = given(mice={0: "a2", 1: "a3"}, opened="G")
    assert costs(state, "run") == {"run a2 a4": 2}
    draft = when(state, "run a2 a4")
    assert texts(draft.events) == ["MouseRan 0 0 a2 a4 2"]
    assert mice(draft.state) == ["a4", "a3"]
    assert draft.state.actions_left == 2


def test_scenario_07_a_jump_is_not_offered_to_one_action() -> None:
    assert legal(given(mice={0: "a2", 1: "a3"}, opened="G", actions_left=1), "run") == []


def test_scenario_08_a_jump_goes_round_corners() -> None:
    state = given(mice={0: "a2", 1: "b2 c2"})
    assert state.open_roofs == ("L", "O", "P")
    assert costs(state, "run") == {"run a2 a3": 1, "run a2 c1": 3, "run a2 d2": 3}
    draft = when(state, "run a2 c1")
    assert texts(draft.events) == ["MouseRan 0 0 a2 c1 3"]
    assert (mice(draft.state), draft.state.actions_left) == (["c1", "b2 c2"], 1)


def test_scenario_08_a_long_jump_needs_all_its_actions() -> None:
    state = given(mice={0: "a2", 1: "b2 c2"}, actions_left=2)
    assert costs(state, "run") == {"run a2 a3": 1}


def test_scenario_09_own_mice_are_jumped_alike() -> None:
    state = given(mice={0: "a2 b2", 1: "c2"})
    assert costs(state, "run") == {
        "run a2 a3": 1,
        "run a2 c1": 3,
        "run a2 d2": 3,
        "run b2 a3": 2,
        "run b2 c1": 2,
        "run b2 d2": 2,
    }


def test_scenario_10_no_mouse_runs_back_into_a_tower() -> None:
    state = given(mice={0: "a2", 1: "g7"}, opened="O")
    assert costs(state, "run") == {"run a2 a3": 1, "run a2 b2": 1}


def test_scenario_11_a_trap_stops_runs_and_jumps() -> None:
    state = given(mice={0: "c7", 1: "c5"}, opened="D E")
    assert state.open_roofs == ("A", "D", "E", "H")
    assert costs(state, "run") == {"run c7 b7": 1}
