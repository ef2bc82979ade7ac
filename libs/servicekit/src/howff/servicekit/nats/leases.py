"""Leases: of many processes that could do a work, one does it at a time.

The holder renews its lease again and again; the others take it over when they have seen it
unchanged for as long as their patience lasts, each by its own monotonic clock. So clocks are never
compared between machines, and they need to run equally fast only within a quarter.

A lease spares work; it is no lock. Between its holder's last look at it and what the holder does
then, any time may pass, and another may hold it by then. So whatever is done under a lease has to
be right without it too: by commands under ids of their own, on versions that are expected.
"""

import logging
import time
from collections.abc import Awaitable, Callable
from typing import Final

from howff.engine.errors import RefusalError
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.kv import Bucket
from howff.servicekit.nats.loops import ReadingLoop
from howff.servicekit.retries import log_failure
from howff.servicekit.stopping import Stoppable

logger = logging.getLogger(__name__)

PATIENCE: Final = 5.0
"""Seconds for which the others watch a lease that is not renewed any more."""
_BELIEF: Final = 0.75
"""The part of that for which the holder relies on its last renewal, from before it asked for it."""
_INTERVAL: Final = 0.2
"""The part of that between two renewals, or two looks at the lease."""
_FREE: Final = b""


class Lease(ReadingLoop):
    """The lease under one key of a bucket, as one process sees it; *holder* is its own name.

    While `run` does, the process holds the lease or waits for it. One that was killed is replaced
    within *patience* and an interval of a fifth of it, one that was stopped within the interval.
    """

    def __init__(
        self,
        connection: Connection,
        bucket: Bucket,
        key: str,
        *,
        holder: str,
        patience: float = PATIENCE,
    ) -> None:
        super().__init__(connection, f"lease {key!r}")
        self._bucket = bucket
        self._key = key
        self._own = f"{holder} ".encode()
        self._patience = patience
        self._renewals = 0
        self._asked_at = 0.0
        self._held_until = 0.0
        self._seen: tuple[bytes, float] | None = None
        """What another holder has stored, and since when it is known to stand there."""

    @property
    def is_held(self) -> bool:
        """Whether this process holds the lease: nobody else does at the same time."""
        return time.monotonic() < self._held_until

    async def _round(self) -> None:
        while not self._stopping.is_set():
            await self._attend()
            await self._pause(_INTERVAL * self._patience)
        await self._release()

    async def _attend(self) -> None:
        """Renew the lease, take it over, or see whether another one has."""
        was_held = self.is_held
        stored = await self._bucket.change(self._key, self._next)
        is_own = self._is_own(stored)
        self._held_until = self._asked_at + _BELIEF * self._patience if is_own else 0.0
        if self.is_held != was_held:
            logger.info("%s is %s", self._name, "held" if is_own else "another's")

    def _next(self, standing: bytes | None) -> bytes:
        """Return what is to be stored where *standing* is: that again, if it is another's."""
        self._asked_at = time.monotonic()
        if standing and not self._is_own(standing) and not self._is_given_up(standing):
            return standing
        self._renewals += 1
        return self._own + str(self._renewals).encode()

    def _is_own(self, stored: bytes) -> bool:
        return stored.startswith(self._own)

    def _is_given_up(self, standing: bytes) -> bool:
        """Tell whether another holder's lease was seen unchanged for long enough."""
        if self._seen is None or self._seen[0] != standing:
            self._seen = standing, self._asked_at
        return self._asked_at - self._seen[1] >= self._patience

    async def _release(self) -> None:
        """Let another one have the lease at once, if it can be told."""
        self._held_until = 0.0
        if self._connection.client.is_connected:
            await self._bucket.change(self._key, self._released)

    def _released(self, standing: bytes | None) -> bytes:
        return standing if standing and not self._is_own(standing) else _FREE


class LeasedWork(Stoppable):
    """Does a *work* again and again, so many seconds apart, for as long as a lease is held.

    A refusal ends one round of it, not the next.
    """

    def __init__(
        self, lease: Lease, work: Callable[[], Awaitable[None]], *, name: str, seconds: float
    ) -> None:
        super().__init__()
        self._lease = lease
        self._work = work
        self._name = name
        self._seconds = seconds

    async def _rounds(self) -> None:
        while not self._stopping.is_set():
            if self._lease.is_held:
                await self._round()
            await self._pause(self._seconds)

    async def _round(self) -> None:
        try:
            await self._work()
        except RefusalError as error:
            log_failure(self._name, error)
