"""Random matches of Dale of Merchants, played once and shared by many tests."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from hypothesis import strategies as st
from hypothesis.vendor.pretty import RepresentationPrinter

from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import SetId
from howff.engine.games.dale_of_merchants.events import Event
from howff.engine.games.dale_of_merchants.moves import Move
from howff.engine.games.dale_of_merchants.state import Options, State
from howff.engine.seats import Seat
from support.playouts import play_out

SETS: Final[dict[int, tuple[tuple[SetId, ...], ...]]] = {
    2: (("raccoons", "ocelots", "chameleons"), ("macaws", "pandas", "squirrels")),
    3: (
        ("raccoons", "ocelots", "chameleons", "squirrels"),
        ("macaws", "pandas", "squirrels", "chameleons"),
    ),
    4: (
        ("macaws", "raccoons", "squirrels", "ocelots", "chameleons"),
        ("macaws", "pandas", "raccoons", "squirrels", "ocelots"),
    ),
}
"""The sets of the matches, in turn: the copiers most often, as they are the hardest."""
SEEDS: Final = 100 if os.environ.get("HOWFF_LONG") else 4
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

    before: State
    seat: Seat
    move: Move
    events: tuple[Event, ...]
    after: State


@dataclass(frozen=True, slots=True, eq=False)
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
    def states(self) -> Iterator[State]:
        """The states in which somebody is to act, and the last one."""
        yield self.steps[0].before
        yield from (step.after for step in self.steps)

    @property
    def final(self) -> State:
        return self.moments[-1].after


@lru_cache(maxsize=3 * 4)
def playout(seats: int, seed: int) -> Playout:
    """Return the random match of *seats* seats that *seed* gives."""
    sets = SETS[seats]
    options = Options(sets=sets[seed % len(sets)])
    opening, *others = play_out(GAME, options, seats, seed).steps
    steps = tuple(
        Step(each.before, Seat(each.seat), each.move, each.events, each.after)
        for each in others
        if each.seat is not None
    )
    events = (*opening.events, *(event for step in steps for event in step.events))
    return Playout(options, seats, seed, opening.events, steps, _moments(options, seats, events))


def _moments(options: Options, seats: int, events: tuple[Event, ...]) -> tuple[Moment, ...]:
    moments: list[Moment] = []
    state = GAME.initial(options, seats)
    for event in events:
        after = GAME.evolve(state, event)
        moments.append(Moment(state, event, after))
        state = after
    return tuple(moments)


playouts = st.builds(playout, st.sampled_from(tuple(GAME.seats)), st.integers(0, SEEDS - 1))
places = st.integers(0, 10_000)
"""Steps of a match, counted round and round."""
