"""What the match service is asked: for commitments to seeds, and for matches."""

from typing import Final, TypeVar

from pydantic import BaseModel, ValidationError

from howff.contracts.matches import (
    SEED_DISCARDS,
    SEED_QUESTIONS,
    Refused,
    SeedAsked,
    SeedCommitted,
    SeedDiscarded,
    StartMatch,
    subject_of,
)
from howff.lobby.domain.errors import MatchServiceError
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.publishing import publish
from howff.servicekit.nats.streams import answered

ANSWER_WITHIN: Final = 3.0
"""Seconds."""

MATCH_STARTED: Final = "match_started"
"""The code by which it refuses to throw a seed away that is in use."""

M = TypeVar("M", bound=BaseModel)


class MatchService:
    """The match service, asked over NATS."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def commitment(self, match: str) -> str:
        """Return SHA-256 of the seed of *match* in hex; asked again, it is the same.

        Raises:
            NatsUnavailableError: nobody answers.
            MatchServiceError: the answer is a refusal.
        """
        content = await self._asked(SEED_QUESTIONS, SeedAsked(match=match))
        return _read(SeedCommitted, content).seed_commitment

    async def discard(self, match: str) -> None:
        """Let the seed of a match that will not be played be thrown away.

        One that a match has been begun with stays where it is.

        Raises:
            NatsUnavailableError: nobody answers.
            MatchServiceError: the answer is another refusal.
        """
        content = await self._asked(SEED_DISCARDS, SeedDiscarded(match=match))
        try:
            _read(SeedDiscarded, content)
        except MatchServiceError as refusal:
            if refusal.found != MATCH_STARTED:
                raise

    async def publish(self, message: StartMatch) -> None:
        """Ask for a match, for good; asked again, it starts nothing more.

        Raises:
            NatsUnavailableError: no answer came; it may have been asked for.
        """
        await publish(self._connection, subject_of(message), message.model_dump_json().encode())

    async def _asked(self, subject: str, question: BaseModel) -> bytes:
        request = self._connection.client.request
        content = question.model_dump_json().encode()
        asking = request(subject, content, timeout=ANSWER_WITHIN)
        return (await answered(f"an answer to {subject}", asking)).data


def _read(kind: type[M], content: bytes) -> M:
    try:
        return kind.model_validate_json(content)
    except ValidationError:
        pass
    try:
        refused = Refused.model_validate_json(content)
    except ValidationError as error:
        raise MatchServiceError(found="neither an answer nor a refusal") from error
    raise MatchServiceError(found=refused.code)
