"""Random matches of Trödler, played once and shared by many tests."""

import os
from dataclasses import dataclass, field
from functools import lru_cache

from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.events import Event
from howff.engine.games.troedler.moves import EndTurn, Move
from howff.engine.games.troedler.state import Options, State
from howff.engine.seats import Seat
from support.rng import LocalRng

OPTIONS = (Options(), Options(dealing="auto"), Options(memory="open"))
SEEDS = 100 if os.environ.get("HOWFF_LONG") else 3
"""How many matches of each number of seats there are to choose from."""


@dataclass(frozen=True, slots=True)
class Moment:
    """An event, with the states before and after it."""

    before: State
    event: Event
    after: State


@dataclass(frozen=True, slots=True)
class Step:
    """A move and what it caused."""

    state: State
    seat: Seat
    move: Move
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Playout:
    """A match from the first event to the last."""

    options: Options
    seats: int
    seed: int
    opening: tuple[Event, ...] = field(repr=False)
    steps: tuple[Step, ...] = field(repr=False)
    moments: tuple[Moment, ...] = field(repr=False)

    def _repr_pretty_(self, printer: RepresentationPrinter, _cycle: bool) -> None:  # noqa: FBT001
        """Tell Hypothesis how to show the match: by what gives it."""
        printer.text(f"playout({self.seats}, {self.seed})")

    @property
    def final(self) -> State:
        return self.moments[-1].after


@lru_cache(maxsize=3 * 6)
def playout(seats: int, seed: int) -> Playout:
    """Return the random match of *seats* seats that *seed* gives."""
    rng = LocalRng(seed)
    options = OPTIONS[seed % len(OPTIONS)]
    draft = GAME.start(options, seats, rng)
    opening = tuple(draft.events)
    steps: list[Step] = []
    state = draft.state
    while state.active is not None:
        seat = state.active
        move = _move(state, seat, rng)
        draft = GAME.decide(state, seat, move, rng)
        steps.append(Step(state, seat, move, tuple(draft.events)))
        state = draft.state
    events = (*opening, *(event for step in steps for event in step.events))
    return Playout(options, seats, seed, opening, tuple(steps), _moments(options, seats, events))


def _move(state: State, seat: Seat, rng: LocalRng) -> Move:
    """Draw a legal move; of two draws, the first that does not end the turn."""
    legal = GAME.legal_moves(state, seat)
    first = rng.roll("move", legal)
    return rng.roll("move", legal) if first == EndTurn() else first


def _moments(options: Options, seats: int, events: tuple[Event, ...]) -> tuple[Moment, ...]:
    moments: list[Moment] = []
    state = GAME.initial(options, seats)
    for event in events:
        after = GAME.evolve(state, event)
        moments.append(Moment(state, event, after))
        state = after
    return tuple(moments)


playouts = st.builds(playout, st.sampled_from((2, 3, 4)), st.integers(0, SEEDS - 1))
strict_playouts = playouts.filter(lambda match: match.options.memory == "strict")
places = st.integers(0, 10_000)
"""Steps of a match, counted round and round."""
