"""Reading a stream in its order, as its messages come, by a consumer that lives with the reader."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self

from nats.aio.msg import Msg
from nats.js.api import AckPolicy, ConsumerConfig
from nats.js.errors import NotFoundError

from howff.servicekit import ids
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import NatsUnavailableError
from howff.servicekit.nats.pulling import Pulling
from howff.servicekit.nats.streams import answered

BATCH: Final = 256
NO_MESSAGE: Final = 10037
"""The server's code for a stream that has no such message."""
FORGOTTEN_AFTER: Final = 60.0
"""Seconds after which the server forgets the consumer of a reader that is gone."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message of a stream: where and since when it stands there, and what it tells."""

    position: int
    subject: str
    payload: bytes
    headers: dict[str, str] = field(default_factory=dict)
    recorded_at: datetime | None = None

    @staticmethod
    def of(message: Msg) -> "Delivery":
        """Return what a *message* of a consumer delivers."""
        metadata = message.metadata
        return Delivery(
            metadata.sequence.stream,
            message.subject,
            message.data,
            message.headers or {},
            metadata.timestamp,
        )


class StreamReader:
    """Reads on from where it was opened, without a gap.

    Once it has raised it is of no more use: close it, and open another where this one ended.
    """

    def __init__(
        self,
        connection: Connection,
        pulling: Pulling,
        reconnection: asyncio.Event,
        pending: int,
    ) -> None:
        self._connection = connection
        self._pulling = pulling
        self._reconnection = reconnection
        self._delivered = 0
        self._pending = pending

    @classmethod
    async def opened(cls, connection: Connection, stream: str, start: ConsumerConfig) -> Self:
        """Return a reader of *stream* that begins where *start* says.

        Raises:
            JetStreamRefusedError: there is no such stream.
            NatsUnavailableError: JetStream doesn't answer.
        """
        reconnection = connection.reconnection
        # Named here, so that a server can refuse the names of consumers that are others'; a secret,
        # so that nobody asks for what this reader waits for.
        name = ids.new_id()
        wanted = start.evolve(
            name=name,
            ack_policy=AckPolicy.NONE,
            mem_storage=True,
            inactive_threshold=FORGOTTEN_AFTER,
        )
        jetstream = connection.jetstream
        what = f"reading stream {stream!r}"
        consumer = await answered(what, jetstream.add_consumer(stream, wanted))
        pulling = await Pulling.opened(connection, stream, name)
        return cls(connection, pulling, reconnection, consumer.num_pending or 0)

    @property
    def has_caught_up(self) -> bool:
        """Whether everything was read that stood in the stream at the last word of the server."""
        return not self._pending

    @property
    def heard_at(self) -> float:
        """When the server gave its last sign of life, by the clock of the loop."""
        return self._pulling.heard_at

    async def more(self, within: float) -> list[Delivery]:
        """Return what follows; nothing if nothing came within so many seconds.

        Raises:
            NatsUnavailableError: the line was down, or something got lost on it.
            ConnectionLostError: the connection has ended for good.
        """
        messages = await self._pulling.more(BATCH, within)
        for message in messages:
            self._check_next(message)
        if self._reconnection.is_set():
            raise NatsUnavailableError("reading on", found="another connection than at first")
        return [Delivery.of(message) for message in messages]

    async def close(self) -> None:
        """Stop reading; the server forgets the consumer by itself."""
        await self._pulling.close()

    def _check_next(self, message: Msg) -> None:
        metadata = message.metadata
        self._delivered += 1
        self._pending = metadata.num_pending
        if metadata.sequence.consumer != self._delivered:
            raise NatsUnavailableError("reading on", found="a gap")


async def stored_at(connection: Connection, stream: str, position: int) -> Delivery | None:
    """Return the message at *position* of *stream* as its leader has it, None if it has none.

    Raises:
        JetStreamRefusedError: there is no such stream.
        NatsUnavailableError: the leader doesn't answer.
    """
    return await _stored(connection, stream, seq=position)


async def stored_last(connection: Connection, stream: str, subject: str) -> Delivery | None:
    """Return the last message of *subject* in *stream* as its leader has it, None if there is none.

    Raises:
        JetStreamRefusedError: there is no such stream.
        NatsUnavailableError: the leader doesn't answer.
    """
    return await _stored(connection, stream, subject=subject)


async def _stored(
    connection: Connection, stream: str, *, seq: int | None = None, subject: str | None = None
) -> Delivery | None:
    async def asked() -> Delivery | None:
        try:
            found = await connection.jetstream.get_msg(stream, seq=seq, subject=subject)
        except NotFoundError as error:
            if error.err_code != NO_MESSAGE:
                raise
            return None
        return Delivery(
            found.seq or 0,
            found.subject or "",
            found.data or b"",
            found.headers or {},
            found.time,
        )

    return await answered(f"leader of stream {stream!r}", asked())
