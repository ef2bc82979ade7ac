"""The acceptance scenarios of the hand limit, and of moves that are rejected."""

from collections import Counter

import pytest

from howff.engine.errors import IllegalMoveError, NotYourDecisionError
from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.state import State
from howff.engine.seats import Seat
from support.rng import LocalRng
from support.texts import kinds
from support.troedler import NOTATION, given, hand, legal, texts, value_pile, when


def test_scenario_16_the_hand_limit_leaves_a_choice() -> None:
    state = given(hands={0: {"feed": 2, "bridge": 2, "req_cup2": 1, "extra": 1}})
    draft = when(state, "end_turn")
    assert texts(draft.events) == ["PlayedCardsStored 0 0 0 [] []"]
    assert (draft.state.stage, draft.state.active) == ("trimming", 0)
    assert legal(draft.state) == [
        "discard_card bridge",
        "discard_card extra",
        "discard_card req_cup2",
    ]
    draft = when(draft.state, "discard_card bridge")
    assert texts(draft.events) == ["HandCardDiscarded 0 bridge"]
    assert draft.state.stage == "trimming"
    draft = when(draft.state, "discard_card bridge")
    assert texts(draft.events) == ["HandCardDiscarded 0 bridge", "TurnEnded 0", "TurnStarted 1"]
    assert hand(draft.state) == {"feed": 2, "req_cup2": 1, "extra": 1}
    assert draft.state.supply.discard_pile == ("bridge", "bridge")


def test_scenario_17_four_feed_leave_no_room() -> None:
    state = given(hands={0: {"feed": 4, "ferry": 1, "req_vase2": 1}}, value_piles={0: {"feed": 1}})
    draft = when(state, "end_turn")
    assert texts(draft.events) == [
        "PlayedCardsStored 0 0 0 [] []",
        "HandCardDiscarded 0 ferry",
        "HandCardDiscarded 0 req_vase2",
        "TurnEnded 0",
        "TurnStarted 1",
    ]
    assert draft.state.supply.discard_pile == ("ferry", "req_vase2")
    assert hand(draft.state) == {"feed": 4}
    assert value_pile(draft.state) == {"feed": 1}


def test_scenario_18_surplus_feed_is_stored() -> None:
    draft = when(given(hands={0: {"feed": 6, "ferry": 1}}), "end_turn")
    assert texts(draft.events) == [
        "PlayedCardsStored 0 0 0 [] []",
        "HandCardDiscarded 0 ferry",
        "SurplusFeedStored 0 2",
        "TurnEnded 0",
        "TurnStarted 1",
    ]
    assert draft.state.supply.discard_pile == ("ferry",)
    assert hand(draft.state) == {"feed": 4}
    assert value_pile(draft.state) == {"feed": 2}


def test_scenario_19_no_card_is_discarded_at_will() -> None:
    state = given(hands={0: {"bridge": 1, "req_cup2": 1, "feed": 1, "extra": 1}})
    draft = when(state, "end_turn")
    assert kinds(draft.events) == ["PlayedCardsStored", "TurnEnded", "TurnStarted"]
    assert sum(hand(draft.state).values()) == 4


def test_scenario_31_an_empty_turn_with_eight_cards() -> None:
    routes = {"bridge": 2, "ferry": 2, "moor_path": 2}
    draft = when(given(hands={0: routes | {"req_cup2": 1, "extra": 1}}), "end_turn")
    assert texts(draft.events) == ["PlayedCardsStored 0 0 0 [] []"]
    codes = ("bridge", "extra", "ferry", "moor_path", "req_cup2")
    assert legal(draft.state) == [f"discard_card {code}" for code in codes]
    draft = when(draft.state, *(f"discard_card {code}" for code in codes[:4]))
    assert kinds(draft.events) == ["HandCardDiscarded", "TurnEnded", "TurnStarted"]
    assert draft.state.supply.discard_pile == codes[:4]
    assert hand(draft.state) == Counter(["bridge", "ferry", "moor_path", "req_cup2"])


def test_scenario_37_trimming_without_an_alternative_is_asked_for() -> None:
    draft = when(given(hands={0: {"feed": 3, "bridge": 2}}), "end_turn")
    assert draft.state.stage == "trimming"
    assert legal(draft.state) == ["discard_card bridge"]
    draft = when(draft.state, "discard_card bridge")
    assert hand(draft.state) == {"feed": 3, "bridge": 1}
    assert kinds(draft.events) == ["HandCardDiscarded", "TurnEnded", "TurnStarted"]


PLAYING = given(
    carts={0: "carron"},
    hands={0: {"extra": 1, "feed": 1, "ferry": 1, "req_cup2": 1}},
    collections={0: {"cup": 2}},
    goods={"aberlour": {"cup": 1}},
)
ARRIVING = when(PLAYING, "play_route ferry aberlour").state
DELIVERING = when(
    given(
        carts={0: "carron"},
        hands={0: {"feed": 2, "req_cup2": 1}},
        collections={0: {"cup": 1, "pot": 1}},
    ),
    "feed_substitute req_cup2 cup pot",
).state
TRIMMING = when(given(hands={0: {"feed": 3, "bridge": 2}}), "end_turn").state
PICKING = when(given(stage="forming"), "reveal_all", "take_pile 3").state
FULL_VILLAGE = given(
    carts={0: "carron"},
    hands={0: {"req_cup2": 1}},
    collections={0: {"cup": 2}},
    goods={"carron": {"pot": 1}},
)


@pytest.mark.parametrize(
    ("state", "refused"),
    [
        (PLAYING, "play_extra cup"),
        (PLAYING, "feed_take cup"),
        (PLAYING, "take_good cup"),
        (PLAYING, "complete_delivery"),
        (PLAYING, "discard_card extra"),
        (PLAYING, "play_route bridge macallan"),
        (ARRIVING, "take_good pot"),
        (ARRIVING, "end_turn"),
        (ARRIVING, "play_extra cup"),
        (ARRIVING, "feed_route carron"),
        (DELIVERING, "end_turn"),
        (DELIVERING, "feed_route macallan"),
        (DELIVERING, "fulfil_request req_cup2"),
        (TRIMMING, "discard_card feed"),
        (TRIMMING, "end_turn"),
        (FULL_VILLAGE, "fulfil_request req_cup2"),
        (PICKING, "take_pile 3"),
        (PICKING, "take_pile 5"),
        (PICKING, "discard_pile 0"),
        (PICKING, "reveal_card"),
    ],
)
def test_scenario_32_an_illegal_move_is_rejected(state: State, refused: str) -> None:
    assert state.active is not None
    with pytest.raises(IllegalMoveError):
        GAME.play(state, state.active, NOTATION.move(refused), LocalRng(0))


@pytest.mark.parametrize("state", [PLAYING, ARRIVING, DELIVERING, TRIMMING, PICKING])
def test_scenario_32_another_seat_is_rejected(state: State) -> None:
    for seat in {*map(Seat, range(4))} - {*GAME.to_act(state)}:
        assert GAME.legal_moves(state, seat) == ()
        for each in legal(state):
            with pytest.raises(NotYourDecisionError):
                GAME.play(state, seat, NOTATION.move(each), LocalRng(0))
