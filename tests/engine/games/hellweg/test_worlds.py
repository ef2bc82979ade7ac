"""Sampled worlds are drawn evenly: compared with all orders of the cards, counted one by one."""

from collections import Counter
from collections.abc import Iterable
from itertools import permutations
from math import sqrt
from typing import Final

from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import TRADING_CARDS, TradingCard
from howff.engine.games.hellweg.memory import Memory
from howff.engine.games.hellweg.state import State
from howff.engine.seats import Seat, Viewer
from howff.engine.values import replace
from support.hellweg import given, started, when
from support.hellweg_playouts import playout
from support.rng import LocalRng

DRAWS: Final = 5_000
IVY: Final = Seat(0)
Deal = tuple[tuple[TradingCard, ...], tuple[TradingCard, ...]]
"""The stack from the top, and what a short game has set aside."""


def to_come(state: State) -> tuple[TradingCard, ...]:
    """Return the cards that have not lain open."""
    return (*state.stack, *state.set_aside)


def memory_of_all(state: State, *, but: Iterable[str] = ()) -> Memory:
    """Return the memory of who has seen all cards of a match but those."""
    unseen = {*to_come(state), *but}
    return Memory(tuple(card for card in TRADING_CARDS if card not in unseen))


def all_deals(state: State, unknown: Iterable[TradingCard]) -> set[Deal]:
    """Return every way to lay *unknown* cards into the stack and aside; some may be left over."""
    left, size = len(state.stack), len(to_come(state))
    return {(each[:left], each[left:]) for each in permutations(unknown, size)}


def assert_even(state: State, memory: Memory, viewer: Viewer, unknown: Iterable[str]) -> None:
    """Fail unless each deal of the *unknown* cards comes about as often as the others.

    Five standard deviations are allowed.
    """
    deals = all_deals(state, map(TradingCard, unknown))
    view, rng = GAME.view(state, viewer), LocalRng(1)
    worlds = [GAME.sample_world(view, memory, rng) for _ in range(DRAWS)]
    drawn = Counter((world.stack, world.set_aside) for world in worlds)
    assert drawn.keys() == deals
    expected = DRAWS / len(deals)
    furthest = max(abs(count - expected) for count in drawn.values())
    assert furthest < 5 * sqrt(expected * (1 - 1 / len(deals)))


def others(*names: str) -> tuple[str, ...]:
    """Return the trading cards but those."""
    return tuple(card for card in TRADING_CARDS if card not in names)


def test_the_order_of_the_stack_is_any() -> None:
    state = given(card="t01", month=9, stack=("t04", "t02", "t12"))
    assert_even(state, memory_of_all(state), IVY, ("t02", "t04", "t12"))


def test_in_a_short_game_what_was_set_aside_may_be_any_unseen_card() -> None:
    state = given(options="short_game", card="t01", month=8, stack=("t04", "t02"))
    unknown = to_come(state)
    assert len(unknown) == 4
    assert len(all_deals(state, unknown)) == 24
    assert_even(state, memory_of_all(state), IVY, unknown)


def test_in_the_last_month_of_a_short_game_two_cards_remain_unknown() -> None:
    state = given(options="short_game", card="t01", last=True)
    assert len(to_come(state)) == 2
    assert_even(state, memory_of_all(state), IVY, to_come(state))


def test_who_forgot_a_card_may_find_it_in_the_stack() -> None:
    state = given(card="t01", month=9, stack=("t04", "t02", "t12"))
    memory = memory_of_all(state, but=("t07",))
    assert_even(state, memory, IVY, ("t02", "t04", "t07", "t12"))


def test_who_forgot_a_card_of_a_short_game_may_find_it_anywhere() -> None:
    state = given(options="short_game", card="t01", month=9, stack=("t04",))
    memory = memory_of_all(state, but=("t07",))
    assert_even(state, memory, IVY, (*to_come(state), "t07"))


def test_a_spectator_who_has_just_come_knows_the_open_card_alone() -> None:
    state = given(card="t01", month=10, stack=("t04", "t02"))
    assert_even(state, GAME.memory(), None, others("t01"))


def test_before_the_first_month_every_card_may_be_on_top() -> None:
    state = started(2).state
    worlds = [world_of(state, Memory(), seed) for seed in range(1_200)]
    tops = Counter(world.stack[0] for world in worlds)
    assert set(tops) == set(TRADING_CARDS)
    assert min(tops.values()) > 50
    assert {len(world.stack) for world in worlds} == {12}


def world_of(state: State, memory: Memory, seed: int) -> State:
    return GAME.sample_world(GAME.view(state, IVY), memory, LocalRng(seed))


def test_a_world_agrees_with_all_that_is_open_in_the_middle_of_an_action() -> None:
    seat = (
        "money 30 | supply 1/1 | tokens soest_salt | warehouse 2/1 | privileges storage | claims 1"
    )
    state = given(
        options="warehouse_and_privileges short_game passenger_transportation",
        players={0: seat, 1: "black waiting | tokens essen_beer"},
        card="t06",
        month=4,
    )
    memory = memory_of_all(state)
    for moves in ((), ("buy_in_town 1",), ("stock_up_all",), ("buy_merchandise_card wine_pair",)):
        there = when(state, *moves).state
        world = world_of(there, memory, 3)
        assert replace(world, stack=there.stack, set_aside=there.set_aside) == there
        assert sorted(to_come(world)) == sorted(to_come(there))
        assert GAME.is_true(memory, world, IVY)


def test_once_the_match_has_ended_there_is_one_world() -> None:
    match = playout(2, 4)
    assert match.options.short_game
    for seed in range(10):
        assert world_of(match.final, GAME.memory(), seed) == match.final
