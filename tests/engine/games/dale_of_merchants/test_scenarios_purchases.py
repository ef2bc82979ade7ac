"""Scenarios 4 to 12: what pays, what becomes of the payment, and how the market moves on."""

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.events import PaymentCardPicked, PurchaseStarted
from howff.engine.games.dale_of_merchants.stages import stage_of
from support.dale_of_merchants import (
    actor,
    discard,
    given,
    hand,
    legal,
    market,
    market_discard,
    texts,
    when,
)
from support.texts import kinds, of

NO_MARKET = "- - - - -"


def test_scenario_04_a_payment_may_exceed_the_price_by_less_than_its_least_card() -> None:
    state = given(hands={0: "spyglass acorn junk"}, market="accordion - - - -")
    draft = when(state, "start_purchase 0")
    assert texts(draft.events) == ["PurchaseStarted 0 0 accordion 5"]
    draft = when(draft.state, "pay_card spyglass")
    assert texts(draft.events) == ["PaymentCardPicked 0 spyglass null null 4"]
    assert legal(draft.state) == ["pay_card acorn", "pay_card junk"]
    # Picked cards stay in the hand until the payment is made.
    assert hand(draft.state) == "spyglass acorn junk"
    draft = when(draft.state, "pay_card acorn")
    assert texts(draft.events)[:3] == [
        "PaymentCardPicked 0 acorn null null 4",
        "CardPurchased 0 accordion 0 5 [spyglass, acorn] 8",
        "CardsDiscarded 0 [spyglass, acorn] payment purchase",
    ]
    assert discard(draft.state) == "spyglass acorn"
    assert hand(draft.state) == "accordion junk junk junk junk"
    assert actor(draft.state) == 1


def test_scenario_04_the_same_card_may_be_paid_exactly() -> None:
    state = given(hands={0: "spyglass acorn junk"}, market="accordion - - - -")
    draft = when(state, "start_purchase 0", "pay_card spyglass", "pay_card junk")
    assert texts(draft.events)[1] == "CardPurchased 0 accordion 0 5 [spyglass, junk] 5"
    assert discard(draft.state) == "spyglass junk"
    assert hand(draft.state) == "acorn accordion junk junk junk"


def test_scenario_05_a_card_that_is_not_needed_is_not_paid() -> None:
    state = given(
        hands={0: "junk flashy_show shattered_relic cookies"}, market="favourite_toy - - - -"
    )
    draft = when(state, "start_purchase 0")
    assert legal(draft.state) == [
        "pay_card cookies",
        "pay_card shattered_relic",
        "pay_card flashy_show",
    ]
    draft = when(draft.state, "pay_card shattered_relic")
    assert texts(draft.events)[:4] == [
        "PaymentCardPicked 0 shattered_relic null null 3",
        "PaymentCardPicked 0 cookies null null 2",
        "CardPurchased 0 favourite_toy 0 5 [shattered_relic, cookies] 5",
        "CardsDiscarded 0 [shattered_relic, cookies] payment purchase",
    ]
    draft = when(state, "start_purchase 0", "pay_card flashy_show")
    assert texts(draft.events)[1] == "CardPurchased 0 favourite_toy 0 5 [flashy_show] 5"


def test_scenario_06_six_may_be_paid_with_six_or_with_seven() -> None:
    state = given(
        hands={0: "cookies cookies shattered_relic shattered_relic"},
        market="- flashy_show - - -",
    )
    draft = when(state, "start_purchase 1")
    assert texts(draft.events) == ["PurchaseStarted 0 1 flashy_show 6"]
    assert legal(draft.state) == ["pay_card cookies", "pay_card shattered_relic"]
    exact = when(draft.state, "pay_card shattered_relic", "pay_card shattered_relic")
    assert texts(exact.events)[1] == (
        "CardPurchased 0 flashy_show 1 6 [shattered_relic, shattered_relic] 6"
    )
    draft = when(draft.state, "pay_card cookies", "pay_card cookies")
    assert texts(draft.events)[:3] == [
        "PaymentCardPicked 0 cookies null null 2",
        "PaymentCardPicked 0 shattered_relic null null 3",
        "CardPurchased 0 flashy_show 1 6 [cookies, cookies, shattered_relic] 7",
    ]


def test_scenario_06_no_other_sum_is_offered() -> None:
    state = given(
        hands={0: "cookies cookies shattered_relic shattered_relic"},
        market="- flashy_show - - -",
    )
    # 2 + 3 + 3 exceeds the price by as much as the least of its cards.
    state = when(state, "start_purchase 1", "pay_card cookies", "pay_card shattered_relic").state
    assert discard(state) == "cookies shattered_relic cookies"


def test_scenario_07_a_price_that_cannot_be_met_is_not_offered() -> None:
    state = given(hands={0: "junk junk junk junk junk junk"}, market="- - - spyglass -")
    assert legal(state) == ["start_inventory"]
    state = given(hands={0: "junk junk junk junk junk junk"}, market="- - spyglass - -")
    assert legal(state, "start_purchase") == ["start_purchase 2"]


def test_scenario_08_with_stock_clearance_any_surplus_is_paid() -> None:
    state = given(hands={0: "stock_clearance junk junk"}, market="shattered_relic - - - -")
    state = when(state, "start_purchase 0").state
    assert legal(state) == ["pay_card stock_clearance", "pay_card junk"]
    state = when(state, "pay_card junk", "pay_card stock_clearance").state
    assert legal(state) == ["pay_card junk", "finish_payment"]
    all_three = when(state, "pay_card junk")
    assert texts(all_three.events)[1] == (
        "CardPurchased 0 shattered_relic 0 3 [junk, stock_clearance, junk] 7"
    )
    assert discard(all_three.state) == "junk stock_clearance junk"
    assert discard(when(state, "finish_payment").state) == "junk stock_clearance"


def test_scenario_09_junk_that_paid_for_an_essential_purchase_is_thrown_away() -> None:
    state = given(hands={0: "junk junk junk"}, market="essential_purchase - - - -")
    draft = when(state, "start_purchase 0")
    assert kinds(draft.events) == [
        "PurchaseStarted",
        *["PaymentCardPicked"] * 3,
        "CardPurchased",
    ]
    assert hand(draft.state) == "essential_purchase"
    before = draft.state.junk_pile
    assert legal(draft.state) == [
        *(f"throw_paid_junk {position}" for position in range(3)),
        "finish_throwing",
    ]
    draft = when(draft.state, "throw_paid_junk 0")
    assert texts(draft.events) == ["CardsThrownAway 0 [junk from payment 0 to junk_pile]"]
    draft = when(draft.state, "throw_paid_junk 1", "finish_throwing")
    assert texts(draft.events)[0] == "CardsDiscarded 0 [junk] payment purchase"
    assert draft.state.junk_pile == before + 2
    assert discard(draft.state) == "junk"
    assert hand(draft.state).split()[0] == "essential_purchase"


def test_scenario_10_market_discovery_buys_from_the_market_discard() -> None:
    state = given(
        hands={0: "market_discovery junk"}, market=NO_MARKET, market_discard="cookies spyglass"
    )
    assert "start_purchase discard" in legal(state)
    draft = when(state, "start_purchase discard")
    assert texts(draft.events)[:4] == [
        "PurchaseStarted 0 discard spyglass 4",
        "PaymentCardPicked 0 market_discovery null null 4",
        "CardPurchased 0 spyglass discard 4 [market_discovery] 4",
        "CardsDiscarded 0 [market_discovery] payment purchase",
    ]
    assert hand(draft.state).split()[0] == "spyglass"
    assert discard(draft.state) == "market_discovery"
    assert market_discard(draft.state) == "cookies"


def test_scenario_10_without_market_discovery_it_is_not_offered() -> None:
    state = given(hands={0: "acorn junk"}, market=NO_MARKET, market_discard="cookies spyglass")
    assert legal(state, "start_purchase") == []


def test_scenario_11_the_market_slides_to_the_right() -> None:
    state = given(
        hands={0: "spyglass"},
        market="cookies shattered_relic acorn empty_chest accordion",
        market_deck="flashy_show favourite_toy",
    )
    draft = when(state, "start_purchase 1")
    assert market(draft.state) == "cookies acorn empty_chest accordion flashy_show"
    assert texts(draft.events)[-4:] == [
        "MarketShifted [2 to 1, 3 to 2, 4 to 3]",
        "MarketFilled [flashy_show in 4]",
        "TurnEnded 0 1",
        "TurnStarted 1 1",
    ]


def test_scenario_12_what_cannot_be_filled_stays_empty_on_the_left() -> None:
    state = given(
        hands={1: "stock_clearance junk junk"},
        market="- cookies shattered_relic - prepaid_good",
        market_deck="spyglass",
    )
    draft = when(state, "start_inventory")
    assert market(draft.state) == "cookies shattered_relic prepaid_good spyglass -"
    assert texts(draft.events)[-4:-2] == [
        "MarketShifted [1 to 0, 2 to 1, 4 to 2]",
        "MarketFilled [spyglass in 3]",
    ]
    assert legal(draft.state, "start_purchase") == [f"start_purchase {slot}" for slot in range(4)]
    prices = [
        of(when(draft.state, f"start_purchase {slot}").events, PurchaseStarted)[0].price
        for slot in range(4)
    ]
    assert prices == [2 + 0, 3 + 1, 2 + 2, 4 + 3]


@pytest.mark.parametrize("market_deck", ["", "cookies"])
def test_the_market_discard_is_shuffled_when_a_card_is_missing(market_deck: str) -> None:
    state = given(
        market="- shattered_relic shattered_relic shattered_relic -",
        market_deck=market_deck,
        market_discard="spyglass acorn",
    )
    draft = when(state, "start_inventory")
    assert kinds(draft.events).count("MarketDeckShuffled") == 1
    assert "-" not in market(draft.state)
    assert len(draft.state.market.deck) == (1 if market_deck else 0)
    assert market_discard(draft.state) == ""


def test_a_started_purchase_cannot_be_taken_back() -> None:
    state = given(hands={0: "junk junk junk spyglass"}, market="cookies - - - -")
    state = when(state, "start_purchase 0").state
    assert stage_of(state) == "pay"
    assert legal(state) == ["pay_card spyglass", "pay_card junk"]
    draft = when(state, "pay_card junk")
    assert [each.value for each in of(draft.events, PaymentCardPicked)] == [1, 1]
    assert discard(draft.state) == "junk junk"
    assert GAME.to_act(draft.state) == (1,)
