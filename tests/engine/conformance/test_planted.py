"""The suite sees what is wrong with rules, events and forms: planted in copies of the toy game."""

from dataclasses import dataclass, make_dataclass, replace
from typing import Annotated, Any

import pytest

from engine.conformance import check_endings, check_events, check_forms, check_moves
from engine.conformance.planting import case_of, is_seen
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame, Names
from howff.engine.outcome import Outcome
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import hidden, secret_to, told
from support import playouts, toy_view
from support.toy_game import TOY, evolve
from support.toy_types import (
    CardBid,
    EndTurn,
    Event,
    Move,
    Peek,
    State,
    TurnEnded,
    TurnStarted,
    View,
)


def test_a_move_in_the_list_that_does_nothing_is_seen() -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        is_first = isinstance(move, Peek) and state.round == 1
        return Draft(state, evolve) if is_first else TOY.decide(state, seat, move, rng)

    assert is_seen(replace(TOY, decide=decide), check_moves.check_legal_moves_are_accepted)


def test_a_move_that_stands_twice_is_seen() -> None:
    def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
        return TOY.legal_moves(state, seat) * 2

    game = replace(TOY, legal_moves=legal_moves)
    assert is_seen(game, check_moves.check_legal_moves_are_lists_of_choices)


def test_moves_of_a_seat_off_turn_are_seen() -> None:
    def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
        return TOY.legal_moves(state, seat) or (EndTurn(),)

    game = replace(TOY, legal_moves=legal_moves)
    assert is_seen(game, check_moves.check_legal_moves_are_lists_of_choices)


def test_a_default_move_that_is_not_legal_is_seen() -> None:
    def default_move(_view: View, _moves: tuple[Move, ...]) -> Move:
        return EndTurn()

    game = replace(TOY, default_move=default_move)
    assert is_seen(game, check_moves.check_default_moves_are_legal)


def test_a_state_that_no_event_told_is_seen() -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        draft: Draft[State, Event] = TOY.decide(state, seat, move, rng)
        draft.state = replace(draft.state, has_peeked=True)
        return draft

    game = replace(TOY, decide=decide)
    assert is_seen(game, check_events.check_folding_gives_the_live_states)


def test_an_evolve_with_a_life_of_its_own_is_seen() -> None:
    count = iter(range(10**6))

    def evolve_anew(state: State, event: Event) -> State:
        return replace(evolve(state, event), round=next(count))

    game = replace(TOY, evolve=evolve_anew)
    case = case_of(game)
    with pytest.raises(AssertionError, match="leads to two states"):
        check_events.check_evolve_changes_no_old_state(case, case_of(TOY).play_out(0))


def test_an_outcome_with_wrong_places_is_seen() -> None:
    def outcome(state: State) -> Outcome | None:
        found = TOY.outcome(state)
        return None if found is None else replace(found, places=(1, 3, 3))

    assert is_seen(replace(TOY, outcome=outcome), check_endings.check_outcome)


def test_an_early_outcome_is_seen() -> None:
    def outcome(state: State) -> Outcome | None:
        return TOY.outcome(state) or Outcome((1, 1, 1), ((), (), ()))

    assert is_seen(replace(TOY, outcome=outcome), check_endings.check_outcome)


def test_a_line_about_none_is_seen() -> None:
    def explain(view: View, seat: Seat | None, subject: Any, names: Names) -> str:
        if isinstance(subject, CardBid):
            return f"{names[subject.seat]} bids a {told(subject.card)}"
        return toy_view.explain(view, seat, subject, names)

    assert is_seen(replace(TOY, explain=explain), check_endings.check_lines_on_events)


def test_a_line_that_shows_a_class_is_seen() -> None:
    def explain(_view: View, _seat: Seat | None, subject: Any, _names: Names) -> str:
        return f"somebody did {subject!r}"

    assert is_seen(replace(TOY, explain=explain), check_endings.check_lines_on_moves)


def test_a_value_without_a_form_is_seen() -> None:
    def view(state: State, viewer: Viewer) -> View:
        return replace(toy_view.view(state, viewer), prize=True)

    game = replace(TOY, view=view)
    with pytest.raises(MalformedError):
        check_forms.check_values(case_of(game), case_of(game).play_out(0))


@dataclass(frozen=True, slots=True)
class Shares:
    """Options with a part of a whole."""

    share: float = 0.5


def test_a_type_without_a_form_is_named_with_its_field() -> None:
    game: AnyGame = TOY
    check_events.check_forms_of_types(game)
    with pytest.raises(AssertionError, match=r"Shares\.share: no JSON form for .*float"):
        check_events.check_forms_of_types(replace(game, options=Shares))


@pytest.mark.parametrize("prize", [0.5, [1], {"a": 1}])
def test_a_value_that_is_no_plain_one_is_named_with_its_field(prize: Any) -> None:
    def view(state: State, viewer: Viewer) -> View:
        return replace(toy_view.view(state, viewer), prize=prize)

    case = case_of(replace(TOY, view=view))
    with pytest.raises(
        AssertionError, match=r"View\.prize holds .*: (float|list|dict) has no form"
    ):
        check_forms.check_values(case, case.play_out(0))


def test_a_broken_invariant_tells_when() -> None:
    def is_not_begun(state: State) -> bool:
        return state.round < 1

    case = case_of(TOY)
    case = replace(case, entry=replace(case.entry, invariants=(is_not_begun,)))
    with pytest.raises(AssertionError, match="is_not_begun is broken in the opening"):
        check_events.check_invariants(case, case.play_out(0))


def test_an_endless_match_is_told_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Draft[State, Event]:
        if not isinstance(move, EndTurn):
            return TOY.decide(state, seat, move, rng)
        turn = Draft(state, evolve)
        turn.add(TurnEnded(seat))
        turn.add(TurnStarted(seat))
        return turn

    monkeypatch.setattr(playouts, "MOST_STEPS", 100)
    with pytest.raises(AssertionError, match="toy has not ended after 100 moves"):
        case_of(replace(TOY, decide=decide)).play_out(0)


@dataclass(frozen=True, slots=True)
class Whispered:
    """An event with a secret of nobody."""

    word: Annotated[str, secret_to("listener")]


@dataclass(frozen=True, slots=True)
class Told:
    """An event whose secret depends on a secret."""

    seat: Annotated[Seat, hidden()]
    word: Annotated[str, secret_to("seat")]


@pytest.mark.parametrize("kind", [Whispered, Told])
def test_a_wrong_declaration_is_seen(kind: type) -> None:
    check_events.check_declarations(TOY)
    with pytest.raises(TypeError, match="no public seat"):
        check_events.check_declarations(replace(TOY, event=TOY.event | kind))


@pytest.mark.parametrize("name", ["MatchEnded", "SeedRevealed", "SeatTakenOver", "FlagFallen"])
def test_a_name_that_belongs_to_the_match_is_seen(name: str) -> None:
    kind = make_dataclass(name, [], frozen=True)
    with pytest.raises(AssertionError, match=f"reserved: .*{name}"):
        check_events.check_declarations(replace(TOY, event=TOY.event | kind))
