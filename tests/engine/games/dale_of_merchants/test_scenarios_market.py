"""Scenarios 26, 32, 33, 39 and 41: techniques about the market."""

import pytest

from howff.engine.games.dale_of_merchants.events import PurchaseStarted
from howff.engine.games.dale_of_merchants.stages import stage_of
from support.dale_of_merchants import (
    Fate,
    actor,
    discard,
    given,
    hand,
    legal,
    market,
    market_deck,
    market_discard,
    stall,
    texts,
    when,
)
from support.texts import kinds, of


def test_scenario_26_loyal_partner_throws_the_whole_market_away() -> None:
    state = given(
        hands={0: "loyal_partner junk"},
        market="cookies acorn spyglass prepaid_good accordion",
        market_deck="favourite_toy flashy_show",
    )
    state = when(state, "play_technique loyal_partner").state
    assert legal(state) == [f"throw_market_card {slot}" for slot in range(5)]
    state = when(state, *(f"throw_market_card {slot}" for slot in (2, 0, 1))).state
    assert legal(state) == ["throw_market_card 3", "throw_market_card 4"]
    assert market_discard(state) == "spyglass cookies acorn"
    luck = Fate(market_reshuffle=["accordion acorn cookies spyglass prepaid_good"])
    draft = when(state, "throw_market_card 3", rng=luck)
    assert texts(draft.events) == [
        "CardsThrownAway 0 [prepaid_good from market 3 to market_discard]",
        "CardsThrownAway 0 [accordion from market 4 to market_discard]",
        "MarketFilled [favourite_toy in 0, flashy_show in 1]",
        "MarketDeckShuffled reshuffle 5 [accordion, acorn, cookies, spyglass, prepaid_good]",
        "MarketFilled [accordion in 2, acorn in 3, cookies in 4]",
        "TechniqueResolved 0 loyal_partner discard",
        "BonusActionGranted 0",
    ]
    assert market(draft.state) == "favourite_toy flashy_show accordion acorn cookies"
    assert market_deck(draft.state) == "spyglass prepaid_good"
    assert market_discard(draft.state) == ""
    assert discard(draft.state) == "loyal_partner"


def test_cards_of_one_type_leave_the_market_by_themselves() -> None:
    state = given(
        hands={0: "loyal_partner junk"}, market="acorn cookies cookies - cookies", market_discard=""
    )
    state = when(state, "play_technique loyal_partner").state
    draft = when(state, "throw_market_card 0")
    assert kinds(draft.events)[:5] == [*["CardsThrownAway"] * 4, "MarketFilled"]
    assert market_discard(draft.state) == "acorn cookies cookies cookies"
    assert stage_of(draft.state) == "choose_bonus_action"


def test_scenario_32_charm_builds_what_is_the_next_stack() -> None:
    state = given(
        hands={0: "charm junk"}, stacks={0: 3}, market="- - - - -", market_deck="spyglass cookies"
    )
    draft = when(state, "play_technique charm")
    assert texts(draft.events) == [
        "TechniquePlayed 0 charm null null 1",
        "MarketCardRevealed 0 spyglass",
        "StackBuilt 0 4 [spyglass from revealed] 0",
        "TechniqueResolved 0 charm discard",
        "BonusActionGranted 0",
    ]
    assert stall(draft.state).split(" | ")[3] == "spyglass"
    assert (discard(draft.state), market_deck(draft.state)) == ("charm", "cookies")


def test_scenario_32_charm_counts_an_accordion_one_less() -> None:
    state = given(hands={0: "charm junk"}, stacks={0: 3}, market_deck="accordion")
    draft = when(state, "play_technique charm")
    assert texts(draft.events)[2] == "StackBuilt 0 4 [accordion from revealed] -1"
    assert discard(draft.state) == "charm"


def test_scenario_32_charm_throws_away_what_does_not_fit() -> None:
    state = given(hands={0: "charm junk"}, stacks={0: 3}, market_deck="cookies")
    draft = when(state, "play_technique charm")
    assert texts(draft.events)[1:] == [
        "MarketCardRevealed 0 cookies",
        "CardsThrownAway 0 [cookies from revealed to market_discard]",
        "TechniqueResolved 0 charm discard",
        "BonusActionGranted 0",
    ]
    assert market_discard(draft.state) == "cookies"
    assert len(draft.state.players[0].stall) == 3


def test_scenario_33_charm_adds_flashy_show() -> None:
    hands = {0: "flashy_show charm junk"}
    state = given(hands=hands, stacks={0: 3}, market_deck="spyglass")
    draft = when(state, "play_technique flashy_show", "play_technique charm")
    assert "StackBuilt" not in kinds(draft.events)
    assert market_discard(draft.state) == "spyglass"
    state = given(hands=hands, stacks={0: 3}, market_deck="shattered_relic")
    draft = when(state, "play_technique flashy_show", "play_technique charm")
    assert "StackBuilt 0 4 [shattered_relic from revealed] 0" in texts(draft.events)


def test_scenario_39_a_gift_voucher_stays_in_the_market() -> None:
    state = given(
        hands={0: "gift_voucher junk", 1: "stock_clearance junk junk"},
        market="cookies acorn cookies spyglass accordion",
    )
    state = when(state, "play_technique gift_voucher").state
    assert legal(state) == [f"swap_with_market {slot}" for slot in range(5)]
    draft = when(state, "swap_with_market 3")
    assert texts(draft.events) == [
        "CardSwappedWithMarket 0 3 gift_voucher spyglass",
        "TechniqueResolved 0 gift_voucher market",
        "BonusActionGranted 0",
    ]
    assert market(draft.state) == "cookies acorn cookies gift_voucher accordion"
    assert hand(draft.state) == "spyglass junk"
    assert discard(draft.state) == ""
    state = when(draft.state, "decline_bonus").state
    (started,) = of(when(state, "start_purchase 3").events, PurchaseStarted)
    assert (started.card, started.price) == ("gift_voucher", 7)


@pytest.mark.parametrize("slot", [0, 4])
def test_scenario_41_prepaid_good_as_a_bonus_action_ends_the_turn(slot: int) -> None:
    state = given(
        hands={0: "flashy_show prepaid_good junk"},
        market="spyglass acorn acorn acorn accordion",
        market_deck="empty_chest",
    )
    state = when(state, "play_technique flashy_show", "play_technique prepaid_good").state
    assert legal(state) == [f"take_market_card {each}" for each in range(5)]
    draft = when(state, f"take_market_card {slot}")
    card = "accordion" if slot else "spyglass"
    assert texts(draft.events)[:2] == [
        f"MarketCardTaken 0 {slot} {card}",
        "TechniqueResolved 0 prepaid_good discard",
    ]
    assert card in hand(draft.state)
    # The slot stays empty until the clean-up.
    assert texts(draft.events)[-3] == "MarketFilled [empty_chest in 4]"
    assert discard(draft.state) == "flashy_show prepaid_good"
    assert actor(draft.state) == 1
