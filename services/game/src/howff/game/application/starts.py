"""Matches that other services ask for."""

from pydantic import ValidationError

from howff.contracts.matches import (
    MatchRefused,
    SeedAsked,
    SeedCommitted,
    SeedDiscarded,
    StartMatch,
)
from howff.engine.errors import RefusalError
from howff.game.application.matches import Matches
from howff.game.application.orders import order_of
from howff.game.application.ports import Publisher, Seeds
from howff.game.domain.errors import MatchStartedError, NoSuchMatchError
from howff.match.canonical import sha256_hex
from howff.match.commit import MatchId
from howff.servicekit.eventstore.errors import EventStoreError
from howff.servicekit.nats.errors import JetStreamRefusedError, NatsUnavailableError


class Starts:
    """Starts each match that is asked for once, or says why it can't be."""

    def __init__(self, matches: Matches, *, seeds: Seeds, publisher: Publisher) -> None:
        self._matches = matches
        self._seeds = seeds
        self._publisher = publisher

    async def on_message(self, match: MatchId, content: bytes, position: int) -> None:
        """Start the match that *content* asks for; *match* is named by the message's subject.

        *position* is where the message stands among all that ask for matches.

        Raises:
            RefusalError: the stores could settle nothing now; the message has to come again.
        """
        attempt = 0
        try:
            message = _read(match, content)
            attempt = message.attempt
            await self._matches.start(order_of(message))
        except _UNSETTLED:
            raise
        except RefusalError as refusal:
            code, detail = refusal.code, str(refusal)
        except ValidationError as error:
            code, detail = "malformed", _first_problem(error)
        else:
            return
        refused = MatchRefused(
            match=match, order=position, attempt=attempt, code=code, detail=detail
        )
        await self._refuse(match, refused)

    async def commit_to_seed(self, question: SeedAsked) -> SeedCommitted:
        """Return the commitment to the seed of a match, whether it has started or not.

        Raises:
            SeedDiscardedError: it was thrown away.
        """
        seed = await self._seeds.prepare(MatchId(question.match))
        return SeedCommitted(match=question.match, seed_commitment=sha256_hex(seed))

    async def discard_seed(self, question: SeedDiscarded) -> SeedDiscarded:
        """Throw the seed of a match away whose table was closed; again, it does nothing more.

        Raises:
            MatchStartedError: the match has started, or is about to.
        """
        match = MatchId(question.match)
        if await self._has_started(match):
            raise MatchStartedError
        await self._seeds.discard(match)
        return question

    async def _refuse(self, match: MatchId, refused: MatchRefused) -> None:
        """Tell that an order can't be followed, unless the match has started by another one."""
        if not await self._has_started(match):
            await self._publisher.publish(refused)

    async def _has_started(self, match: MatchId) -> bool:
        try:
            await self._matches.find(match)
        except NoSuchMatchError:
            return False
        return True


_UNSETTLED = (EventStoreError, JetStreamRefusedError, NatsUnavailableError)
"""What says nothing about the match that is asked for."""


def _read(match: MatchId, content: bytes) -> StartMatch:
    message = StartMatch.model_validate_json(content)
    return message.model_copy(update={"match": match})


def _first_problem(error: ValidationError) -> str:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
