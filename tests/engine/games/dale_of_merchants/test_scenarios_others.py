"""Scenarios 28 to 30, 34, 35, 37, 38 and 40: techniques against others, and the die."""

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.events import CardGivenBack, CardTakenFromHand
from howff.engine.games.dale_of_merchants.stages import stage_of
from howff.engine.seats import Seat
from howff.engine.visibility import told
from support.dale_of_merchants import (
    Fate,
    actor,
    deck,
    discard,
    given,
    hand,
    legal,
    market_discard,
    stall,
    texts,
    when,
)
from support.playouts import told_live
from support.texts import of


def test_scenario_28_nuisance_is_for_up_to_two_others() -> None:
    hands = {0: "nuisance junk", 1: "", 2: "acorn", 3: "spyglass cookies"}
    state = given(seats=4, hands=hands)
    state = when(state, "play_technique nuisance").state
    assert legal(state) == [
        f"choose_victims {seats}"
        for seats in ("[]", "[1]", "[2]", "[3]", "[1, 2]", "[1, 3]", "[2, 3]")
    ]
    draft = when(state, "choose_victims [1, 3]", rng=Fate(random_card=["cookies"]))
    assert texts(draft.events) == [
        "VictimsChosen 0 [1, 3]",
        "CardsDiscarded 3 [cookies] hand nuisance",
        "TechniqueResolved 0 nuisance discard",
        "BonusActionGranted 0",
    ]
    assert [hand(draft.state, seat) for seat in range(4)] == ["junk", "", "acorn", "spyglass"]
    assert discard(draft.state, 3) == "cookies"


def test_scenario_28_victims_discard_clockwise() -> None:
    hands = {0: "cookies", 1: "acorn", 2: "nuisance junk", 3: "spyglass"}
    state = given(seats=4, active=2, hands=hands)
    draft = when(state, "play_technique nuisance", "choose_victims [0, 3]")
    assert texts(draft.events)[1:3] == [
        "CardsDiscarded 3 [spyglass] hand nuisance",
        "CardsDiscarded 0 [cookies] hand nuisance",
    ]


def test_scenario_28_nobody_need_be_chosen() -> None:
    state = given(seats=4, hands={0: "nuisance junk", 1: "acorn"})
    draft = when(state, "play_technique nuisance", "choose_victims []")
    assert texts(draft.events) == [
        "VictimsChosen 0 []",
        "TechniqueResolved 0 nuisance discard",
        "BonusActionGranted 0",
    ]


def test_scenario_29_dirty_exchange_gives_any_card_back() -> None:
    state = given(seats=3, hands={0: "dirty_exchange junk", 1: "cookies"})
    state = when(state, "play_technique dirty_exchange").state
    assert legal(state) == ["choose_opponent 1", "choose_opponent 2"]
    draft = when(state, "choose_opponent 1")
    assert texts(draft.events) == ["OpponentChosen 0 1", "CardTakenFromHand 0 1 cookies"]
    assert legal(draft.state) == ["give_back cookies", "give_back junk"]
    kept = when(draft.state, "give_back junk")
    assert texts(kept.events) == [
        "CardGivenBack 0 1 junk",
        "TechniqueResolved 0 dirty_exchange discard",
        "BonusActionGranted 0",
    ]
    assert (hand(kept.state, 0), hand(kept.state, 1)) == ("cookies", "junk")
    returned = when(draft.state, "give_back cookies").state
    assert (hand(returned, 0), hand(returned, 1)) == ("junk", "cookies")


@pytest.mark.parametrize("viewer", [Seat(0), Seat(1), Seat(2), None])
def test_scenario_29_others_see_counts_only(viewer: Seat | None) -> None:
    state = given(seats=3, hands={0: "dirty_exchange junk", 1: "cookies"})
    taken = when(state, "play_technique dirty_exchange", "choose_opponent 1")
    given_back = when(taken.state, "give_back junk")
    told_events = told_live((*taken.events, *given_back.events), viewer)
    (took,) = of(told_events, CardTakenFromHand)
    (gave,) = of(told_events, CardGivenBack)
    is_concerned = viewer in {0, 1}
    assert told(took.card) == ("cookies" if is_concerned else None)
    assert (told(gave.card) is not None) == is_concerned
    sizes = [each.hand_size for each in GAME.view(taken.state, viewer).players]
    assert sizes == [2, 0, 0]


def test_scenario_30_sabotage_may_reach_into_a_new_deck() -> None:
    state = given(hands={0: "sabotage junk"}, decks={1: "cookies"}, discards={1: "acorn spyglass"})
    luck = Fate(reshuffle=["spyglass acorn"])
    draft = when(state, "play_technique sabotage", rng=luck)
    assert texts(draft.events) == [
        "TechniquePlayed 0 sabotage null null 1",
        "OpponentChosen 0 1",
        "CardsLookedAt 0 1 1 [cookies]",
        "PlayerDeckShuffled 1 reshuffle 2 [spyglass, acorn]",
        "CardsLookedAt 0 1 1 [spyglass]",
    ]
    assert actor(draft.state) == 0
    assert legal(draft.state) == ["throw_looked_card cookies", "throw_looked_card spyglass"]
    draft = when(draft.state, "throw_looked_card spyglass")
    assert texts(draft.events) == [
        "CardsThrownAway 0 [spyglass from looked_at to market_discard]",
        "CardsDiscarded 1 [cookies] looked_at sabotage",
        "TechniqueResolved 0 sabotage discard",
        "BonusActionGranted 0",
    ]
    assert (discard(draft.state, 1), deck(draft.state, 1)) == ("cookies", "acorn")
    assert market_discard(draft.state) == "spyglass"


def test_scenario_34_gamble_chooses_all_cards_before_any_is_exchanged() -> None:
    state = given(hands={0: "gamble cookies spyglass acorn junk", 1: "bold_haggler empty_chest"})
    luck = Fate(die=[3], gamble=[0, 2, 1, 0])
    draft = when(state, "play_technique gamble", rng=luck)
    assert texts(draft.events) == [
        "TechniquePlayed 0 gamble null null 1",
        "OpponentChosen 0 1",
        "DieRolled 0 gamble 3",
        "HandCardsExchanged 0 1 2 [cookies, junk] [empty_chest, bold_haggler]",
        "TechniqueResolved 0 gamble discard",
        "BonusActionGranted 0",
    ]
    assert hand(draft.state, 0) == "spyglass empty_chest acorn bold_haggler"
    assert hand(draft.state, 1) == "cookies junk"


def test_scenario_35_a_card_that_is_guessed_is_discarded() -> None:
    state = given(hands={0: "blindfold spyglass junk"})
    draft = when(state, "play_technique blindfold")
    assert legal(draft.state) == ["choose_secret_card spyglass", "choose_secret_card junk"]
    draft = when(draft.state, "choose_secret_card spyglass")
    assert texts(draft.events) == [
        "SecretCardChosen 0 spyglass null null 4 [] []",
        "OpponentChosen 0 1",
    ]
    assert actor(draft.state) == 1
    draft = when(draft.state, "guess_value 4")
    assert texts(draft.events) == [
        "ValueGuessed 1 4 true",
        "SecretCardShown 0 spyglass null null 4",
        "CardsDiscarded 0 [spyglass] hand blindfold",
        "TechniqueResolved 0 blindfold discard",
        "BonusActionGranted 0",
    ]
    assert discard(draft.state) == "spyglass blindfold"
    assert hand(draft.state) == "junk"


def test_scenario_35_without_a_hand_there_is_no_bonus_action() -> None:
    state = given(hands={0: "blindfold spyglass"})
    state = when(state, "play_technique blindfold", "choose_secret_card spyglass").state
    draft = when(state, "guess_value 4")
    assert "BonusActionGranted 0" not in texts(draft.events)
    assert actor(draft.state) == 1


def test_scenario_37_an_acorn_without_a_stack_to_swap_with_is_discarded() -> None:
    state = given(hands={0: "acorn junk"}, stacks={0: 2})
    draft = when(state, "play_technique acorn")
    assert texts(draft.events) == [
        "TechniquePlayed 0 acorn null null 1",
        "TechniqueResolved 0 acorn discard",
        "BonusActionGranted 0",
    ]
    assert discard(draft.state) == "acorn"


def test_scenario_38_an_acorn_takes_the_place_of_a_card_in_a_stall() -> None:
    state = given(
        hands={0: "acorn junk"},
        discards={0: "junk"},
        stalls={1: "loyal_partner | cookies"},
    )
    state = when(state, "play_technique acorn").state
    assert legal(state) == ["swap_with_stall 1 0 loyal_partner", "swap_with_stall 1 1 cookies"]
    draft = when(state, "swap_with_stall 1 1 cookies")
    assert texts(draft.events) == [
        "CardSwappedWithStall 0 1 1 acorn cookies",
        "TechniqueResolved 0 acorn stall",
        "BonusActionGranted 0",
    ]
    assert stall(draft.state, 1) == "loyal_partner | acorn"
    assert hand(draft.state) == "cookies junk"
    assert discard(draft.state) == "junk"
    given_next = given(active=1, hands={1: "shattered_relic"}, stalls={1: "loyal_partner | acorn"})
    assert "StackStarted 1 3" in texts(when(given_next, "start_stack").events)


def test_scenario_40_the_roll_of_a_bold_haggler_is_for_this_turn() -> None:
    state = given(hands={0: "bold_haggler junk"}, market="spyglass - - - -")
    assert "roll_die bold_haggler" in legal(state)
    draft = when(state, "roll_die bold_haggler", rng=Fate(die=[3]))
    assert texts(draft.events) == [
        "AbilityUsed 0 bold_haggler roll",
        "DieRolled 0 bold_haggler 3",
        "CardValueChanged 0 bold_haggler!roll add 3",
    ]
    assert hand(draft.state) == "bold_haggler+3@1!roll junk"
    assert stage_of(draft.state) == "choose_action"
    assert legal(draft.state, "roll_die") == []
    paid = when(draft.state, "start_purchase 0")
    assert texts(paid.events)[1] == "PaymentCardPicked 0 bold_haggler+3@1!roll null null 4"
    state = when(draft.state, "start_inventory", "finish_inventory").state
    assert hand(state).split() == ["bold_haggler", "junk", "junk", "junk", "junk"]


def test_scenario_55_rolls_before_a_value_is_set_do_not_raise_the_guess() -> None:
    state = given(hands={0: "bold_haggler reflection reflection junk"}, discards={1: "blindfold"})
    state = when(state, "roll_die bold_haggler", rng=Fate(die=[3])).state
    state = when(
        state, "play_technique reflection blindfold", "choose_secret_card bold_haggler+3@1!roll"
    ).state
    assert legal(state) == [f"guess_value {value}" for value in range(1, 6)]
    draft = when(state, "guess_value 4")
    assert texts(draft.events)[0] == "ValueGuessed 1 4 true"


def test_scenario_55_rolls_after_a_value_is_set_raise_the_guess() -> None:
    state = given(hands={0: "bold_haggler reflection reflection junk"}, discards={1: "blindfold"})
    state = when(
        state,
        "play_technique reflection blindfold",
        "choose_secret_card bold_haggler",
        "guess_value 3",
        "set_value 5",
    ).state
    assert hand(state) == "bold_haggler:5@1 reflection junk"
    state = when(state, "roll_die bold_haggler:5@1", rng=Fate(die=[2])).state
    assert hand(state) == "bold_haggler:5@1+2@2!roll reflection junk"
    state = when(
        state,
        "play_technique reflection blindfold",
        "choose_secret_card bold_haggler:5@1+2@2!roll",
    ).state
    assert legal(state) == [f"guess_value {value}" for value in range(1, 8)]
    assert texts(when(state, "guess_value 7").events)[0] == "ValueGuessed 1 7 true"
