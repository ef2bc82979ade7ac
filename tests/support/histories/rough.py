"""Real parts of the service on rough ground: answers get lost, messages come late, twice or never.

What JetStream does under faults now and then, these do all the time, so that short runs meet it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final

import pytest
from nats.aio.client import Client

from howff.game.adapters.messages import CommittedSubjects
from howff.game.application.ports import Subscription
from howff.match.commit import Commit
from howff.match.match import Match
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore.errors import (
    ConflictError,
    EventStoreError,
    UnavailableError,
    UnknownOutcomeError,
)
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.store import CommitForm, Mark, Recorded, StreamId
from howff.servicekit.nats.connection import Connection
from support.rng import LocalRng

HUNDRED: Final = 100
PATIENCE: Final = 3.0
"""Seconds for which the service tries, so that what never ends is noticed soon."""
Replacements = Mapping[str, Any]
"""What stands in the place of what, by the module and the name under which it is looked up."""
APP: Final = "howff.game.app"


class RoughStore(JetStreamStore[Commit]):
    """Keeps what JetStream keeps, and answers as it does when servers fail."""

    def __init__(
        self, client: Client, name: str, form: CommitForm[Commit], *, rng: LocalRng
    ) -> None:
        super().__init__(client, name, form)
        self.rng = rng
        self.under_way: set[asyncio.Task[None]] = set()

    async def append(self, stream: StreamId, commit: Commit, after: Mark) -> Mark:
        """Record *commit*; or not, or later, or without an answer."""
        match self.rng.draw("append", 16):
            case 0:  # the answer is lost
                await super().append(stream, commit, after)
                raise UnknownOutcomeError(stream)
            case 1:  # the request is lost
                raise UnknownOutcomeError(stream)
            case 2:
                self.later(super().append(stream, commit, after))
                raise UnknownOutcomeError(stream)
            case 3:  # another one is said to be in flight
                raise ConflictError(stream, after.version)
            case 4:
                raise UnavailableError(expected="a connection", found="none")
            case _:
                return await super().append(stream, commit, after)

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[Commit]]:
        """Return what follows, or say that nobody can be reached."""
        if not self.rng.draw("tail", 30):
            raise UnavailableError(expected="an answer in time", found="none")
        return await super().tail(stream, after)

    async def read(self, stream: StreamId, at: Mark) -> Commit:
        """Return the commit that stands there, or say that nobody can be reached."""
        if not self.rng.draw("read", 30):
            raise UnavailableError(expected="an answer in time", found="none")
        return await super().read(stream, at)

    def later(self, landing: Coroutine[Any, Any, object]) -> None:
        """Let what was sent land when its sender has given it up."""

        async def landed() -> None:
            await asyncio.sleep(self.rng.draw("late", 50) / 1000)
            with suppress(EventStoreError):
                await landing

        task = asyncio.create_task(landed())
        self.under_way.add(task)
        task.add_done_callback(self.under_way.discard)


class RoughSubjects(CommittedSubjects):
    """Tells commits again, but some never, some late, and some twice."""

    def __init__(self, connection: Connection, *, rng: LocalRng) -> None:
        super().__init__(connection)
        self._rng = rng

    async def subscribe(
        self, stream: StreamId, receive: Callable[[Recorded[Commit]], Awaitable[None]]
    ) -> Subscription:
        """Call *receive* with most of what is recorded from now on."""

        async def mostly(recorded: Recorded[Commit]) -> None:
            drawn = self._rng.draw("told", 8)
            if drawn == 0:
                return
            if drawn == 1:
                await asyncio.sleep(0.02)
            for _ in range(2 if drawn == 2 else 1):
                await receive(recorded)

        return await super().subscribe(stream, mostly)


@contextmanager
def on_rough_ground(seed: str, replacements: Replacements) -> Iterator[None]:
    """Let replicas that start now be made of rough parts, or of their *replacements*."""
    parts = {f"{APP}.{name}": part for name, part in _ROUGH.items()} | dict(replacements)
    for name in ("JetStreamStore", "CommittedSubjects"):
        parts[f"{APP}.{name}"] = partial(parts[f"{APP}.{name}"], rng=LocalRng(f"{seed}/{name}"))
    parts[f"{APP}.Aggregates"] = partial(parts[f"{APP}.Aggregates"], patience=PATIENCE)
    with pytest.MonkeyPatch.context() as patch:
        for name, part in parts.items():
            patch.setattr(name, part)
        yield


_ROUGH: Final[Replacements] = {
    "JetStreamStore": RoughStore,
    "CommittedSubjects": RoughSubjects,
    "Aggregates": Aggregates[Match, Commit],
}
