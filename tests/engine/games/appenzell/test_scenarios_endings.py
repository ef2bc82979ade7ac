"""The acceptance scenarios of the end: why a match ends, and who wins."""

import pytest

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.state import Options, State
from howff.engine.seats import Seat
from support.appenzell import F1, F1X, cheese, fallen, floor, given, mice, seen, texts, when

THREE_KINDS = "blue slices goat"


def ended(state: State, reasons: str, ranking: list[int]) -> str:
    """Return the last event of a match that stands as *state* does."""
    rows = "/".join(floor(state))
    return f"GameEnded {state.turn} [{reasons}] {ranking} {rows} {state.spare}"


def test_scenario_26_the_fourth_kind_wins_at_once() -> None:
    kinds = {0: THREE_KINDS, 1: "blue", 2: "blue gouda"}
    state = given(mice={0: "a6 a7", 1: "g7", 2: "g1"}, opened="A", cheese=kinds)
    draft = when(state, "run a7 b7")
    assert texts(draft.events) == [
        "MouseRan 0 0 a7 b7 1",
        "CheeseCollected 0 0 emmental [a6, b7]",
        f"GameEnded 0 [cheese_target] [0, 2, 1] {'/'.join(F1)} plain",
    ]
    assert (draft.state.open_roofs, draft.state.actions_left) == (("A", "D"), 3)
    assert draft.state.stage == "finished"
    assert sum(each.tile is not None for each in seen(draft.state).values()) == 33
    assert GAME.to_act(draft.state) == ()
    assert not any(GAME.legal_moves(draft.state, Seat(seat)) for seat in range(3))


def test_scenario_27_a_longer_game_goes_on_after_four_kinds() -> None:
    options = Options(cheese_target=5)
    state = given(mice={0: "a6 a7", 1: "g7"}, opened="A", cheese={0: THREE_KINDS}, options=options)
    draft = when(state, "run a7 b7")
    assert texts(draft.events)[1:] == ["CheeseCollected 0 0 emmental [a6, b7]"]
    assert cheese(draft.state) == ["blue slices goat emmental", ""]
    assert draft.state.ending is None
    assert (draft.state.stage, GAME.to_act(draft.state)) == ("turn", (0,))


def test_scenario_28_of_equal_seats_the_one_wins_whose_turn_lies_furthest_back() -> None:
    state = given(
        mice={0: "g7", 1: "f5", 2: "a7", 3: "a1"},
        trapped={1: 2},
        cheese={0: "blue gouda brie", 1: "blue gouda goat", 2: "blue goat", 3: "brie gouda goat"},
        active=1,
    )
    draft = when(state, "push sf")
    assert texts(draft.events)[1:] == [
        "MouseTrapped 1 1 3 f5",
        ended(draft.state, "third_mouse", [3, 0, 2, 1]),
    ]
    assert fallen(draft.state) == [0, 3, 0, 0]


def test_scenario_29_seats_without_a_turn_stand_in_clockwise_order() -> None:
    state = given(mice={0: "a1", 1: "g7", 2: "a7", 3: "f5"}, trapped={3: 2})
    draft = when(state, "push sf")
    assert texts(draft.events)[1:] == [
        "MouseTrapped 0 3 3 f5",
        ended(draft.state, "third_mouse", [1, 2, 0, 3]),
    ]


def test_scenario_30_the_seat_that_pushes_loses_the_tie() -> None:
    owned = dict.fromkeys((0, 1), "blue goat gouda")
    draft = when(given(mice={0: "b5 f5", 1: "a6 b6"}, cheese=owned), "push nb")
    assert texts(draft.events)[1:] == [
        "CheeseCollected 0 0 slices [b5, f5]",
        "CheeseCollected 0 1 emmental [a6, b6]",
        ended(draft.state, "cheese_target", [1, 0]),
    ]
    assert [len(player.cheese) for player in draft.state.players] == [4, 4]


def test_scenario_31_one_push_drops_a_third_mouse_and_reaches_the_target() -> None:
    owned = dict.fromkeys((0, 1, 2), "blue goat brie")
    state = given(mice={0: "b6 f6", 1: "f5", 2: "g7"}, trapped={1: 2}, cheese=owned)
    assert state.open_roofs == ("C", "D", "I")
    draft = when(state, "push sf")
    assert texts(draft.events)[1:] == [
        "MouseTrapped 0 1 3 f5",
        "CheeseCollected 0 0 slices [b6, f6]",
        ended(draft.state, "cheese_target, third_mouse", [0, 2, 1]),
    ]
    assert draft.state.ending is not None
    assert draft.state.ending.reasons == ("cheese_target", "third_mouse")


@pytest.mark.parametrize(
    ("owned", "ranking"),
    [({0: "blue goat", 1: "brie"}, [0, 1]), ({0: "blue", 1: "brie"}, [1, 0])],
)
def test_scenario_32_if_nobody_remains_all_are_compared(
    owned: dict[int, str], ranking: list[int]
) -> None:
    state = given(
        floor=F1X, spare="X", mice={0: "a4 a1", 1: "g4"}, trapped={0: 2, 1: 2}, cheese=owned
    )
    assert [player.reserve for player in state.players] == [0, 1]
    draft = when(state, "push w4")
    assert texts(draft.events)[1:] == [
        "MouseTrapped 0 0 3 a4",
        "MouseTrapped 0 1 3 g4",
        ended(draft.state, "third_mouse", ranking),
    ]
    assert (mice(draft.state), fallen(draft.state)) == (["a1", ""], [3, 3])


@pytest.mark.parametrize(("owned", "ranking"), [({}, [0, 1]), ({1: "brie"}, [1, 0])])
def test_scenario_36_the_last_round_ends_the_match(
    owned: dict[int, str], ranking: list[int]
) -> None:
    options = Options(round_limit=1, start_seat=Seat(0))
    state = given(mice={0: "a1", 1: "g7"}, cheese=owned, options=options)
    draft = when(state, "end_turn")
    assert texts(draft.events) == ["TurnEnded 0 0 4", "TurnStarted 1 1 0 4"]
    draft = when(draft.state, "end_turn")
    assert texts(draft.events) == [
        "TurnEnded 1 1 4",
        f"GameEnded 1 [round_limit] {ranking} {'/'.join(F1)} plain",
    ]
    assert GAME.to_act(draft.state) == ()


def test_scenario_36_the_roofs_are_back_when_the_last_round_is_over() -> None:
    state = given(mice={0: "a1", 1: "g7"}, active=1, options=Options(round_limit=1))
    draft = when(state, "uncover C", "uncover F", "end_turn")
    assert texts(draft.events)[:2] == ["RoofsReplaced 1 [C, F]", "TurnEnded 1 1 2"]
    assert draft.state.open_roofs == ()
    assert draft.state.stage == "finished"
