"""Messages that come at a set time, and registers of what is going on; both survive any restart.

No process keeps a timer: the server delivers what is due, at once if it was down at the time.
"""

import asyncio
import json
from datetime import UTC, datetime
from operator import ge
from typing import Final

from nats.js.api import DiscardPolicy, RetentionPolicy, StorageType, StreamConfig
from nats.js.errors import APIError

from howff.servicekit.nats.connection import ANSWER_WITHIN, Connection
from howff.servicekit.nats.places import Places
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.streams import (
    DUPLICATE_WINDOW,
    MAX_MESSAGE,
    answered,
    ensure_stream,
    patiently,
)

KEPT_AFTER_DUE: Final = 3600
"""Seconds for which a message that has come stays in the stream, done or not."""
_PAGE_LIMIT: Final = 100_000


def scheduling(name: str, prefix: str, *, replicas: int) -> StreamConfig:
    """Return the stream of schedules, on `<prefix>.at.<key>`, and of what is due.

    It is a stream of its own: schedules need roll-up and purging allowed. Its retention is by
    limits, since a stream that keeps what somebody waits for loses schedules.
    """
    return StreamConfig(
        name=name,
        subjects=[f"{prefix}.at.*", f"{prefix}.due.*"],
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD,
        num_replicas=replicas,
        max_msg_size=MAX_MESSAGE,
        duplicate_window=DUPLICATE_WINDOW,
        allow_rollup_hdrs=True,
        allow_msg_ttl=True,
        allow_msg_schedules=True,
    )


def registering(name: str, prefix: str, *, replicas: int) -> StreamConfig:
    """Return the stream of a register: one message, on `<prefix>.<key>`, for each of its keys."""
    return StreamConfig(
        name=name,
        subjects=[f"{prefix}.*"],
        retention=RetentionPolicy.LIMITS,
        storage=StorageType.FILE,
        discard=DiscardPolicy.OLD,
        num_replicas=replicas,
        max_msgs_per_subject=1,
        max_msg_size=MAX_MESSAGE,
        duplicate_window=DUPLICATE_WINDOW,
    )


class Schedules:
    """What is to come, one message a key; made by `open_schedules`."""

    def __init__(self, connection: Connection, stream: str, prefix: str) -> None:
        self._connection = connection
        self._stream = stream
        self._prefix = prefix
        self._places = Places(connection, stream, _rank_of, replaces=ge)

    async def put(self, key: str, at: datetime, rank: int) -> None:
        """Let a message on `<prefix>.due.<key>` come *at* this time, instead of any set before.

        One of a higher *rank* stays: who sets it knew more.

        Raises:
            NatsUnavailableError: no answer came in time for an election; it may have been set.
        """
        await patiently(lambda: answered(self._what(key), self._put(key, at, rank)))

    async def clear(self, key: str, rank: int) -> None:
        """Let nothing come for *key*, unless something of a higher *rank* is set.

        Raises:
            NatsUnavailableError: no answer came.
        """
        subject = self._subject("at", key)
        self._places.forget(subject)
        standing = await self._places.standing(subject)
        if standing is None or standing.rank > rank:
            return
        purged = self._connection.jetstream.purge_stream(
            self._stream, subject=subject, seq=standing.position + 1
        )
        await answered(self._what(key), purged)

    async def keys(self) -> set[str]:
        """Return the keys for which something is to come.

        Raises:
            NatsUnavailableError: no answer came.
        """
        return await keys_of(self._connection, self._stream, f"{self._prefix}.at")

    async def _put(self, key: str, at: datetime, rank: int) -> None:
        headers = {
            "Nats-Schedule": f"@at {_text(at)}",
            "Nats-Schedule-Target": self._subject("due", key),
            "Nats-Schedule-TTL": f"{KEPT_AFTER_DUE}s",
        }
        content = json.dumps({"rank": rank, "due": _text(at)}).encode()
        await self._places.put(self._subject("at", key), content, rank, headers)

    def _subject(self, kind: str, key: str) -> str:
        return f"{self._prefix}.{kind}.{key}"

    def _what(self, key: str) -> str:
        return f"schedule {key!r} in stream {self._stream!r}"


class Register:
    """A set of keys that every process sees; made by `open_register`."""

    def __init__(self, connection: Connection, stream: str, prefix: str) -> None:
        self._connection = connection
        self._stream = stream
        self._prefix = prefix

    async def add(self, key: str) -> None:
        """Enter *key*, if it is not there.

        Raises:
            NatsUnavailableError: no answer came; it may be there.
        """
        publish = self._connection.jetstream.publish
        await answered(self._what(key), publish(f"{self._prefix}.{key}", b""))

    async def remove(self, key: str) -> None:
        """Strike out *key*, if it is there.

        Raises:
            NatsUnavailableError: no answer came; it may be gone.
        """
        subject = f"{self._prefix}.{key}"
        purged = self._connection.jetstream.purge_stream(self._stream, subject=subject)
        await answered(self._what(key), purged)

    async def keys(self) -> set[str]:
        """Return all keys.

        Raises:
            NatsUnavailableError: no answer came.
        """
        return await keys_of(self._connection, self._stream, self._prefix)

    def _what(self, key: str) -> str:
        return f"entry {key!r} in stream {self._stream!r}"


async def open_schedules(
    connection: Connection, name: str, prefix: str, *, replicas: int
) -> Schedules:
    """Return the schedules in the stream *name*, which is made if there is none.

    Raises:
        StreamDiffersError: it is configured in another way.
        NatsUnavailableError: the server did not answer.
    """
    await ensure_stream(connection, scheduling(name, prefix, replicas=replicas))
    return Schedules(connection, name, prefix)


async def open_register(
    connection: Connection, name: str, prefix: str, *, replicas: int
) -> Register:
    """Return the register in the stream *name*, which is made if there is none.

    Raises:
        StreamDiffersError: it is configured in another way.
        NatsUnavailableError: the server did not answer.
    """
    await ensure_stream(connection, registering(name, prefix, replicas=replicas))
    return Register(connection, name, prefix)


async def keys_of(connection: Connection, stream: str, prefix: str) -> set[str]:
    """Return the last tokens of all subjects `<prefix>.<key>` that *stream* has messages of."""

    async def page(offset: int) -> dict[str, int]:
        question = {"subjects_filter": f"{prefix}.*", "offset": offset}
        answer = await connection.client.request(
            f"$JS.API.STREAM.INFO.{stream}", json.dumps(question).encode(), timeout=ANSWER_WITHIN
        )
        found = json.loads(answer.data)
        if "error" in found:
            raise APIError.from_error(found["error"])
        subjects: dict[str, int] = found["state"].get("subjects") or {}
        return subjects

    keys: set[str] = set()
    while True:
        subjects = await answered(f"subjects of stream {stream!r}", page(len(keys)))
        keys |= {subject.rpartition(".")[2] for subject in subjects}
        if len(subjects) < _PAGE_LIMIT:
            return keys
        await asyncio.sleep(0)


def _rank_of(stored: Delivery) -> int:
    rank: int = json.loads(stored.payload)["rank"]
    return rank


def _text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
