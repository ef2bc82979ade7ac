"""What bots make of Trödler: what looks good to them, and that they play it to its end."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from howff.bots.arena.matches import Course, LineUp, play_match
from howff.bots.policies.games.troedler import PLAY
from howff.bots.policies.greedy import best_of
from howff.bots.policies.settings import Setting
from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.state import State
from support.troedler import given, texts

GREEDY = Setting("greedy", 1)
SEARCH = Setting("mcts", 2)
RANDOM = Setting("random", 0)


def best(state: State) -> list[str]:
    """Return the moves of the active seat that look best to it, as text."""
    assert state.active is not None
    moves = GAME.legal_moves(state, state.active)
    return texts(best_of(moves, PLAY.judgement.weigh(state, state.active, moves)))


def course(seats: tuple[Setting, ...], seed: bytes, **options: Any) -> Course:
    line_up = LineUp(GAME, GAME.read_options(options), PLAY, seats)
    return play_match(line_up, seed, time.thread_time_ns)


def test_a_request_that_can_be_served_is_delivered_before_driving_on() -> None:
    state = given(
        carts={0: "carron"},
        hands={0: {"req_anvil2": 1, "bridge": 1, "extra": 1}},
        collections={0: {"anvil": 2}},
        goods={"macallan": {"cup": 2}},
    )
    assert best(state) == ["fulfil_request req_anvil2"]


def test_of_the_goods_in_a_village_the_one_is_taken_that_a_request_lacks() -> None:
    state = given(
        stage="arriving",
        carts={0: "macallan"},
        hands={0: {"req_cup3": 1}},
        collections={0: {"cup": 2}},
        goods={"macallan": {"anvil": 1, "cup": 1, "vase": 1}},
    )
    assert best(state) == ["take_good cup"]


def test_a_seat_with_all_goods_of_a_request_drives_to_where_it_can_be_delivered() -> None:
    state = given(
        carts={0: "macallan"},
        hands={0: {"req_cup3": 1, "bridge": 1}},
        collections={0: {"cup": 3}},
        goods={"macallan": {"cup": 2}, "archiestown": {"pot": 3}},
    )
    assert best(state) == ["play_route bridge carron"]


def near_ruin(feed_of_the_other: int) -> State:
    return given(
        seats=2,
        carts={0: "macallan"},
        hands={0: {"feed": 1, "req_cup2": 1}},
        collections={0: {"cup": 1}},
        value_piles={0: {"feed": 2}, 1: {"feed": feed_of_the_other}},
        goods={"macallan": {"cup": 2}},
    )


def test_feed_is_spared_if_one_more_damage_is_total_damage() -> None:
    assert best(near_ruin(feed_of_the_other=6)) == ["feed_take cup"]
    assert best(near_ruin(feed_of_the_other=1)) == ["end_turn"]


def test_a_request_whose_goods_lie_ready_is_kept_and_a_hopeless_one_goes() -> None:
    state = given(
        stage="trimming",
        hands={0: {"req_cup3": 1, "req_vase3": 1, "feed": 2, "extra": 1}},
        collections={0: {"cup": 3}},
    )
    assert best(state) == ["discard_card req_vase3"]


def test_total_damage_outweighs_a_lead_in_points() -> None:
    parts = {0: {"req_cup3": 1, "feed": 3}, 1: {"req_pot2": 1}}
    ahead, behind = PLAY.judgement.estimate(given(seats=2, value_piles=parts))
    assert ahead < behind


def lines(seats: int) -> Iterator[dict[str, Any]]:
    yield {"round_limit": 1}
    yield {"round_limit": 1, "dealing": "auto", "memory": "open", "starting_dealer": seats - 1}


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_search_plays_to_the_end_with_every_number_of_seats(seats: int) -> None:
    for options in lines(seats):
        played = course((SEARCH,) * seats, b"every number", **options)
        assert len(played.outcome.places) == seats
        assert min(played.decisions) > 0


def test_looking_at_a_glance_beats_chance() -> None:
    for seed in (b"one", b"two"):
        assert course((GREEDY, RANDOM), seed).outcome.places == (1, 2)
        assert course((RANDOM, GREEDY), seed).outcome.places == (2, 1)
