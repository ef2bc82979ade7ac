"""Scenarios 48 to 52 and 57: how a hand is filled at the end of a turn."""

import pytest

from howff.engine.games.dale_of_merchants.events import (
    CardsDrawn,
    Event,
    HandCardsShown,
    JunkTaken,
)
from howff.engine.games.dale_of_merchants.stages import stage_of
from howff.engine.games.dale_of_merchants.state import State
from howff.engine.play import Draft
from support.dale_of_merchants import Fate, actor, deck, discard, given, hand, legal, texts, when
from support.texts import kinds, of

FULL_MARKET = "acorn acorn acorn empty_chest empty_chest"


def passed(state: State) -> Draft[State, Event]:
    """Return what follows if the active seat discards nothing."""
    draft = when(state, "start_inventory")
    return (
        when(draft.state, "finish_inventory") if legal(draft.state, "finish_inventory") else draft
    )


def drawn(draft: Draft[State, Event]) -> str:
    """Return the cards that were drawn, in their order."""
    return " ".join(card for event in of(draft.events, CardsDrawn) for card in event.cards)


def test_scenario_48_a_copier_that_can_only_be_cookies_counts_as_cookies() -> None:
    state = given(
        hands={0: "reflection junk junk junk junk"},
        decks={0: "spyglass acorn"},
        discards={1: "cookies"},
        market=FULL_MARKET,
    )
    draft = passed(state)
    assert texts(draft.events) == [
        "InventoryFinished 0",
        "CardBound 0 reflection cookies cookies [] []",
        "CardsDrawn 0 own 1 [spyglass]",
        "HandCardsShown 0 [reflection=cookies] cookies",
        "TurnEnded 0 1",
        "TurnStarted 1 1",
    ]
    assert hand(draft.state) == "spyglass reflection junk junk junk junk"
    assert deck(draft.state) == "acorn"


def three_seats() -> State:
    return given(
        seats=3,
        hands={0: "reflection junk junk junk junk"},
        decks={0: "spyglass acorn"},
        discards={1: "junk", 2: "cookies"},
        market=FULL_MARKET,
    )


def test_scenario_49_a_copier_that_may_be_something_else_is_asked_about() -> None:
    state = passed(three_seats()).state
    assert (stage_of(state), actor(state)) == ("copy_cookies", 0)
    assert legal(state) == ["copy_cookies reflection", "skip_cookies reflection"]
    draft = when(state, "skip_cookies reflection")
    assert texts(draft.events) == [
        "CookiesCopySkipped 0 reflection",
        "TurnEnded 0 1",
        "TurnStarted 1 1",
    ]
    assert hand(draft.state) == "reflection junk junk junk junk"


def test_scenario_49_a_copier_chosen_to_be_cookies_draws_a_card() -> None:
    draft = when(passed(three_seats()).state, "copy_cookies reflection")
    assert texts(draft.events)[:3] == [
        "CardBound 0 reflection cookies cookies [] []",
        "CardsDrawn 0 own 1 [spyglass]",
        "HandCardsShown 0 [reflection=cookies] cookies",
    ]
    assert len(draft.state.players[0].hand) == 6


def test_scenario_49_skipping_holds_for_equal_copiers() -> None:
    state = given(
        seats=3,
        hands={0: "reflection reflection junk junk junk"},
        discards={1: "junk", 2: "cookies"},
        market=FULL_MARKET,
    )
    draft = when(passed(state).state, "skip_cookies reflection")
    assert kinds(draft.events) == ["CookiesCopySkipped", "TurnEnded", "TurnStarted"]


def test_after_a_copy_an_equal_copier_is_asked_about_again() -> None:
    state = given(
        seats=3,
        hands={0: "reflection reflection junk junk junk"},
        discards={1: "junk", 2: "cookies"},
        market=FULL_MARKET,
    )
    state = when(passed(state).state, "copy_cookies reflection").state
    assert len(state.players[0].hand) == 6
    assert legal(state) == ["copy_cookies reflection", "skip_cookies reflection"]


def test_a_hand_above_its_limit_is_not_asked_about_cookies() -> None:
    state = given(
        seats=3,
        hands={0: "reflection junk junk junk junk junk"},
        discards={1: "junk", 2: "cookies"},
        market=FULL_MARKET,
    )
    draft = passed(state)
    assert kinds(draft.events) == ["InventoryFinished", "TurnEnded", "TurnStarted"]


def test_scenario_50_junk_fills_the_hand_when_nothing_can_be_drawn() -> None:
    state = given(hands={0: "spyglass acorn"}, decks={0: ""}, market=FULL_MARKET, junk_pile=1)
    draft = passed(state)
    (taken,) = of(draft.events, JunkTaken)
    assert (taken.seat, taken.count, taken.substitutes) == (0, 3, 2)
    assert hand(draft.state) == "spyglass acorn junk junk junk"
    assert (draft.state.junk_pile, draft.state.substitutes) == (0, 2)


def test_scenario_51_cookies_drawn_as_the_fifth_card_draw_another() -> None:
    state = given(
        hands={0: "junk junk junk junk"}, decks={0: "cookies spyglass acorn"}, market=FULL_MARKET
    )
    draft = passed(state)
    assert drawn(draft) == "cookies spyglass"
    assert "HandCardsShown 0 [cookies] cookies" in texts(draft.events)
    assert hand(draft.state) == "cookies spyglass junk junk junk junk"
    assert deck(draft.state) == "acorn"


def test_scenario_51_cookies_that_draw_nothing_are_not_shown() -> None:
    state = given(
        hands={0: "cookies junk junk"}, decks={0: "spyglass acorn empty_chest"}, market=FULL_MARKET
    )
    draft = passed(state)
    assert [texts([each])[0] for each in of(draft.events, HandCardsShown)] == [
        "HandCardsShown 0 [cookies] cookies"
    ]
    six = given(hands={0: "cookies junk junk junk junk junk"}, market=FULL_MARKET)
    assert of(passed(six).events, HandCardsShown) == []


def test_scenario_52_a_seat_with_an_empty_hand_can_only_pass() -> None:
    state = given(
        hands={0: "nuisance junk", 1: "acorn"},
        decks={0: "junk junk junk junk", 1: "spyglass cookies junk junk junk acorn"},
        market="cookies cookies empty_chest empty_chest empty_chest",
    )
    state = when(state, "play_technique nuisance", "choose_victims [1]", "decline_bonus").state
    assert (actor(state), hand(state, 1)) == (1, "")
    assert legal(state) == ["start_inventory"]
    draft = when(state, "start_inventory")
    assert kinds(draft.events)[:3] == ["InventoryStarted", "InventoryFinished", "CardsDrawn"]
    # Five, and one more for Cookies.
    assert drawn(draft) == "spyglass cookies junk junk junk acorn"


def test_scenario_57_an_ability_drawn_in_the_clean_up_is_not_asked_about() -> None:
    state = given(
        hands={0: "junk junk junk junk"}, decks={0: "market_discovery"}, market=FULL_MARKET
    )
    draft = passed(state)
    assert "market_discovery" in hand(draft.state)
    assert (actor(draft.state), stage_of(draft.state)) == (1, "choose_action")


def test_the_discard_pile_is_shuffled_when_a_card_is_missing() -> None:
    state = given(
        hands={0: "junk junk junk"},
        decks={0: "spyglass"},
        discards={0: "acorn cookies"},
        market=FULL_MARKET,
    )
    draft = when(
        state, "start_inventory", "finish_inventory", rng=Fate(reshuffle=["acorn cookies"])
    )
    assert texts(draft.events)[1:4] == [
        "CardsDrawn 0 own 1 [spyglass]",
        "PlayerDeckShuffled 0 reshuffle 2 [acorn, cookies]",
        "CardsDrawn 0 own 1 [acorn]",
    ]
    assert (deck(draft.state), discard(draft.state)) == ("cookies", "")


@pytest.mark.parametrize("copier", ["trendsetting", "seeing_doubles"])
def test_a_copier_reaches_cookies_through_market_and_hand(copier: str) -> None:
    state = given(
        hands={0: f"{copier} cookies junk junk junk junk"},
        market="cookies acorn acorn empty_chest empty_chest",
    )
    state = passed(state).state
    assert legal(state) == [f"copy_cookies {copier}", f"skip_cookies {copier}"]
    draft = when(state, f"copy_cookies {copier}")
    shown = [each.cause for each in of(draft.events, HandCardsShown)]
    assert shown == (["cookies"] if copier == "trendsetting" else ["copy", "cookies"])
    assert len(draft.state.players[0].hand) == 7
