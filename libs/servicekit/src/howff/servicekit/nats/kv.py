"""Buckets: small values by key, of which the newest counts."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

from nats.js.api import (
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import WrongKeyError
from howff.servicekit.nats.loops import ReadingLoop
from howff.servicekit.nats.publishing import publish_after
from howff.servicekit.nats.reading import Delivery, StreamReader, stored_last
from howff.servicekit.nats.streams import (
    DUPLICATE_WINDOW,
    MAX_MESSAGE,
    answered,
    ensure_stream,
    patiently,
)

KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,128}")
"""What a key consists of: nothing that means anything in a subject."""
OPERATION: Final = "KV-Operation"
DELETED: Final = {OPERATION: "DEL"}
READ_WITHIN: Final = 1.0
"""Seconds that a follower waits for changes before it looks whether it is to stop."""

ChangeHandler = Callable[[str, bytes | None], Awaitable[None]]
"""Is told a key and its value, None if it was deleted."""
V = TypeVar("V", bound=bytes | None)
Change = Callable[[bytes | None], bytes]
"""Makes a new value of the one that stands there, of None if there is none."""


def _nothing() -> None:
    """Do nothing."""


@dataclass(frozen=True, slots=True)
class Rounds:
    """What is called when a follower begins to tell all values, and when it has told them."""

    began: Callable[[], None] = _nothing
    caught_up: Callable[[], None] = _nothing


class Bucket:
    """The values of one bucket; made by `open_bucket`."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self._stream = stream_of(name)
        self._what = f"bucket {name!r}"

    async def get(self, key: str) -> bytes | None:
        """Return the value of *key* as the leader has it, None if there is none.

        Raises:
            WrongKeyError: *key* is none.
            NatsUnavailableError: no answer came in time for an election.
        """
        subject = self._subject(key)
        return _value_of(await patiently(lambda: self._last(subject)))

    async def create(self, key: str, value: bytes) -> bytes:
        """Store *value* unless *key* has one, and return the one that stands there now.

        However many do so at once, and however often, all are told the same: the first one's.

        Raises:
            WrongKeyError: *key* is none.
            NatsUnavailableError: no answer came in time; asked again it will tell.
            JetStreamRefusedError: the server doesn't take the value.
        """
        return await self.change(key, lambda standing: value if standing is None else standing)

    async def change(self, key: str, changed: Change) -> bytes:
        """Store what *changed* makes of the value of *key*, and return it.

        Nothing comes between: if another write does, *changed* is asked again. What it raises is
        let through, and nothing is stored.

        Raises:
            WrongKeyError: *key* is none.
            NatsUnavailableError: no answer came in time; it may have been stored.
            JetStreamRefusedError: the server doesn't take the value.
        """
        subject = self._subject(key)
        # Whether it was stored may be unknown; each attempt reads before it writes.
        return await patiently(lambda: answered(self._what, self._changed(subject, changed)))

    async def put(self, key: str, value: bytes) -> None:
        """Store *value* under *key*, whatever stood there.

        Raises:
            WrongKeyError: *key* is none.
            NatsUnavailableError: no answer came; it may have been stored.
            JetStreamRefusedError: the server doesn't take the value.
        """
        await self._publish(self._subject(key), value)

    async def delete(self, key: str) -> None:
        """Take the value of *key* away.

        Raises:
            WrongKeyError: *key* is none.
            NatsUnavailableError: no answer came; it may be gone.
        """
        await self._publish(self._subject(key), b"", DELETED)

    async def withdraw(self, key: str, value: bytes) -> None:
        """Take the value of *key* away, unless another than *value* has come to stand there.

        Raises:
            WrongKeyError: *key* is none.
            NatsUnavailableError: no answer came in time; it may be gone.
        """

        def left(standing: bytes | None) -> bytes | None:
            return None if standing == value else standing

        subject = self._subject(key)
        await patiently(lambda: answered(self._what, self._changed(subject, left)))

    def follow(
        self,
        handler: ChangeHandler,
        *,
        began: Callable[[], None] = _nothing,
        caught_up: Callable[[], None] = _nothing,
    ) -> "Follower":
        """Return a follower that tells *handler* every key's value, and from then on each change.

        After a reconnection it tells every key's value again. It calls *began* before it tells
        them all, and *caught_up* when it has: a key that it has not told in between is gone.
        """
        rounds = Rounds(began, caught_up)
        prefix = prefix_of(self._name)
        return Follower(self._connection, self._stream, prefix, handler, rounds)

    def _subject(self, key: str) -> str:
        return subject_in(self._name, key)

    async def _last(self, subject: str) -> Delivery | None:
        return await stored_last(self._connection, self._stream, subject)

    async def _changed(self, subject: str, changed: Callable[[bytes | None], V]) -> V:
        last = await self._last(subject)
        standing = _value_of(last)
        value = changed(standing)
        if value == standing:
            return value
        position = last.position if last else 0
        content, headers = (b"", DELETED) if value is None else (value, {})
        await publish_after(self._connection, position, subject, content, headers)
        return value

    async def _publish(
        self, subject: str, value: bytes, headers: dict[str, str] | None = None
    ) -> None:
        publish = self._connection.jetstream.publish
        await answered(self._what, publish(subject, value, headers=headers))


class Follower(ReadingLoop):
    """Tells a handler what a bucket holds and how it changes, for as long as it runs.

    What the handler raises ends `run`.
    """

    def __init__(
        self,
        connection: Connection,
        stream: str,
        prefix: str,
        handler: ChangeHandler,
        rounds: Rounds,
    ) -> None:
        super().__init__(connection, f"follower of {stream!r}")
        self._prefix = prefix
        self._handler = handler
        self._rounds_told = rounds
        self.stream = stream
        self.caught_up = asyncio.Event()
        """Set once all that stood in the bucket at the start has been told."""
        self.position = 0
        """Where what was told last stands in the stream."""
        self.heard_at = 0.0
        """When the server gave its last sign of life, by the clock of the loop."""

    async def _round(self) -> None:
        # All of the bucket, said so that the subject by which the consumer is made names nothing.
        start = ConsumerConfig(deliver_policy=DeliverPolicy.LAST_PER_SUBJECT, filter_subject=">")
        reader = await StreamReader.opened(self._connection, self.stream, start)
        self.position, self.heard_at = 0, reader.heard_at
        self._rounds_told.began()
        has_told_all = False
        try:
            while not self._stopping.is_set():
                if reader.has_caught_up and not has_told_all:
                    has_told_all = True
                    self.caught_up.set()
                    self._rounds_told.caught_up()
                await self._tell_more(reader)
        finally:
            await reader.close()

    async def _tell_more(self, reader: StreamReader) -> None:
        for delivery in await reader.more(READ_WITHIN):
            key = delivery.subject.removeprefix(self._prefix)
            await self._handler(key, _value_of(delivery))
            self.position = delivery.position
        self.heard_at = reader.heard_at


async def open_bucket(connection: Connection, name: str, *, replicas: int) -> Bucket:
    """Return the bucket *name*, made if there is none, which keeps the newest value of each key.

    Raises:
        WrongKeyError: *name* is none.
        StreamDiffersError: it is configured in another way.
        JetStreamRefusedError: the server doesn't take it.
        NatsUnavailableError: the server didn't answer.
    """
    _check(name)
    wanted = StreamConfig(
        name=stream_of(name),
        subjects=[f"{prefix_of(name)}>"],
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.NEW,
        num_replicas=replicas,
        max_msgs_per_subject=1,
        max_msg_size=MAX_MESSAGE,
        duplicate_window=DUPLICATE_WINDOW,
        deny_delete=True,
        deny_purge=True,
    )
    await ensure_stream(connection, wanted)
    return Bucket(connection, name)


def stream_of(bucket: str) -> str:
    """Return the name of the stream that keeps a *bucket*."""
    return f"KV_{bucket}"


def prefix_of(bucket: str) -> str:
    """Return what the subjects of all keys of a *bucket* begin with."""
    return f"$KV.{bucket}."


def subject_in(bucket: str, key: str) -> str:
    """Return the subject of a *key* of a *bucket*.

    Raises:
        WrongKeyError: *key* is none.
    """
    _check(key)
    return prefix_of(bucket) + key


def _check(key: str) -> None:
    if not KEY.fullmatch(key):
        expected = f"a key of the form {KEY.pattern}"
        raise WrongKeyError("wrong key", expected=expected, found=repr(key))


def _value_of(delivery: Delivery | None) -> bytes | None:
    if delivery is None or OPERATION in delivery.headers:
        return None
    return delivery.payload
