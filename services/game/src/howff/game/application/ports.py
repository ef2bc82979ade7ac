"""What the application needs from outside."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Protocol

from howff.contracts.matches import (
    DecisionDue,
    MatchEnded,
    MatchRefused,
    MatchStarted,
)
from howff.match.commit import Commit, MatchId
from howff.match.match import Match
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore.store import Recorded, StreamId

MatchAggregates = Aggregates[Match, Commit]
Told = MatchStarted | MatchRefused | MatchEnded | DecisionDue


class Seeds(Protocol):
    """The seeds of matches: nobody else may read them."""

    async def prepare(self, match: MatchId) -> bytes:
        """Return the seed of *match*, made now if there was none; always the same one.

        Raises:
            SeedDiscardedError: it was thrown away.
        """
        ...

    async def claim(self, match: MatchId) -> bytes:
        """Return the seed of *match* likewise, for its start: from now on nobody discards it.

        Raises:
            SeedDiscardedError: it was thrown away.
        """
        ...

    async def discard(self, match: MatchId) -> None:
        """Throw the seed of *match* away for good, whether there is one or not.

        Raises:
            MatchStartedError: it was claimed.
        """
        ...

    async def seed_of(self, match: MatchId) -> bytes | None:
        """Return the seed of *match*, or None if none was ever prepared."""
        ...


class Publisher(Protocol):
    """Tells other services what has happened."""

    async def publish(self, message: Told) -> None:
        """Publish *message* for good; one of its kind and match at most once, where that counts."""
        ...


class Schedules(Protocol):
    """What is to come at a set time, one a match."""

    async def put(self, key: str, at: datetime, rank: int) -> None:
        """Let something come for *key* at this time, unless one of a higher *rank* is set."""
        ...

    async def clear(self, key: str, rank: int) -> None:
        """Let nothing come for *key*, unless something of a higher *rank* is set."""
        ...

    async def keys(self) -> set[str]:
        """Return the keys for which something is to come."""
        ...


class Turns(Protocol):
    """Whom matches wait for, for others to read."""

    async def put(self, key: str, value: bytes | None, rank: int) -> None:
        """Keep *value* for a match, or nothing, unless something as new as *rank* is kept."""
        ...


class Register(Protocol):
    """A set of keys that all processes share."""

    async def add(self, key: str) -> None: ...
    async def remove(self, key: str) -> None: ...
    async def keys(self) -> set[str]: ...


class Subscription(Protocol):
    """Somebody listens to the commits of one stream."""

    async def end(self) -> None: ...


class Committed(Protocol):
    """Brings commits of a stream soon after they were recorded; it may lose some."""

    async def subscribe(
        self, stream: StreamId, receive: Callable[[Recorded[Commit]], Awaitable[None]]
    ) -> Subscription:
        """Call *receive*, one after the other, with what is recorded from now on."""
        ...
