"""The acceptance scenarios of the three endings, and of the tiles that decide one of them."""

from collections import Counter

import pytest

from howff.engine.errors import MatchOverError
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.events import EstateRemoved
from howff.engine.games.highland_clans.state import State
from howff.engine.seats import Seat
from support.highland_clans import (
    QUIET,
    Fate,
    bag,
    board,
    given,
    in_front,
    legal,
    number_drawn,
    texts,
    when,
)
from support.rng import LocalRng
from support.texts import kinds, of

DRY = {
    0: "W6 P4 M3 | E4: cattle 1, castle 1, monastery 1 | score 24",
    1: "W5 P4 M3 | E4: castle 1, monastery 1 | score 31",
    2: "W6 P4 M1 | E4: cattle 2, castle 1 | score 19",
    3: "W5 P3 M3 | E3: cattle 2, castle 1 | score 31",
    4: "W5 P2 M3 | E3: cattle 2, castle 1 | score 22",
}
"""Boards of five that leave Y2 G1 R3 in the bag."""


def last_turn(*scores: int, supply: int = 20, revealed: tuple[int, ...] = ()) -> State:
    """Return the end of a round in which nobody scores."""
    boards = {seat: f"{QUIET} | score {score}" for seat, score in enumerate(scores)}
    return given(boards=boards, active=3, supply=supply, revealed=revealed, round=5)


def test_scenario_34_a_higher_number_lets_play_go_on() -> None:
    draft = when(last_turn(33, 29, 31, 25), "end_turn", rng=Fate(number_drawn(34)))
    assert texts(draft.events)[3:6] == ["EstateRemoved 34", "StartSeatPassed 1", "RoundStarted 6 1"]
    assert draft.state.revealed == (34,)
    assert GAME.view(draft.state, None).revealed == (34,)
    assert draft.state.turn is not None
    assert draft.state.turn.seat == 1
    assert draft.state.supply == 19


def test_scenario_34_a_number_that_was_reached_ends_the_match() -> None:
    draft = when(last_turn(33, 29, 31, 25), "end_turn", rng=Fate(number_drawn(33)))
    assert texts(draft.events)[3:] == [
        "EstateRemoved 33",
        "GameEnded estate_number [1, 3, 2, 4]",
    ]
    outcome = GAME.outcome(draft.state)
    assert outcome is not None
    assert outcome.places == (1, 3, 2, 4)
    assert outcome.winners == (0,)
    assert [figures[0].value for figures in outcome.figures] == [33, 29, 31, 25]
    assert draft.state.stage == "finished"
    assert GAME.to_act(draft.state) == ()
    with pytest.raises(MatchOverError):
        when(draft.state, "0: end_turn")


def test_scenario_35_a_victory_is_shared() -> None:
    draft = when(last_turn(36, 36, 30, 22), "end_turn", rng=Fate(number_drawn(35)))
    assert texts(draft.events)[-1] == "GameEnded estate_number [1, 1, 3, 4]"
    outcome = GAME.outcome(draft.state)
    assert outcome is not None
    assert outcome.winners == (0, 1)


def test_scenario_36_below_30_no_number_is_looked_at() -> None:
    draft = when(last_turn(29, 29, 12, 3), "end_turn")
    assert of(draft.events, EstateRemoved) == [EstateRemoved(None)]
    assert (draft.state.supply, draft.state.revealed) == (19, ())
    for viewer in (None, *map(Seat, range(4))):
        assert GAME.view(draft.state, viewer).revealed == ()


def test_scenario_36_a_later_number_may_be_any_that_nobody_has_looked_at() -> None:
    # Four tiles were removed unseen; all 25 numbers are still in the draw.
    state = last_turn(30, 29, 12, 3)
    assert (state.supply, state.removed) == (20, 5)
    draft = when(state, "end_turn", rng=Fate(number_drawn(42)))
    assert "EstateRemoved 42" in texts(draft.events)
    state = last_turn(30, 29, 12, 3, revealed=(41, 42, 30))
    draft = when(state, "end_turn", rng=Fate(number_drawn(41, revealed=(41, 42, 30))))
    assert draft.state.revealed == (41, 42, 30, 41)


def test_numbers_are_drawn_evenly() -> None:
    state = last_turn(30, 29, 12, 3, revealed=(30, 31))
    drawn = Counter[int | None]()
    for seed in range(500):
        (removed,) = of(when(state, "end_turn", rng=LocalRng(seed)).events, EstateRemoved)
        drawn[removed.number] += 1
    assert set(drawn) == set(range(30, 43))
    once, twice = [drawn[number] for number in (30, 31, 42)], [drawn[at] for at in range(32, 42)]
    assert max(once) < 40 < sum(twice) / len(twice)


def test_scenario_37_the_bag_runs_dry() -> None:
    state = given(seats=5, boards=DRY, round=4)
    assert bag(state) == "Y2 G1 R3"
    state = when(state, "end_turn").state
    assert (in_front(state), bag(state)) == ("Y2 G1 R3", "")
    state = when(state, "place_cattle", "recruit_warrior").state
    assert (bag(state), state.bag.total) == ("Y1 G1 R2", 4)
    assert board(state, 1).startswith("W6 P4 M3 | E4: cattle 1, castle 1, monastery 1 |")
    draft = when(state, "end_turn")
    assert texts(draft.events) == ["TurnEnded 1", "GameEnded bag_exhausted [3, 1, 5, 1, 4]"]
    assert draft.state.scores == (24, 31, 19, 31, 22)
    assert draft.state.supply == state.supply


def test_scenario_38_exactly_six_cubes_make_a_turn() -> None:
    state = given(seats=5, boards=DRY, round=4)
    assert state.bag.total == 6
    draft = when(state, "end_turn")
    assert kinds(draft.events) == ["TurnEnded", "TurnStarted", "CubesDrawn"]
    assert draft.state.bag.total == 0
    assert legal(draft.state)


def test_the_bag_may_be_too_empty_for_a_new_round() -> None:
    boards = DRY | {0: "W6 P4 M3 | E4: cattle 2, castle 1, monastery 1 | score 24"}
    state = given(seats=5, boards=boards, round=4, active=4)
    assert state.bag.total == 5
    draft = when(state, "end_turn", rng=Fate(number_drawn(42)))
    assert kinds(draft.events)[:3] == ["TurnEnded", "FollowingAssigned", "RoundScored"]
    assert texts(draft.events)[3:] == [
        "EstateRemoved 42",
        "StartSeatPassed 1",
        "RoundStarted 5 1",
        "GameEnded bag_exhausted [3, 1, 5, 1, 4]",
    ]
    assert draft.state.scores == (31, 36, 25, 36, 26)


def test_scenario_39_an_empty_supply_ends_the_match_at_30_points() -> None:
    draft = when(last_turn(28, 27, 20, 11, supply=0), "end_turn")
    assert of(draft.events, EstateRemoved) == []
    assert texts(draft.events)[3:5] == ["StartSeatPassed 1", "RoundStarted 6 1"]
    assert draft.state.stage == "actions"
    draft = when(last_turn(33, 30, 22, 12, supply=0), "end_turn")
    assert kinds(draft.events) == ["TurnEnded", "FollowingAssigned", "RoundScored", "GameEnded"]
    assert texts(draft.events)[-1] == "GameEnded supply_exhausted [1, 2, 3, 4]"


def test_scenario_40_the_last_tile_is_looked_at() -> None:
    state = last_turn(35, 29, 20, 11, supply=1)
    draft = when(state, "end_turn", rng=Fate(number_drawn(38)))
    assert texts(draft.events)[3:5] == ["EstateRemoved 38", "StartSeatPassed 1"]
    assert (draft.state.supply, draft.state.revealed) == (0, (38,))
    assert draft.state.stage == "actions"
