"""The suite sees what is wrong: violations planted in copies of the toy game."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any

import pytest

from engine.conformance import check_endings, check_events, check_forms, check_leaks, check_moves
from engine.conformance.check_leaks import Tally
from engine.conformance.subjects import Case, cases_of
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame, Names
from howff.engine.outcome import Outcome
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import hidden, secret_to, told
from support import toy_view
from support.playouts import Playout
from support.rng import LocalRng
from support.toy_game import TOY, evolve
from support.toy_types import (
    Bid,
    BidsRevealed,
    BottomPeeked,
    CardBid,
    EndTurn,
    Event,
    Memory,
    Move,
    Peek,
    State,
    View,
)

Check = Callable[[Case, Playout], None]


def _case(game: AnyGame) -> Case:
    return next(case for case in cases_of(game) if case.seats == 3)


def _is_seen(game: AnyGame, check: Check) -> bool:
    """Return whether *check* objects to *game*, though not to the true toy game."""
    true, planted = _case(TOY), _case(game)
    check(true, true.play_out(0))
    playout = planted.play_out(0)
    try:
        check(planted, playout)
    except AssertionError:
        return True
    return False


def _check_worlds(case: Case, playout: Playout) -> None:
    for at in range(len(playout.steps)):
        for position in check_leaks.positions(case, playout, at):
            check_leaks.check_another_world(position, LocalRng(at))


def _check_moves_of_others(case: Case, playout: Playout) -> None:
    for at in range(len(playout.steps)):
        for position in check_leaks.positions_of_seats(case, playout, at):
            check_leaks.check_moves_that_look_alike(position, at)


def _check_pairs(case: Case, playout: Playout) -> None:
    for at in range(len(playout.steps) - 1):
        for position in check_leaks.positions_of_seats(case, playout, at):
            check_leaks.check_a_move_in_two_worlds(position, at, Tally())


def test_a_view_that_shows_a_hidden_card_is_seen() -> None:
    def view(state: State, viewer: Viewer) -> View:
        return replace(toy_view.view(state, viewer), prize=state.deck[0])

    assert _is_seen(replace(TOY, view=view), _check_worlds)


def test_moves_that_depend_on_a_secret_are_seen() -> None:
    def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
        moves = TOY.legal_moves(state, seat)
        return moves if state.deck[0] > 3 else moves[::-1]

    assert _is_seen(replace(TOY, legal_moves=legal_moves), _check_worlds)


@dataclass(frozen=True, slots=True)
class OpenBid:
    """A bid whose card has lost its declaration."""

    seat: Seat
    card: int


def _decided(change: Callable[[State, Event], Any]) -> Callable[..., Draft[State, Any]]:
    """Return the decisions of the toy game with each event changed."""

    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Any]:
        draft: Draft[State, Any] = TOY.decide(state, seat, move, rng)
        draft.events = [change(state, event) for event in draft.events]
        return draft

    return decide


def test_a_field_that_lost_its_declaration_is_seen() -> None:
    def opened(_state: State, event: Event) -> Any:
        return OpenBid(event.seat, event.card) if isinstance(event, CardBid) else event

    def evolve_opened(state: State, event: Any) -> State:
        is_open = isinstance(event, OpenBid)
        return evolve(state, CardBid(event.seat, event.card) if is_open else event)

    game = replace(TOY, event=TOY.event | OpenBid, decide=_decided(opened), evolve=evolve_opened)
    assert _is_seen(game, _check_moves_of_others)


def test_an_event_that_exists_because_of_a_secret_is_seen() -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        draft: Draft[State, Event] = TOY.decide(state, seat, move, rng)
        if isinstance(move, Bid) and max(state.players[0].hand, default=0) > 4:
            draft.add(BottomPeeked(seat, state.deck[-1]))
        return draft

    assert _is_seen(replace(TOY, decide=decide), _check_pairs)


def test_a_draw_that_depends_on_a_secret_is_seen() -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        if state.deck[-1] > 2:
            rng.draw("needless", 2)
        return TOY.decide(state, seat, move, rng)

    assert _is_seen(replace(TOY, decide=decide), _check_pairs)


def test_a_view_that_learns_what_no_event_told_is_seen() -> None:
    def view(state: State, viewer: Viewer) -> View:
        shown = toy_view.view(state, viewer)
        return replace(shown, points=state.deck[-1:]) if state.has_exchanged else shown

    assert _is_seen(replace(TOY, view=view), _check_pairs)


def test_a_wrong_memory_is_seen() -> None:
    def remember(memory: Memory, event: Event, seat: Seat) -> Memory:
        memory = toy_view.remember(memory, event, seat)
        is_reveal = isinstance(event, BidsRevealed)
        return replace(memory, discards=(*memory.discards, 6)) if is_reveal else memory

    assert _is_seen(replace(TOY, remember=remember), check_leaks.check_memories)


def test_samples_that_ignore_the_memory_are_seen() -> None:
    def sample_world(view: View, _memory: Memory, rng: Rng) -> State:
        return toy_view.sample_world(view, Memory(), rng)

    assert _is_seen(replace(TOY, sample_world=sample_world), _check_worlds)


def test_samples_that_lose_a_card_are_seen() -> None:
    def sample_world(view: View, memory: Memory, rng: Rng) -> State:
        world = toy_view.sample_world(view, memory, rng)
        return replace(world, deck=(world.deck[1], *world.deck[1:]))

    assert _is_seen(replace(TOY, sample_world=sample_world), _check_worlds)


def test_samples_that_are_always_the_same_are_seen() -> None:
    def sample_world(view: View, memory: Memory, _rng: Rng) -> State:
        return toy_view.sample_world(view, memory, LocalRng(0))

    assert _is_seen(replace(TOY, sample_world=sample_world), check_leaks.check_samples_differ)


def test_a_move_in_the_list_that_does_nothing_is_seen() -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        is_first = isinstance(move, Peek) and state.round == 1
        return Draft(state, evolve) if is_first else TOY.decide(state, seat, move, rng)

    assert _is_seen(replace(TOY, decide=decide), check_moves.check_legal_moves_are_accepted)


def test_a_move_that_stands_twice_is_seen() -> None:
    def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
        return TOY.legal_moves(state, seat) * 2

    game = replace(TOY, legal_moves=legal_moves)
    assert _is_seen(game, check_moves.check_legal_moves_are_lists_of_choices)


def test_moves_of_a_seat_off_turn_are_seen() -> None:
    def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
        return TOY.legal_moves(state, seat) or (EndTurn(),)

    game = replace(TOY, legal_moves=legal_moves)
    assert _is_seen(game, check_moves.check_legal_moves_are_lists_of_choices)


def test_a_default_move_that_is_not_legal_is_seen() -> None:
    def default_move(_view: View, _moves: tuple[Move, ...]) -> Move:
        return EndTurn()

    game = replace(TOY, default_move=default_move)
    assert _is_seen(game, check_moves.check_default_moves_are_legal)


def test_a_state_that_no_event_told_is_seen() -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        draft: Draft[State, Event] = TOY.decide(state, seat, move, rng)
        draft.state = replace(draft.state, has_peeked=True)
        return draft

    game = replace(TOY, decide=decide)
    assert _is_seen(game, check_events.check_folding_gives_the_live_states)


def test_an_evolve_with_a_life_of_its_own_is_seen() -> None:
    count = iter(range(10**6))

    def evolve_anew(state: State, event: Event) -> State:
        return replace(evolve(state, event), round=next(count))

    game = replace(TOY, evolve=evolve_anew)
    case = _case(game)
    with pytest.raises(AssertionError, match="leads to two states"):
        check_events.check_evolve_changes_no_old_state(case, _case(TOY).play_out(0))


def test_an_outcome_with_wrong_places_is_seen() -> None:
    def outcome(state: State) -> Outcome | None:
        found = TOY.outcome(state)
        return None if found is None else replace(found, places=(1, 3, 3))

    assert _is_seen(replace(TOY, outcome=outcome), check_endings.check_outcome)


def test_an_early_outcome_is_seen() -> None:
    def outcome(state: State) -> Outcome | None:
        return TOY.outcome(state) or Outcome((1, 1, 1), ((), (), ()))

    assert _is_seen(replace(TOY, outcome=outcome), check_endings.check_outcome)


def test_a_line_about_none_is_seen() -> None:
    def explain(view: View, seat: Seat | None, subject: Any, names: Names) -> str:
        if isinstance(subject, CardBid):
            return f"{names[subject.seat]} bids a {told(subject.card)}"
        return toy_view.explain(view, seat, subject, names)

    assert _is_seen(replace(TOY, explain=explain), check_endings.check_lines_on_events)


def test_a_line_that_shows_a_class_is_seen() -> None:
    def explain(_view: View, _seat: Seat | None, subject: Any, _names: Names) -> str:
        return f"somebody did {subject!r}"

    assert _is_seen(replace(TOY, explain=explain), check_endings.check_lines_on_moves)


def test_a_value_without_a_form_is_seen() -> None:
    def view(state: State, viewer: Viewer) -> View:
        return replace(toy_view.view(state, viewer), prize=True)

    game = replace(TOY, view=view)
    with pytest.raises(MalformedError):
        check_forms.check_values(_case(game), _case(game).play_out(0))


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """An event whose name belongs to the match."""


@dataclass(frozen=True, slots=True)
class Whispered:
    """An event with a secret of nobody."""

    word: Annotated[str, secret_to("listener")]


@dataclass(frozen=True, slots=True)
class Told:
    """An event whose secret depends on a secret."""

    seat: Annotated[Seat, hidden()]
    word: Annotated[str, secret_to("seat")]


@pytest.mark.parametrize("kind", [MatchEnded, Whispered, Told])
def test_a_wrong_declaration_is_seen(kind: type) -> None:
    check_events.check_declarations(TOY)
    with pytest.raises((AssertionError, TypeError)):
        check_events.check_declarations(replace(TOY, event=TOY.event | kind))
