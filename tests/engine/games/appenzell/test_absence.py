"""What is played for a seat that is away, and how a match goes when nobody is there."""

import pytest
from hypothesis import given as given_any

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.events import Event
from howff.engine.games.appenzell.moves import Move
from howff.engine.games.appenzell.state import Options, State
from howff.engine.seats import Seat
from support.appenzell import NoLuck, given, opening, texts, when
from support.appenzell_playouts import Playout, playouts
from support.rng import LocalRng
from support.texts import kinds


def default_move(state: State) -> tuple[Seat, Move]:
    """Return the seat that is to act, and what is played for it."""
    (seat,) = GAME.to_act(state)
    return seat, GAME.default_move(GAME.view(state, seat), GAME.legal_moves(state, seat))


def default(state: State) -> str:
    return texts([default_move(state)[1]])[0]


def test_an_absent_seat_places_its_mouse_on_the_first_free_tower() -> None:
    state = opening(4, Options(start_seat=Seat(0)))
    for tower in ("a1", "a7", "g1", "g7"):
        assert default(state) == f"place_first_mouse {tower}"
        state = when(state, default(state)).state
    assert (state.stage, state.turn) == ("turn", 0)


@pytest.mark.parametrize("done", [(), ("uncover O",), ("push nb",), ("uncover O", "push w2")])
def test_an_absent_seat_ends_its_turn(done: tuple[str, ...]) -> None:
    state = given(mice={0: "a1", 1: "g7"})
    for move in done:
        state = when(state, move).state
    assert default(state) == "end_turn"


@given_any(match=playouts)
def test_what_is_played_for_an_absent_seat_is_legal_and_draws_no_luck(match: Playout) -> None:
    for step in match.steps[::12]:
        seat, move = default_move(step.before)
        assert move in GAME.legal_moves(step.before, seat)
        assert GAME.play(step.before, seat, move, NoLuck()).events


@given_any(match=playouts)
def test_an_absent_seat_loses_and_takes_nothing(match: Playout) -> None:
    for step in match.steps[match.seats :: 12]:
        after = GAME.play(step.before, *default_move(step.before), NoLuck()).state
        assert after.players == step.before.players
        assert (after.floor, after.spare) == (step.before.floor, step.before.spare)


def all_absent(options: Options, seats: int) -> tuple[State, list[Event]]:
    """Return the match of seats that are all away, up to its end or the 50th round."""
    draft = GAME.start(options, seats, LocalRng(seats))
    state, events = draft.state, list(draft.events)
    while GAME.to_act(state) and state.round < 50:
        draft = GAME.play(state, *default_move(state), NoLuck())
        state, events = draft.state, [*events, *draft.events]
    return state, events


@pytest.mark.parametrize("side", ["a", "b"])
@pytest.mark.parametrize("seats", GAME.seats)
def test_a_match_without_anybody_ends_at_its_limit(seats: int, side: str) -> None:
    options = GAME.read_options({"round_limit": 7, "board_side": side, "start_seat": 1})
    state, events = all_absent(options, seats)
    outcome = GAME.outcome(state)
    assert state.ending is not None
    assert outcome is not None
    assert state.ending.reasons == ("round_limit",)
    assert kinds(events).count("TurnEnded") == 7 * seats
    # Nobody has anything, so turns alone decide: the start seat's lies furthest back.
    assert state.ending.ranking == tuple((1 + offset) % seats for offset in range(seats))
    assert sorted(outcome.places) == list(range(1, seats + 1))


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_match_without_anybody_or_a_limit_goes_on(seats: int) -> None:
    state, events = all_absent(Options(), seats)
    assert (state.stage, state.round, state.turn) == ("turn", 50, 50 * seats)
    assert set(kinds(events)) == {
        "GameSetUp",
        "FloorLaid",
        "FirstMousePlaced",
        "TurnStarted",
        "TurnEnded",
    }
    assert all(player.reserve == 3 for player in state.players)
