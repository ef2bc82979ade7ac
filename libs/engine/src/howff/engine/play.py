"""Folding events into states, and drafting the events of a decision."""

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

S = TypeVar("S")
E = TypeVar("E")


def fold(evolve: Callable[[S, E], S], state: S, events: Iterable[E]) -> S:
    """Return the state that *events* lead to from *state*."""
    for event in events:
        state = evolve(state, event)
    return state


class Draft(Generic[S, E]):
    """The events decided so far, and the state they lead to.

    What is decided next always sees what was decided before, and whoever takes a decision over
    (a search, a playout) has the state at hand without folding the events a second time.
    """

    __slots__ = ("_evolve", "events", "state")

    def __init__(self, state: S, evolve: Callable[[S, E], S]) -> None:
        self.state = state
        self.events: list[E] = []
        self._evolve = evolve

    def add(self, event: E) -> None:
        """Record *event* and move on to the state after it."""
        self.events.append(event)
        self.state = self._evolve(self.state, event)
