"""The archive: every match that is over, verified, and where it stood in `CONTRACTS`."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.contracts.matches import MatchEnded
from howff.scoring.adapters.projections import ArchiveProjection
from howff.scoring.adapters.rows import ArchiveRow
from howff.scoring.application.ports import Logs, Verifiers
from howff.scoring.domain.verifying import RESULTS_VERSION, Claim, Entry
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.projections import Checkpoint
from howff.servicekit.sql.checkpoints import QuarantineRow, SqlProgress
from howff.servicekit.sql.database import Database

ARCHIVE = "archive"
AHEAD: Final = 8
"""Matches that are fetched or verified at once, each with its file in memory."""


class Archive:
    """What is made of `CONTRACTS`: a match a transaction, with the checkpoint.

    A match is fetched and verified before its transaction, which so is short. *archived* is called
    after each, at most once, since the process may end in between.
    """

    def __init__(
        self, database: Database, logs: Logs, verifiers: Verifiers, archived: Callable[[], None]
    ) -> None:
        self._database = database
        self._progress = SqlProgress(database, ARCHIVE)
        self._logs = logs
        self._verifiers = verifiers
        self._archived = archived
        self._foreseen: dict[int, asyncio.Task[Entry | None]] = {}
        self._free = asyncio.Semaphore(AHEAD)

    def foresee(self, deliveries: Sequence[Delivery]) -> None:
        """Begin to verify what these messages tell the end of, before it is their turn."""
        for position in [each for each in self._foreseen if each < deliveries[0].position]:
            self._foreseen.pop(position).cancel()  # others were faster
        for each in deliveries:
            if each.position not in self._foreseen:
                task = asyncio.create_task(self._in_advance(each))
                task.add_done_callback(_forgive)
                self._foreseen[each.position] = task

    async def stop(self) -> None:
        """Give up what was begun before its turn."""
        tasks = tuple(self._foreseen.values())
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def checkpoint(self) -> Checkpoint | None:
        """Return how far has been read.

        Raises:
            DatabaseError: the database can't be used now.
        """
        return await self._progress.checkpoint()

    async def begin(self, checkpoint: Checkpoint) -> None:
        """Store the first checkpoint.

        Raises:
            DatabaseError: the database can't be used now.
        """
        await self._progress.begin(checkpoint)

    async def quarantine(self, position: int, subject: str, error: Exception) -> None:
        """Store that a match can't be archived.

        Raises:
            DatabaseError: the database can't be used now.
        """
        await self._progress.quarantine(position, subject, error)

    async def apply(self, position: int, subject: str, payload: bytes) -> None:
        """Archive what a message tells the end of, once it is verified.

        Raises:
            DatabaseError, LogsAwayError: not now.
            ValidationError: the message is malformed.
            NoLogError, UnverifiedError, MalformedExportError: never, as things are.
        """
        foreseen = self._foreseen.pop(position, None)
        entry = await (foreseen or self._entry_told_by(subject, payload))

        async def write(session: AsyncSession) -> None:
            if entry is not None and not await _is_archived(session, entry.match):
                session.add(_row(position, entry))

        await self._progress.advance(position, write)
        if entry is not None:
            self._archived()

    async def retry(
        self, position: int, subject: str, payload: bytes, later: Sequence[ArchiveProjection]
    ) -> None:
        """Archive a match that was quarantined, in its place.

        Those of the projections *later* that have come past it put it aside, to be tried again.

        Raises:
            DatabaseError, LogsAwayError: not now.
            NoLogError, UnverifiedError, MalformedExportError: never, as things are.
        """
        entry = await self._entry_told_by(subject, payload)
        async with self._database.writing() as session:
            key = ARCHIVE, position
            row = await session.get(QuarantineRow, key, with_for_update=True)
            if row is None:
                return
            await session.delete(row)
            if entry is None or await _is_archived(session, entry.match):
                return
            session.add(_row(position, entry))
            for each in later:
                await each.put_aside_late(session, position, entry.match)

    async def _in_advance(self, delivery: Delivery) -> Entry | None:
        async with self._free:
            return await self._entry_told_by(delivery.subject, delivery.payload)

    async def _entry_told_by(self, subject: str, payload: bytes) -> Entry | None:
        if subject.split(".")[1] != "match_ended":
            return None
        told = MatchEnded.model_validate_json(payload)
        claim = Claim(told.match, told.version, told.outcome)
        content = await self._logs.export(told.match)
        keys = await self._logs.keys()  # each time, since there may be new ones
        return await self._verifiers.entry_of(content, claim, keys)


def _forgive(task: asyncio.Task[Entry | None]) -> None:
    """Let nobody complain of an error that may never be asked for: the next try meets it again."""
    if not task.cancelled():
        task.exception()


async def _is_archived(session: AsyncSession, match: str) -> bool:
    query = select(ArchiveRow.position).where(col(ArchiveRow.match) == match)
    return (await session.execute(query)).first() is not None


def _row(position: int, entry: Entry) -> ArchiveRow:
    return ArchiveRow(
        position=position,
        match=entry.match,
        game=entry.game,
        head_hash=entry.head_hash,
        content=entry.content,
        unchecked=",".join(entry.unchecked),
        result=entry.result,
        results_version=RESULTS_VERSION,
    )
