"""Scenarios 20 to 25, 27, 31, 36 and 54: techniques about the own hand, deck and discard pile."""

import pytest

from howff.engine.games.dale_of_merchants.events import CardReturnedToDeck
from howff.engine.games.dale_of_merchants.stages import stage_of
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told
from support.dale_of_merchants import (
    Fate,
    actor,
    deck,
    discard,
    given,
    hand,
    legal,
    texts,
    when,
)
from support.playouts import told_live
from support.texts import kinds, of

NO_MARKET = "- - - - -"


def test_scenario_20_swift_broker_renews_the_hand() -> None:
    state = given(
        hands={0: "swift_broker junk junk cookies"},
        decks={0: "spyglass"},
        discards={0: "shattered_relic"},
    )
    draft = when(state, "play_technique swift_broker")
    assert texts(draft.events) == ["TechniquePlayed 0 swift_broker null null 1"]
    assert legal(draft.state) == ["discard_next cookies", "discard_next junk"]
    luck = Fate(reshuffle=["junk cookies shattered_relic junk"])
    draft = when(draft.state, "discard_next cookies", rng=luck)
    assert texts(draft.events) == [
        "CardsDiscarded 0 [cookies] hand swift_broker",
        "CardsDiscarded 0 [junk] hand swift_broker",
        "CardsDiscarded 0 [junk] hand swift_broker",
        "CardsDrawn 0 own 1 [spyglass]",
        "PlayerDeckShuffled 0 reshuffle 4 [junk, cookies, shattered_relic, junk]",
        "CardsDrawn 0 own 2 [junk, cookies]",
        "TechniqueResolved 0 swift_broker discard",
        "BonusActionGranted 0",
    ]
    assert deck(draft.state) == "shattered_relic junk"
    assert discard(draft.state) == "swift_broker"
    assert hand(draft.state) == "cookies spyglass junk"
    assert stage_of(draft.state) == "choose_bonus_action"


def test_scenario_20_the_discard_pile_is_in_the_order_chosen() -> None:
    state = given(
        hands={0: "swift_broker junk junk cookies"},
        decks={0: "spyglass spyglass acorn acorn"},
        discards={0: "shattered_relic"},
    )
    state = when(
        state, "play_technique swift_broker", "discard_next junk", "discard_next cookies"
    ).state
    assert discard(state) == "shattered_relic junk cookies junk swift_broker"
    assert hand(state) == "spyglass spyglass acorn"


def test_scenario_21_swift_broker_alone_does_nothing() -> None:
    state = given(hands={0: "swift_broker"})
    draft = when(state, "play_technique swift_broker")
    assert texts(draft.events)[:3] == [
        "TechniquePlayed 0 swift_broker null null 1",
        "TechniqueResolved 0 swift_broker discard",
        "CardsDrawn 0 own 5 [junk, junk, junk, junk, junk]",
    ]
    assert "BonusActionGranted" not in kinds(draft.events)
    assert actor(draft.state) == 1


def test_scenario_22_favourite_toy_takes_the_top_of_the_own_discard_pile() -> None:
    state = given(hands={0: "favourite_toy"}, discards={0: "junk spyglass"})
    draft = when(state, "play_technique favourite_toy")
    assert texts(draft.events) == [
        "TechniquePlayed 0 favourite_toy null null 1",
        "CardTakenFromDiscard 0 0 spyglass",
        "TechniqueResolved 0 favourite_toy discard",
        "BonusActionGranted 0",
    ]
    assert hand(draft.state) == "spyglass"
    assert discard(draft.state) == "junk favourite_toy"


def test_scenario_22_favourite_toy_does_not_shuffle() -> None:
    state = given(hands={0: "favourite_toy junk"}, decks={0: ""})
    draft = when(state, "play_technique favourite_toy")
    assert kinds(draft.events) == ["TechniquePlayed", "TechniqueResolved", "BonusActionGranted"]
    assert (hand(draft.state), discard(draft.state)) == ("junk", "favourite_toy")


def test_scenario_23_spyglass_looks_at_what_there_is() -> None:
    state = given(hands={0: "spyglass"}, decks={0: "cookies acorn"})
    draft = when(state, "play_technique spyglass")
    assert texts(draft.events)[-1] == "CardsLookedAt 0 0 2 [cookies, acorn]"
    assert legal(draft.state) == ["keep_card cookies", "keep_card acorn"]
    draft = when(draft.state, "keep_card cookies")
    assert texts(draft.events) == [
        "CardKept 0 cookies",
        "CardReturnedToDeck 0 acorn",
        "TechniqueResolved 0 spyglass discard",
        "BonusActionGranted 0",
    ]
    assert (hand(draft.state), deck(draft.state)) == ("cookies", "acorn")


def test_scenario_24_the_last_card_returned_ends_on_top() -> None:
    state = given(hands={0: "spyglass"}, decks={0: "cookies acorn junk empty_chest"})
    state = when(state, "play_technique spyglass", "keep_card acorn").state
    assert legal(state) == ["return_card cookies", "return_card junk"]
    draft = when(state, "return_card cookies")
    assert texts(draft.events)[:2] == ["CardReturnedToDeck 0 cookies", "CardReturnedToDeck 0 junk"]
    assert deck(draft.state) == "junk cookies empty_chest"


@pytest.mark.parametrize("viewer", [None, Seat(0), Seat(1), Seat(2)])
def test_scenario_24_only_the_feed_of_the_seat_holds_the_order(viewer: Viewer) -> None:
    state = given(seats=3, hands={0: "spyglass"}, decks={0: "cookies acorn junk empty_chest"})
    state = when(state, "play_technique spyglass", "keep_card acorn").state
    draft = when(state, "return_card cookies")
    returned = of(told_live(tuple(draft.events), viewer), CardReturnedToDeck)
    expected = ["cookies", "junk"] if viewer == 0 else [None, None]
    assert [told(each.card) for each in returned] == expected


def test_scenario_25_shattered_relic_turns_junk_into_a_new_card() -> None:
    state = given(hands={0: "shattered_relic junk"}, decks={0: "cookies acorn"})
    draft = when(state, "play_technique shattered_relic")
    assert texts(draft.events) == [
        "TechniquePlayed 0 shattered_relic null null 1",
        "CardsThrownAway 0 [junk from hand to junk_pile]",
        "CardsDrawn 0 own 1 [cookies]",
        "TechniqueResolved 0 shattered_relic discard",
        "BonusActionGranted 0",
    ]
    assert draft.state.junk_pile == state.junk_pile + 1
    assert (hand(draft.state), deck(draft.state)) == ("cookies", "acorn")


def test_scenario_27_wily_fellow_exchanges_deck_and_discard_pile() -> None:
    state = given(
        hands={0: "wily_fellow junk"},
        decks={0: "cookies acorn empty_chest"},
        discards={0: "spyglass shattered_relic"},
    )
    luck = Fate(wily_fellow=["shattered_relic spyglass"])
    draft = when(state, "play_technique wily_fellow", rng=luck)
    assert texts(draft.events) == [
        "TechniquePlayed 0 wily_fellow null null 1",
        "DeckAndDiscardSwapped 0 [cookies, acorn, empty_chest]",
        "PlayerDeckShuffled 0 wily_fellow 2 [shattered_relic, spyglass]",
        "TechniqueResolved 0 wily_fellow discard",
        "BonusActionGranted 0",
    ]
    assert deck(draft.state) == "shattered_relic spyglass"
    assert discard(draft.state) == "cookies acorn empty_chest wily_fellow"


@pytest.mark.parametrize("viewer", [None, Seat(1)])
def test_scenario_27_the_new_discard_pile_is_known_to_all(viewer: Viewer) -> None:
    state = given(hands={0: "wily_fellow junk"}, decks={0: "cookies acorn"})
    events = tuple(when(state, "play_technique wily_fellow").events)
    assert texts(told_live(events, viewer))[1] == "DeckAndDiscardSwapped 0 [cookies, acorn]"


def test_scenario_31_new_season_without_an_animalfolk_card_does_nothing() -> None:
    state = given(hands={0: "new_season junk"}, discards={0: "junk junk"})
    draft = when(state, "play_technique new_season")
    assert texts(draft.events) == [
        "TechniquePlayed 0 new_season null null 1",
        "TechniqueResolved 0 new_season discard",
        "BonusActionGranted 0",
    ]
    assert discard(draft.state) == "junk junk new_season"
    assert len(draft.state.market.deck) == len(state.market.deck)


def test_scenario_36_a_value_that_is_set_after_flashy_show_is_final() -> None:
    state = given(hands={0: "flashy_show blindfold cookies junk"}, market="nostalgic_item - - - -")
    state = when(
        state,
        "play_technique flashy_show",
        "play_technique blindfold",
        "choose_secret_card cookies",
    ).state
    assert actor(state) == 1
    assert legal(state) == [f"guess_value {value}" for value in range(1, 7)]
    draft = when(state, "guess_value 2")
    assert texts(draft.events) == [
        "ValueGuessed 1 2 false",
        "SecretCardShown 0 cookies null null 3",
    ]
    assert actor(draft.state) == 0
    assert legal(draft.state) == [f"set_value {value}" for value in range(1, 6)]
    draft = when(draft.state, "set_value 1")
    assert texts(draft.events) == [
        "CardValueChanged 0 cookies set 1",
        "TechniqueResolved 0 blindfold discard",
        "BonusActionGranted 0",
    ]
    assert hand(draft.state) == "cookies:1@2 junk"
    # Junk is worth two, so both together pay three.
    draft = when(draft.state, "start_purchase 0", "pay_card junk")
    assert texts(draft.events)[0] == "PaymentCardPicked 0 junk null null 2"
    assert texts(draft.events)[1] == "PaymentCardPicked 0 cookies:1@2 null null 1"


def test_scenario_54_alike_cards_are_asked_about() -> None:
    state = given(hands={0: "spyglass"}, decks={0: "junk junk junk cookies"})
    state = when(state, "play_technique spyglass").state
    assert (stage_of(state), legal(state)) == ("keep_card", ["keep_card junk"])
    state = when(state, "keep_card junk").state
    assert (stage_of(state), legal(state)) == ("return_card", ["return_card junk"])
    draft = when(state, "return_card junk")
    assert kinds(draft.events)[:3] == [
        "CardReturnedToDeck",
        "CardReturnedToDeck",
        "TechniqueResolved",
    ]
    assert deck(draft.state) == "junk junk cookies"


def test_scenario_54_a_single_card_is_kept_by_itself() -> None:
    state = given(hands={0: "spyglass"}, decks={0: "junk"})
    draft = when(state, "play_technique spyglass")
    assert texts(draft.events) == [
        "TechniquePlayed 0 spyglass null null 1",
        "CardsLookedAt 0 0 1 [junk]",
        "CardKept 0 junk",
        "TechniqueResolved 0 spyglass discard",
        "BonusActionGranted 0",
    ]
    assert (hand(draft.state), deck(draft.state)) == ("junk", "")
