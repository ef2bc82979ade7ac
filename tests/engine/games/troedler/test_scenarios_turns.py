"""The acceptance scenarios of a seat's turn: routes, takes, deliveries, and the hand limit."""

import pytest

from howff.engine.games.troedler.data import REQUESTS, Card, Good
from howff.engine.games.troedler.state import Delivery
from support.troedler import (
    collection,
    given,
    hand,
    legal,
    passed_to,
    texts,
    value_pile,
    village,
    when,
)


def test_scenarios_06_and_34_a_route_and_a_take() -> None:
    state = given(
        carts={0: "craigellachie"},
        hands={0: {"bridge": 1}},
        goods={"rothes": {"cup": 1, "vase": 1}},
    )
    assert legal(state) == ["play_route bridge aberlour", "play_route bridge rothes", "end_turn"]
    draft = when(state, "play_route bridge rothes")
    assert texts(draft.events) == [
        "CardPlayed 0 bridge route",
        "CartMoved 0 craigellachie rothes bridge true",
    ]
    assert draft.state.stage == "arriving"
    assert legal(draft.state) == ["take_good cup", "take_good vase", "leave_goods"]
    draft = when(draft.state, "take_good vase")
    assert texts(draft.events) == ["GoodTaken 0 rothes vase"]
    assert draft.state.stage == "playing"
    assert village(draft.state, "rothes") == {"cup": 1}
    assert collection(draft.state) == {"vase": 1}
    assert draft.state.turn.played == ("bridge",)
    assert hand(draft.state) == {}


def test_scenario_06_goods_may_be_left() -> None:
    state = given(
        carts={0: "craigellachie"}, hands={0: {"bridge": 1}}, goods={"rothes": {"cup": 1}}
    )
    draft = when(state, "play_route bridge rothes", "leave_goods")
    assert texts(draft.events) == ["GoodsLeft 0 rothes"]
    assert draft.state.stage == "playing"
    assert village(draft.state, "rothes") == {"cup": 1}


def test_scenario_07_no_card_drives_where_no_route_is() -> None:
    routes = {"mountain_trail": 1, "moor_path": 1, "ferry": 1, "bridge": 1}
    by_card = [
        "play_route bridge cragganmore",
        "play_route ferry grantown",
        "play_route moor_path knockando",
    ]
    assert legal(given(carts={0: "advie"}, hands={0: routes})) == [*by_card, "end_turn"]
    assert legal(given(carts={0: "advie"}, hands={0: routes | {"feed": 1}})) == [
        *by_card,
        "feed_route grantown",
        "feed_route cragganmore",
        "feed_route knockando",
        "end_turn",
    ]


def test_scenario_08_two_deliveries_in_one_turn() -> None:
    state = given(
        carts={0: "advie"},
        goods={"advie": {"vase": 1}, "knockando": {"chair": 1}},
        hands={0: {"extra": 1, "moor_path": 1, "req_anvil2": 1, "req_vase2_chair": 1}},
        collections={0: {"anvil": 2, "vase": 1}},
    )
    draft = when(state, "play_extra vase")
    assert texts(draft.events) == ["CardPlayed 0 extra take", "GoodTaken 0 advie vase"]
    assert village(draft.state, "advie") == {}
    assert collection(draft.state) == {"anvil": 2, "vase": 2}
    draft = when(draft.state, "fulfil_request req_anvil2")
    assert texts(draft.events) == [
        "CardPlayed 0 req_anvil2 request",
        "GoodsDelivered 0 advie [anvil, anvil]",
        "RequestFulfilled 0 advie req_anvil2",
    ]
    assert village(draft.state, "advie") == {"anvil": 2}
    state = when(draft.state, "play_route moor_path knockando", "take_good chair").state
    assert village(state, "knockando") == {}
    state = when(state, "fulfil_request req_vase2_chair").state
    assert village(state, "knockando") == {"vase": 2, "chair": 1}
    assert collection(state) == {}
    assert state.turn.delivered_villages == ("advie", "knockando")
    draft = when(state, "end_turn")
    assert texts(draft.events)[0] == (
        "PlayedCardsStored 0 2 2 [extra, moor_path] [req_anvil2, req_vase2_chair]"
    )
    assert hand(draft.state) == {}
    assert draft.state.supply.discard_pile == ("extra", "moor_path")
    assert value_pile(draft.state) == {"req_anvil2": 1, "req_vase2_chair": 1}
    assert sum(REQUESTS[card].points for card in draft.state.players[0].value_pile) == 10


FEED_EXAMPLE = given(
    carts={0: "craigellachie"},
    goods={"rothes": {"anvil": 1, "cup": 1}},
    hands={0: {"feed": 3, "req_anvil3": 1, "ferry": 1, "req_pot2_vase": 1}},
    collections={0: {"anvil": 1, "pot": 1}},
    discard_pile=["bridge"],
)
FEED_MOVES = (
    "feed_route rothes",
    "take_good anvil",
    "feed_take cup",
    "feed_substitute req_anvil3 anvil pot",
    "complete_delivery",
    "end_turn",
)


def test_scenario_09_feed_as_a_route_and_as_a_take() -> None:
    draft = when(FEED_EXAMPLE, *FEED_MOVES[:1])
    assert texts(draft.events) == [
        "CardPlayed 0 feed route",
        "CartMoved 0 craigellachie rothes bridge true",
    ]
    draft = when(FEED_EXAMPLE, *FEED_MOVES[:3])
    assert texts(draft.events) == ["CardPlayed 0 feed take", "GoodTaken 0 rothes cup"]
    assert village(draft.state, "rothes") == {}
    assert collection(draft.state) == {"anvil": 2, "cup": 1, "pot": 1}
    assert legal(draft.state, "fulfil_request") == []


def test_scenario_09_feed_as_a_substitute() -> None:
    draft = when(FEED_EXAMPLE, *FEED_MOVES[:4])
    assert texts(draft.events) == [
        "CardPlayed 0 req_anvil3 request",
        "CardPlayed 0 feed substitute",
        "GoodSubstituted 0 req_anvil3 anvil pot",
    ]
    assert draft.state.stage == "delivering"
    assert draft.state.turn.delivery == Delivery(
        Card("req_anvil3"), replaced=(Good("anvil"),), substitutes=(Good("pot"),)
    )
    assert legal(draft.state) == ["complete_delivery"]
    draft = when(FEED_EXAMPLE, *FEED_MOVES[:5])
    assert texts(draft.events) == [
        "GoodsDelivered 0 rothes [anvil, anvil, pot]",
        "RequestFulfilled 0 rothes req_anvil3",
    ]
    assert village(draft.state, "rothes") == {"anvil": 2, "pot": 1}
    assert collection(draft.state) == {"cup": 1}
    assert (draft.state.stage, draft.state.turn.delivery) == ("playing", None)


def test_scenario_09_feed_and_the_request_are_stored() -> None:
    draft = when(FEED_EXAMPLE, *FEED_MOVES)
    stored = "PlayedCardsStored 0 0 4 [] [feed, feed, req_anvil3, feed]"
    assert texts(draft.events)[0] == stored
    assert hand(draft.state) == {"ferry": 1, "req_pot2_vase": 1}
    assert value_pile(draft.state) == {"feed": 3, "req_anvil3": 1}
    assert draft.state.supply.discard_pile == ("bridge",)


def test_scenario_10_an_extra_good_after_a_delivery() -> None:
    state = given(
        carts={0: "carron"}, hands={0: {"extra": 1, "req_cup2": 1}}, collections={0: {"cup": 2}}
    )
    state = when(state, "fulfil_request req_cup2").state
    assert village(state, "carron") == {"cup": 2}
    assert legal(state, "play_extra") == ["play_extra cup"]
    state = when(state, "play_extra cup").state
    assert village(state, "carron") == {"cup": 1}
    assert collection(state) == {"cup": 1}


def test_scenarios_11_and_34_no_take_is_owed_after_an_empty_arrival() -> None:
    state = given(
        carts={0: "aberlour"}, hands={0: {"ferry": 1, "req_cup2": 1}}, collections={0: {"cup": 2}}
    )
    draft = when(state, "play_route ferry carron")
    assert texts(draft.events)[1] == "CartMoved 0 aberlour carron ferry false"
    assert draft.state.stage == "playing"
    draft = when(draft.state, "fulfil_request req_cup2")
    assert village(draft.state, "carron") == {"cup": 2}
    assert legal(draft.state) == ["end_turn"]


def test_scenario_12_one_request_a_village_and_turn() -> None:
    state = given(
        carts={0: "carron"},
        hands={0: {"extra": 1, "feed": 1, "req_cup2": 1, "req_cup_vase": 1}},
        collections={0: {"cup": 2, "vase": 1}},
    )
    state = when(state, "fulfil_request req_cup2", "play_extra cup", "feed_take cup").state
    assert village(state, "carron") == {}
    assert collection(state) == {"cup": 2, "vase": 1}
    assert legal(state) == ["end_turn"]
    state = passed_to(when(state, "end_turn").state, 0)
    assert state.round == 2
    assert "fulfil_request req_cup_vase" in legal(state)


def test_scenario_12_neither_may_a_second_request_be_served_by_substitution() -> None:
    state = given(
        carts={0: "carron"},
        hands={0: {"extra": 1, "feed": 3, "req_cup2": 1, "req_cup_vase": 1}},
        collections={0: {"cup": 2, "vase": 1, "pot": 2}},
    )
    assert legal(state, "feed_substitute")
    state = when(state, "fulfil_request req_cup2", "play_extra cup", "feed_take cup").state
    assert village(state, "carron") == {}
    assert legal(state, "feed_substitute", "fulfil_request") == []


def test_scenario_13_every_arrival_gives_a_take() -> None:
    state = given(
        carts={0: "knockando"},
        hands={0: {"bridge": 2}},
        goods={"carron": {"pot": 1}, "knockando": {"cup": 2}},
    )
    assert legal(state) == ["play_route bridge carron", "end_turn"]
    state = when(state, "play_route bridge carron", "take_good pot").state
    state = when(state, "play_route bridge knockando", "take_good cup").state
    assert collection(state) == {"pot": 1, "cup": 1}
    assert village(state, "knockando") == {"cup": 1}


def test_scenario_14_substitution_leaves_what_the_delivery_still_needs() -> None:
    state = given(
        carts={0: "carron"},
        hands={0: {"feed": 2, "req_anvil_bottle_cup": 1}},
        collections={0: {"anvil": 1, "bottle": 1, "vase": 1, "pot": 1}},
    )
    assert legal(state, "fulfil_request") == []
    request = "feed_substitute req_anvil_bottle_cup"
    found = legal(state, "feed_substitute")
    assert {
        f"{request} cup vase",
        f"{request} cup pot",
        f"{request} cup anvil",
        f"{request} anvil vase",
    } <= set(found)
    state = when(state, f"{request} anvil vase").state
    assert legal(state) == [f"{request} cup anvil", f"{request} cup pot"]
    assert collection(state) == {"anvil": 1, "bottle": 1, "vase": 1, "pot": 1}
    state = when(state, f"{request} cup pot").state
    assert legal(state) == ["complete_delivery"]
    draft = when(state, "complete_delivery")
    assert texts(draft.events)[0] == "GoodsDelivered 0 carron [bottle, pot, vase]"
    assert village(draft.state, "carron") == {"bottle": 1, "pot": 1, "vase": 1}
    assert collection(draft.state) == {"anvil": 1}


@pytest.mark.parametrize(
    ("feed", "goods", "possible"),
    [
        (1, {"anvil": 1, "pot": 5}, False),
        (2, {"anvil": 1, "pot": 5}, True),
        (2, {"anvil": 1, "pot": 1}, False),
    ],
)
def test_scenario_15_substitution_needs_feed_and_goods(
    feed: int, goods: dict[str, int], *, possible: bool
) -> None:
    state = given(
        carts={0: "carron"}, hands={0: {"feed": feed, "req_anvil3": 1}}, collections={0: goods}
    )
    found = legal(state, "feed_substitute")
    assert found == (["feed_substitute req_anvil3 anvil pot"] if possible else [])
