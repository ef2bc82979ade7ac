"""Checks of moves: what is legal is accepted, all else is refused."""

from collections.abc import Sequence
from typing import Any, TypeVar

import pytest

from engine.conformance.subjects import Case
from howff.engine.errors import IllegalMoveError, MatchOverError, NotYourDecisionError
from howff.engine.seats import Seat
from support.playouts import Playout
from support.rng import LocalRng

T = TypeVar("T")
_MOST_TRIED = 20


class NoLuck:
    """An rng for what must not draw."""

    def draw(self, name: str, n: int) -> int:
        raise AssertionError(f"drew {name} from {n}")

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        raise AssertionError(f"shuffled {name} of {len(items)}")

    def roll(self, name: str, faces: Sequence[T]) -> T:
        raise AssertionError(f"rolled {name} of {len(faces)}")


def check_somebody_acts_until_the_end(case: Case, playout: Playout) -> None:
    """Check who owes a decision, at every version."""
    game = case.game
    for step in playout.steps[1:]:
        to_act = game.to_act(step.before)
        assert to_act, "nobody is to act, but the match goes on"
        assert len(set(to_act)) == len(to_act), f"a seat is to act twice: {to_act}"
        assert set(to_act) <= set(range(case.seats)), f"no such seats: {to_act}"
    assert game.to_act(playout.final) == (), "somebody is to act after the end"


def check_legal_moves_are_lists_of_choices(case: Case, playout: Playout) -> None:
    """Check that exactly the seats to act have moves, without duplicates, in a fixed order."""
    for step in playout.steps:
        to_act = case.game.to_act(step.after)
        for seat in map(Seat, range(case.seats)):
            moves = case.game.legal_moves(step.after, seat)
            assert bool(moves) == (seat in to_act), f"seat {seat} has the moves {moves}"
            assert len(set(moves)) == len(moves), f"a move stands twice in {moves}"
            assert moves == case.game.legal_moves(step.after, seat), "the order is not fixed"


def check_legal_moves_are_accepted(case: Case, playout: Playout) -> None:
    """Check that every legal move (of many some) has consequences, in every position."""
    rng = LocalRng("moves")
    for step in playout.steps:
        for seat in case.game.to_act(step.after):
            for move in _some(case.game.legal_moves(step.after, seat), rng):
                draft = case.game.play(step.after, seat, move, rng)
                assert draft.events, f"{move} causes nothing"
                assert draft.state != step.after, f"{move} changes nothing"


def check_other_moves_are_refused(case: Case, playout: Playout) -> None:
    """Check that moves of other positions and other seats are refused, without luck."""
    rng = LocalRng("foreign moves")
    known = tuple(dict.fromkeys(step.move for step in playout.steps[1:]))
    for step in playout.steps[:-1]:
        to_act = case.game.to_act(step.after)
        for seat in map(Seat, range(case.seats)):
            legal = case.game.legal_moves(step.after, seat)
            foreign = tuple(move for move in known if move not in legal)
            error = IllegalMoveError if seat in to_act else NotYourDecisionError
            for move in _some(foreign, rng, 3):
                _check_refusal(case, (step.after, seat, move), error)
    for seat in map(Seat, range(case.seats)):
        _check_refusal(case, (playout.final, seat, known[-1]), MatchOverError)


def _check_refusal(case: Case, move: tuple[Any, Seat, Any], error: type[Exception]) -> None:
    state, seat, what = move
    with pytest.raises(error):
        case.game.play(state, seat, what, NoLuck())


def check_default_moves_are_legal(case: Case, playout: Playout) -> None:
    """Check what an absent seat would do, in every position."""
    for step in playout.steps:
        for seat in case.game.to_act(step.after):
            moves = case.game.legal_moves(step.after, seat)
            view = case.game.view(step.after, seat)
            default = case.game.default_move(view, moves)
            assert default in moves, f"{default} is not legal for seat {seat}"
            assert default == case.game.default_move(view, moves), "the default is drawn by lot"


def _some(moves: tuple[T, ...], rng: LocalRng, most: int = _MOST_TRIED) -> tuple[T, ...]:
    return moves if len(moves) <= most else rng.shuffle("moves", moves)[:most]
