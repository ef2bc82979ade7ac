"""The acceptance scenarios of what a seat does with its cubes."""

import pytest

from howff.engine.errors import IllegalMoveError
from howff.engine.games.highland_clans import GAME
from howff.engine.seats import Seat
from support.highland_clans import (
    Fate,
    bag,
    board,
    cubes_drawn,
    given,
    in_front,
    legal,
    texts,
    turn_of,
    when,
)

RICH_BOARDS = {
    0: "W4 P4 M1 | E3: cattle 2, castle 1",
    1: "W4 P2 M0 | E2: cattle 2",
    2: "W4 P2 M0 | E2: castle 1, monastery 1",
    3: "W4 P2 M3 | E2: cattle 2",
}
"""Boards that leave Y6 B10 G12 R3 in the bag once Y3 B1 G1 R1 were drawn."""
NO_OTHER_CATTLE = {0: "E2", 2: "E2", 3: "E2"}


def test_scenario_04_the_first_turn_offers_22_moves() -> None:
    state = given(round=1, drawn="Y2 B2 G1 R1")
    assert bag(state) == "Y7 B15 G19 R5"
    bards = [
        f"play_bard {target} {choice}"
        for target in (1, 2, 3)
        for choice in (
            "[yellow] null",
            "[yellow, blue] null",
            "[yellow, blue] yellow",
            "[yellow, blue] blue",
            "[blue] null",
        )
    ]
    assert legal(state) == [
        "place_cattle",
        "build_castle",
        "recruit_warrior",
        "recruit_bagpiper",
        "recruit_monks 1",
        "acquire_estate red false 0",
        "acquire_estate red true 0",
        *bards,
    ]
    assert len(legal(state)) == 22
    for absent in ("build_monastery", "recruit_monks 2", "end_actions"):
        with pytest.raises(IllegalMoveError):
            when(state, absent)


def test_scenario_05_four_of_six_cubes_may_be_used() -> None:
    state = given(boards={0: "W4 M0 | E3: cattle 1"}, drawn="Y1 B2 G2 R1")
    state = when(state, "build_castle").state
    assert state.turn is not None
    assert state.turn.used == 2
    assert legal(state, "acquire_estate") == [
        "acquire_estate red false 0",
        "acquire_estate red true 0",
        "acquire_estate green true 0",
    ]
    with pytest.raises(IllegalMoveError):
        when(state, "acquire_estate green false 0")
    by_red = when(state, "acquire_estate red false 0")
    assert texts(by_red.events) == ["EstateAcquired 0 {Y1 R1} {}", "ActionsEnded 0 {G2}"]
    by_green = when(state, "acquire_estate green true 0")
    assert texts(by_green.events) == [
        "EstateAcquired 0 {G2} {Y1}",
        "DiscardRequired 0 1 hand_limit",
    ]
    assert by_green.state.turn is not None
    assert by_green.state.turn.used == 4


def test_scenario_06_no_action_is_done_twice() -> None:
    state = given(drawn="Y3 G2 R1")
    draft = when(state, "recruit_warrior")
    assert [event.split(" [")[0] for event in texts(draft.events)] == [
        "WarriorRecruited 0",
        "CardsDrawn 0 recruit 1",
    ]
    assert len(draft.state.players[0].hand) == 5
    assert draft.state.players[0].board.warriors == 5
    assert legal(draft.state, "recruit_warrior") == []
    assert "recruit_monks 2" in legal(draft.state)


def test_scenario_07_monks_are_one_action() -> None:
    state = when(given(drawn="Y2 G4"), "recruit_monks 1").state
    assert in_front(state) == "Y2 G3"
    assert legal(state, "recruit_monks") == []
    assert "build_monastery" in legal(state)
    draft = when(state, "build_monastery")
    assert texts(draft.events) == ["MonasteryBuilt 0", "ActionsEnded 0 {Y2}"]
    assert board(draft.state, 0).startswith("W4 P2 M1 | E2: cattle 1, monastery 1 |")


def test_scenario_08_no_five_cubes_for_two_buildings() -> None:
    state = given(boards={0: "E4: cattle 1"}, drawn="B2 G3 R1")
    assert state.players[0].board.free_estates == 3
    state = when(state, "build_monastery").state
    assert state.turn is not None
    assert state.turn.used == 3
    assert legal(state, "build_castle", "place_cattle", "recruit_bagpiper") == [
        "place_cattle",
        "recruit_bagpiper",
    ]


def test_scenario_09_the_last_seat_has_one_action() -> None:
    state = given(active=3, drawn="Y1 B2 G2 R1")
    assert state.turn is not None
    assert (state.turn.position, state.turn.action_limit) == (4, 1)
    assert legal(state, "play_bard")
    before = state.bag
    draft = when(state, "recruit_monks 2")
    assert texts(draft.events) == ["MonksRecruited 3 2", "ActionsEnded 3 {Y1 B2 R1}"]
    assert draft.state.stage == "raid_or_exchange"
    assert draft.state.bag.total == before.total + 4
    assert in_front(draft.state) == ""


def test_scenario_18_the_holder_of_the_marker_draws_anew() -> None:
    state = given(boards=RICH_BOARDS, marker=0, drawn="Y3 B1 G1 R1")
    assert bag(state) == "Y6 B10 G12 R3"
    assert state.bag.total == 31
    assert state.stage == "redraw"
    counts = [
        f"redraw_cubes {yellow} {blue} {green} {red}"
        for yellow in range(4)
        for blue in range(2)
        for green in range(2)
        for red in range(2)
    ]
    assert legal(state) == ["keep_cubes", *counts[1:]]
    assert len(legal(state)) == 32
    fate = Fate(cubes_drawn("Y1 G1 R1", of="Y9 B10 G12 R3", name="redrawn cubes"))
    draft = when(state, "redraw_cubes 3 0 0 0", rng=fate)
    assert texts(draft.events) == ["CubesRedrawn 0 {Y3} {Y1 G1 R1}"]
    assert in_front(draft.state) == "Y1 B1 G2 R2"
    assert bag(draft.state) == "Y8 B10 G11 R2"
    assert draft.state.stage == "actions"
    assert legal(draft.state, "keep_cubes", "redraw_cubes") == []


def test_kept_cubes_stay() -> None:
    state = given(boards=RICH_BOARDS, marker=0, drawn="Y3 B1 G1 R1")
    draft = when(state, "keep_cubes")
    assert texts(draft.events) == ["CubesKept 0"]
    assert (draft.state.stage, in_front(draft.state)) == ("actions", "Y3 B1 G1 R1")
    assert bag(draft.state) == "Y6 B10 G12 R3"


def test_ruling_13_the_marker_serves_once_in_each_own_turn() -> None:
    state = given(boards={0: "W6"}, marker=0, drawn="Y2 B2 G2")
    state = turn_of(when(state, "redraw_cubes 1 0 0 0").state, 1)
    assert state.stage == "actions"
    assert turn_of(state, 0).stage == "redraw"


def test_scenario_42_without_a_legal_action_the_actions_end_at_once() -> None:
    state = given(boards=NO_OTHER_CATTLE | {1: "W3 P2 M0 | E2: cattle 1, castle 1"})
    fate = Fate(cubes_drawn("R6", of="Y10 B15 G20 R9"))
    draft = when(state, "end_turn", rng=fate)
    assert texts(draft.events) == [
        "TurnEnded 0",
        "TurnStarted 1 2 2 2 false",
        "CubesDrawn 1 {R6}",
        "ActionsEnded 1 {R6}",
    ]
    assert draft.state.stage == "raid_or_exchange"
    assert bag(draft.state) == "Y10 B15 G20 R9"
    assert GAME.to_act(draft.state) == (1,)


def test_scenario_42_a_warrior_to_spare_has_to_pay() -> None:
    boards = NO_OTHER_CATTLE | {1: "W4 P2 M0 | E2: cattle 1, castle 1"}
    fate = Fate(cubes_drawn("R6", of="Y9 B15 G20 R9"))
    state = when(given(boards=boards), "end_turn", rng=fate).state
    assert state.stage == "actions"
    assert legal(state) == ["acquire_estate red true 0"]
    with pytest.raises(IllegalMoveError):
        when(state, "end_actions")


def test_scenario_42_the_holder_of_the_marker_is_asked_before_the_actions_end() -> None:
    boards = NO_OTHER_CATTLE | {1: "W3 | E2: cattle 1, castle 1"}
    fate = Fate(cubes_drawn("R6", of="Y10 B15 G20 R9"))
    draft = when(given(boards=boards, marker=1), "end_turn", rng=fate)
    assert texts(draft.events)[1:] == ["TurnStarted 1 2 2 2 true", "CubesDrawn 1 {R6}"]
    assert legal(draft.state) == [
        "keep_cubes",
        *(f"redraw_cubes 0 0 0 {red}" for red in range(1, 7)),
    ]


def test_scenario_42_kept_cubes_may_allow_nothing() -> None:
    boards = NO_OTHER_CATTLE | {1: "W3 | E2: cattle 1, castle 1"}
    state = given(boards=boards, active=1, marker=1, drawn="R6")
    draft = when(state, "keep_cubes")
    assert texts(draft.events) == ["CubesKept 1", "ActionsEnded 1 {R6}"]
    assert draft.state.stage == "raid_or_exchange"


def test_scenario_42_redrawn_cubes_may_allow_nothing() -> None:
    boards = NO_OTHER_CATTLE | {1: "W3 | E2: cattle 1, castle 1"}
    state = given(boards=boards, active=1, marker=1, drawn="Y1 R5")
    fate = Fate(cubes_drawn("R1", of="Y10 B15 G20 R4", name="redrawn cubes"))
    draft = when(state, "redraw_cubes 1 0 0 0", rng=fate)
    assert texts(draft.events) == ["CubesRedrawn 1 {Y1} {R1}", "ActionsEnded 1 {R6}"]
    assert draft.state.stage == "raid_or_exchange"
    assert bag(draft.state) == "Y10 B15 G20 R9"


def test_a_second_action_is_optional() -> None:
    state = when(given(drawn="Y2 B2 G1 R1"), "recruit_warrior").state
    assert legal(state)[-1] == "end_actions"
    draft = when(state, "end_actions")
    assert texts(draft.events) == ["ActionsEnded 0 {Y1 B2 G1 R1}"]
    assert draft.state.stage == "raid_or_exchange"


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_only_the_active_seat_acts(seat: int) -> None:
    state = given(drawn="Y2 B2 G1 R1")
    assert GAME.to_act(state) == (0,)
    assert GAME.legal_moves(state, Seat(seat)) == ()
