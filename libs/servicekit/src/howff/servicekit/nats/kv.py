"""Buckets: small values by key, of which the newest counts."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Final

from nats.js.api import (
    ConsumerConfig,
    DeliverPolicy,
    DiscardPolicy,
    RetentionPolicy,
    StorageType,
    StreamConfig,
)
from nats.js.errors import APIError

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import NatsUnavailableError, WrongKeyError
from howff.servicekit.nats.loops import ReadingLoop
from howff.servicekit.nats.reading import Delivery, StreamReader, stored_last
from howff.servicekit.nats.streams import (
    DUPLICATE_WINDOW,
    EXPECTED_SEQUENCE,
    MAX_MESSAGE,
    MOVED_ON,
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


class Bucket:
    """The values of one bucket; made by `open_bucket`."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self._stream = f"KV_{name}"
        self._prefix = f"$KV.{name}."
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
        subject = self._subject(key)
        # Whether it was stored may be unknown; each attempt reads before it writes.
        return await patiently(lambda: answered(self._what, self._created(subject, value)))

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

    def follow(self, handler: ChangeHandler) -> "Follower":
        """Return a follower that tells *handler* every key's value, and from then on each change.

        After a reconnection it tells every key's value again.
        """
        return Follower(self._connection, self._stream, self._prefix, handler)

    def _subject(self, key: str) -> str:
        _check(key)
        return self._prefix + key

    async def _last(self, subject: str) -> Delivery | None:
        return await stored_last(self._connection, self._stream, subject)

    async def _created(self, subject: str, value: bytes) -> bytes:
        last = await self._last(subject)
        standing = _value_of(last)
        if standing is not None:
            return standing
        headers = {EXPECTED_SEQUENCE: str(last.position if last else 0)}
        try:
            await self._connection.jetstream.publish(subject, value, headers=headers)
        except APIError as error:
            if error.err_code not in MOVED_ON:
                raise
            raise NatsUnavailableError(self._what, found="another write at the time") from error
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
        self, connection: Connection, stream: str, prefix: str, handler: ChangeHandler
    ) -> None:
        super().__init__(connection, f"follower of {stream!r}")
        self._stream = stream
        self._prefix = prefix
        self._handler = handler
        self.caught_up = asyncio.Event()
        """Set once all that stood in the bucket at the start has been told."""

    async def _round(self) -> None:
        start = ConsumerConfig(
            deliver_policy=DeliverPolicy.LAST_PER_SUBJECT, filter_subject=f"{self._prefix}>"
        )
        reader = await StreamReader.opened(self._connection, self._stream, start)
        try:
            while not self._stopping.is_set():
                if reader.has_caught_up:
                    self.caught_up.set()
                for delivery in await reader.more(READ_WITHIN):
                    key = delivery.subject.removeprefix(self._prefix)
                    await self._handler(key, _value_of(delivery))
        finally:
            await reader.close()


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
        name=f"KV_{name}",
        subjects=[f"$KV.{name}.>"],
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


def _check(key: str) -> None:
    if not KEY.fullmatch(key):
        expected = f"a key of the form {KEY.pattern}"
        raise WrongKeyError("wrong key", expected=expected, found=repr(key))


def _value_of(delivery: Delivery | None) -> bytes | None:
    if delivery is None or OPERATION in delivery.headers:
        return None
    return delivery.payload
