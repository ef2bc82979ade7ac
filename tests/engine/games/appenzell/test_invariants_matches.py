"""What holds of whole matches of Burg Appenzell: decisions, turns, the end and its ranking."""

from collections.abc import Iterator

import pytest
from hypothesis import given

from howff.engine.errors import EngineError
from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.events import (
    GameEnded,
    RoofsReplaced,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.appenzell.moves import EndTurn
from howff.engine.games.appenzell.state import EndReason, State
from howff.engine.play import fold
from howff.engine.seats import Seat
from support.appenzell import Action, NoLuck
from support.appenzell_playouts import Playout, all_playouts, places, playouts


def seats_of(match: Playout) -> Iterator[Seat]:
    return map(Seat, range(match.seats))


def due(state: State) -> list[EndReason]:
    """Return why a match that stands so is over."""
    found: list[EndReason] = []
    if any(len(player.cheese) >= state.options.cheese_target for player in state.players):
        found.append("cheese_target")
    if any(player.trapped >= 3 for player in state.players):
        found.append("third_mouse")
    return found


@given(match=playouts)
def test_invariant_14_only_the_active_seat_decides_and_may_always_end_its_turn(
    match: Playout,
) -> None:
    for step in match.steps:
        state = step.before
        assert GAME.to_act(state) == (state.active,) == (step.seat,)
        for seat in seats_of(match):
            moves = GAME.legal_moves(state, seat)
            assert bool(moves) == (seat == state.active)
            assert (EndTurn() in moves) == (seat == state.active and state.stage == "turn")
        assert GAME.outcome(state) is None
    assert match.final.stage == "finished"
    assert GAME.to_act(match.final) == ()
    assert not any(GAME.legal_moves(match.final, seat) for seat in seats_of(match))


@given(match=playouts, at=places, elsewhere=places)
def test_invariant_14_exactly_the_listed_moves_are_accepted(
    match: Playout, at: int, elsewhere: int
) -> None:
    step, other = match.step(at), match.step(elsewhere)
    legal = GAME.legal_moves(step.before, step.seat)
    for move in legal:
        draft = GAME.play(step.before, step.seat, move, NoLuck())
        assert draft.events
        assert fold(GAME.evolve, step.before, draft.events) == draft.state
    for move in GAME.legal_moves(other.before, other.seat):
        if move not in legal:
            with pytest.raises(EngineError):
                GAME.play(step.before, step.seat, move, NoLuck())
    with pytest.raises(EngineError):
        GAME.play(step.before, Seat((step.seat + 1) % match.seats), legal[0], NoLuck())


@given(match=playouts)
def test_invariant_14_seats_take_turns_clockwise(match: Playout) -> None:
    first = match.final.start_seat
    for step, seat in zip(match.steps, range(match.seats), strict=False):
        assert (step.before.stage, step.seat) == ("placement", (first + seat) % match.seats)
        assert (step.before.turn, step.before.round) == (-1, -1)
    turns = 0
    for before, event, after in match.of(TurnStarted):
        expected = (turns, (first + turns) % match.seats, turns // match.seats)
        assert (event.turn, event.seat, event.round) == expected
        assert (after.turn, after.active, after.round) == expected
        assert before.stage in {"placement", "turn"}
        turns += 1
    assert turns == match.final.turn + 1


@given(match=playouts)
def test_invariant_14_a_turn_ends_by_itself_or_when_its_seat_says_so(match: Playout) -> None:
    for step in match.steps[match.seats :]:
        kinds = [type(event) for event in step.events]
        has_ended = TurnEnded in kinds
        has_won = GameEnded in kinds and not has_ended
        costs = sum(event.cost for event in step.events if isinstance(event, Action))
        is_spent = step.move == EndTurn() or costs == step.before.actions_left
        assert has_ended == (is_spent and not has_won)
        assert has_won == bool(due(step.after))
        if has_ended:
            replaced = [RoofsReplaced] * (RoofsReplaced in kinds)
            following = TurnStarted if step.after.ending is None else GameEnded
            tail = [*replaced, TurnEnded, following]
            assert kinds[-len(tail) :] == tail


def comes_before(state: State, one: int, other: int) -> bool:
    """Return whether the seat *one* ranks before the *other*."""
    lost = [player.trapped >= 3 for player in state.players]
    if lost[one] != lost[other]:
        return lost[other]
    kinds = [len(player.cheese) for player in state.players]
    if kinds[one] != kinds[other]:
        return kinds[one] > kinds[other]
    clockwise = [(state.active + offset) % state.seats for offset in range(1, state.seats + 1)]
    return clockwise.index(one) < clockwise.index(other)


@given(match=playouts)
def test_invariant_15_the_ranking_is_a_strict_order_of_all_seats(match: Playout) -> None:
    final = match.final
    assert final.ending is not None
    ranking = final.ending.ranking
    assert sorted(ranking) == list(range(match.seats))
    for at, seat in enumerate(ranking):
        assert all(comes_before(final, seat, later) for later in ranking[at + 1 :])
    winner = final.players[ranking[0]]
    assert winner.trapped < 3 or all(player.trapped >= 3 for player in final.players)
    outcome = GAME.outcome(final)
    assert outcome is not None
    assert outcome.places == tuple(ranking.index(seat) + 1 for seat in seats_of(match))
    assert outcome.winners == (ranking[0],)


@given(match=playouts)
def test_invariant_15_the_match_ends_for_the_reasons_that_it_gives(match: Playout) -> None:
    final, limit = match.final, match.options.round_limit
    assert final.ending is not None
    reasons = list(final.ending.reasons)
    if reasons == ["round_limit"]:
        assert final.turn == limit * match.seats - 1
        assert not due(final)
    else:
        assert reasons == due(final)
        assert limit == 0 or final.turn < limit * match.seats
    *_, last = match.events
    assert isinstance(last, GameEnded)
    assert (last.reasons, last.ranking) == (final.ending.reasons, final.ending.ranking)


def test_invariant_15_every_reason_is_among_the_matches() -> None:
    endings = [match.final.ending for match in all_playouts()]
    assert {reason for ending in endings if ending for reason in ending.reasons} == {
        "cheese_target",
        "third_mouse",
        "round_limit",
    }


@given(match=playouts)
def test_invariant_16_the_events_rebuild_the_states(match: Playout) -> None:
    state = fold(GAME.evolve, GAME.initial(match.options, match.seats), match.opening)
    for step in match.steps:
        assert step.before == state
        state = fold(GAME.evolve, state, step.events)
        assert step.after == state


@given(match=playouts)
def test_invariant_16_every_event_tells_its_turn(match: Playout) -> None:
    for moment in match.moments:
        has_started = isinstance(moment.event, TurnStarted)
        assert moment.event.turn == moment.after.turn == moment.before.turn + has_started


@given(match=playouts)
def test_invariant_17_a_match_goes_on_only_below_its_limits(match: Playout) -> None:
    for step in match.steps:
        for player in step.before.players:
            assert player.trapped <= 2
            assert len(player.cheese) <= match.options.cheese_target - 1
