"""Loops that read from NATS for as long as a service lives."""

import logging
from abc import abstractmethod
from typing import Final

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import NatsUnavailableError
from howff.servicekit.stopping import Stoppable

logger = logging.getLogger(__name__)

RETRY_WAIT: Final = 0.2
"""Seconds before a round that ended without an answer is begun again."""


class ReadingLoop(Stoppable):
    """Runs rounds until it is stopped, over any number of disconnections.

    `run` refuses with `ConnectionLostError` when the connection has ended for good.
    """

    def __init__(self, connection: Connection, name: str) -> None:
        super().__init__()
        self._connection = connection
        self._name = name

    @abstractmethod
    async def _round(self) -> None:
        """Read until the loop is to stop or the server doesn't answer any more.

        Raises:
            NatsUnavailableError: another round may do better.
            ConnectionLostError: no other round will.
        """

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
