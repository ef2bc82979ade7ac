import re
from typing import Any

import pytest

from howff.engine import catalogue
from howff.engine.errors import (
    IllegalMoveError,
    MatchOverError,
    NotYourDecisionError,
    UnknownGameError,
    WrongOptionError,
    WrongSeatCountError,
)
from howff.engine.game import memory_option
from howff.engine.seats import Seat
from support.playouts import play_out
from support.rng import LocalRng
from support.toy_game import TOY
from support.toy_types import Bid, EndTurn, Options, State


def _opening() -> State:
    return TOY.start(Options(), 3, LocalRng(1)).state


def test_options_that_are_missing_have_their_defaults() -> None:
    assert TOY.read_options({}) == Options()
    assert TOY.read_options({"rounds": 2}) == Options(rounds=2)


@pytest.mark.parametrize(
    ("plain", "option"),
    [
        ({"rounds": "two"}, "rounds"),
        ({"memory": "weak"}, "memory"),
        ({"colour": "red"}, "colour"),
        ([], ""),
    ],
)
def test_an_option_that_is_not_offered_is_refused_by_name(plain: Any, option: str) -> None:
    with pytest.raises(WrongOptionError) as refusal:
        TOY.read_options(plain)
    assert refusal.value.option == option
    assert refusal.value.code == "wrong_option"


def test_options_that_do_not_fit_are_refused_at_the_start() -> None:
    with pytest.raises(WrongOptionError, match="expected 1 to 4, found 9"):
        TOY.start(Options(rounds=9), 3, LocalRng(1))


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_a_game_is_not_started_with_a_wrong_number_of_seats(seats: int) -> None:
    with pytest.raises(WrongSeatCountError, match=f"expected 2 to 4 seats, found {seats}"):
        TOY.start(Options(), seats, LocalRng(1))


def test_a_start_draws_the_opening() -> None:
    assert [len(player.hand) for player in _opening().players] == [3, 3, 3]
    assert TOY.to_act(_opening()) == (0, 1, 2)


def test_a_legal_move_has_its_consequences() -> None:
    state = _opening()
    bid = TOY.legal_moves(state, Seat(1))[0]
    draft = TOY.play(state, Seat(1), bid, LocalRng(1))
    assert len(draft.events) == 1
    assert TOY.to_act(draft.state) == (0, 2)


def test_a_move_that_is_not_legal_is_refused() -> None:
    with pytest.raises(IllegalMoveError, match=re.escape("found EndTurn()")) as refusal:
        TOY.play(_opening(), Seat(1), EndTurn(), LocalRng(1))
    assert "legal moves (Bid)" in str(refusal.value)


def test_a_seat_that_owes_nothing_is_refused() -> None:
    state = _opening()
    bid = TOY.legal_moves(state, Seat(1))[0]
    after = TOY.play(state, Seat(1), bid, LocalRng(1)).state
    with pytest.raises(NotYourDecisionError, match="expected seat 0 or seat 2, found seat 1"):
        TOY.play(after, Seat(1), bid, LocalRng(1))


def test_no_move_is_played_after_the_end() -> None:
    final = play_out(TOY, Options(rounds=1), 2, 1).final
    with pytest.raises(MatchOverError, match="found one of seat 0"):
        TOY.play(final, Seat(0), Bid(1), LocalRng(1))


def test_a_game_without_memory_elements_is_strict() -> None:
    assert memory_option(Options(memory="open")) == "open"
    assert memory_option(object()) == "strict"


def test_the_catalogue_knows_every_game_by_its_key() -> None:
    for key, game in catalogue.GAMES.items():
        assert game.key == key
        assert catalogue.game_of(key) is game


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGameError, match=r"expected one of .*troedler.*, found 'chess'"):
        catalogue.game_of("chess")
