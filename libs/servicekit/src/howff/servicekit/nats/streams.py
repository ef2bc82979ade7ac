"""Streams and their durable consumers, made once and compared with what is wanted ever after.

The server takes some configurations and quietly stores others, so nothing counts but what it says
that it has.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from enum import Enum
from typing import Any, Final, TypeVar

from nats.js.api import (
    AckPolicy,
    Base,
    ConsumerConfig,
    ConsumerInfo,
    DeliverPolicy,
    DiscardPolicy,
    RePublish,
    RetentionPolicy,
    StorageType,
    StreamConfig,
    StreamInfo,
)
from nats.js.errors import APIError, NotFoundError, ServiceUnavailableError

from howff.servicekit.nats.connection import LINE_ERRORS, Connection
from howff.servicekit.nats.errors import (
    ConsumerDiffersError,
    DiffersError,
    JetStreamRefusedError,
    NatsUnavailableError,
    StreamDiffersError,
)

UNLIMITED: Final = -1
MAX_MESSAGE: Final = 256 * 1024
DUPLICATE_WINDOW: Final = 120.0
"""Seconds."""
MAX_WAITING: Final = 512
"""Pull requests that may wait at once; the server's own default, said so that it is compared."""
SETTLED_WITHIN: Final = 10.0
"""Seconds; an election of a leader takes up to six."""
RETRY_WAIT: Final = 0.05
"""Seconds between two tries."""
NAME_IN_USE: Final = 10058
EXPECTED_SEQUENCE: Final = "Nats-Expected-Last-Subject-Sequence"
"""The header that says which message of its subject one follows; 0 for none."""
WRONG_LAST_SEQUENCE: Final = 10071
MOVED_ON: Final = frozenset({WRONG_LAST_SEQUENCE, 10164})
"""The server's codes for an expectation that failed: wrong last sequence; another in flight."""
SAYS_NOTHING: Final[tuple[object, ...]] = (None, False, 0, UNLIMITED, "", [], {}, "none")
"""How the server and the client write that something is not asked for."""

T = TypeVar("T")


def locked(
    name: str,
    subjects: list[str],
    *,
    replicas: int,
    republish_to: str | None = None,
    max_bytes: int = UNLIMITED,
) -> StreamConfig:
    """Return a stream that nothing can be taken from again: no deletion, roll-up, age or schedule.

    What is stored is told again under the subject prefix *republish_to*.
    """
    return StreamConfig(
        **_stored(name, subjects, replicas),
        retention=RetentionPolicy.LIMITS,
        max_bytes=max_bytes,
        deny_delete=True,
        deny_purge=True,
        allow_direct=True,
        republish=RePublish(src=">", dest=f"{republish_to}.>") if republish_to else None,
    )


def work_queue(name: str, subjects: list[str], *, replicas: int) -> StreamConfig:
    """Return a stream whose messages stay until one worker has acknowledged them.

    A full queue refuses new work instead of dropping the oldest: who brings it keeps it and tries
    again. Purging is allowed, for what stands here follows from commits that stand elsewhere.
    """
    return StreamConfig(
        **_stored(name, subjects, replicas), retention=RetentionPolicy.WORK_QUEUE, deny_delete=True
    )


def durable(
    name: str, *, ack_wait: float = 30.0, max_ack_pending: int = 1000, subject: str | None = None
) -> ConsumerConfig:
    """Return a pull consumer that delivers until acknowledged, however often it takes.

    A message whose acknowledgement stays away for *ack_wait* seconds is delivered again. Of the
    stream's subjects it reads those that match *subject*, or all.
    """
    return ConsumerConfig(
        name=name,
        durable_name=name,
        deliver_policy=DeliverPolicy.ALL,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ack_wait,
        max_deliver=UNLIMITED,
        max_ack_pending=max_ack_pending,
        max_waiting=MAX_WAITING,
        filter_subject=subject,
    )


async def ensure_stream(connection: Connection, wanted: StreamConfig) -> StreamInfo:
    """Make the stream *wanted* if there is none of its name, and check that it is as wanted.

    Raises:
        StreamDiffersError: it is configured in another way.
        JetStreamRefusedError: the server doesn't take it.
        NatsUnavailableError: the server didn't answer in time for an election.
    """
    name = wanted.name or ""
    what = f"stream {name!r}"
    found = await patiently(lambda: answered(what, _found_or_made(connection, name, wanted)))
    _compare(StreamDiffersError, what, wanted, found.config)
    return found


async def ensure_consumer(
    connection: Connection, stream: str, wanted: ConsumerConfig
) -> ConsumerInfo:
    """Make the durable consumer *wanted* of *stream* if there is none, and check that it is so.

    Raises:
        ConsumerDiffersError: it is configured in another way.
        JetStreamRefusedError: the server doesn't take it.
        NatsUnavailableError: the server didn't answer.
    """
    name = wanted.durable_name or ""
    what = f"consumer {name!r} of stream {stream!r}"
    found = await answered(what, _consumer_found_or_made(connection, stream, wanted))
    _compare(ConsumerDiffersError, what, wanted, found.config)
    return found


async def answered(what: str, answer: Awaitable[T]) -> T:
    """Return an *answer* of JetStream about *what*.

    Raises:
        JetStreamRefusedError: it was a refusal.
        NatsUnavailableError: none came, or there is no leader to give one.
    """
    try:
        return await answer
    except LINE_ERRORS as error:
        found = str(error) or type(error).__name__
        if isinstance(error, APIError) and not isinstance(error, ServiceUnavailableError):
            raise JetStreamRefusedError(what, found=found) from error
        raise NatsUnavailableError(what, found=found) from error


async def patiently(attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what *attempt*, which may be made any number of times, brings at last.

    Raises:
        NatsUnavailableError: nothing came in time for an election.
    """
    deadline = time.monotonic() + SETTLED_WITHIN
    while True:
        try:
            return await attempt()
        except NatsUnavailableError:
            if time.monotonic() > deadline:
                raise
        await asyncio.sleep(RETRY_WAIT)


async def _found_or_made(connection: Connection, name: str, wanted: StreamConfig) -> StreamInfo:
    try:
        return await connection.jetstream.stream_info(name)
    except NotFoundError:
        pass
    try:
        return await connection.jetstream.add_stream(wanted)
    except APIError as error:
        if error.err_code != NAME_IN_USE:  # another process made one in the meantime
            raise
    return await connection.jetstream.stream_info(name)


async def _consumer_found_or_made(
    connection: Connection, stream: str, wanted: ConsumerConfig
) -> ConsumerInfo:
    try:
        found: ConsumerInfo = await connection.jetstream.consumer_info(
            stream, wanted.durable_name or ""
        )
    except NotFoundError:
        # Making one that exists would change it, so it is looked for first.
        return await connection.jetstream.add_consumer(stream, wanted)
    return found


def _compare(refusal: type[DiffersError], what: str, wanted: Base, found: Base) -> None:
    """Refuse any difference, also in what was not asked for."""
    wants, has = wanted.as_dict(), found.as_dict()
    for field in sorted((wants.keys() | has.keys()) - {"metadata"}):  # the server's own notes
        want, have = wants.get(field), has.get(field)
        if want != have and not (want in SAYS_NOTHING and have in SAYS_NOTHING):
            raise refusal(what, field, wanted=_plain(want), found=_plain(have))


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value


def _stored(name: str, subjects: list[str], replicas: int) -> dict[str, Any]:
    """Return what all our streams have in common."""
    return {
        "name": name,
        "subjects": subjects,
        "num_replicas": replicas,
        "storage": StorageType.FILE,
        "discard": DiscardPolicy.NEW,
        "max_msg_size": MAX_MESSAGE,
        "duplicate_window": DUPLICATE_WINDOW,
    }
