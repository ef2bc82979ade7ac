"""The rulings on turns and piles, as far as no scenario shows them."""

from howff.engine.games.dale_of_merchants.events import JunkTaken
from howff.engine.games.dale_of_merchants.stages import stage_of
from support.dale_of_merchants import (
    Fate,
    actor,
    deck,
    discard,
    given,
    hand,
    legal,
    market,
    texts,
    when,
)
from support.texts import kinds, of

NO_MARKET = "- - - - -"


def test_ruling_02_flashy_show_counts_for_payments() -> None:
    state = given(hands={0: "flashy_show junk junk"}, market="spyglass - - - -")
    state = when(state, "play_technique flashy_show").state
    draft = when(state, "start_purchase 0")
    assert texts(draft.events)[3] == "CardPurchased 0 spyglass 0 4 [junk, junk] 4"


def test_ruling_03_a_market_discard_has_no_surcharge_but_the_same_law() -> None:
    hands = {0: "market_discovery cookies junk"}
    state = given(hands=hands, market=NO_MARKET, market_discard="flashy_show")
    state = when(state, "start_purchase discard").state
    # 4 + 2 is one too many, and that is less than two.
    assert legal(state) == ["pay_card cookies", "pay_card market_discovery", "pay_card junk"]
    state = when(state, "pay_card cookies").state
    assert discard(state) == "cookies market_discovery"


def test_ruling_04_a_purchase_gives_no_further_action() -> None:
    state = given(hands={0: "spyglass"}, market="spyglass - - - -")
    draft = when(state, "start_purchase 0")
    assert "spyglass" in hand(draft.state)
    assert actor(draft.state) == 1


def test_ruling_05_nothing_need_be_discarded() -> None:
    state = given(hands={0: "cookies junk"}, discards={0: "junk"})
    draft = when(state, "start_inventory")
    assert legal(draft.state) == ["discard_card cookies", "discard_card junk", "finish_inventory"]
    draft = when(draft.state, "finish_inventory")
    assert "CardsDiscarded" not in kinds(draft.events)
    assert discard(draft.state) == "junk"


def test_ruling_05_discards_lie_in_the_order_chosen() -> None:
    state = given(hands={0: "cookies junk acorn"})
    state = when(state, "start_inventory", "discard_card junk", "discard_card cookies").state
    draft = when(state, "discard_card acorn")
    assert texts(draft.events)[:2] == [
        "CardsDiscarded 0 [acorn] hand inventory",
        "InventoryFinished 0",
    ]
    assert discard(draft.state) == "junk cookies acorn"


def test_ruling_06_a_bonus_action_may_be_declined() -> None:
    state = given(hands={0: "flashy_show junk"})
    draft = when(state, "play_technique flashy_show", "decline_bonus")
    assert kinds(draft.events)[0] == "BonusActionDeclined"
    assert actor(draft.state) == 1


def test_ruling_07_every_bonus_symbol_gives_one_action() -> None:
    state = given(hands={0: "flashy_show favourite_toy junk"}, market="cookies - - - -")
    state = when(state, "play_technique flashy_show", "play_technique favourite_toy").state
    assert stage_of(state) == "choose_bonus_action"
    draft = when(state, "start_purchase 0", "pay_card junk")
    assert actor(draft.state) == 1


def test_ruling_08_the_market_is_not_refilled_before_the_clean_up() -> None:
    state = given(
        hands={0: "gift_voucher spyglass junk"}, market="- cookies - - -", market_deck="acorn acorn"
    )
    state = when(state, "play_technique gift_voucher").state
    assert market(state) == "- gift_voucher - - -"
    state = when(state, "decline_bonus").state
    assert market(state) == "gift_voucher acorn acorn - -"


def test_ruling_11_junk_fills_the_hand_up_to_the_limit_of_cookies() -> None:
    state = given(hands={0: "cookies"}, decks={0: ""})
    draft = when(state, "start_inventory", "finish_inventory")
    (taken,) = of(draft.events, JunkTaken)
    assert (taken.count, taken.substitutes) == (5, 0)
    assert "HandCardsShown 0 [cookies] cookies" in texts(draft.events)


def test_ruling_12_a_technique_takes_no_junk() -> None:
    state = given(hands={0: "shattered_relic cookies junk"}, decks={0: ""})
    draft = when(state, "play_technique shattered_relic", "throw_hand_card cookies")
    assert texts(draft.events) == [
        "CardsThrownAway 0 [cookies from hand to market_discard]",
        "TechniqueResolved 0 shattered_relic discard",
        "BonusActionGranted 0",
    ]


def test_ruling_13_substitutes_are_junk_like_all_other() -> None:
    state = given(
        hands={0: "spyglass", 1: "shattered_relic acorn junk"}, decks={0: ""}, junk_pile=0
    )
    state = when(state, "start_inventory", "finish_inventory").state
    assert (state.junk_pile, state.substitutes) == (0, 4)
    state = when(state, "play_technique shattered_relic", "throw_hand_card junk").state
    assert (state.junk_pile, state.substitutes) == (1, 4)


def test_ruling_14_an_empty_deck_stays_empty_until_a_card_is_needed() -> None:
    state = given(
        hands={0: "shattered_relic shattered_relic junk junk"},
        decks={0: "cookies"},
        discards={0: "acorn"},
    )
    draft = when(state, "play_technique shattered_relic", "throw_hand_card junk")
    assert "PlayerDeckShuffled" not in kinds(draft.events)
    assert (deck(draft.state), discard(draft.state)) == ("", "acorn shattered_relic")
    # The technique that is in play is in neither pile.
    draft = when(draft.state, "play_technique shattered_relic", "throw_hand_card junk")
    (shuffled,) = [each for each in texts(draft.events) if each.startswith("PlayerDeck")]
    assert shuffled.startswith("PlayerDeckShuffled 0 reshuffle 2 [")
    assert len(deck(draft.state).split()) == 1


def test_ruling_14_another_seat_may_make_a_deck_be_shuffled() -> None:
    state = given(hands={0: "sabotage junk"}, discards={1: "cookies acorn spyglass"})
    draft = when(state, "play_technique sabotage", rng=Fate(reshuffle=["acorn spyglass cookies"]))
    assert texts(draft.events)[2:] == [
        "PlayerDeckShuffled 1 reshuffle 3 [acorn, spyglass, cookies]",
        "CardsLookedAt 0 1 2 [acorn, spyglass]",
    ]


def test_ruling_15_a_large_hand_is_not_reduced() -> None:
    state = given(hands={0: "junk junk junk acorn acorn spyglass spyglass"})
    draft = when(state, "start_inventory", "finish_inventory")
    assert "CardsDrawn" not in kinds(draft.events)
    assert len(draft.state.players[0].hand) == 7


def test_ruling_16_others_fill_their_hands_in_their_own_clean_up() -> None:
    state = given(hands={1: "junk"}, decks={1: "acorn acorn acorn acorn acorn"})
    state = when(state, "start_inventory").state
    assert hand(state, 1) == "junk"
    assert len(when(state, "start_inventory", "finish_inventory").state.players[1].hand) == 5
