"""What holds of whole matches: turns, determinism, symmetry of the seats, and the three endings."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import pytest
from hypothesis import given

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.events import TurnEnded
from howff.engine.games.highland_clans.moves import (
    AcquireEstate,
    EndActions,
    Move,
    PlayBard,
    Raid,
    RedrawCubes,
)
from howff.engine.games.highland_clans.state import EndReason, Options, RunningRaid, State
from howff.engine.play import fold
from howff.engine.seats import Seat, Viewer
from support.highland_clans_playouts import OPTIONS, Playout, places, playouts
from support.rng import LocalRng
from support.texts import of

T = TypeVar("T")
Policy = Callable[[tuple[Move, ...], LocalRng], Move]

HOARDING = (Raid, PlayBard, AcquireEstate, EndActions, RedrawCubes)
"""What seats don't do that keep all they get."""


@given(match=playouts)
def test_invariant_14_all_seats_have_had_as_many_turns(match: Playout) -> None:
    turns = Counter(event.seat for event in of(match.events, TurnEnded))
    assert match.final.ending is not None
    assert set(turns) == set(range(match.seats))
    most_apart = 1 if match.final.ending.reason == "bag_exhausted" else 0
    assert max(turns.values()) - min(turns.values()) <= most_apart


@given(match=playouts)
def test_invariant_15_the_events_rebuild_the_states(match: Playout) -> None:
    state = fold(GAME.evolve, GAME.initial(match.options, match.seats), match.opening)
    for step in match.steps:
        assert step.before == state
        state = fold(GAME.evolve, state, step.events)
        assert step.after == state


@given(match=playouts, at=places)
def test_invariant_15_the_same_luck_gives_the_same_events(match: Playout, at: int) -> None:
    step = match.steps[at % len(match.steps)]
    before = repr(step.before)
    for move in GAME.legal_moves(step.before, step.seat):
        once, again = (GAME.decide(step.before, step.seat, move, LocalRng(2)) for _ in range(2))
        assert (once.events, once.state) == (again.events, again.state)
    assert repr(step.before) == before


class Rotation:
    """Gives every seat the number of another, so many places to the left."""

    def __init__(self, seats: int, places: int) -> None:
        self._seats, self._places = seats, places

    def seat(self, seat: Seat) -> Seat:
        return Seat((seat + self._places) % self._seats)

    def viewer(self, seat: Viewer) -> Viewer:
        return None if seat is None else self.seat(seat)

    def by_seat(self, items: tuple[T, ...]) -> tuple[T, ...]:
        """Return *items*, one a seat, each in its new place."""
        return tuple(items[at - self._places] for at in range(self._seats))

    def move(self, move: Move) -> Move:
        if isinstance(move, Raid | PlayBard):
            return replace(move, target=self.seat(move.target))
        return move

    def raid(self, raid: RunningRaid) -> RunningRaid:
        fights = (replace(each, winner=self.viewer(each.winner)) for each in raid.fights)
        attacker, defender = self.seat(raid.attacker), self.seat(raid.defender)
        return replace(raid, attacker=attacker, defender=defender, fights=tuple(fights))

    def state(self, state: State) -> State:
        turn, raid, ending = state.turn, state.raid, state.ending
        return replace(
            state,
            start_seat=self.viewer(state.start_seat),
            turn=turn and replace(turn, seat=self.seat(turn.seat)),
            players=self.by_seat(state.players),
            marker=self.viewer(state.marker),
            raid=raid and self.raid(raid),
            owed=tuple(replace(debt, seat=self.seat(debt.seat)) for debt in state.owed),
            ending=ending and replace(ending, ranking=self.by_seat(ending.ranking)),
        )


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("seats", GAME.seats)
def test_invariant_15_rotating_the_seats_rotates_everything(options: Options, seats: int) -> None:
    rng = LocalRng(seats)
    rotation = Rotation(seats, 1 + rng.draw("places", seats - 1))
    state = GAME.start(options, seats, rng).state
    other = rotation.state(state)
    assert other != state
    luck, same_luck = LocalRng("luck"), LocalRng("luck")
    while to_act := GAME.to_act(state):
        seat = rng.roll("seat", to_act)
        move = rng.roll("move", GAME.legal_moves(state, seat))
        state = GAME.play(state, seat, move, luck).state
        other = GAME.play(other, rotation.seat(seat), rotation.move(move), same_luck).state
        assert other == rotation.state(state)
    outcome, rotated = GAME.outcome(state), GAME.outcome(other)
    assert outcome is not None
    assert rotated is not None
    assert rotated.places == rotation.by_seat(outcome.places)
    assert rotated.figures == rotation.by_seat(outcome.figures)


def hoarding(legal: tuple[Move, ...], rng: LocalRng) -> Move:
    """Keep the peace, and as many cubes as possible."""
    peaceful = tuple(move for move in legal if not isinstance(move, HOARDING))
    return rng.roll("move", peaceful or legal)


def destroying(legal: tuple[Move, ...], rng: LocalRng) -> Move:
    """Take estates while there are any, and otherwise what others have."""
    for kind in (AcquireEstate, PlayBard, Raid):
        if wanted := tuple(move for move in legal if isinstance(move, kind)):
            return rng.roll("move", wanted)
    return rng.roll("move", legal)


def at_random(legal: tuple[Move, ...], rng: LocalRng) -> Move:
    return rng.roll("move", legal)


def final_state(policy: Policy, seats: int, seed: int) -> State:
    """Return the end of a match whose seats all follow *policy*."""
    rng = LocalRng(seed)
    state = GAME.start(Options(), seats, rng).state
    while to_act := GAME.to_act(state):
        seat = rng.roll("seat", to_act)
        state = GAME.play(state, seat, policy(GAME.legal_moves(state, seat), rng), rng).state
    return state


def is_due(state: State, reason: EndReason) -> bool:
    """Return whether a match that stands so has to end for this reason."""
    match reason:
        case "bag_exhausted":
            return state.bag.total < 6
        case "supply_exhausted":
            return state.supply == 0 and max(state.scores) >= 30
        case "estate_number":
            return 30 <= state.revealed[-1] <= max(state.scores)


@pytest.mark.parametrize(
    ("policy", "reason"),
    [
        (hoarding, "bag_exhausted"),
        (destroying, "supply_exhausted"),
        (at_random, "estate_number"),
    ],
)
def test_each_way_of_play_leads_to_its_ending(policy: Policy, reason: EndReason) -> None:
    finals = [final_state(policy, 5, seed) for seed in range(15)]
    assert reason in {state.ending.reason for state in finals if state.ending}
    for state in finals:
        assert state.ending is not None
        assert is_due(state, state.ending.reason)
        ranks = [1 + sum(other > score for other in state.scores) for score in state.scores]
        assert state.ending.ranking == tuple(ranks)
