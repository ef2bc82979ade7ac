"""Pulling the messages of a consumer: what there is is given at once, however little it is.

The client's own `fetch` waits for a whole batch once the first message has come, so that a message
on a quiet stream would lie around for a second.
"""

import asyncio
import contextlib
import json
from http import HTTPStatus
from typing import Final, Self

from nats.aio.msg import Msg
from nats.aio.subscription import Subscription

from howff.servicekit.nats.connection import LINE_ERRORS, Connection
from howff.servicekit.nats.errors import NatsUnavailableError
from howff.servicekit.nats.streams import answered

STATUS: Final = "Status"
"""The header of what is no message, but the end of a request for some."""
_ENDS: Final = {str(HTTPStatus.NOT_FOUND.value), str(HTTPStatus.REQUEST_TIMEOUT.value)}
"""How a request ends whose time is over."""
_LATE: Final = 0.5
"""Seconds after its time by which the server must have ended a request; else it has lost it."""


class Pulling:
    """Requests for the messages of one consumer, one after the other.

    Made by `opened`. Once it has raised it is of no more use.
    """

    def __init__(self, connection: Connection, request_to: str, inbox: str) -> None:
        self._connection = connection
        self._request_to = request_to
        self._inbox = inbox
        self._came: asyncio.Queue[Msg] = asyncio.Queue()
        self._subscription: Subscription | None = None
        self._asked_for = 0
        """How many messages may come still without another request."""
        self._until = 0.0
        self._reconnection = connection.reconnection
        """Is set once the line is another one than that of the last request."""
        self.heard_at = asyncio.get_running_loop().time()
        """When the server gave its last sign of life: a message, or that there is none."""

    @classmethod
    async def opened(cls, connection: Connection, stream: str, consumer: str) -> Self:
        """Return what pulls the messages of *consumer* of *stream*.

        Raises:
            NatsUnavailableError: the line is down.
        """
        inbox = connection.client.new_inbox()
        pulling = cls(connection, f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{consumer}", inbox)
        subscribing = connection.client.subscribe(inbox, cb=pulling._receive)
        pulling._subscription = await answered("pulling", subscribing)
        return pulling

    async def more(self, room: int, within: float) -> list[Msg]:
        """Return what has come, up to *room* messages; none if none comes in so many seconds.

        None are given too as soon as a request has ended: whoever wants more asks again.

        Raises:
            NatsUnavailableError: the line is down, or the consumer is gone.
            ConnectionLostError: the connection has ended for good.
        """
        if self._asked_for <= 0 or self._is_lost:
            await self._ask(room, within)
        try:
            async with asyncio.timeout(within):
                messages = self._message(await self._came.get())
        except TimeoutError:
            self._connection.check_not_lost()  # else silence would look like a quiet stream
            return []
        while not self._came.empty():
            messages += self._message(self._came.get_nowait())
        return messages

    async def close(self) -> list[Msg]:
        """Pull nothing more; return what has come and was not given."""
        if self._subscription is not None:
            with contextlib.suppress(*LINE_ERRORS):  # it has ended with the line
                await self._subscription.unsubscribe()
        left: list[Msg] = []
        while not self._came.empty():
            message = self._came.get_nowait()
            if not _status_of(message):
                left.append(message)
        return left

    @property
    def _is_lost(self) -> bool:
        """Whether the server knows nothing of the last request any more."""
        is_late = asyncio.get_running_loop().time() > self._until + _LATE
        return is_late or self._reconnection.is_set()

    async def _receive(self, message: Msg) -> None:
        self.heard_at = asyncio.get_running_loop().time()
        self._came.put_nowait(message)

    async def _ask(self, room: int, within: float) -> None:
        self._reconnection = self._connection.reconnection
        request = {"batch": room, "expires": int(within * 1_000_000_000)}
        content = json.dumps(request).encode()
        asking = self._connection.client.publish(self._request_to, content, self._inbox)
        await answered("pulling", asking)
        self._asked_for = room
        self._until = asyncio.get_running_loop().time() + within

    def _message(self, message: Msg) -> list[Msg]:
        """Return *message* alone, or nothing if it says that no more will come."""
        status = _status_of(message)
        if not status:
            self._asked_for -= 1
            return [message]
        self._asked_for = 0
        if status not in _ENDS:
            headers = message.headers or {}
            raise NatsUnavailableError("pulling", found=headers.get("Description", status))
        return []


def _status_of(message: Msg) -> str:
    return (message.headers or {}).get(STATUS, "")
