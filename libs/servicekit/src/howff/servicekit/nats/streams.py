"""Streams and their durable consumers, made once and compared with what is wanted ever after.

The server takes some configurations and quietly stores others, so nothing counts but what it says
that it has.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final, TypeVar

import nats.errors
from nats.js.api import (
    AckPolicy,
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
from howff.servicekit.nats.differences import UNLIMITED, check_same, described
from howff.servicekit.nats.errors import (
    ConsumerDiffersError,
    JetStreamRefusedError,
    NatsUnavailableError,
    StreamDiffersError,
)

logger = logging.getLogger(__name__)

MAX_MESSAGE: Final = 256 * 1024
"""Bytes."""
DUPLICATE_WINDOW: Final = 120.0
"""Seconds."""
MAX_WAITING: Final = 512
"""Pull requests that may wait at once; the server's own default, said so that it is compared."""
SETTLED_WITHIN: Final = 15.0
"""Seconds; a leader that is gone is missed after 4 to 9, and a question of before waits 2 more."""
RETRY_WAIT: Final = 0.05
"""Seconds between two tries."""
NAME_IN_USE: Final = 10058
EXPECTED_SEQUENCE: Final = "Nats-Expected-Last-Subject-Sequence"
"""The header that says which message of its subject one follows; 0 for none."""
WRONG_LAST_SEQUENCE: Final = 10071
MOVED_ON: Final = frozenset({WRONG_LAST_SEQUENCE, 10164})
"""The server's codes for an expectation that failed: wrong last sequence; another in flight."""
REPLICAS_NOT_SUPPORTED: Final = 10074
"""The code of a server without a cluster, which it will not be cured of by itself."""
NO_PEERS: Final = 10005
"""The code of a cluster that finds no place for the replicas: of one that starts, for a while."""

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


def durable(name: str, *, ack_wait: float = 30.0, subject: str | None = None) -> ConsumerConfig:
    """Return a pull consumer that delivers until acknowledged, however often it takes.

    A message whose acknowledgement stays away for *ack_wait* seconds is delivered again. Of the
    stream's subjects it reads those that match *subject*, or all.

    Any number may wait for acknowledgements: workers ask for as many as they can hold, and those
    that were handed back count as well, so that some that always fail would stop all others.
    """
    return ConsumerConfig(
        name=name,
        durable_name=name,
        deliver_policy=DeliverPolicy.ALL,
        ack_policy=AckPolicy.EXPLICIT,
        ack_wait=ack_wait,
        max_deliver=UNLIMITED,
        max_ack_pending=UNLIMITED,
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
    check_same(StreamDiffersError, what, wanted, found["config"])
    connection.required[name] = wanted
    info: StreamInfo = StreamInfo.from_response(found)
    return info


async def ensure_consumer(
    connection: Connection, stream: str, wanted: ConsumerConfig
) -> ConsumerInfo:
    """Make the durable consumer *wanted* of *stream* if there is none, and check that it is so.

    One that is paused is taken: it goes on by itself, and until then a warning tells of it.

    Raises:
        ConsumerDiffersError: it is configured in another way.
        JetStreamRefusedError: the server doesn't take it.
        NatsUnavailableError: the server didn't answer.
    """
    what = _consumer_name(stream, wanted)
    found = await answered(what, _consumer_found_or_made(connection, stream, wanted))
    return _as_wanted(what, wanted, found)


async def check_consumer(
    connection: Connection, stream: str, wanted: ConsumerConfig
) -> ConsumerInfo:
    """Check that somebody else has made the durable consumer *wanted* of *stream*, and made it so.

    Raises:
        ConsumerDiffersError: it is configured in another way.
        NatsUnavailableError: there is none yet, or the server didn't answer.
    """
    what = _consumer_name(stream, wanted)
    question = f"CONSUMER.INFO.{stream}.{wanted.durable_name}"
    try:
        found = await answered(what, described(connection, question))
    except JetStreamRefusedError as error:
        if not isinstance(error.__cause__, NotFoundError):
            raise
        raise NatsUnavailableError(what, found="none yet") from error
    return _as_wanted(what, wanted, found)


async def answered(what: str, answer: Awaitable[T]) -> T:
    """Return an *answer* of JetStream about *what*.

    Raises:
        JetStreamRefusedError: it was a refusal.
        NatsUnavailableError: none came, or it tells of an outage.
    """
    try:
        return await answer
    except LINE_ERRORS as error:
        found = str(error) or type(error).__name__
        if isinstance(error, APIError) and not is_outage(error):
            raise JetStreamRefusedError(what, found=found) from error
        raise NatsUnavailableError(what, found=found) from error


def is_outage(error: APIError) -> bool:
    """Tell whether *error* is a matter of the server's state, and not of what it was asked for."""
    if isinstance(error, ServiceUnavailableError):  # the client makes some without a code
        return True
    if error.err_code == NO_PEERS:  # which the server tells as a mistake of whoever asks
        return True
    is_of_server = (error.code or 0) >= HTTPStatus.INTERNAL_SERVER_ERROR
    return is_of_server and error.err_code != REPLICAS_NOT_SUPPORTED


async def patiently(attempt: Callable[[], Awaitable[T]]) -> T:
    """Return what *attempt*, which may be made any number of times, brings at last.

    Raises:
        NatsUnavailableError: nothing came in time for an election, or nothing can come any more.
    """
    deadline = time.monotonic() + SETTLED_WITHIN
    while True:
        try:
            return await attempt()
        except NatsUnavailableError as error:
            is_closed = isinstance(error.__cause__, nats.errors.ConnectionClosedError)
            if is_closed or time.monotonic() > deadline:
                raise
        await asyncio.sleep(RETRY_WAIT)


async def _found_or_made(connection: Connection, name: str, wanted: StreamConfig) -> dict[str, Any]:
    question = f"STREAM.INFO.{name}"
    try:
        return await described(connection, question)
    except NotFoundError:
        pass
    try:
        await connection.jetstream.add_stream(wanted)
    except APIError as error:
        if error.err_code != NAME_IN_USE:  # another process made one in the meantime
            raise
    return await described(connection, question)


async def _consumer_found_or_made(
    connection: Connection, stream: str, wanted: ConsumerConfig
) -> dict[str, Any]:
    question = f"CONSUMER.INFO.{stream}.{wanted.durable_name}"
    try:
        return await described(connection, question)
    except NotFoundError:
        # Making one that exists would change it, so it is looked for first.
        await connection.jetstream.add_consumer(stream, wanted)
    return await described(connection, question)


def _consumer_name(stream: str, wanted: ConsumerConfig) -> str:
    return f"consumer {wanted.durable_name!r} of stream {stream!r}"


def _as_wanted(what: str, wanted: ConsumerConfig, found: dict[str, Any]) -> ConsumerInfo:
    check_same(ConsumerDiffersError, what, wanted, found["config"])
    if found.get("paused"):
        logger.warning("%s is paused until %s", what, found["config"].get("pause_until"))
    info: ConsumerInfo = ConsumerInfo.from_response(found)
    return info


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
