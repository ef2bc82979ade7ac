"""The acceptance scenarios of collecting cheese."""

from howff.engine.games.appenzell.data import Cheese, Tile
from howff.engine.games.appenzell.state import State
from support.appenzell import cheese, given, legal, line, mice, texts, when

TWO_SEATS = {0: "a6 a7", 1: "g7"}


def supply(state: State, kind: str) -> int:
    return state.supply_of(Cheese(Tile(kind)))


def test_scenario_13_two_mice_on_a_kind_collect_it() -> None:
    state = given(mice=TWO_SEATS, opened="A")
    assert supply(state, "emmental") == 4
    draft = when(state, "run a7 b7")
    assert texts(draft.events) == [
        "MouseRan 0 0 a7 b7 1",
        "CheeseCollected 0 0 emmental [a6, b7]",
    ]
    assert cheese(draft.state) == ["emmental", ""]
    assert supply(draft.state, "emmental") == 3
    assert draft.state.actions_left == 3


def test_scenario_14_a_kind_is_collected_once() -> None:
    state = given(mice=TWO_SEATS, opened="A", cheese={0: "emmental"})
    assert supply(state, "emmental") == 3
    draft = when(state, "run a7 b7")
    assert texts(draft.events) == ["MouseRan 0 0 a7 b7 1"]
    assert cheese(draft.state) == ["emmental", ""]
    assert supply(draft.state, "emmental") == 3


def test_scenario_15_the_last_of_a_kind_is_there_for_the_last_seat() -> None:
    owned = dict.fromkeys((1, 2, 3), "emmental")
    state = given(mice={**TWO_SEATS, 2: "a1", 3: "g1"}, opened="A", cheese=owned)
    assert supply(state, "emmental") == 1
    draft = when(state, "run a7 b7")
    assert texts(draft.events)[1:] == ["CheeseCollected 0 0 emmental [a6, b7]"]
    assert cheese(draft.state) == ["emmental"] * 4
    assert supply(draft.state, "emmental") == 0


def test_scenario_16_crossing_a_square_does_not_count() -> None:
    state = given(mice={0: "a6 c7", 1: "b7"})
    assert state.open_roofs == ("A", "D")
    draft = when(state, "run c7 b6")
    assert texts(draft.events) == ["MouseRan 0 0 c7 b6 2"]
    assert cheese(draft.state) == ["", ""]


def test_scenario_17_a_push_collects_for_another_seat() -> None:
    state = given(mice={0: "g7", 1: "a6 b6"})
    draft = when(state, "push nb")
    assert line(draft.state, "nb") == ".ES..SO"
    assert texts(draft.events) == [
        "TilePushed 0 0 nb 1 [b1 goat, b2 slices, b3 plain, b4 plain, b5 slices, b6 emmental, "
        "b7 plain] plain trap [b6 emmental]",
        "CheeseCollected 0 1 emmental [a6, b6]",
    ]
    state = draft.state
    assert cheese(state) == ["", "emmental"]
    assert (state.spare, state.active) == ("trap", 0)
    assert (state.actions_left, state.has_pushed) == (3, True)
    assert legal(state, "push") == []


def test_scenario_18_two_kinds_are_collected_in_one_turn() -> None:
    state = given(mice={0: "a6 a7 e6 f3", 1: "g7"}, opened="A")
    draft = when(state, "run a7 b7", "push w6")
    assert line(draft.state, "w6") == ".ESXG.R"
    assert texts(draft.events) == [
        "TilePushed 0 0 w6 1 [a6 plain, b6 emmental, c6 slices, d6 trap, e6 gouda, f6 plain, "
        "g6 brie] plain camembert [a6 plain, b6 emmental, e6 gouda]",
        "CheeseCollected 0 0 gouda [e6, f3]",
    ]
    state = draft.state
    assert cheese(state) == ["emmental gouda", ""]
    assert mice(state) == ["a6 b7 e6 f3", "g7"]
    assert (state.spare, state.actions_left) == ("camembert", 2)
