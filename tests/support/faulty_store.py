"""A store that fails as JetStream does: what was sent may land, early, late or never, unanswered.

What is refused or out of reach for sure was not recorded; what got no answer may have been, or
may still be, when whoever asked has long given up.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import Final

from howff.servicekit.eventstore.errors import (
    ConflictError,
    EventStoreError,
    UnavailableError,
    UnknownOutcomeError,
)
from howff.servicekit.eventstore.memory import MemoryStore
from howff.servicekit.eventstore.store import Mark, Recorded, StreamId
from support.ledger import FORM, Entry
from support.rng import LocalRng

ANSWER_WITHIN: Final = 2.0
LATEST: Final = 30.0
"""Seconds after which the last of what was sent has landed, or never will."""
LONGEST_OUTAGE: Final = 12.0
HUNDRED: Final = 100


class Fault(Enum):
    """What can go wrong with a call."""

    ANSWER_LOST = "recorded, but no answer comes"
    REQUEST_LOST = "neither recorded nor answered"
    LATE = "recorded some time later, when its sender may have given up"
    BUSY = "refused for another append that is said to be in flight"
    OUTAGE = "refused at once, like all that follow for a while"


@dataclass(frozen=True, slots=True)
class FaultPlan:
    """How many of a hundred calls meet each fault."""

    shares: Mapping[Fault, int]

    @classmethod
    def drawn(cls, rng: LocalRng) -> "FaultPlan":
        """Return a plan in which some faults are frequent, some rare and some absent."""
        return cls({fault: rng.roll("share", (0, 0, 3, 10, 25)) for fault in Fault})

    def fault(self, rng: LocalRng) -> Fault | None:
        """Return the fault that a call meets, if it meets any."""
        drawn = rng.draw("fault", HUNDRED)
        for fault, share in self.shares.items():
            if drawn < share:
                return fault
            drawn -= share
        return None


class FaultyStore:
    """A store in memory whose calls take time and meet the faults of a plan, until it is healed."""

    def __init__(self, rng: LocalRng, plan: FaultPlan) -> None:
        self.inner = MemoryStore(FORM)
        self._rng = rng
        self._plan: FaultPlan | None = plan
        self._reachable_at = 0.0
        self._under_way: set[asyncio.Task[None]] = set()

    async def heal(self) -> None:
        """Let whatever is under way land, and let nothing fail from now on."""
        self._plan = None
        self._reachable_at = 0.0
        if self._under_way:
            await asyncio.wait(self._under_way)

    async def append(self, stream: StreamId, commit: Entry, after: Mark) -> Mark:
        """Record *commit*, or fail."""
        self._check_reachable()
        fault = self._fault()
        if fault is not None:
            raise await self._failed_append(fault, stream, commit, after)
        await self._travel()
        mark = await self.inner.append(stream, commit, after)
        await self._travel()
        return mark

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[Entry]]:
        """Return the newest commits, or fail."""
        await self._reach()
        recorded = await self.inner.tail(stream, after)
        await self._travel()
        return recorded

    async def read(self, stream: StreamId, at: Mark) -> Entry:
        """Return one commit, or fail."""
        await self._reach()
        commit = await self.inner.read(stream, at)
        await self._travel()
        return commit

    async def _reach(self) -> None:
        """Bring a question to the store, or fail."""
        self._check_reachable()
        fault = self._fault()
        if fault is Fault.OUTAGE:
            raise self._outage()
        if fault in {Fault.REQUEST_LOST, Fault.ANSWER_LOST}:
            await asyncio.sleep(ANSWER_WITHIN)
            raise UnavailableError(expected="an answer in time", found="none")
        await self._travel()

    async def _failed_append(
        self, fault: Fault, stream: StreamId, commit: Entry, after: Mark
    ) -> EventStoreError:
        match fault:
            case Fault.BUSY:
                await self._travel()
                return ConflictError(stream, after.version)
            case Fault.OUTAGE:
                return self._outage()
            case Fault.ANSWER_LOST:
                await self._travel()
                with suppress(ConflictError):
                    await self.inner.append(stream, commit, after)
            case Fault.LATE:
                self._land_later(stream, commit, after)
            case Fault.REQUEST_LOST:
                pass
        await asyncio.sleep(ANSWER_WITHIN)
        return UnknownOutcomeError(stream)

    def _land_later(self, stream: StreamId, commit: Entry, after: Mark) -> None:
        async def landing() -> None:
            await asyncio.sleep(self._seconds(LATEST) ** 2 / LATEST)  # most of them soon
            with suppress(ConflictError):
                await self.inner.append(stream, commit, after)

        task = asyncio.get_running_loop().create_task(landing())
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    def _fault(self) -> Fault | None:
        return None if self._plan is None else self._plan.fault(self._rng)

    async def _travel(self) -> None:
        await asyncio.sleep(self._seconds(0.005))

    def _outage(self) -> UnavailableError:
        now = asyncio.get_running_loop().time()
        self._reachable_at = now + self._seconds(LONGEST_OUTAGE)
        return UnavailableError(expected="a connection", found="none")

    def _check_reachable(self) -> None:
        if asyncio.get_running_loop().time() < self._reachable_at:
            raise UnavailableError(expected="a connection", found="none")

    def _seconds(self, most: float) -> float:
        return most * self._rng.draw("seconds", 1000) / 1000
