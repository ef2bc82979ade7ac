"""Aggregates in tests: given(events).when(command).then(events, or the refusal)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic

from howff.engine.codec import from_tagged, to_tagged
from howff.engine.errors import RefusalError
from howff.servicekit.eventstore.commits import D, E, Kind, S

NOW = datetime.fromisoformat("2026-11-28T20:00:00+00:00")


@dataclass(frozen=True, slots=True)
class Given(Generic[S, D, E]):
    """An aggregate that these events have happened to, at a time."""

    kind: Kind[S, D, E]
    events: tuple[E, ...]
    now: datetime = NOW

    @property
    def state(self) -> S | None:
        return folded(self.kind, None, self.events)

    def when(self, command: D) -> "When[S, D, E]":
        return When(self, command)

    def after(self, *commands: D) -> "Given[S, D, E]":
        """Return the aggregate after *commands*, none of which may be refused."""
        given = self
        for command in commands:
            caused = self.kind.decide(given.state, command, self.now)
            given = Given(self.kind, (*given.events, *caused), self.now)
        return given


@dataclass(frozen=True, slots=True)
class When(Generic[S, D, E]):
    """A command to an aggregate."""

    given: Given[S, D, E]
    command: D

    def then(self, *expected: E | RefusalError) -> S | None:
        """Check what the command causes, or that it is refused so; return what is so after it."""
        try:
            caused = self.given.kind.decide(self.given.state, self.command, self.given.now)
        except RefusalError as refusal:
            assert _told((refusal,)) == _told(expected)  # noqa: PT017 — compared with what is expected
            return self.given.state
        assert caused == expected
        assert _read_back(self.given.kind, caused) == caused
        return folded(self.given.kind, self.given.state, caused)


def folded(kind: Kind[S, D, E], state: S | None, events: tuple[E, ...]) -> S | None:
    """Return the state after *events*."""
    for event in events:
        state = kind.evolve(state, event)
    return state


def _read_back(kind: Kind[S, D, E], events: tuple[E, ...]) -> tuple[E, ...]:
    return tuple(from_tagged(kind.events, to_tagged(each)) for each in events)


def _told(expected: tuple[Any, ...]) -> list[tuple[type, str]]:
    return [(type(each), str(each)) for each in expected]
