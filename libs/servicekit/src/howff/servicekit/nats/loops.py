"""Loops that read from NATS for as long as a service lives."""

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from typing import Final

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import NatsUnavailableError

logger = logging.getLogger(__name__)

RETRY_WAIT: Final = 0.2
"""Seconds before a round that ended without an answer is begun again."""


class ReadingLoop(ABC):
    """Runs rounds until it is stopped: by a flag, since a cancelled read could lose messages."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self._stopping = asyncio.Event()
        self._ended = asyncio.Event()
        self._ended.set()

    async def run(self) -> None:
        """Run until `stop` is called, over any number of disconnections.

        Raises:
            ConnectionLostError: the connection has ended for good.
        """
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
    async def _round(self) -> None:
        """Read until the loop is to stop or the server doesn't answer any more.

        Raises:
            NatsUnavailableError: another round may do better.
            ConnectionLostError: no other round will.
        """

    async def _pause(self, seconds: float) -> None:
        """Wait so many seconds, or until the loop is to stop."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), seconds)

    async def _rounds(self) -> None:
        while not self._stopping.is_set():
            self._connection.check_not_lost()
            try:
                await self._round()
            except NatsUnavailableError as error:
                self._report_end(error)
                await self._pause(RETRY_WAIT)

    def _report_end(self, error: NatsUnavailableError) -> None:
        is_up = self._connection.client.is_connected  # else the connection has told it
        logger.log(logging.WARNING if is_up else logging.DEBUG, "%s: %s", self._name, error)
