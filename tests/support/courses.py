"""Random matches in the types of one game, event by event, for the tests of that game."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from hypothesis.vendor.pretty import RepresentationPrinter

from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from support.playouts import play_out

OptionsT = TypeVar("OptionsT")
StateT = TypeVar("StateT")
MoveT = TypeVar("MoveT")
EventT = TypeVar("EventT")
E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Moment(Generic[StateT, EventT]):
    """An event, with the states before and after it."""

    before: StateT
    event: EventT
    after: StateT


@dataclass(frozen=True, slots=True)
class Step(Generic[StateT, MoveT, EventT]):
    """A move and what it caused."""

    before: StateT
    seat: Seat
    move: MoveT
    events: tuple[EventT, ...]
    after: StateT


@dataclass(frozen=True, slots=True, eq=False)
class Course(Generic[OptionsT, StateT, MoveT, EventT]):
    """A match from the first event to the last."""

    options: OptionsT
    seats: int
    seed: int
    opening: tuple[EventT, ...] = field(repr=False)
    steps: tuple[Step[StateT, MoveT, EventT], ...] = field(repr=False)
    moments: tuple[Moment[StateT, EventT], ...] = field(repr=False)

    def _repr_pretty_(self, printer: RepresentationPrinter, _cycle: bool) -> None:  # noqa: FBT001
        """Tell Hypothesis how to show the match: by what gives it."""
        printer.text(f"playout({self.seats}, {self.seed})")

    @property
    def events(self) -> Iterator[EventT]:
        return (moment.event for moment in self.moments)

    @property
    def later_moments(self) -> tuple[Moment[StateT, EventT], ...]:
        """The moments once the opening is drawn."""
        return self.moments[len(self.opening) :]

    @property
    def states(self) -> Iterator[StateT]:
        """The states in which somebody is to act, and the last one."""
        yield self.steps[0].before
        yield from (step.after for step in self.steps)

    @property
    def final(self) -> StateT:
        return self.moments[-1].after

    def step(self, place: int) -> Step[StateT, MoveT, EventT]:
        """Return the step at *place*, counted round and round."""
        return self.steps[place % len(self.steps)]

    def of(self, kind: type[E]) -> Iterator[tuple[StateT, E, StateT]]:
        """Return the events of one *kind*, each between the states before and after it."""
        return (
            (moment.before, moment.event, moment.after)
            for moment in self.moments
            if isinstance(moment.event, kind)
        )


def course_of(game: AnyGame, options: Any, seats: int, seed: int) -> Course[Any, Any, Any, Any]:
    """Return the random match that *seed* gives."""
    opening, *others = play_out(game, options, seats, seed).steps
    steps = tuple(
        Step(each.before, Seat(each.seat), each.move, each.events, each.after)
        for each in others
        if each.seat is not None
    )
    events = (*opening.events, *(event for step in steps for event in step.events))
    moments = tuple(_moments(game, game.initial(options, seats), events))
    return Course(options, seats, seed, opening.events, steps, moments)


def _moments(game: AnyGame, state: Any, events: Iterable[Any]) -> Iterator[Moment[Any, Any]]:
    for event in events:
        after = game.evolve(state, event)
        yield Moment(state, event, after)
        state = after
