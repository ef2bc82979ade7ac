"""A connection to NATS that tells when it is lost, and never keeps what it could not send.

The client's own defaults would buffer messages while disconnected and send them long after their
sender gave up, give a server up after sixty tries, and notice a dead line after minutes.
"""

import asyncio
import contextlib
import logging
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, Self

import nats.errors
from nats.js import JetStreamContext
from nats.js.api import StreamConfig

from howff.servicekit.nats.client import PromptClient
from howff.servicekit.nats.errors import ConnectionLostError, NotConnectedError
from howff.servicekit.telemetry.failures import failure_text

logger = logging.getLogger(__name__)

CONNECTED_WITHIN: Final = 10.0
ANSWER_WITHIN: Final = 2.0
"""Seconds for an answer of JetStream; an election takes longer and is waited for by retries."""
WATCH_INTERVAL: Final = 0.25
RECONNECT_WAIT: Final = 0.2
_OPTIONS: Final[dict[str, Any]] = {
    "pending_size": 0,  # refuse at once while disconnected
    "ping_interval": 5,
    "max_outstanding_pings": 2,
    "max_reconnect_attempts": -1,
    "reconnect_time_wait": RECONNECT_WAIT,
    "connect_timeout": 2,
    "drain_timeout": 5,
}


BROKEN_LINE: Final = (OSError, RuntimeError)
"""What the client lets through when the line breaks while it writes: the socket's own errors, and
that of a transport which is closed already."""
LINE_ERRORS: Final = (nats.errors.Error, *BROKEN_LINE)
"""All that the client may raise where it sends something."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who connects."""

    user: str
    password: str = field(repr=False)

    @classmethod
    def of(cls, user: str | None, password: str | None) -> "Credentials | None":
        """Return those of *user*; None if nobody was named."""
        return None if user is None else cls(user, password or "")


class Connection:
    """A client that is connected, or connects again as soon as a server answers.

    Made by `connect`.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.client = PromptClient()
        self.jetstream: JetStreamContext = self.client.jetstream(timeout=ANSWER_WITHIN)
        self.lost = asyncio.Event()
        """Set when the client has ended for good or reads no more: the process has to end."""
        self.reconnection = asyncio.Event()
        """Set at the next reconnection, which then gets a new event for the one after it."""
        self.required: dict[str, StreamConfig] = {}
        """The streams that were made sure of over this connection, by name."""
        self._watch: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def check_not_lost(self) -> None:
        """Raise if the connection has ended for good.

        Raises:
            ConnectionLostError: it has.
        """
        if self.lost.is_set():
            raise ConnectionLostError(self.name)

    async def wait_lost(self) -> NoReturn:
        """Wait until the connection has ended for good, to end with it whoever waits.

        Raises:
            ConnectionLostError: it has.
        """
        await self.lost.wait()
        raise ConnectionLostError(self.name)

    async def close(self) -> None:
        """Close within seconds; loops that read from the connection have to be stopped before."""
        if self._watch:
            self._watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watch
        while not self.client.is_closed:  # closed while it reconnects, a client may come up again
            with contextlib.suppress(*BROKEN_LINE):  # a line that broke is closed as well
                await self.client.close()

    async def open(self, urls: list[str], within: float, **options: Any) -> None:
        """Connect to one of *urls* within so many seconds; `connect` gives the *options*.

        Raises:
            NotConnectedError: no server could be reached, or none let us in.
        """
        try:
            async with asyncio.timeout(within):
                await self.client.connect(
                    urls,
                    name=self.name,
                    error_cb=self._report,
                    disconnected_cb=self._disconnected,
                    reconnected_cb=self._reconnected,
                    closed_cb=self._closed,
                    **_OPTIONS,
                    **options,
                )
        except (TimeoutError, nats.errors.Error) as error:
            found = str(self.client.last_error or error) or "no answer"
            await self.client.close()
            raise NotConnectedError(self.name, found=found) from error
        self._watch = asyncio.create_task(self._watch_reading(), name=f"watch {self.name}")

    async def _watch_reading(self) -> None:
        """Notice when the task that reads has died, which the client itself takes for connected."""
        while not self.lost.is_set():
            await asyncio.sleep(WATCH_INTERVAL)
            reading = self.client._reading_task  # noqa: SLF001 - nothing public tells it
            if self.client.is_connected and reading is not None and reading.done():
                logger.error("connection %r reads no more", self.name)
                self.lost.set()

    # The client awaits these within its own tasks, so none may raise or wait.

    async def _report(self, error: Exception) -> None:
        """Log what the client tells of; a violation of permissions is known from here alone."""
        is_line_down = isinstance(error, OSError | nats.errors.StaleConnectionError)
        level = logging.DEBUG if is_line_down else logging.ERROR
        told = failure_text(error) or type(error).__name__
        logger.log(level, "connection %r: %s", self.name, told)

    async def _disconnected(self) -> None:
        # What was not yet written would be sent after reconnecting, when its sender has given up.
        self.client.break_off()
        if not self.client.is_closed:
            logger.warning("connection %r is down", self.name)

    async def _reconnected(self) -> None:
        logger.warning("connection %r is up again", self.name)
        reconnection, self.reconnection = self.reconnection, asyncio.Event()
        reconnection.set()

    async def _closed(self) -> None:
        self.lost.set()


async def connect(
    urls: str | list[str],
    *,
    name: str,
    credentials: Credentials | None = None,
    inbox_prefix: str | None = None,
    within: float = CONNECTED_WITHIN,
) -> Connection:
    """Return a connection to the first of *urls* that answers within so many seconds.

    *name* tells whose it is, in logs and on the server. Answers come to subjects under
    *inbox_prefix*, by default `_INBOX_<name>`, which no other service should be able to read.

    Raises:
        NotConnectedError: no server could be reached, or none let us in.
    """
    options: dict[str, Any] = {"inbox_prefix": inbox_prefix or f"_INBOX_{name}"}
    if credentials:
        options |= {"user": credentials.user, "password": credentials.password}
    connection = Connection(name)
    await connection.open([urls] if isinstance(urls, str) else urls, within, **options)
    return connection
