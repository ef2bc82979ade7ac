"""Messages to other services, and commits as they are told again by the stream."""

import contextlib
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import TypeVar

import orjson
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription as NatsSubscription
from pydantic import ValidationError

from howff.contracts.ids import ID, Message
from howff.contracts.matches import (
    SEED_DISCARDS,
    SEED_QUESTIONS,
    MatchEnded,
    MatchStarted,
    Refused,
    SeedAsked,
    SeedDiscarded,
    subject_of,
)
from howff.engine.errors import RefusalError
from howff.game.adapters.commits import COMMIT_FORM
from howff.game.application.ports import Subscription, Told
from howff.game.application.starts import Starts
from howff.match.commit import Commit, MatchId
from howff.match.journal import COMMITTED
from howff.servicekit.eventstore.jetstream import recorded_at, recorded_of
from howff.servicekit.eventstore.store import Recorded, StreamId
from howff.servicekit.nats.connection import LINE_ERRORS, Connection
from howff.servicekit.nats.publishing import publish
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.streams import answered
from howff.servicekit.telemetry.metrics import record_told
from howff.servicekit.telemetry.tracing import receiving

Question = TypeVar("Question", bound=Message)
_log = logging.getLogger(__name__)


class JetStreamPublisher:
    """Publishes what the service tells others; that a match starts or ends stands there once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def publish(self, message: Told) -> None:
        """Publish *message* for good.

        Raises:
            NatsUnavailableError: no answer came; it may have been published.
        """
        is_once = isinstance(message, MatchStarted | MatchEnded)
        content = message.model_dump_json().encode()
        await publish(self._connection, subject_of(message), content, is_once=is_once)


class CommittedSubjects:
    """Brings commits as the stream tells them again: at most once, so that some may be missing."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def subscribe(
        self, stream: StreamId, receive: Callable[[Recorded[Commit]], Awaitable[None]]
    ) -> Subscription:
        """Call *receive*, one after the other, with what is recorded from now on.

        Raises:
            NatsUnavailableError: the server did not answer.
        """

        async def on_message(message: Msg) -> None:
            with receiving("feed", message.subject, message.headers or {}):
                await receive(recorded_of(message, COMMIT_FORM))
            record_told(recorded_at(message.headers or {}))

        # The server knows of it before it answers what is asked over this connection next. Nobody
        # waits for that here: who gives up in between would break the connection of all.
        subscribing = self._connection.client.subscribe(f"{COMMITTED}.{stream}", cb=on_message)
        return _Listening(await answered(stream, subscribing))


class _Listening:
    def __init__(self, subscription: NatsSubscription) -> None:
        self._subscription = subscription

    async def end(self) -> None:
        with contextlib.suppress(*LINE_ERRORS):  # it has ended with its connection
            await self._subscription.unsubscribe()


def match_committed_by(delivery: Delivery) -> MatchId:
    """Return the id of the match whose commit the stream of matches delivers."""
    return MatchId(delivery.subject.partition(".")[2])


def match_due_by(delivery: Delivery) -> MatchId:
    """Return the id of the match of which something is due."""
    return MatchId(delivery.subject.rpartition(".")[2])


def due_at(delivery: Delivery) -> datetime:
    """Return the time for which a message of what is due was set."""
    return datetime.fromisoformat(orjson.loads(delivery.payload)["due"])


def match_started_by(delivery: Delivery) -> MatchId | None:
    """Return the id of the match that a message of the queue asks for; None if it is none."""
    match = delivery.subject.partition(".")[2]
    if not ID.fullmatch(match):
        # Nobody can be told: who would wait for an answer under a name that no match can have?
        _log.error("message %d of the queue asks for a match without an id", delivery.position)
        return None
    return MatchId(match)


async def seed_questions_answered(connection: Connection, starts: Starts) -> None:
    """Answer what others ask about seeds, one process of the service each question."""
    await _answered_by(connection, SEED_QUESTIONS, SeedAsked, starts.commit_to_seed)
    await _answered_by(connection, SEED_DISCARDS, SeedDiscarded, starts.discard_seed)


async def _answered_by(
    connection: Connection,
    subject: str,
    form: type[Question],
    answer: Callable[[Question], Awaitable[Message]],
) -> None:
    async def answer_to(content: bytes) -> Message:
        try:
            return await answer(form.model_validate_json(content))
        except ValidationError as error:
            return Refused(code="malformed", detail=error.errors()[0]["msg"])
        except RefusalError as refusal:
            return Refused(code=refusal.code, detail=str(refusal))

    async def on_question(message: Msg) -> None:
        await message.respond((await answer_to(message.data)).model_dump_json().encode())

    await connection.client.subscribe(subject, queue="game", cb=on_question)
