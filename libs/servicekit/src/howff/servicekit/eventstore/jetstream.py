"""An event store on one JetStream stream: a commit is a message, an aggregate's stream a subject.

Appending states which message of the subject was the last, so that of two that build on the same
commit the server takes one. Reading asks the stream's leader for the newest message first: a
replica may lag behind what was acknowledged, so its answer alone proves nothing.
"""

import json
import logging
from base64 import b64decode
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final, Generic

import nats.errors
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.js.errors import APIError, NoStreamResponseError

from howff.servicekit.eventstore.errors import (
    BrokenStreamError,
    ConflictError,
    UnavailableError,
    UnknownOutcomeError,
    UnreadableCommitError,
)
from howff.servicekit.eventstore.store import (
    BEGINNING,
    C,
    CommitForm,
    Mark,
    Position,
    Recorded,
    StreamId,
)
from howff.servicekit.nats.connection import BROKEN_LINE
from howff.servicekit.nats.streams import EXPECTED_SEQUENCE, MOVED_ON, is_outage
from howff.servicekit.telemetry.metrics import measured_append
from howff.servicekit.telemetry.tracing import sending

NO_MESSAGE: Final = 10037
MOST_AT_ONCE: Final = 1000
ANSWER_WITHIN: Final = 2.0
"""Seconds for one answer of the server; an election takes longer and is waited for by retries."""
DIRECT_WITHIN: Final = 0.5
"""Seconds for a direct get, which a paused replica may have taken; then the leader is asked."""

logger = logging.getLogger(__name__)

_NOT_SENT = (
    nats.errors.ConnectionClosedError,
    nats.errors.ConnectionDrainingError,
    nats.errors.ConnectionReconnectingError,
    nats.errors.NoRespondersError,
    nats.errors.OutboundBufferLimitError,
    NoStreamResponseError,
)


class JetStreamStore(Generic[C]):
    """Keeps the streams of one kind of aggregate in the JetStream stream *name*."""

    def __init__(self, client: Client, name: str, form: CommitForm[C]) -> None:
        self._client = client
        self._jetstream = client.jetstream(timeout=ANSWER_WITHIN)
        self._name = name
        self._form = form

    async def append(self, stream: StreamId, commit: C, after: Mark) -> Mark:
        """Record *commit* as the one after *after*."""
        content = self._form.encode(commit)
        with sending(self._name, stream) as carried, measured_append(self._name):
            headers = {EXPECTED_SEQUENCE: str(after.position), **carried}
            position = await self._published(stream, content, headers, after)
        return Mark(commit.version, position)

    async def _published(
        self, stream: StreamId, content: bytes, headers: dict[str, str], after: Mark
    ) -> Position:
        try:
            ack = await self._jetstream.publish(stream, content, headers=headers)
        except APIError as error:
            raise self._refusal(error, stream, after) from error
        except _NOT_SENT as error:
            raise _unavailable(error) from error
        except BROKEN_LINE as error:  # no answer in time among them
            raise UnknownOutcomeError(stream) from error
        return Position(ack.seq)

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[C]]:
        """Return the commits that follow *after*, up to the newest that the leader has."""
        with _reading():
            head = await self._from_leader({"last_by_subj": stream})
            if head is None or head.mark <= after:
                _check_not_behind(BEGINNING if head is None else head.mark, after)
                return []
            commits = [*await self._between(stream, after, head), head]
        _check_order(stream, after, commits)
        return commits

    async def read(self, stream: StreamId, at: Mark) -> C:
        """Return the commit that stands at *at*, as the leader has it."""
        with _reading():
            found = await self._from_leader({"seq": at.position})
        if found is None:
            raise UnavailableError(expected=f"version {at.version}", found="nothing")
        if found.mark != at:
            raise BrokenStreamError(
                stream, expected=at.version, found=f"version {found.commit.version}"
            )
        return found.commit

    def _refusal(self, error: APIError, stream: StreamId, after: Mark) -> Exception:
        if error.err_code in MOVED_ON:
            return ConflictError(stream, after.version)
        # What is no outage is our fault: a commit that is too large, a stream of another form.
        return _unavailable(error) if is_outage(error) else error

    async def _between(self, stream: StreamId, after: Mark, head: Recorded[C]) -> list[Recorded[C]]:
        """Return what stands between both: from any replica what it has, from the leader the rest.

        As many as the versions say; whether they are the right ones is checked by the caller.
        """
        missing = head.commit.version - after.version - 1
        commits: list[Recorded[C]] = []
        last = after
        while len(commits) < missing:
            found = await self._direct(stream, last, missing - len(commits))
            if not found:
                break
            commits += found
            last = found[-1].mark
        while len(commits) < missing:
            commits.append(await self._next_from_leader(stream, last))
            last = commits[-1].mark
        return commits

    async def _direct(self, stream: StreamId, last: Mark, missing: int) -> list[Recorded[C]]:
        """Return what some replica has after *last*: nothing if it lags or stays away."""
        batch = min(missing, MOST_AT_ONCE)
        query = {"seq": last.position + 1, "next_by_subj": stream, "batch": batch}
        found: list[Recorded[C]] = []
        inbox = self._client.new_inbox()
        subscription = await self._client.subscribe(inbox)
        try:
            await self._client.publish(
                f"$JS.API.DIRECT.GET.{self._name}", json.dumps(query).encode(), reply=inbox
            )
            while len(found) < batch:
                message = await subscription.next_msg(timeout=DIRECT_WITHIN)
                if "Status" in (headers := message.headers or {}):
                    break
                found.append(self._recorded(message.data, int(headers["Nats-Sequence"])))
        except nats.errors.TimeoutError:
            pass  # what has come is good, and the leader has the rest
        finally:
            await subscription.unsubscribe()
        return found

    async def _next_from_leader(self, stream: StreamId, last: Mark) -> Recorded[C]:
        found = await self._from_leader({"seq": last.position + 1, "next_by_subj": stream})
        if found is None:
            raise BrokenStreamError(stream, expected=last.version + 1, found="the end")
        return found

    async def _from_leader(self, query: dict[str, Any]) -> Recorded[C] | None:
        answer = await self._client.request(
            f"$JS.API.STREAM.MSG.GET.{self._name}",
            json.dumps(query).encode(),
            timeout=ANSWER_WITHIN,
        )
        found = json.loads(answer.data)
        if "error" not in found:
            message = found["message"]
            content = b64decode(message.get("data", ""))  # the server leaves out an empty one
            return self._recorded(content, message["seq"])
        if found["error"].get("err_code") == NO_MESSAGE:
            return None
        raise UnavailableError(expected="a message", found=found["error"].get("description", ""))

    def _recorded(self, content: bytes, sequence: int) -> Recorded[C]:
        try:
            return Recorded(self._form.read(content), Position(sequence))
        except UnreadableCommitError as error:
            logger.error("message %d of stream %r: %s", sequence, self._name, error)  # noqa: TRY400
            raise


@contextmanager
def _reading() -> Generator[None, None, None]:
    """Say of whatever keeps an answer away that the store can't be read now."""
    try:
        yield
    except _NOT_SENT as error:
        raise _unavailable(error) from error
    except BROKEN_LINE as error:  # no answer in time among them
        found = str(error) or "none"
        raise UnavailableError(expected="an answer in time", found=found) from error


def _check_order(stream: StreamId, after: Mark, commits: list[Recorded[C]]) -> None:
    for expected, recorded in enumerate(commits, start=after.version + 1):
        found = recorded.commit.version
        if found != expected:
            raise BrokenStreamError(stream, expected=expected, found=f"version {found}")


def _check_not_behind(head: Mark, after: Mark) -> None:
    """Refuse to read from a leader that has less than was acknowledged before."""
    if head != after:
        expected, found = f"version {after.version} or later", f"version {head.version}"
        raise UnavailableError(expected=expected, found=found)


def _unavailable(error: Exception) -> UnavailableError:
    found = str(error) or type(error).__name__
    return UnavailableError(expected="a connection to the stream", found=found)


def recorded_of(message: Msg, form: CommitForm[C]) -> Recorded[C]:
    """Return the commit that a republished *message* of a stream tells."""
    headers = message.headers or {}
    return Recorded(form.read(message.data), Position(int(headers["Nats-Sequence"])))


def recorded_at(headers: Mapping[str, str]) -> datetime | None:
    """Return when the message was recorded that is republished with *headers*, if they say it."""
    time = headers.get("Nats-Time-Stamp")
    return None if time is None else datetime.fromisoformat(time)
