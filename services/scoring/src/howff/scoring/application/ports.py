"""What scoring needs of the world."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from howff.match.signatures import PublicKey
from howff.scoring.application.answers import (
    HeadToHead,
    PlayedMatch,
    Player,
    ProjectionState,
    RankedPlayer,
    RatingStep,
)
from howff.scoring.application.statistics import Counter
from howff.scoring.domain.verifying import Claim, Entry

Place = tuple[int, str]
"""Of a leaderboard: sure points, and a player."""
Seating = tuple[int, int]
"""A position in `CONTRACTS`, and a seat of the match that ended there."""
Standing = tuple[int, str]
"""How many matches there were with an opponent, an account or `bot:LEVEL`, and which."""


class Logs(Protocol):
    """Whoever has the logs of matches that are over."""

    async def export(self, match: str) -> bytes:
        """Return the file of the whole export of *match*.

        Raises:
            LogsAwayError: it can't be had now.
            NoLogError: there is no such match.
        """
        ...

    async def keys(self) -> Sequence[PublicKey]:
        """Return the keys by which logs are signed.

        Raises:
            LogsAwayError: they can't be had now.
        """
        ...


class Verifiers(Protocol):
    """Who verifies matches, several at once."""

    async def entry_of(self, content: bytes, claim: Claim, keys: Sequence[PublicKey]) -> Entry:
        """Return the entry of a match whose whole export has this *content*, once it is verified.

        Raises:
            VerifierDiedError: whoever was at it is gone.
            UnverifiedError, MalformedExportError, TruncatedExportError, UnknownGameError: it is
                not verified.
        """
        ...


class Names(Protocol):
    """Whoever knows what accounts are called."""

    async def called(self, accounts: Sequence[str]) -> Mapping[str, str]:
        """Return the names of those of the *accounts* that have one.

        Of none while they can't be had: answers come all the same.
        """
        ...


class Scores(Protocol):
    """What the projections have made. All methods raise `DatabaseError` if it can't be read now."""

    async def leaders(
        self, game: str, kind: str, limit: int, after: Place | None = None
    ) -> list[RankedPlayer]:
        """Return the best players after a place, the best first."""
        ...

    async def around(self, game: str, kind: str, player: str, limit: int) -> list[RankedPlayer]:
        """Return *player* in the middle of those who are about as good.

        Raises:
            NoSuchPlayerError: it has no rating there.
        """
        ...

    async def player(self, player: str, *, is_own: bool) -> Player:
        """Return what is known of an account: of private matches to itself alone.

        Raises:
            NoSuchPlayerError: nothing is.
        """
        ...

    async def opponents_of(
        self, player: str, game: str | None, limit: int, after: Standing | None, *, is_own: bool
    ) -> list[tuple[Standing, HeadToHead]]:
        """Return whom an account has met most after a standing, each with its own.

        Matches that their seats alone may watch are counted for the account itself.
        """
        ...

    async def counters_of(self, game: str, seats: int | None, who: str | None) -> list[Counter]:
        """Return what was counted of a game, or of so many *seats*, or of *who* played."""
        ...

    async def matches_of(
        self, player: str, limit: int, after: Seating | None, *, is_own: bool
    ) -> list[tuple[Seating, PlayedMatch]]:
        """Return the newest matches of an account after a seating, each with its own.

        Those that their seats alone may watch are told to the account itself.
        """
        ...

    async def steps_of(  # noqa: PLR0913 — all that narrows it
        self, player: str, game: str, kind: str, limit: int, before: int | None, *, is_own: bool
    ) -> list[tuple[int, RatingStep]]:
        """Return the newest steps of a rating before a position, each with its own.

        Matches that their seats alone may watch are named to the account itself.
        """
        ...


class Upkeep(Protocol):
    """Who looks after the archive and its projections.

    All methods raise `DatabaseError` if the database can't be used now.
    """

    async def states(self) -> list[ProjectionState]:
        """Return how far the archive and each projection have come."""
        ...

    async def retry(self, name: str, position: int) -> None:
        """Try a match again that *name* has put aside; whatever is wrong still is raised.

        Raises:
            NoSuchProjectionError: there is no such projection.
            NotPutAsideError: no match stands aside at that position.
            StillPutAsideError: it can't be applied yet.
        """
        ...

    async def start_rebuild(self, name: str) -> int:
        """Begin to make the rows of a projection anew, and return which generation that will be.

        One that is at it goes on.

        Raises:
            NoSuchProjectionError: there is no such projection, or it is the archive.
        """
        ...
