"""The matches of the platform, asked over its public API with the worker's own tokens."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, Self

from howff.bots.application.errors import MootError, ServerAwayError, WrongServerError
from howff.bots.application.ports import Decision, Look, Options, Page
from howff.client.admission import SignedAdmission
from howff.client.client import HowffClient
from howff.client.errors import ClientError, WrongSettingError
from howff.client.patience import Patience
from howff.contracts.matches import DecisionDue
from howff.engine.codec import JSON, picked, to_tagged
from howff.engine.errors import MalformedError
from howff.engine.seats import Seat
from howff.match.commit import actor_of, commit_from_json
from howff.servicekit import ids
from howff.servicekit.readiness import Check, Finding

PATIENCE: Final = Patience(answer=5.0, trying=5.0)
"""Short: a decision that can't be told of is handed back, and another worker may do better."""
RETRY_AFTER: Final = 1.0
MOOT: Final = frozenset(
    {
        "command_id_reused",
        "match_over",
        "match_paused",
        "no_such_match",
        "not_your_decision",
        "stale_version",
    }
)
"""The refusals that say that somebody or something has come before."""


class Server:
    """A match service at *url*; *token* is asked for before each request.

    Use it as an async context manager.
    """

    def __init__(self, url: str, token: Callable[[], str]) -> None:
        """Connect to nothing yet.

        Raises:
            WrongServerError: *url* is no address.
        """
        admission = SignedAdmission(token)
        try:
            self._client = HowffClient(url, admission, ids=ids.new_id, patience=PATIENCE)
        except WrongSettingError as error:
            raise WrongServerError(expected=error.expected, found=error.found) from error

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def look(self, match: str, seat: Seat) -> Look:
        """Return a match as *seat* sees it now."""
        with self._answering():
            return picked(Look, await self._client.match(match, viewer=actor_of(seat)))

    async def options(self, match: str, seat: Seat) -> Options:
        """Return what *seat* may do now."""
        with self._answering():
            told = picked(_Moves, await self._client.moves(match, seat=seat))
            return Options(told.version, tuple(each["move"] for each in told.moves))

    async def told(self, match: str, seat: Seat, after: int) -> Page:
        """Return what *seat* was told after version *after*."""
        with self._answering():
            plain = await self._client.events(match, after=after, viewer=actor_of(seat))
            told = picked(_Events, plain)
            return Page(told.version, tuple(map(commit_from_json, told.commits)))

    async def play(self, due: DecisionDue, decision: Decision) -> None:
        """Make the move that is *due*: under an id that follows from what is due."""
        with self._answering():
            await self._client.play(
                due.match,
                to_tagged(decision.move),
                seat=due.seat,
                expected_version=due.version,
                command_id=ids.id_from(f"{due.match}/{due.version}/{due.seat}"),
                bot=decision.statement.to_json(),
            )

    def check(self) -> Check:
        """Return a check that it answers."""

        async def check() -> Finding:
            with self._answering():
                await self._client.games()
            return Finding(is_good=True, found="answers")

        return check

    @contextmanager
    def _answering(self) -> Iterator[None]:
        try:
            yield
        except ClientError as error:
            if error.code in MOOT:
                raise MootError(error.code) from error
            raise ServerAwayError(error.code, max(error.retry_after, RETRY_AFTER)) from error
        except MalformedError as error:
            raise ServerAwayError(error.code, RETRY_AFTER) from error


@dataclass(frozen=True, slots=True)
class _Moves:
    version: int
    moves: tuple[JSON, ...]


@dataclass(frozen=True, slots=True)
class _Events:
    version: int
    commits: tuple[JSON, ...]
