"""What an operator asks of projections: how far they are, to try again, to make them anew."""

import asyncio
import logging
from collections.abc import Mapping, Sequence

from sqlalchemy import func
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.contracts.matches import CONTRACTS
from howff.scoring.adapters.archive import ARCHIVE, Archive
from howff.scoring.adapters.projections import ArchiveProjection
from howff.scoring.adapters.rows import ArchiveRow, ProjectionRow, PutAsideRow, RebuiltRow
from howff.scoring.application.answers import ProjectionState, PutAside, Rebuild, Rebuilding
from howff.scoring.domain.errors import (
    NoSuchProjectionError,
    NotPutAsideError,
    StillPutAsideError,
)
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.reading import stored_at
from howff.servicekit.nats.streams import answered
from howff.servicekit.sql.checkpoints import CheckpointRow, QuarantineRow
from howff.servicekit.sql.database import Database

_log = logging.getLogger(__name__)


class SqlUpkeep:
    """Looks after the archive and its projections.

    All methods raise `DatabaseError` if the database can't be used now.
    """

    def __init__(
        self,
        connection: Connection,
        database: Database,
        archive: Archive,
        projections: Sequence[ArchiveProjection],
    ) -> None:
        self._connection = connection
        self._database = database
        self._archive = archive
        self._projections: Mapping[str, ArchiveProjection] = {
            each.plan.name: each for each in projections
        }
        self._rebuilding: dict[str, asyncio.Task[None]] = {}

    async def states(self) -> list[ProjectionState]:
        """Return how far the archive and each projection have come.

        Raises:
            NatsUnavailableError: the server does not tell how long `CONTRACTS` is.
        """
        info = await answered(CONTRACTS, self._connection.jetstream.stream_info(CONTRACTS))
        archive = await self._archive_state(info.state.last_seq)
        return [archive, *[await self._state(name) for name in self._projections]]

    async def retry(self, name: str, position: int) -> None:
        """Try a match again that *name* has put aside; whatever is wrong still is raised.

        Raises:
            NoSuchProjectionError: there is no such projection.
            NotPutAsideError: no match stands aside at that position.
            StillPutAsideError: it can't be applied yet.
        """
        self._check_name(name)
        aside = {each.position for each in await self._aside_of(name)}
        if position not in aside:
            raise NotPutAsideError(position)
        if name == ARCHIVE:
            await self._retry_archiving(position)
        else:
            await self._projections[name].retry(position)
        for each in await self._aside_of(name):
            if each.position == position:
                raise StillPutAsideError(position, each.error)

    async def start_rebuild(self, name: str) -> int:
        """Begin to make the rows of a projection anew, and return which generation that will be.

        One that is at it goes on.

        Raises:
            NoSuchProjectionError: there is no such projection, or it is the archive.
        """
        if name not in self._projections:
            raise NoSuchProjectionError(name, ", ".join(self._projections))
        async with self._database.reading() as session:
            live = await _live_row(session, name)
        if name not in self._rebuilding:
            task = asyncio.create_task(self._rebuild(name), name=f"rebuild of {name}")
            self._rebuilding[name] = task
            task.add_done_callback(lambda _: self._rebuilding.pop(name))
        return live.generation + 1

    async def stop(self) -> None:
        """Break off what is made anew; it can be gone on with."""
        tasks = tuple(self._rebuilding.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _rebuild(self, name: str) -> None:
        try:
            await self._projections[name].rebuild()
        except Exception:  # noqa: BLE001 — nobody waits for it; it may be begun again
            _log.exception("projection %s could not be made anew", name)

    async def _retry_archiving(self, position: int) -> None:
        message = await stored_at(self._connection, CONTRACTS, position)
        if message is None:
            raise NotPutAsideError(position)
        projections = tuple(self._projections.values())
        await self._archive.retry(position, message.subject, message.payload, projections)
        for each in projections:
            if position in {aside.position for aside in await self._aside_of(each.plan.name)}:
                await each.retry(position)

    def _check_name(self, name: str) -> None:
        known = (ARCHIVE, *self._projections)
        if name not in known:
            raise NoSuchProjectionError(name, ", ".join(known))

    async def _archive_state(self, last: int) -> ProjectionState:
        async with self._database.reading() as session:
            row = await session.get(CheckpointRow, ARCHIVE)
        position = 0 if row is None else row.position
        return ProjectionState(
            projection=ARCHIVE,
            position=position,
            lag=last - position,
            put_aside=tuple(await self._aside_of(ARCHIVE)),
        )

    async def _state(self, name: str) -> ProjectionState:
        async with self._database.reading() as session:
            live = await _live_row(session, name)
            coming = await session.get(ProjectionRow, (name, live.generation + 1))
            rebuilt = await session.get(RebuiltRow, (name, live.generation))
            lag = await _behind(session, live.position)
        return ProjectionState(
            projection=name,
            position=live.position,
            lag=lag,
            generation=live.generation,
            rebuilding=None
            if coming is None
            else Rebuilding(generation=coming.generation, position=coming.position),
            rebuilt=None if rebuilt is None else Rebuild.model_validate(rebuilt.model_dump()),
            put_aside=tuple(await self._aside_of(name)),
        )

    async def _aside_of(self, name: str) -> list[PutAside]:
        async with self._database.reading() as session:
            if name == ARCHIVE:
                query = select(QuarantineRow).where(col(QuarantineRow.projection) == ARCHIVE)
                rows = (await session.execute(query)).scalars().all()
                return [
                    PutAside(
                        position=row.position,
                        match=row.subject.rpartition(".")[2] or None,
                        error=row.error,
                    )
                    for row in rows
                ]
            live = select(ProjectionRow.generation).where(
                col(ProjectionRow.projection) == name, col(ProjectionRow.is_live)
            )
            asides = select(PutAsideRow).where(
                col(PutAsideRow.projection) == name,
                col(PutAsideRow.generation).in_(live),
            )
            return [
                PutAside(position=row.position, match=row.match, error=row.error)
                for row in (await session.execute(asides)).scalars().all()
            ]


async def _live_row(session: AsyncSession, name: str) -> ProjectionRow:
    """Return how far the live generation is; one that has not begun is at nothing."""
    query = select(ProjectionRow).where(
        col(ProjectionRow.projection) == name, col(ProjectionRow.is_live)
    )
    row = (await session.execute(query)).scalar_one_or_none()
    return row or ProjectionRow(projection=name, generation=1, is_live=True, version=0, position=0)


async def _behind(session: AsyncSession, position: int) -> int:
    """Return how many matches the archive has after *position*."""
    later = select(func.count()).select_from(ArchiveRow).where(col(ArchiveRow.position) > position)
    return (await session.execute(later)).scalar_one()
