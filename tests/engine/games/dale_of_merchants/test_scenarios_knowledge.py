"""Scenarios 58 and 59, and what views and events tell to whom."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from howff.engine.codec import to_json
from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.events import (
    CardBound,
    CardsDrawn,
    CardsLookedAt,
    Event,
    HandCardsExchanged,
    HandCardsShown,
    HandsMixed,
    SecretCardChosen,
    SecretCardShown,
)
from howff.engine.games.dale_of_merchants.state import State
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told
from support.dale_of_merchants import Fate, discard, given, hand, texts, when
from support.playouts import told_live
from support.texts import of

EVERYBODY: tuple[Viewer, ...] = (None, Seat(0), Seat(1), Seat(2))


def gambled(card: int) -> tuple[State, list[Event]]:
    """Return the state after A's *card* has gone to B, and the events of all that led there."""
    state = given(
        seats=3,
        hands={0: "bold_haggler gamble cookies", 1: "junk acorn"},
        market="- - - - -",
    )
    rolled = when(state, "roll_die bold_haggler", rng=Fate(die=[3]))
    assert hand(rolled.state) == "cookies bold_haggler+3@1!roll gamble"
    played = when(rolled.state, "play_technique gamble")
    exchanged = when(played.state, "choose_opponent 1", rng=Fate(die=[1], gamble=[card, 0]))
    return exchanged.state, [*rolled.events, *played.events, *exchanged.events]


def test_scenario_58_a_marked_card_leaves_the_hand_unmarked() -> None:
    state, events = gambled(1)
    assert hand(state, 0) == "cookies acorn"
    assert hand(state, 1) == "bold_haggler junk"
    (exchanged,) = of(events, HandCardsExchanged)
    assert texts([exchanged]) == ["HandCardsExchanged 0 1 1 [bold_haggler+3@1!roll] [acorn]"]


@pytest.mark.parametrize("viewer", [None, Seat(2)])
def test_scenario_58_nobody_else_can_tell_that_it_left(viewer: Viewer) -> None:
    (state, events), (other_state, other_events) = gambled(1), gambled(0)
    assert hand(state, 0) != hand(other_state, 0)
    assert told_live(tuple(events), viewer) == told_live(tuple(other_events), viewer)
    assert GAME.view(state, viewer) == GAME.view(other_state, viewer)


@pytest.mark.parametrize("viewer", [None, Seat(2)])
def test_scenario_59_nobody_else_can_tell_whose_copy_was_given_back(viewer: Viewer) -> None:
    state = given(seats=3, hands={0: "dirty_exchange nuisance cookies", 1: "cookies junk"})
    told_and_seen = []
    for taken, hand_of_other in (("junk", "cookies cookies"), ("cookies", "cookies junk")):
        start = when(state, "play_technique dirty_exchange")
        took = when(start.state, "choose_opponent 1", rng=Fate(random_card=[taken]))
        gave = when(took.state, "give_back cookies")
        assert hand(gave.state, 1) == hand_of_other
        nuisance = when(gave.state, "play_technique nuisance")
        lost = when(nuisance.state, "choose_victims [1]", rng=Fate(random_card=["cookies"]))
        assert discard(lost.state, 1) == "cookies"
        drafts = (start, took, gave, nuisance, lost)
        events = tuple(event for draft in drafts for event in draft.events)
        told_and_seen.append((told_live(events, viewer), GAME.view(lost.state, viewer)))
    assert told_and_seen[0] == told_and_seen[1]


def words(value: object) -> Iterable[object]:
    """Yield all that stands in plain JSON."""
    if isinstance(value, dict):
        for each in value.values():
            yield from words(each)
    elif isinstance(value, list):
        for each in value:
            yield from words(each)
    else:
        yield value


def test_a_view_shows_the_own_hand_and_sizes_of_all_else() -> None:
    state = given(
        seats=3,
        hands={0: "spyglass", 1: "acorn cookies", 2: "junk"},
        decks={0: "bold_haggler", 1: "blindfold charm", 2: ""},
        discards={1: "gamble junk"},
        stalls={2: "whirligig"},
        market="- - - - -",
        market_deck="new_season new_season",
        market_discard="accordion",
    )
    view = GAME.view(state, Seat(1))
    assert [held.card for held in view.hand or ()] == ["cookies", "acorn"]
    assert [(each.deck_size, each.hand_size) for each in view.players] == [(1, 1), (2, 2), (0, 1)]
    assert view.players[1].discard_pile == ("gamble", "junk")
    assert view.players[2].stall == (("whirligig",),)
    assert (view.market.deck_size, view.market.discard_pile) == (2, ("accordion",))
    assert (view.stage, view.to_act, view.private) == ("choose_action", (0,), None)
    # Cards that are out of the match are open.
    found = set(words(to_json(GAME.view_type, replace(view, removed=()))))
    assert not {"spyglass", "bold_haggler", "blindfold", "charm", "new_season"} & found


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_cards_that_are_looked_at_are_seen_by_the_active_seat(viewer: Viewer) -> None:
    state = given(seats=3, hands={0: "spyglass"}, decks={0: "cookies acorn junk junk"})
    draft = when(state, "play_technique spyglass")
    (looked,) = of(told_live(tuple(draft.events), viewer), CardsLookedAt)
    seen = ("cookies", "acorn", "junk")
    assert (looked.count, told(looked.cards)) == (3, seen if viewer == 0 else None)
    view = GAME.view(draft.state, viewer)
    assert view.looked_at == 3
    assert (view.private.looked_at if view.private else None) == (seen if viewer == 0 else None)


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_the_secret_card_of_blindfold_is_shown_after_the_guess(viewer: Viewer) -> None:
    state = given(seats=3, hands={0: "blindfold seeing_doubles spyglass junk"})
    chosen = when(state, "play_technique blindfold", "choose_secret_card seeing_doubles spyglass")
    (secret,) = of(told_live(tuple(chosen.events), viewer), SecretCardChosen)
    secrets = (secret.card, secret.as_type, secret.copied_card, secret.value)
    assert [told(each) is None for each in secrets] == [viewer != 0] * 4
    # The card copied is not shown before the guess.
    assert not of(chosen.events, HandCardsShown)
    view = GAME.view(chosen.state, viewer)
    assert view.has_secret
    assert (view.private is not None) == (viewer == 0)
    guessed = when(chosen.state, "choose_opponent 2", "guess_value 1")
    events = told_live(tuple(guessed.events), viewer)
    assert texts(events) == [
        "ValueGuessed 2 1 false",
        "SecretCardShown 0 seeing_doubles spyglass spyglass 4",
        "CardBound 0 seeing_doubles spyglass spyglass [] []",
        "HandCardsShown 0 [spyglass] secret",
    ]
    (shown,), (bound,) = of(events, SecretCardShown), of(events, CardBound)
    assert (shown.value, bound.as_type) == (4, "spyglass")


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_drawn_cards_are_seen_by_their_seat(viewer: Viewer) -> None:
    state = given(seats=3, decks={0: "cookies acorn junk junk spyglass junk"})
    draft = when(state, "start_inventory")
    drawn = of(told_live(tuple(draft.events), viewer), CardsDrawn)
    assert sum(each.count for each in drawn) == 6
    assert all((told(each.cards) is not None) == (viewer == 0) for each in drawn)


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_mixed_hands_are_seen_by_their_seats(viewer: Viewer) -> None:
    state = given(
        seats=3,
        hands={0: "whirligig junk", 1: "cookies acorn"},
        decks={0: "spyglass"},
    )
    luck = Fate(hands=["acorn spyglass cookies"])
    draft = when(state, "play_technique whirligig", "choose_opponent 1", rng=luck)
    (mixed,) = of(told_live(tuple(draft.events), viewer), HandsMixed)
    assert (mixed.seat_count, mixed.target_count) == (1, 2)
    assert told(mixed.new_hand_seat) == (("acorn",) if viewer == 0 else None)
    assert told(mixed.new_hand_target) == (("cookies", "spyglass") if viewer == 1 else None)


@pytest.mark.parametrize("viewer", [None, Seat(1), Seat(2)])
def test_marks_are_shown_to_their_seat_alone(viewer: Viewer) -> None:
    state = given(seats=3, hands={0: "bold_haggler junk", 1: "cookies"}, market="- - - - -")
    rolled = when(state, "roll_die bold_haggler", rng=Fate(die=[0])).state
    own = GAME.view(rolled, Seat(0)).hand
    assert own is not None
    assert [len(held.used) for held in own] == [1, 0]
    before, after = GAME.view(state, viewer), GAME.view(rolled, viewer)
    assert (before.players, before.hand) == (after.players, after.hand)
