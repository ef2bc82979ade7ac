"""Scenarios 42 to 47: what a copier must be used as."""

import pytest

from howff.engine.games.dale_of_merchants.stages import stage_of
from support.dale_of_merchants import (
    actor,
    discard,
    given,
    hand,
    legal,
    market_discard,
    texts,
    when,
)
from support.texts import kinds

NO_MARKET = "- - - - -"


def test_scenario_42_trendsetting_is_played_as_a_card_of_the_market() -> None:
    state = given(hands={0: "trendsetting junk"}, market="spyglass prepaid_good - - -")
    assert legal(state, "play_technique") == [
        "play_technique trendsetting spyglass",
        "play_technique trendsetting prepaid_good",
    ]
    draft = when(state, "play_technique trendsetting spyglass")
    assert texts(draft.events)[0] == "TechniquePlayed 0 trendsetting spyglass spyglass 1"
    assert stage_of(draft.state) == "keep_card"
    state_after = when(draft.state, "keep_card junk", "return_card junk").state
    assert stage_of(state_after) == "choose_bonus_action"
    assert discard(state_after) == "trendsetting"
    draft = when(state, "play_technique trendsetting prepaid_good", "take_market_card 0")
    assert texts(draft.events)[:2] == [
        "MarketCardTaken 0 0 spyglass",
        "TechniqueResolved 0 trendsetting discard",
    ]
    assert "BonusActionGranted" not in kinds(draft.events)
    assert discard(draft.state) == "trendsetting"
    assert actor(draft.state) == 1


def test_scenario_43_a_copier_without_anything_to_copy_stands_for_itself() -> None:
    state = given(
        hands={0: "reflection junk"},
        discards={1: "cookies flexible_shopkeeper"},
        market="cookies - - - -",
    )
    assert legal(state, "play_technique") == []
    state_paying = when(state, "start_purchase 0").state
    assert legal(state_paying) == ["pay_card reflection flexible_shopkeeper", "pay_card junk"]
    draft = when(state_paying, "pay_card reflection flexible_shopkeeper")
    assert texts(draft.events)[0] == (
        "PaymentCardPicked 0 reflection flexible_shopkeeper flexible_shopkeeper 1"
    )
    draft = when(state, "start_stack")
    assert texts(draft.events)[1:3] == [
        "StackCardPicked 0 reflection null flexible_shopkeeper flexible_shopkeeper 1",
        "StackBuilt 0 1 [reflection from hand] 0",
    ]


def test_scenario_44_a_circle_leaves_a_copier_with_its_own_value() -> None:
    state = given(
        hands={0: "reflection"},
        discards={1: "good_old_times"},
        market="cookies - - - -",
        market_discard="reflection",
        market_deck="spyglass",
    )
    draft = when(state, "start_purchase 0")
    assert texts(draft.events)[1] == "PaymentCardPicked 0 reflection null null 2"


def test_scenario_44_a_copier_in_a_circle_may_throw_as_good_old_times() -> None:
    state = given(
        hands={0: "reflection junk"},
        discards={1: "good_old_times"},
        market="spyglass - - - -",
        market_discard="reflection",
        market_deck="spyglass",
    )
    throw = "throw_from_market_deck reflection good_old_times good_old_times"
    assert throw in legal(state)
    draft = when(state, throw)
    assert texts(draft.events) == [
        "CardBound 0 reflection good_old_times good_old_times [] []",
        "AbilityUsed 0 reflection=good_old_times good_old_times",
        "CardsThrownAway 0 [spyglass from market_deck to market_discard]",
    ]
    assert market_discard(draft.state) == "reflection spyglass"
    copier = "reflection=good_old_times!good_old_times"
    assert hand(draft.state) == f"{copier} junk"
    assert legal(draft.state, "throw_from_market_deck") == []
    assert legal(draft.state, "play_technique") == [f"play_technique {copier} spyglass"]
    paid = when(draft.state, "start_purchase 0")
    assert texts(paid.events)[1] == f"PaymentCardPicked 0 {copier} spyglass spyglass 4"


def test_scenario_45_seeing_doubles_copies_through_another_copier() -> None:
    state = given(hands={0: "seeing_doubles trendsetting junk"}, market="cookies - - - -")
    state = when(state, "start_purchase 0").state
    assert legal(state) == [
        "pay_card trendsetting cookies",
        "pay_card seeing_doubles cookies",
        "pay_card seeing_doubles junk",
        "pay_card junk",
    ]
    draft = when(state, "pay_card seeing_doubles cookies")
    assert texts(draft.events)[:3] == [
        "PaymentCardPicked 0 seeing_doubles cookies cookies 2",
        "HandCardsShown 0 [trendsetting] copy",
        "CardPurchased 0 cookies 0 2 [seeing_doubles as cookies] 2",
    ]
    draft = when(state, "pay_card seeing_doubles junk")
    assert texts(draft.events)[:2] == [
        "PaymentCardPicked 0 seeing_doubles junk junk 1",
        "HandCardsShown 0 [junk] copy",
    ]


def test_scenario_45_seeing_doubles_is_not_worth_five_then() -> None:
    state = given(
        hands={0: "seeing_doubles trendsetting junk"}, stacks={0: 4}, market="cookies - - - -"
    )
    assert "start_stack" not in legal(state)


def test_scenario_46_good_old_times_follows_the_market_discard() -> None:
    state = given(
        hands={0: "good_old_times junk"},
        market=NO_MARKET,
        market_discard="spyglass",
        market_deck="special_offer cookies",
    )
    assert legal(state, "play_technique") == ["play_technique good_old_times spyglass"]
    throw = "throw_from_market_deck good_old_times good_old_times"
    assert legal(state, "throw_from_market_deck") == [throw]
    draft = when(state, throw)
    assert texts(draft.events) == [
        "AbilityUsed 0 good_old_times good_old_times",
        "CardsThrownAway 0 [special_offer from market_deck to market_discard]",
    ]
    assert legal(draft.state, "play_technique", "throw_from_market_deck") == [
        "play_technique good_old_times!good_old_times special_offer"
    ]


def test_scenario_47_no_more_than_60_techniques_are_played_in_a_turn() -> None:
    state = given(
        hands={0: "reflection reflection"},
        discards={0: "cookies", 1: "favourite_toy"},
        market=NO_MARKET,
    )
    toy = "play_technique reflection favourite_toy"
    state = when(state, toy).state
    assert (hand(state), discard(state)) == ("cookies reflection", "reflection")
    state = when(state, toy).state
    assert (hand(state), discard(state)) == ("cookies reflection", "reflection")
    draft = when(state, *[toy] * 58)
    assert texts(draft.events) == [
        "TechniquePlayed 0 reflection favourite_toy favourite_toy 60",
        "CardTakenFromDiscard 0 0 reflection",
        "TechniqueResolved 0 reflection discard",
        "BonusActionGranted 0",
    ]
    assert legal(draft.state) == ["start_inventory", "decline_bonus"]


@pytest.mark.parametrize("copier", ["reflection", "seeing_doubles", "trendsetting"])
def test_a_copier_with_nothing_to_copy_is_its_own_card(copier: str) -> None:
    state = given(
        hands={0: copier}, stacks={0: 1 if copier == "reflection" else 4}, market=NO_MARKET
    )
    assert texts(when(state, "start_stack").events)[1].startswith(
        f"StackCardPicked 0 {copier} null null null"
    )
