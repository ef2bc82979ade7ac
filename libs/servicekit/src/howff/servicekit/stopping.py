"""Work that goes on for as long as a service lives, and that a flag stops.

To be cancelled would not be enough: what waits in there for an answer by `asyncio.wait_for`, as the
client of NATS does, forgets that it was cancelled when the answer comes just then. And a read that
is cancelled could lose messages.
"""

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress


async def is_set_within(event: asyncio.Event, seconds: float) -> bool:
    """Return whether *event* is set within so many *seconds*.

    Nor is it waited for by `asyncio.wait_for`, which would forget that it was cancelled just then.
    """
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()
    return event.is_set()


class Stoppable(ABC):
    """Goes on until it is stopped, and lets `stop` wait for its end."""

    def __init__(self) -> None:
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()
        self._ended.set()

    async def run(self) -> None:
        """Go on until `stop` is called."""
        self._ended.clear()
        try:
            await self._rounds()
        finally:
            self._ended.set()

    async def stop(self) -> None:
        """Let `run` finish what it has begun and end; return when it has."""
        self._stopping.set()
        await self._ended.wait()

    @abstractmethod
    async def _rounds(self) -> None:
        """Work, round after round, until `_stopping` is set."""

    async def _pause(self, seconds: float) -> None:
        """Wait so many seconds, or until it is to stop."""
        await is_set_within(self._stopping, seconds)
