"""Nobody learns the order of the trading cards, and all else is open to everybody."""

import re

import pytest
from hypothesis import given

from howff.engine.codec import canonical, to_json
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.events import (
    TradingCardRevealed,
    TradingCardsSetAside,
    TradingDeckShuffled,
)
from howff.engine.games.hellweg.state import State
from howff.engine.games.hellweg.view import View
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from howff.engine.visibility import told
from support.hellweg_playouts import Playout, places, playout, playouts
from support.rng import LocalRng
from support.seals import redacted


def viewers(match: Playout) -> tuple[Viewer, ...]:
    return (None, *map(Seat, range(match.seats)))


def restacked(state: State, seed: int) -> State:
    """Return *state* with the cards that nobody has seen in another order."""
    cards = LocalRng(seed).shuffle("cards", (*state.stack, *state.set_aside))
    left = len(state.stack)
    return replace(state, stack=cards[:left], set_aside=cards[left:])


@given(match=playouts, seed=places)
def test_invariant_12_views_and_legal_moves_do_not_depend_on_the_stack(
    match: Playout, seed: int
) -> None:
    at = seed % len(match.steps)
    for step in match.steps[at : at + 20]:
        other = restacked(step.before, seed)
        for viewer in viewers(match):
            assert GAME.view(other, viewer) == GAME.view(step.before, viewer)
        for seat in map(Seat, range(match.seats)):
            assert GAME.legal_moves(other, seat) == GAME.legal_moves(step.before, seat)


def test_invariant_12_stacks_in_another_order_do_differ() -> None:
    states = [step.before for step in playout(2, 0).steps if len(step.before.stack) > 3]
    assert sum(restacked(state, seed) != state for seed, state in enumerate(states)) > 50


@given(match=playouts, seed=places)
def test_invariant_12_a_move_that_reveals_no_card_tells_nothing_of_the_stack(
    match: Playout, seed: int
) -> None:
    at = seed % len(match.steps)
    for step in match.steps[at : at + 20]:
        if not any(isinstance(event, TradingCardRevealed) for event in step.events):
            other = restacked(step.before, seed)
            draft = GAME.play(other, step.seat, step.move, LocalRng(0))
            assert tuple(draft.events) == step.events


def cards_named(view: View) -> set[str]:
    """Return the trading cards whose names stand anywhere in a view."""
    return set(re.findall(r'"(t\d\d)"', canonical(to_json(View, view))))


@given(match=playouts)
def test_invariant_12_a_view_names_no_trading_card_but_the_open_one(match: Playout) -> None:
    for step in match.steps[::3]:
        assert cards_named(GAME.view(step.before, None)) == {step.before.card} - {None}


@given(match=playouts)
def test_invariant_12_the_feed_covers_the_order_of_the_stack(match: Playout) -> None:
    for viewer in viewers(match):
        for told_live in (True, False):
            for _, event, _ in match.of(TradingDeckShuffled):
                shuffled = redacted(event, viewer, told_live=told_live)
                assert told(shuffled.order) is None
            for _, aside, _ in match.of(TradingCardsSetAside):
                covered = redacted(aside, viewer, told_live=told_live)
                assert covered.count == 2
                assert told(covered.cards) is None


@given(match=playouts)
def test_invariant_12_a_revealed_card_is_covered_when_it_is_read_again(match: Playout) -> None:
    for viewer in viewers(match):
        for _, event, _ in match.of(TradingCardRevealed):
            assert redacted(event, viewer, told_live=True) == event
            again = redacted(event, viewer, told_live=False)
            assert (again.month, again.last) == (event.month, event.last)
            assert told(again.card) is None
            assert told(again.slots) is None


@given(match=playouts)
def test_all_other_events_are_told_to_everybody_for_good(match: Playout) -> None:
    secret = (TradingDeckShuffled, TradingCardsSetAside, TradingCardRevealed)
    for event in match.events:
        if not isinstance(event, secret):
            assert redacted(event, None, told_live=False) == event


@given(match=playouts)
def test_the_view_is_the_same_for_everybody(match: Playout) -> None:
    for state in match.states:
        assert len({GAME.view(state, viewer) for viewer in viewers(match)}) == 1


@pytest.mark.parametrize("seed", [0, 4])
def test_once_the_match_has_ended_what_was_set_aside_lies_open(seed: int) -> None:
    match = playout(3, seed)
    assert match.final.stack == ()
    aside = [event.cards for _, event, _ in match.of(TradingCardsSetAside)]
    assert GAME.view(match.final, None).set_aside == (aside[0] if aside else ())
    for state in list(match.states)[:-1]:
        assert GAME.view(state, None).set_aside is None
