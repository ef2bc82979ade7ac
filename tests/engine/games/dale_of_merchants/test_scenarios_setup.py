"""Scenarios 1 to 3: how a match is laid out."""

from collections import Counter

import pytest

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import CARDS, JUNK
from howff.engine.games.dale_of_merchants.events import (
    CardsDrawn,
    CardsRemoved,
    Event,
    MarketDeckShuffled,
    MarketFilled,
    PlayerDeckShuffled,
)
from howff.engine.games.dale_of_merchants.state import Options, State
from howff.engine.play import Draft
from howff.engine.seats import Seat
from support.dale_of_merchants import texts
from support.rng import LocalRng
from support.texts import kinds, of


def laid_out(seats: int, *sets: str) -> Draft[State, Event]:
    options = GAME.read_options({"sets": list(sets), "first_seat": 0})
    return GAME.start(options, seats, LocalRng(seats))


def test_scenario_01_a_match_of_two() -> None:
    draft = laid_out(2, "macaws", "pandas", "squirrels")
    state = draft.state
    starting = {"swift_broker": 1, "loyal_partner": 1, "stashing_vendor": 1, "junk": 7}
    for shuffled in of(draft.events, PlayerDeckShuffled):
        assert (shuffled.reason, shuffled.count) == ("setup", 10)
        assert Counter(shuffled.order) == starting
    for player in state.players:
        assert (len(player.hand), len(player.deck)) == (5, 5)
        assert Counter((*player.deck, *(held.card for held in player.hand))) == starting
        assert (player.discard_pile, player.stall) == ((), ())
    assert (state.junk_pile, state.substitutes) == (6, 0)
    value_one = ("swift_broker", "loyal_partner", "stashing_vendor")
    assert Counter(state.removed) == dict.fromkeys(value_one, 2)
    assert None not in state.market.slots
    assert len(state.market.slots) == 5
    assert len(state.market.deck) == 28
    assert {CARDS[card].value for card in state.market.deck} == {2, 3, 4, 5}
    assert state.market.discard_pile == ()


FIVE_SETS = ("macaws", "pandas", "squirrels", "ocelots", "chameleons")


def assert_laid_out(state: State, *, junk: int, junk_pile: int, removed: int) -> None:
    """Assert that decks hold so much junk, and one card of value 1 of every set."""
    for player in state.players:
        owned = Counter((*player.deck, *(held.card for held in player.hand)))
        assert owned[JUNK] == junk
        assert owned.total() == 10
        others = [card for card in owned if card != JUNK]
        assert [CARDS[card].value for card in others] == [1] * (len(state.players) + 1)
        assert len({CARDS[card].set for card in others}) == len(others)
    assert (state.junk_pile, len(state.removed)) == (junk_pile, removed)


def test_scenario_02_a_match_of_three() -> None:
    state = laid_out(3, *FIVE_SETS[:4]).state
    assert_laid_out(state, junk=6, junk_pile=2, removed=4)
    assert len(state.market.deck) == 39


def test_scenario_03_a_match_of_four() -> None:
    state = laid_out(4, *FIVE_SETS).state
    assert_laid_out(state, junk=5, junk_pile=0, removed=0)
    assert len(state.market.deck) == 50


def test_the_opening_is_told_in_its_order() -> None:
    draft = laid_out(2, "pandas", "macaws", "raccoons")
    assert kinds(draft.events) == [
        "GameStarted",
        "CardsRemoved",
        "PlayerDeckShuffled",
        "PlayerDeckShuffled",
        "MarketDeckShuffled",
        "MarketFilled",
        "CardsDrawn",
        "CardsDrawn",
        "TurnStarted",
    ]
    (filled,) = of(draft.events, MarketFilled)
    (shuffled,) = of(draft.events, MarketDeckShuffled)
    assert [(each.slot, each.card) for each in filled.placements] == list(
        enumerate(shuffled.order[:5])
    )
    assert (shuffled.reason, shuffled.count, len(shuffled.order)) == ("setup", 33, 33)
    assert [(each.seat, each.deck, each.count) for each in of(draft.events, CardsDrawn)] == [
        (0, "own", 5),
        (1, "own", 5),
    ]
    (removed,) = of(draft.events, CardsRemoved)
    assert removed.cards == draft.state.removed
    assert texts(draft.events)[-1] == "TurnStarted 0 1"


def test_seats_get_the_top_of_their_own_decks() -> None:
    draft = laid_out(3, *FIVE_SETS[:4])
    for shuffled in of(draft.events, PlayerDeckShuffled):
        player = draft.state.players[shuffled.seat]
        assert Counter(held.card for held in player.hand) == Counter(shuffled.order[:5])
        assert player.deck == shuffled.order[5:]


@pytest.mark.parametrize("first_seat", range(3))
def test_the_first_seat_begins_round_one(first_seat: int) -> None:
    state = GAME.start(Options(first_seat=Seat(first_seat)), 3, LocalRng(1)).state
    assert GAME.to_act(state) == (first_seat,)
    assert (state.round, state.first_seat) == (1, first_seat)
