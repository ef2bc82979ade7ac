"""Scenarios 13 to 18, and 56: what makes a stack, and the extra stacks of Winter Is Coming."""

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.stages import stage_of
from support.dale_of_merchants import actor, discard, given, hand, legal, stall, texts, when
from support.texts import kinds

NO_MARKET = "- - - - -"


def test_scenario_13_a_stack_is_of_one_set() -> None:
    state = given(
        hands={0: "cookies shattered_relic prepaid_good acorn junk"},
        stacks={0: 4},
        market=NO_MARKET,
    )
    draft = when(state, "start_stack")
    assert texts(draft.events) == ["StackStarted 0 5"]
    assert legal(draft.state) == ["add_to_stack cookies", "add_to_stack shattered_relic"]
    draft = when(draft.state, "add_to_stack cookies")
    assert texts(draft.events)[:3] == [
        "StackCardPicked 0 cookies null null null 2",
        "StackCardPicked 0 shattered_relic null null null 3",
        "StackBuilt 0 5 [cookies from hand, shattered_relic from hand] 0",
    ]
    assert stall(draft.state).split(" | ")[4] == "cookies shattered_relic"
    assert hand(draft.state) == "prepaid_good acorn junk junk junk"
    assert actor(draft.state) == 1


def test_scenario_13_junk_needs_a_stashing_vendor() -> None:
    state = given(hands={0: "acorn junk"}, stacks={0: 4}, market=NO_MARKET)
    assert "start_stack" not in legal(state)


def test_scenario_14_accordion_and_stashing_vendor_build_the_last_stack() -> None:
    state = given(hands={0: "accordion stashing_vendor junk"}, stacks={0: 7, 1: 2})
    state = when(state, "start_stack").state
    assert legal(state) == [
        "add_to_stack stashing_vendor",
        "add_to_stack accordion",
        "add_to_stack junk",
    ]
    draft = when(state, "add_to_stack accordion", "add_to_stack stashing_vendor")
    assert texts(draft.events) == [
        "StackCardPicked 0 stashing_vendor null null null 1",
        "StackCardPicked 0 junk null null null 1",
        "StackBuilt 0 8 [accordion from hand, stashing_vendor from hand, junk from hand] 1",
        "GameEnded stall_finished [1, 2]",
    ]
    assert stall(draft.state).split(" | ")[7] == "stashing_vendor accordion junk"
    outcome = GAME.outcome(draft.state)
    assert outcome is not None
    assert outcome.places == (1, 2)
    assert [figures[0].value for figures in outcome.figures] == [8, 2]
    assert GAME.to_act(draft.state) == ()


def test_scenario_15_an_empty_chest_mixes_sets() -> None:
    state = given(hands={0: "empty_chest spyglass loyal_partner"}, stacks={0: 6}, market=NO_MARKET)
    state = when(state, "start_stack").state
    assert len(legal(state, "add_to_stack")) == 3
    draft = when(state, "add_to_stack spyglass", "add_to_stack loyal_partner")
    assert texts(draft.events)[-1] == "TurnStarted 1 1"
    assert stall(draft.state).split(" | ")[6] == "spyglass loyal_partner empty_chest"
    state = given(hands={0: "acorn shattered_relic"}, stacks={0: 6}, market=NO_MARKET)
    assert "start_stack" not in legal(state)


def test_scenario_16_a_nostalgic_item_brings_a_card_of_the_discard_pile() -> None:
    state = given(
        hands={0: "nostalgic_item"},
        discards={0: "junk cookies"},
        stacks={0: 3},
        market=NO_MARKET,
    )
    state = when(state, "start_stack").state
    # The picks may come in any order; Cookies would make five.
    assert legal(state) == ["add_to_stack nostalgic_item", "add_from_discard 0"]
    draft = when(state, "add_to_stack nostalgic_item")
    assert texts(draft.events)[:3] == [
        "StackCardPicked 0 nostalgic_item null null null 3",
        "StackCardPicked 0 junk 0 null null 1",
        "StackBuilt 0 4 [nostalgic_item from hand, junk from discard 0] 0",
    ]
    assert discard(draft.state) == "cookies"
    assert stall(draft.state).split(" | ")[3] == "nostalgic_item junk"


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_scenario_17_a_nostalgic_item_of_the_discard_pile_brings_another(
    order: tuple[int, int],
) -> None:
    state = given(
        hands={0: "nostalgic_item"},
        discards={0: "nostalgic_item junk"},
        stacks={0: 6},
        market=NO_MARKET,
    )
    state = when(state, "start_stack", "add_to_stack nostalgic_item").state
    assert legal(state) == ["add_from_discard 0", "add_from_discard 1"]
    draft = when(state, f"add_from_discard {order[0]}")
    built = [each for each in texts(draft.events) if each.startswith("StackBuilt")]
    names = {0: "nostalgic_item from discard 0", 1: "junk from discard 1"}
    found = ", ".join(names[each] for each in order)
    assert built == [f"StackBuilt 0 7 [nostalgic_item from hand, {found}] 0"]
    assert discard(draft.state) == ""


def test_scenario_18_an_extra_stack_that_cannot_be_built_is_declined() -> None:
    state = given(
        hands={0: "winter_is_coming shattered_relic cookies favourite_toy"},
        stacks={0: 4},
        market=NO_MARKET,
    )
    state = when(state, "start_stack").state
    assert legal(state) == [
        "add_to_stack cookies",
        "add_to_stack shattered_relic",
        "add_to_stack favourite_toy",
        "add_to_stack winter_is_coming",
    ]
    draft = when(state, "add_to_stack winter_is_coming")
    assert texts(draft.events) == [
        "StackCardPicked 0 winter_is_coming null null null 5",
        "StackBuilt 0 5 [winter_is_coming from hand] 0",
        "ExtraStackGranted 0 1",
    ]
    # It is asked nevertheless, as there are cards in the hand.
    assert stage_of(draft.state) == "choose_extra_stack"
    assert legal(draft.state) == ["decline_extra_stack"]
    draft = when(draft.state, "decline_extra_stack")
    assert texts(draft.events)[0] == "ExtraStackDeclined 0 0"
    assert kinds(draft.events)[-2:] == ["TurnEnded", "TurnStarted"]
    assert len(hand(draft.state).split()) == 6  # with Cookies


def test_an_extra_stack_of_an_empty_hand_is_declined_by_itself() -> None:
    state = given(hands={0: "winter_is_coming"}, stacks={0: 4}, market=NO_MARKET)
    draft = when(state, "start_stack")
    assert kinds(draft.events)[:5] == [
        "StackStarted",
        "StackCardPicked",
        "StackBuilt",
        "ExtraStackGranted",
        "ExtraStackDeclined",
    ]
    assert actor(draft.state) == 1


def test_scenario_56_two_winters_in_one_stack_owe_two_extra_stacks() -> None:
    state = given(
        hands={0: "blindfold winter_is_coming seeing_doubles nostalgic_item junk"},
        stalls={0: "cookies"},
        market=NO_MARKET,
    )
    state = when(
        state,
        "play_technique blindfold",
        "choose_secret_card winter_is_coming",
        "guess_value 2",
        "set_value 1",
        "start_stack",
    ).state
    winter = "winter_is_coming:1@1"
    assert legal(state) == [f"add_to_stack {winter}", f"add_to_stack seeing_doubles {winter}"]
    draft = when(state, f"add_to_stack {winter}")
    assert texts(draft.events) == [
        f"StackCardPicked 0 {winter} null null null 1",
        f"StackCardPicked 0 seeing_doubles null winter_is_coming {winter} 1",
        f"HandCardsShown 0 [{winter}] copy",
        f"StackBuilt 0 2 [{winter} from hand, seeing_doubles from hand] 0",
        "ExtraStackGranted 0 2",
    ]
    draft = when(draft.state, "start_stack")
    assert texts(draft.events)[:3] == [
        "StackStarted 0 3",
        "StackCardPicked 0 nostalgic_item null null null 3",
        "StackBuilt 0 3 [nostalgic_item from hand] 0",
    ]
    assert stage_of(draft.state) == "choose_extra_stack"
    assert draft.state.turn is not None
    assert draft.state.turn.owed == 1
    assert legal(draft.state) == ["decline_extra_stack"]
    draft = when(draft.state, "decline_extra_stack")
    assert texts(draft.events)[-2:] == ["TurnEnded 0 1", "TurnStarted 1 1"]
    assert stall(draft.state) == "cookies | winter_is_coming seeing_doubles | nostalgic_item"
