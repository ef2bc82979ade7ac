"""The rulings on stacks and on copiers, as far as no scenario shows them."""

import pytest

from support.dale_of_merchants import Fate, discard, given, hand, legal, stall, texts, when
from support.texts import kinds

NO_MARKET = "- - - - -"


def built(hands: str, found: str, stacks: int) -> bool:
    """Return whether a stack can be built of cards in the hand and in the discard pile."""
    state = given(hands={0: hands}, discards={0: found}, stacks={0: stacks}, market=NO_MARKET)
    return "start_stack" in legal(state)


@pytest.mark.parametrize(
    ("hands", "found", "number"),
    [
        ("nostalgic_item junk", "stashing_vendor", 5),
        ("nostalgic_item shattered_relic", "empty_chest", 8),
        ("nostalgic_item", "accordion", 7),
        ("nostalgic_item", "accordion", 8),
        ("nostalgic_item", "winter_is_coming", 8),
        ("nostalgic_item", "spyglass", 7),
        ("nostalgic_item empty_chest", "junk", 6),
    ],
)
def test_rulings_19_and_20_a_card_found_works_and_fits_any_set(
    hands: str, found: str, number: int
) -> None:
    assert built(hands, found, number - 1)


@pytest.mark.parametrize(
    ("hands", "found", "number"),
    [
        ("nostalgic_item junk", "acorn", 8),
        ("nostalgic_item shattered_relic", "junk", 7),
        ("empty_chest", "nostalgic_item junk", 6),
        ("nostalgic_item", "junk junk", 5),
        ("", "nostalgic_item junk", 4),
        ("junk", "stashing_vendor", 2),
    ],
)
def test_a_card_is_found_only_by_a_nostalgic_item_of_the_hand(
    hands: str, found: str, number: int
) -> None:
    assert not built(hands, found, number - 1)


def test_ruling_19_a_winter_found_in_the_discard_pile_brings_an_extra_stack() -> None:
    state = given(
        hands={0: "blindfold nostalgic_item junk"},
        discards={0: "winter_is_coming"},
        stacks={0: 5},
        market=NO_MARKET,
    )
    state = when(
        state,
        "play_technique blindfold",
        "choose_secret_card nostalgic_item",
        "guess_value 4",
        "set_value 1",
        "start_stack",
    ).state
    draft = when(state, "add_to_stack nostalgic_item:1@1", "add_from_discard 0")
    assert texts(draft.events) == [
        "StackCardPicked 0 winter_is_coming 0 null null 5",
        "StackBuilt 0 6 [nostalgic_item:1@1 from hand, winter_is_coming from discard 0] 0",
        "ExtraStackGranted 0 1",
    ]


@pytest.mark.parametrize("number", [3, 4, 5, 6, 7])
def test_ruling_21_an_accordion_counts_one_more_or_one_less(number: int) -> None:
    assert built("accordion", "", number - 1) == (number in {4, 5, 6})


def test_ruling_22_two_accordions_shift_one_each() -> None:
    state = given(hands={0: "accordion seeing_doubles"}, stacks={0: 7}, market=NO_MARKET)
    draft = when(state, "start_stack", "add_to_stack accordion")
    assert texts(draft.events)[-2] == (
        "StackBuilt 0 8 [accordion from hand, seeing_doubles from hand] -2"
    )


def test_ruling_50_flashy_show_counts_for_every_card_of_a_stack() -> None:
    state = given(
        hands={0: "flashy_show nostalgic_item stashing_vendor junk"},
        discards={0: "cookies"},
        stacks={0: 7},
        market=NO_MARKET,
    )
    state = when(state, "play_technique flashy_show").state
    # 4 + 2 + 2 = 8 with junk, 4 + 2 + 3 = 9 with Cookies, 4 + 3 = 7 without the vendor.
    state = when(state, "start_stack").state
    assert "add_from_discard 0" not in legal(state)
    draft = when(state, "add_to_stack nostalgic_item", "add_to_stack stashing_vendor")
    assert texts(draft.events)[-2] == (
        "StackBuilt 0 8 [nostalgic_item from hand, stashing_vendor from hand, junk from hand] 0"
    )


def test_ruling_50_flashy_show_counts_for_a_card_of_the_discard_pile() -> None:
    state = given(
        hands={0: "flashy_show nostalgic_item"},
        discards={0: "cookies junk"},
        stacks={0: 6},
        market=NO_MARKET,
    )
    draft = when(state, "play_technique flashy_show", "start_stack", "add_from_discard 0")
    assert texts(draft.events)[0] == "StackCardPicked 0 cookies 0 null null 3"
    assert stall(draft.state).split(" | ")[6] == "cookies nostalgic_item"
    assert discard(draft.state) == "junk flashy_show"


def test_ruling_36_an_end_that_can_be_reached_must_be_copied() -> None:
    state = given(
        seats=3,
        hands={0: "reflection junk"},
        discards={1: "good_old_times", 2: "spyglass"},
        market="- - - - acorn",
        market_discard="reflection",
    )
    assert legal(state, "play_technique") == ["play_technique reflection spyglass"]
    # It pays four, not its own two: with junk five.
    assert legal(state, "start_purchase") == []
    state = given(
        hands={0: "flexible_shopkeeper junk"},
        stalls={0: "reflection"},
        discards={1: "flexible_shopkeeper"},
        market="acorn - - - -",
    )
    # Around in a circle: it is worth one.
    assert legal(state, "start_purchase") == []


def test_ruling_35_a_chain_is_followed_from_the_owner_of_the_copier() -> None:
    state = given(
        seats=3,
        hands={0: "reflection junk"},
        discards={0: "acorn", 1: "flexible_shopkeeper"},
        stalls={0: "cookies | spyglass prepaid_good", 1: "accordion"},
        market=NO_MARKET,
    )
    assert legal(state, "play_technique") == [
        "play_technique reflection spyglass",
        "play_technique reflection prepaid_good",
    ]


def test_ruling_38_a_copy_takes_changes_and_used_abilities_over() -> None:
    state = given(hands={0: "bold_haggler seeing_doubles junk"}, market="flashy_show - - - -")
    state = when(state, "roll_die bold_haggler", rng=Fate(die=[3])).state
    rolled = "bold_haggler+3@1!roll"
    # The copy would have rolled already.
    assert legal(state, "roll_die") == []
    state = when(state, "start_purchase 0").state
    assert f"pay_card seeing_doubles {rolled}" in legal(state)
    draft = when(state, f"pay_card seeing_doubles {rolled}")
    assert texts(draft.events)[0] == (f"PaymentCardPicked 0 seeing_doubles bold_haggler {rolled} 4")


def test_ruling_38_later_changes_are_separate() -> None:
    state = given(hands={0: "bold_haggler seeing_doubles"}, market=NO_MARKET)
    assert legal(state, "roll_die") == [
        "roll_die bold_haggler",
        "roll_die seeing_doubles bold_haggler",
    ]
    draft = when(state, "roll_die seeing_doubles bold_haggler", rng=Fate(die=[2]))
    assert texts(draft.events) == [
        "CardBound 0 seeing_doubles bold_haggler bold_haggler [] []",
        "HandCardsShown 0 [bold_haggler] ability",
        "AbilityUsed 0 seeing_doubles=bold_haggler roll",
        "DieRolled 0 bold_haggler 2",
        "CardValueChanged 0 seeing_doubles=bold_haggler!roll add 2",
    ]
    assert hand(draft.state) == "bold_haggler seeing_doubles=bold_haggler+2@1!roll"
    draft = when(draft.state, "roll_die bold_haggler", rng=Fate(die=[3]))
    assert hand(draft.state) == ("bold_haggler+3@2!roll seeing_doubles=bold_haggler+2@1!roll")


def test_ruling_39_a_copy_stays_when_its_target_moves_away() -> None:
    state = given(
        hands={0: "trendsetting gift_voucher spyglass"},
        market="bold_haggler acorn - - -",
    )
    state = when(state, "roll_die trendsetting bold_haggler", rng=Fate(die=[1])).state
    state = when(state, "play_technique gift_voucher", "swap_with_market 0").state
    copy = "trendsetting=bold_haggler+1@1!roll"
    assert hand(state) == f"spyglass bold_haggler {copy}"
    draft = when(state, "start_purchase 1", "pay_card spyglass", f"pay_card {copy}")
    assert f"PaymentCardPicked 0 {copy} null null 2" in texts(draft.events)


def test_a_card_that_returns_in_the_same_turn_is_as_new() -> None:
    state = given(hands={0: "bold_haggler swift_broker"}, decks={0: ""}, market=NO_MARKET)
    state = when(state, "roll_die bold_haggler", "play_technique swift_broker").state
    assert hand(state) == "bold_haggler"
    assert legal(state, "roll_die") == ["roll_die bold_haggler"]


def test_market_discovery_throws_once_a_turn() -> None:
    state = given(
        hands={0: "market_discovery junk"},
        market=NO_MARKET,
        market_deck="acorn spyglass",
    )
    throw = "throw_from_market_deck market_discovery market_discovery"
    draft = when(state, throw)
    assert texts(draft.events) == [
        "AbilityUsed 0 market_discovery market_discovery",
        "CardsThrownAway 0 [acorn from market_deck to market_discard]",
    ]
    assert legal(draft.state, "throw_from_market_deck") == []
    assert "start_purchase discard" in legal(draft.state)


def test_nothing_is_thrown_from_an_empty_market() -> None:
    state = given(hands={0: "market_discovery"}, market=NO_MARKET, market_deck="")
    assert legal(state, "throw_from_market_deck") == []
    state = given(
        hands={0: "market_discovery"}, market=NO_MARKET, market_deck="", market_discard="acorn"
    )
    draft = when(state, "throw_from_market_deck market_discovery market_discovery")
    assert kinds(draft.events) == ["AbilityUsed", "MarketDeckShuffled", "CardsThrownAway"]


def test_a_copier_bound_to_a_copier_keeps_both_abilities_apart() -> None:
    state = given(
        hands={0: "good_old_times junk"},
        market=NO_MARKET,
        market_discard="market_discovery",
        market_deck="acorn spyglass accordion",
    )
    throws = legal(state, "throw_from_market_deck")
    assert throws == [
        "throw_from_market_deck good_old_times market_discovery market_discovery",
        "throw_from_market_deck good_old_times good_old_times",
    ]
    bound = when(state, throws[0]).state
    copy = "good_old_times=market_discovery!market_discovery"
    assert hand(bound) == f"{copy} junk"
    # It is a Market Discovery now, and no Good Old Times.
    assert legal(bound, "throw_from_market_deck") == []
    thrown = when(state, throws[1]).state
    assert hand(thrown) == "good_old_times!good_old_times junk"
    assert legal(thrown, "play_technique") == ["play_technique good_old_times!good_old_times acorn"]


def test_a_card_of_the_discard_pile_may_be_picked_before_all_else() -> None:
    state = given(
        hands={0: "nostalgic_item stashing_vendor junk junk"},
        discards={0: "prepaid_good"},
        stacks={0: 7},
        market=NO_MARKET,
    )
    state = when(state, "start_stack").state
    # 3 + 1 + 1 + 1 + 2 = 8, in any order.
    assert "add_from_discard 0" in legal(state)
    draft = when(state, "add_from_discard 0", "add_to_stack stashing_vendor", "add_to_stack junk")
    assert legal(draft.state) == ["add_to_stack nostalgic_item", "add_to_stack junk"]


def test_an_extra_stack_may_bring_another() -> None:
    state = given(
        hands={0: "winter_is_coming flexible_shopkeeper stashing_vendor nostalgic_item acorn"},
        stacks={0: 4},
        market=NO_MARKET,
    )
    state = when(state, "start_stack", "add_to_stack winter_is_coming").state
    # The copier copies the Winter that was just built.
    draft = when(state, "start_stack", "add_to_stack flexible_shopkeeper winter_is_coming")
    assert texts(draft.events)[1:] == [
        "StackCardPicked 0 stashing_vendor null null null 1",
        "StackBuilt 0 6 [flexible_shopkeeper from hand, stashing_vendor from hand] 0",
        "ExtraStackGranted 0 1",
    ]
    draft = when(draft.state, "start_stack", "add_to_stack acorn")
    assert "StackBuilt 0 7 [acorn from hand, nostalgic_item from hand] 0" in texts(draft.events)


def test_ruling_35_seeing_doubles_without_other_cards_stands_for_itself() -> None:
    state = given(hands={0: "reflection"}, discards={1: "seeing_doubles"}, market="acorn - - - -")
    draft = when(state, "start_purchase 0")
    assert (
        texts(draft.events)[1] == "PaymentCardPicked 0 reflection seeing_doubles seeing_doubles 5"
    )
