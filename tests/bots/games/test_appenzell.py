"""What bots say of a position of Burg Appenzell, and how they play it.

All mice that no test speaks of stand far away or in reserve.
"""

import time
from typing import Any

import pytest

from howff.bots.arena.matches import Course, LineUp, play_match
from howff.bots.policies.games.appenzell import PLAY
from howff.bots.policies.settings import Setting
from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.state import State
from support.appenzell import F1X, NOTATION, given, when

RANDOM, GREEDY, SEARCH = Setting("random", 0), Setting("greedy", 1), Setting("mcts", 2)


def weights(state: State) -> dict[str, int]:
    """Return how good the moves of the active seat look to it, by their text."""
    moves = GAME.legal_moves(state, state.active)
    weighed = PLAY.judgement.weigh(state, state.active, moves)
    return dict(zip(map(NOTATION.text_of, moves), weighed, strict=True))


def best(state: State) -> str:
    """Return the move that looks best."""
    weighed = weights(state)
    return max(weighed, key=weighed.__getitem__)


def promise(state: State, seat: int) -> int:
    return PLAY.judgement.estimate(state)[seat]


def test_a_run_that_makes_a_pair_looks_best() -> None:
    state = given(mice={0: "a6 a7", 1: "g7"}, opened="A")

    assert best(state) == "run a7 b7"


def test_a_push_that_drops_the_third_mouse_of_another_seat_looks_best() -> None:
    state = given(mice={0: "a1", 1: "f5 g7"}, trapped={1: 2})

    assert best(state) == "push sf"


def test_a_push_under_which_ones_own_third_mouse_falls_looks_worst() -> None:
    weighed = weights(given(mice={0: "f5 g7", 1: "a1"}, trapped={0: 2}))

    assert weighed["push sf"] == min(weighed.values()) < -max(weighed.values())


def test_a_mouse_runs_from_where_a_trap_may_open_once_two_are_lost() -> None:
    state = given(mice={0: "f5 g7", 1: "a1"}, trapped={0: 2}, opened="I", has_pushed=True)

    assert best(state).startswith("run f5 ")
    assert promise(state, 0) < promise(when(state, "run f5 e5").state, 0)


def test_a_trap_outside_threatens_the_squares_where_tiles_go_in() -> None:
    quiet = given(mice={0: "a4 g7", 1: "a1"}, active=1)
    threatened = given(mice={0: "a4 g7", 1: "a1"}, active=1, floor=F1X, spare="X")

    assert promise(threatened, 0) < promise(quiet, 0)


def test_no_roof_is_taken_off_with_the_last_action_for_a_way_that_closes_at_once() -> None:
    mice = {0: "a1 a6", 1: "g1"}
    early, late = (weights(given(mice=mice, actions_left=left)) for left in (4, 1))
    roofs = [move for move in early if move.startswith("uncover")]

    assert max(early[roof] for roof in roofs) > early["end_turn"]
    assert max(late[roof] for roof in roofs) < late["end_turn"]


def test_each_action_towards_a_pair_and_each_cheese_promises_more() -> None:
    start = given(mice={0: "a6 a7", 1: "g7"})
    opened = when(start, "uncover A").state
    collected = when(opened, "run a7 b7").state

    assert promise(start, 0) < promise(opened, 0) < promise(collected, 0)


def test_what_is_glanced_at_beats_luck_in_every_match() -> None:
    for seed in range(4):
        assert _played(seed, GREEDY, RANDOM).outcome.places == (1, 2)
        assert _played(seed, RANDOM, GREEDY).outcome.places == (2, 1)


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_search_plays_to_the_end_at_every_table(seats: int) -> None:
    course = _played(
        seats,
        *(SEARCH,) * seats,
        cheese_target=seats + 2,
        board_side="random",
        open_setup=seats == 3,
        round_limit=2,
    )

    assert sorted(course.outcome.places) == list(range(1, seats + 1))
    assert all(course.decisions)


def _played(seed: int, *seats: Setting, **options: Any) -> Course:
    line_up = LineUp(GAME, GAME.read_options({"round_limit": 100} | options), PLAY, seats)
    return play_match(line_up, b"%d" % seed, time.thread_time_ns)
