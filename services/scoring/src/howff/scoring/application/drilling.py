"""The restore drill: matches of the archive are put into another server, read back, compared."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from howff.match.commit import Commit, MatchId
from howff.match.journal import subject_of
from howff.scoring.domain.errors import DamagedError
from howff.scoring.domain.restoring import Difference, Shelved, Sound, difference, sound
from howff.servicekit.eventstore.errors import BrokenStreamError, UnreadableCommitError
from howff.servicekit.eventstore.store import BEGINNING, EventStore, StreamId

FEW: Final = 5
"""How many matches are restored unless more are asked for."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Which matches of the archive are meant."""

    matches: tuple[str, ...] = ()
    """These; if none are named, the newest."""
    newest: int | None = FEW
    """How many; None for all."""


class Shelf(Protocol):
    """The archive, to be read. All methods raise `DatabaseError` if it can't be."""

    async def chosen(self, choice: Choice) -> list[str]:
        """Return the matches that are meant, the newest first.

        Raises:
            NotArchivedError: one is not in the archive.
            NothingArchivedError: there is none at all.
        """
        ...

    async def entry(self, match: str) -> Shelved:
        """Return the entry of a match.

        Raises:
            NotArchivedError: there is none any more.
        """
        ...


@dataclass(frozen=True, slots=True)
class Drilled:
    """What has become of one match."""

    match: str
    commits: int
    """How many were found to be the same."""
    difference: Difference | None


class Drill:
    """Takes matches from *shelf* into *store*, the server that is tried.

    All methods raise `DatabaseError` if the archive can't be read now, and `UnavailableError` or
    `UnknownOutcomeError` if the server can't be reached.
    """

    def __init__(self, shelf: Shelf, store: EventStore[Commit]) -> None:
        self._shelf = shelf
        self._store = store

    async def restore(self, match: str) -> Drilled:
        """Put *match* where nothing of it stands, read it back and compare it.

        One that is damaged in the archive is not put anywhere.

        Raises:
            ConflictError: something stands there.
        """
        return await self._drilled(match, is_written=True)

    async def compare(self, match: str) -> Drilled:
        """Compare *match* with what stands in the server."""
        return await self._drilled(match, is_written=False)

    async def _drilled(self, match: str, *, is_written: bool) -> Drilled:
        entry = await self._shelf.entry(match)
        try:
            # Verifying takes a while, in which others should not have to wait.
            archived = await asyncio.to_thread(sound, entry)
        except DamagedError as error:
            damage = Difference(match, "archive", error.version, error.expected, error.found)
            return Drilled(match, 0, damage)
        if is_written:
            await self._write(archived)
        found = await self._compared(archived)
        return Drilled(match, 0 if found else len(archived.commits), found)

    async def _write(self, archived: Sound) -> None:
        mark = BEGINNING
        for commit in archived.commits:
            mark = await self._store.append(_stream_of(archived.match), commit, mark)

    async def _compared(self, archived: Sound) -> Difference | None:
        try:
            recorded = await self._store.tail(_stream_of(archived.match), BEGINNING)
        except (BrokenStreamError, UnreadableCommitError) as error:
            return Difference(archived.match, "server", None, error.expected, error.found)
        commits: Sequence[Commit] = [each.commit for each in recorded]
        return await asyncio.to_thread(difference, archived, commits)


def _stream_of(match: str) -> StreamId:
    return StreamId(subject_of(MatchId(match)))
