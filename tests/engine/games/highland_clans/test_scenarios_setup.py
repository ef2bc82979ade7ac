"""The acceptance scenarios of the setup, and of the order of turns."""

import pytest

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import ALL_CUBES
from howff.engine.games.highland_clans.events import CubesDrawn, TurnStarted
from howff.engine.games.highland_clans.state import Options
from howff.engine.seats import Seat
from support.highland_clans import board, cubes, texts, turn_of
from support.rng import LocalRng
from support.texts import kinds, of

SETUPS = [
    (3, "Y8 B4", "Y9 B17 G20 R7", 53, 2, 55),
    (4, "Y4 B2", "Y9 B17 G20 R6", 52, 5, 51),
    (5, "", "Y9 B17 G20 R5", 51, 8, 47),
]
"""Seats, cubes set aside, the bag and its total, the start score, and the deck."""


@pytest.mark.parametrize(("seats", "aside", "bag", "total", "score", "deck"), SETUPS)
def test_scenarios_01_to_03_the_setup_depends_on_the_number_of_seats(  # noqa: PLR0913
    seats: int, aside: str, bag: str, total: int, score: int, deck: int
) -> None:
    state = GAME.start(Options(start_seat=Seat(0)), seats, LocalRng(0)).state
    assert state.turn is not None
    assert state.set_aside == cubes(aside)
    assert state.bag + state.turn.cubes == cubes(bag)
    assert cubes(bag).total == total
    assert state.turn.cubes.total == 6
    for seat, player in enumerate(state.players):
        hand = list(player.hand)
        assert board(state, seat) == f"W4 P2 M0 | E2: cattle 1 | hand {hand} | score {score}"
        assert len(hand) == 4
    assert (len(state.deck), len(state.discard_pile)) == (deck, 0)
    assert (state.supply, state.removed, state.revealed) == (25, 0, ())
    assert state.marker is None
    assert (state.round, state.stage, state.turn.seat) == (1, "actions", 0)


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_scenarios_01_to_03_the_last_seat_sits_right_of_the_first(seats: int) -> None:
    state = GAME.start(Options(start_seat=Seat(0)), seats, LocalRng(0)).state
    state = turn_of(state, seats - 1)
    assert state.turn is not None
    assert (state.turn.position, state.turn.action_limit) == (seats, 1)


@pytest.mark.parametrize(("seats", "aside", "bag", "total", "score", "deck"), SETUPS)
def test_the_setup_tells_its_events_in_order(  # noqa: PLR0913
    seats: int, aside: str, bag: str, total: int, score: int, deck: int
) -> None:
    draft = GAME.start(Options(start_seat=Seat(1)), seats, LocalRng(0))
    set_aside = cubes(aside)
    hands = [
        f"HandDealt {seat} 4 {list(player.hand)}" for seat, player in enumerate(draft.state.players)
    ]
    assert texts(draft.events[1:-1]) == [
        f"CubesSetAside {set_aside.yellow} {set_aside.blue}",
        f"BoardsPrepared 4 2 2 1 {score}",
        *hands,
        "StartSeatChosen 1",
        "RoundStarted 1 1",
        "TurnStarted 1 1 1 2 false",
    ]
    assert kinds(draft.events)[0] == "GameStarted"
    (drawn,) = of(draft.events, CubesDrawn)
    assert draft.events[-1] == drawn
    assert draft.state.bag == cubes(bag) - drawn.cubes
    assert (total, deck) == (cubes(bag).total, len(draft.state.deck))


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_before_the_setup_all_pieces_lie_in_the_box(seats: int) -> None:
    state = GAME.initial(Options(), seats)
    assert state.bag == ALL_CUBES
    assert ALL_CUBES.total == 86
    assert (len(state.deck), state.supply) == (67, 25)
    assert (state.players, GAME.to_act(state), GAME.outcome(state)) == ((), (), None)


def test_scenario_44_the_start_card_goes_to_the_left() -> None:
    state = GAME.start(Options(start_seat=Seat(2)), 4, LocalRng(0)).state
    turns = []
    for seat in (2, 3, 0, 1):
        state = state if seat == 2 else turn_of(state, seat)
        assert state.turn is not None
        turns.append((state.round, state.turn.seat, state.turn.position, state.turn.action_limit))
    assert turns == [(1, 2, 1, 2), (1, 3, 2, 2), (1, 0, 3, 2), (1, 1, 4, 1)]
    state = turn_of(state, 3)
    assert state.turn is not None
    assert (state.round, state.start_seat, state.turn.position) == (2, 3, 1)
    assert state.turn.action_limit == 2


def test_the_first_turn_holds_no_redraw() -> None:
    (started,) = of(GAME.start(Options(), 4, LocalRng(0)).events, TurnStarted)
    assert not started.may_redraw
