"""What seats and spectators may know: views, and events told again."""

from collections.abc import Iterator
from dataclasses import astuple, replace
from typing import Any

import pytest
from hypothesis import given as given_any

from howff.engine.codec import JSON, to_json, to_tagged
from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.data import CARD_ORDER, FEED, REQUESTS, Cards
from howff.engine.games.troedler.events import (
    CartMoved,
    DealerPileTaken,
    DiscardPileFormed,
    GameStarted,
    StartCardsTaken,
)
from howff.engine.games.troedler.memory import Memory
from howff.engine.games.troedler.state import Options, State, sorted_cards
from howff.engine.multisets import without_all
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told as visible
from support.rng import LocalRng
from support.seals import redacted
from support.texts import of
from support.troedler import cards, given, legal, when
from support.troedler_playouts import Playout, places, strict_playouts

PILES = [
    ["bridge", "bridge", "bridge", "ferry"],
    ["bridge", "bridge", "bridge", "moor_path"],
    ["bridge", "bridge", "bridge", "mountain_trail"],
    ["bridge", "bridge", "bridge", "feed"],
    ["ferry", "feed", "req_cup2", "extra"],
]
PICKING = given(
    stage="picking",
    active=1,
    dealer_piles=PILES,
    hands={2: {"feed": 1, "req_pot3": 1}, 3: {"moor_path": 3}},
    value_piles={1: {"feed": 2, "req_vase2": 1}},
    discard_pile=["req_anvil3", "feed"],
)
EVERYBODY: tuple[Viewer, ...] = (None, *map(Seat, range(4)))


def seen(state: State, viewer: Viewer) -> Any:
    return to_json(GAME.view_type, GAME.view(state, viewer))


def words(plain: JSON) -> Iterator[object]:
    if isinstance(plain, dict):
        for each in plain.values():
            yield from words(each)
    elif isinstance(plain, list):
        for each in plain:
            yield from words(each)
    else:
        yield plain


def test_scenario_29_a_view_shows_tops_sizes_and_the_own_hand() -> None:
    view = GAME.view(PICKING, Seat(2))
    assert [each and (each.size, each.top) for each in view.dealer_piles] == [
        (4, "ferry"),
        (4, "moor_path"),
        (4, "mountain_trail"),
        (4, "feed"),
        (4, "extra"),
    ]
    assert all(each.cards is None for each in view.dealer_piles if each)
    assert view.hand == cards({"feed": 1, "req_pot3": 1})
    assert [each.hand_size for each in view.players] == [0, 0, 2, 3]
    found = set(words(seen(PICKING, Seat(2))))
    assert "bridge" not in found
    assert not {"req_cup2", "req_vase2", "req_anvil3"} & found


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_scenario_29_a_taken_pile_is_told_to_its_taker(viewer: Viewer) -> None:
    draft = when(PICKING, "take_pile 4")
    (taken,) = of(draft.events, DealerPileTaken)
    told = redacted(taken, viewer, told_live=True)
    assert told.top == "extra"
    shown = ("ferry", "feed", "req_cup2", "extra") if viewer == 1 else None
    assert visible(told.cards) == shown
    view = GAME.view(draft.state, viewer)
    assert [each.hand_size for each in view.players] == [0, 4, 2, 3]


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_scenario_29_a_value_pile_is_seen_by_its_owner_alone(viewer: Viewer) -> None:
    view = GAME.view(PICKING, viewer)
    if viewer == 1:
        assert view.value_pile == cards({"feed": 2, "req_vase2": 1})
    else:
        assert not view.value_pile
    players = list(PICKING.players)
    players[1] = replace(players[1], value_pile=cards({"feed": 5}))
    other = replace(PICKING, players=tuple(players))
    assert (GAME.view(other, viewer) == view) == (viewer != 1)


def test_rulings_03_and_05_collections_and_the_discard_top_are_open() -> None:
    state = given(collections={1: {"cup": 2}}, discard_pile=["feed", "bridge", "req_cup3"])
    view = GAME.view(state, None)
    assert view.players[1].collection == ("cup", "cup")
    assert view.discard_top == "req_cup3"
    assert (view.hand, view.value_pile) == (None, None)
    found = list(words(seen(state, None)))
    assert "bridge" not in found
    assert "feed" not in found


def test_an_empty_discard_pile_has_no_top() -> None:
    assert GAME.view(given(), Seat(0)).discard_top is None


def test_open_memory_may_be_looked_up_but_for_the_setup_discard() -> None:
    state = GAME.start(Options(memory="open"), 4, LocalRng(3)).state
    (formed,) = of(GAME.start(Options(memory="open"), 4, LocalRng(3)).events, DiscardPileFormed)
    view = GAME.view(state, Seat(0))
    assert view.open_memory is not None
    assert view.open_memory.discard_pile == ()
    setup = view.open_memory.setup_discard
    assert setup is not None
    assert (setup.requests, setup.feed, setup.top) == (9, 9, formed.top)
    state = when(state, "reveal_all").state
    assert state.supply.dealer_piles[3] is not None
    pile = GAME.view(state, None).dealer_piles[3]
    assert pile is not None
    assert pile.cards == state.supply.dealer_piles[3]


def test_open_memory_counts_value_piles_and_what_was_discarded() -> None:
    state = given(
        options=Options(memory="open"),
        value_piles={1: {"feed": 2, "req_vase2": 1, "req_cup3": 1}},
        discard_pile=["ferry", "bridge"],
    )
    memory = GAME.view(state, None).open_memory
    assert memory is not None
    assert memory.discard_pile == ("bridge", "ferry")
    assert [astuple(each) for each in memory.value_piles] == [
        (0, 0, 0),
        (2, 2, 11),
        (0, 0, 0),
        (0, 0, 0),
    ]


def permuted(state: State, viewer: Viewer, seed: int) -> State:
    """Return *state* with the cards that *viewer* can't see dealt anew, to places of their sizes.

    Feed and requests of the discard pile may go to the value pile of another seat, whose size
    is as secret as its cards.
    """
    supply, rng = state.supply, LocalRng(seed)
    hands = [() if seat == viewer else each.hand for seat, each in enumerate(state.players)]
    covered = [each[:-1] if each else () for each in supply.dealer_piles]
    places = (*hands, *covered, supply.round_pile, supply.discard_pile[:-1])
    unseen = iter(rng.shuffle("cards", [card for place in places for card in place]))
    dealt = [tuple(next(unseen) for _ in place) for place in places]
    players = tuple(
        player if seat == viewer else replace(player, hand=sorted_cards(hand))
        for seat, (player, hand) in enumerate(zip(state.players, dealt, strict=False))
    )
    piles = dealt[len(hands) : -2]
    state = replace(
        state,
        players=players,
        supply=replace(
            supply,
            dealer_piles=tuple(
                each and (*pile, each[-1])
                for each, pile in zip(supply.dealer_piles, piles, strict=True)
            ),
            round_pile=dealt[-2],
        ),
    )
    thief = Seat(0 if viewer != 0 else 1)
    return with_discards(state, thief, dealt[-1], rng)


def with_discards(state: State, thief: Seat, covered: Cards, rng: LocalRng) -> State:
    """Return *state* with *covered* below the top of the discard pile, or some in a value pile."""
    storable = [card for card in covered if card in REQUESTS or card == FEED]
    stored = storable[: rng.draw("stored", len(storable) + 1)]
    player = state.players[thief]
    player = replace(player, value_pile=sorted_cards((*player.value_pile, *stored)))
    left = (*without_all(covered, stored), *state.supply.discard_pile[-1:])
    return replace(
        state,
        players=state.with_player(thief, player),
        supply=replace(state.supply, discard_pile=left),
    )


@given_any(match=strict_playouts, at=places, seed=places)
def test_invariant_12_a_view_depends_on_nothing_unseen(match: Playout, at: int, seed: int) -> None:
    state = match.steps[at % len(match.steps)].state
    for viewer in (None, *map(Seat, range(match.seats))):
        assert GAME.view(permuted(state, viewer, seed), viewer) == GAME.view(state, viewer)


@given_any(match=strict_playouts)
def test_invariant_13_events_told_again_hold_no_card_but_for_the_owner(match: Playout) -> None:
    for moment in match.moments:
        for viewer in (None, *map(Seat, range(match.seats))):
            told = redacted(moment.event, viewer, told_live=False)
            own = isinstance(told, DealerPileTaken | StartCardsTaken) and told.seat == viewer
            if not own and not isinstance(told, CartMoved):
                assert not CARD_ORDER.keys() & set(words(to_tagged(told)["data"]))


@given_any(match=strict_playouts)
def test_invariant_13_events_told_again_hold_no_count_of_stored_cards(match: Playout) -> None:
    for moment in match.moments:
        told = to_tagged(redacted(moment.event, None, told_live=False))
        if told["type"] in {"PlayedCardsStored", "SurplusFeedStored", "HandCardDiscarded"}:
            assert [type(each) for each in told["data"].values()].count(int) == 1
            assert isinstance(told["data"]["seat"], int)


@given_any(match=strict_playouts)
def test_what_is_told_live_hides_only_orders_and_taken_piles(match: Playout) -> None:
    for moment in match.moments:
        told = redacted(moment.event, None, told_live=True)
        data = to_tagged(told)["data"]
        sealed = {
            name for name, value in data.items() if isinstance(value, dict) and "sealed" in value
        }
        expected = {
            "StartCardsTaken": {"cards"},
            "DiscardPileFormed": {"order"},
            "RoundPileShuffled": {"order"},
            "DiscardPileReshuffled": {"order"},
            "DealerPileDiscarded": {"cards"},
            "DealerPileTaken": {"cards"},
        }
        assert sealed == expected.get(type(told).__name__, set())


def after_turn(state: State, memory: Memory, *moves: str) -> tuple[State, Memory]:
    """Return the state after a turn, and what seat 3 knows who reads of it later."""
    for move in (*moves, "end_turn"):
        draft = when(state, move)
        for event in draft.events:
            told = redacted(event, Seat(3), told_live=False)
            memory = GAME.remember(memory, told, Seat(3))
        state = draft.state
    return state, memory


def test_what_was_not_seen_is_known_where_all_that_was_played_was_told() -> None:
    state = given(
        seats=4,
        carts={0: "carron", 2: "carron"},
        hands={0: {"feed": 2, "req_cup3": 1}, 2: {"feed": 1}},
        collections={0: {"pot": 2, "cup": 1}},
    )
    memory = GAME.remember(GAME.memory(), GameStarted(4, Options()), Seat(3))
    substitute = "feed_substitute req_cup3 cup pot"
    state, memory = after_turn(state, memory, substitute, substitute, "complete_delivery")
    state, memory = after_turn(state, memory)
    _, memory = after_turn(state, memory, legal(state, "feed_route")[0])
    assert [each.feed for each in memory.seats] == [2, 0, None, 0]
    assert [each.value_pile for each in memory.seats] == [(FEED, FEED), (), (), ()]
