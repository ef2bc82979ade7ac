"""Violations planted in copies of the toy game, for the tests of the suite."""

from collections.abc import Callable
from dataclasses import make_dataclass, replace
from typing import Any, get_type_hints

from engine.conformance import check_moves_told, check_worlds
from engine.conformance.check_moves_told import Tally
from engine.conformance.subjects import Case, cases_of
from howff.engine.game import AnyGame
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat
from support.playouts import Playout
from support.rng import LocalRng
from support.toy_game import TOY
from support.toy_types import Event, Move, State

Check = Callable[[Case, Playout], None]
Turn = Draft[State, Any]


def case_of(game: AnyGame) -> Case:
    """Return the case of three seats."""
    return next(case for case in cases_of(game) if case.seats == 3)


def is_seen(game: AnyGame, check: Check) -> bool:
    """Return whether *check* objects to *game*, though not to the true toy game."""
    true, planted = case_of(TOY), case_of(game)
    check(true, true.play_out(0))
    playout = planted.play_out(0)
    try:
        check(planted, playout)
    except AssertionError:
        return True
    return False


def check_all_worlds(case: Case, playout: Playout) -> None:
    """Check a sample for every viewer at every version."""
    for at in range(len(playout.steps)):
        for position in check_worlds.positions(case, playout, at):
            check_worlds.check_another_world(position, LocalRng(at))


def check_moves_of_others(case: Case, playout: Playout) -> None:
    """Check the moves that look alike at every version."""
    for at in range(len(playout.steps)):
        for position in check_worlds.positions_of_seats(case, playout, at):
            check_moves_told.check_moves_that_look_alike(position, at)


def check_pairs(case: Case, playout: Playout) -> None:
    """Check a move in two worlds at every version."""
    for at in range(len(playout.steps) - 1):
        for position in check_worlds.positions_of_seats(case, playout, at):
            check_moves_told.check_a_move_in_two_worlds(position, at, Tally())


def check_luck(case: Case, playout: Playout) -> None:
    """Check the opening and the moves with other luck."""
    check_moves_told.check_luck_of_openings(case)
    check_moves_told.check_luck_tells_nothing(case, playout)


def with_events(change: Callable[[Any], Any], event: Any = TOY.event) -> AnyGame:
    """Return the toy game with each event changed, whose union is *event*."""

    def setup(state: State, rng: Rng) -> Turn:
        return changed(TOY.setup(state, rng))

    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Turn:
        return changed(TOY.decide(state, seat, move, rng))

    def changed(draft: Draft[State, Event]) -> Turn:
        turn: Turn = draft
        turn.events = [change(each) for each in turn.events]
        return turn

    return replace(TOY, event=event, setup=setup, decide=decide)


def with_open(kind: type) -> AnyGame:
    """Return the toy game with events of *kind* whose fields have lost their declarations."""
    hints = list(get_type_hints(kind).items())
    opened = make_dataclass(f"Open{kind.__name__}", hints, bases=(kind,), frozen=True, slots=True)

    def change(event: Any) -> Any:
        if not isinstance(event, kind):
            return event
        return opened(*(getattr(event, name) for name, _ in hints))

    return with_events(change, TOY.event | opened)
