"""The projections of the archive: each with its own checkpoint, each rebuildable alone.

A projection goes through the archive in the order of `CONTRACTS`, one match a transaction with its
checkpoint. Its rows stand in generations: a rebuild makes a new one beside the live one, and once
both have come as far, lets it take the other's place.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import rfc8785
from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel, col, select

from howff.engine.codec import JSON, from_json, to_json
from howff.scoring.adapters.rows import ArchiveRow, ProjectionRow, PutAsideRow, RebuiltRow
from howff.scoring.domain.errors import OtherVersionError
from howff.scoring.domain.results import MatchResult
from howff.scoring.domain.verifying import RESULTS_VERSION, result_again
from howff.servicekit.sql.database import Database, DatabaseError
from howff.servicekit.sql.statements import insert_missing
from howff.servicekit.telemetry.tracing import code_of

LATE: Final = "late"
"""Why a match stands aside that came into the archive after its turn."""
MOST_SHOWN: Final = 20
"""Of the rows that differ after a rebuild."""
_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Archived:
    """A match of the archive, as projections see it."""

    position: int
    result: MatchResult


class Stored(NamedTuple):
    """A match as it stands in the archive, but for its file, which is large."""

    position: int
    match: str
    result: JSON
    results_version: int


_STORED: Final = select(
    ArchiveRow.position, ArchiveRow.match, ArchiveRow.result, ArchiveRow.results_version
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What is made of each match, and in which tables."""

    name: str
    tables: tuple[type[SQLModel], ...]
    """Each with a column `generation`; in this order they can be emptied."""
    apply: Callable[[AsyncSession, int, Archived], Awaitable[None]]
    """Write the rows of a match into a generation; twice does no more than once."""
    is_ordered: bool
    """Whether a match changes what those after it make."""
    version: int = 1
    """Goes up with every change by which *apply* would make other rows: then all are made anew."""

    @property
    def made_by(self) -> int:
        """Return the version of the rows; it goes up with that of the results, too."""
        return RESULTS_VERSION + self.version


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """What a rebuild has come to."""

    rows: int
    """How many rows are live now."""
    differences: tuple[str, ...]
    """Rows that are not as they were, each by its table and key; the first of them only."""
    differing: int


class ArchiveProjection:
    """One projection, as *plan* says.

    All methods raise `DatabaseError` if the database can't be used now.
    """

    def __init__(self, database: Database, plan: Plan) -> None:
        self.plan = plan
        self._database = database
        self._renewed: int | None = None
        """The generation that is to take the place of one that an older version has made."""

    async def begin(self) -> None:
        """Make the first generation, unless there has been one; one of an older version anew.

        That is done step by step, too.

        Raises:
            OtherVersionError: a process of a newer version makes these rows anew.
        """
        async with self._database.writing() as session:
            is_any = select(ProjectionRow).where(col(ProjectionRow.projection) == self.plan.name)
            if (await session.execute(is_any)).first() is None:
                await self._ensure(session, 1, is_live=True)
            live = await generation_of(session, self.plan.name)
            if live.version < self.plan.made_by:
                self._renewed = await self._begun_beside(session, live)

    async def step(self) -> int | None:
        """Project the next match of the archive; return its position, or None if there is none.

        One that can't be applied is put aside. What a process of a newer version has made is left
        to that.

        Raises:
            OtherVersionError: a process of a newer version makes anew what this one did.
        """
        while self._renewed is not None:
            if (position := await self._step(is_live=False)) is not None:
                return position
            if await self._swapped(self._renewed) is not None:
                self._renewed = None
        return await self._step(is_live=True)

    async def retry(self, position: int) -> Rebuilt | None:
        """Apply a match that was put aside; where order matters, make all rows anew.

        Whatever keeps it from being applied is raised.

        Raises:
            OtherVersionError: a process of a newer version makes these rows.
        """
        async with self._database.writing() as session:
            live = await generation_of(session, self.plan.name)
            await self._check_version(session)
            await self._begin_again(session, position, if_aside=True)
            if not self.plan.is_ordered:
                await self._apply_aside(session, live.generation, position)
        return await self.rebuild() if self.plan.is_ordered else None

    async def put_aside_late(self, session: AsyncSession, position: int, match: str) -> None:
        """Put a match aside that has come into the archive after its turn, if its turn is over."""
        live = await generation_of(session, self.plan.name)
        await self._begin_again(session, position)
        if live.position >= position:
            session.add(put_aside(live, position, match, LATE))

    async def rebuild(self, told: Callable[[int], None] = lambda _: None) -> Rebuilt:
        """Make a generation beside the live one, and let it take its place; *told* hears how far.

        One that was begun before and broke off, or that others make too, is gone on with, unless
        its version is older.

        Raises:
            OtherVersionError: a process of a newer version makes these rows.
        """
        async with self._database.writing() as session:
            live = await generation_of(session, self.plan.name)
            generation = await self._begun_beside(session, live)
        while (rebuilt := await self._swapped(generation)) is None:
            while (position := await self._step(is_live=False)) is not None:
                told(position)
            await self._step(is_live=True)
        return rebuilt

    async def _begun_beside(self, session: AsyncSession, live: ProjectionRow) -> int:
        """Return the generation that is made beside the live one; begin it unless it has begun."""
        generation = live.generation + 1
        await self._ensure(session, generation, is_live=False)
        await self._check_version(session)
        return generation

    async def _ensure(self, session: AsyncSession, generation: int, *, is_live: bool) -> None:
        await insert_missing(
            session,
            ProjectionRow,
            projection=self.plan.name,
            generation=generation,
            is_live=is_live,
            version=self.plan.made_by,
            position=0,
        )

    async def _step(self, *, is_live: bool) -> int | None:
        archived: Stored | None = None
        try:
            async with self._database.writing() as session:
                generation = await _generation(session, self.plan.name, is_live=is_live)
                if generation is None or generation.version != self.plan.made_by:
                    return None
                archived = await _following(session, generation.position)
                if archived is None:
                    return None
                await self.plan.apply(
                    session, generation.generation, await _read(session, archived)
                )
                generation.position = archived.position
        except DatabaseError:
            raise
        except Exception as error:
            if archived is None:
                raise
            _logger.exception("projection %s can't apply %s", self.plan.name, archived.match)
            await self._put_aside(archived, error, is_live=is_live)
        return archived.position

    async def _put_aside(self, archived: Stored, error: Exception, *, is_live: bool) -> None:
        async with self._database.writing() as session:
            generation = await _generation(session, self.plan.name, is_live=is_live)
            if generation is not None and generation.position < archived.position:
                session.add(
                    put_aside(generation, archived.position, archived.match, code_of(error))
                )
                generation.position = archived.position

    async def _apply_aside(self, session: AsyncSession, generation: int, position: int) -> None:
        aside = await session.get(PutAsideRow, (self.plan.name, generation, position))
        archived = await _at(session, position)
        if aside is not None and archived is not None:
            await self.plan.apply(session, generation, await _read(session, archived))
            await session.delete(aside)

    async def _check_version(self, session: AsyncSession) -> None:
        """Refuse what a newer version makes; let a generation begin again that an older one did."""
        for is_live in (True, False):
            found = await _generation(session, self.plan.name, is_live=is_live)
            if found is None:
                continue
            if found.version > self.plan.made_by:
                raise OtherVersionError(self.plan.name, self.plan.made_by, found.version)
            if not is_live and found.version < self.plan.made_by:
                await self._empty(session, found.generation)
                found.position, found.version = 0, self.plan.made_by

    async def _swapped(self, generation: int) -> Rebuilt | None:
        """Let *generation* be the live one, unless others have; None if one is behind yet."""
        async with self._database.writing() as session:
            old = await generation_of(session, self.plan.name)
            new = await _generation(session, self.plan.name, is_live=False)
            if old.generation < generation and new is not None:
                await self._check_version(session)
                if await self._is_behind(session, new) or await self._is_behind(session, old):
                    return None
                row = await self._compared(session, old.generation, new.generation)
                await self._empty(session, old.generation)
                await session.delete(old)
                new.is_live = True
                session.add(row)
            else:
                row = await session.get_one(RebuiltRow, (self.plan.name, generation))
        return Rebuilt(row.rows, tuple(row.differences), row.differing)

    async def _is_behind(self, session: AsyncSession, generation: ProjectionRow) -> bool:
        """Tell whether a generation, unless it is of an older version, has not come to the end."""
        is_own = generation.version == self.plan.made_by
        return is_own and await _following(session, generation.position) is not None

    async def _compared(self, session: AsyncSession, old: int, new: int) -> RebuiltRow:
        rows, differing = 0, list[str]()
        for table in self.plan.tables:
            before, after = await rows_of(session, table, old), await rows_of(session, table, new)
            rows += len(after)
            for key in sorted(before.keys() | after.keys()):
                if before.get(key) != after.get(key):
                    differing.append(f"{table.__tablename__} {key}")
        return RebuiltRow(
            projection=self.plan.name,
            generation=new,
            rows=rows,
            differing=len(differing),
            differences=differing[:MOST_SHOWN],
        )

    async def _begin_again(
        self, session: AsyncSession, position: int, *, if_aside: bool = False
    ) -> None:
        """Let a generation that is being made begin again if it has passed *position*.

        What stands there now it has not seen; or with *if_aside*, only if it could not apply it: so
        that whoever tries again after each crash comes to an end.
        """
        new = await _generation(session, self.plan.name, is_live=False)
        if new is None or new.position < position:
            return
        key = self.plan.name, new.generation, position
        if not if_aside or await session.get(PutAsideRow, key) is not None:
            await self._empty(session, new.generation)
            new.position = 0

    async def _empty(self, session: AsyncSession, generation: int) -> None:
        for table in self.plan.tables:
            columns = table.__table__.c  # type: ignore[attr-defined]
            await session.execute(delete(table).where(columns.generation == generation))
        aside = delete(PutAsideRow).where(
            col(PutAsideRow.projection) == self.plan.name,
            col(PutAsideRow.generation) == generation,
        )
        await session.execute(aside)


async def generation_of(session: AsyncSession, projection: str) -> ProjectionRow:
    """Return the live generation of a projection that has begun; it is locked."""
    found = await _generation(session, projection, is_live=True)
    if found is None:  # PostgreSQL finds nothing where it waited for one that has been replaced
        found = await _generation(session, projection, is_live=True)
    assert found is not None, f"projection {projection} has begun"
    return found


async def live_generation(session: AsyncSession, projection: str) -> int:
    """Return which generation is read; 0, which has no rows, before there is one."""
    query = select(ProjectionRow.generation).where(
        col(ProjectionRow.projection) == projection, col(ProjectionRow.is_live)
    )
    return (await session.execute(query)).scalar_one_or_none() or 0


async def _generation(
    session: AsyncSession, projection: str, *, is_live: bool
) -> ProjectionRow | None:
    """Return the live generation, or the one that is being made, if there is one; it is locked."""
    query = select(ProjectionRow).where(
        col(ProjectionRow.projection) == projection, col(ProjectionRow.is_live) == is_live
    )
    return (await session.execute(query.with_for_update())).scalar_one_or_none()


async def rows_of(
    session: AsyncSession, table: type[SQLModel], generation: int
) -> dict[str, bytes]:
    """Return the rows of a generation by their keys, all in canonical JSON without it."""
    found: dict[str, bytes] = {}
    columns = table.__table__.c  # type: ignore[attr-defined]
    keys = [each.name for each in columns if each.primary_key and each.name != "generation"]
    for row in (
        await session.execute(select(table).where(columns.generation == generation))
    ).scalars():
        plain = row.model_dump(exclude={"generation"})
        found[",".join(str(plain[key]) for key in keys)] = rfc8785.dumps(plain)
    return found


def put_aside(generation: ProjectionRow, position: int, match: str, error: str) -> PutAsideRow:
    """Return the row that says why a match is missing in a generation."""
    return PutAsideRow(
        projection=generation.projection,
        generation=generation.generation,
        position=position,
        match=match,
        error=error,
    )


async def _following(session: AsyncSession, position: int) -> Stored | None:
    """Return the first match of the archive after *position*."""
    query = _STORED.where(col(ArchiveRow.position) > position).order_by(col(ArchiveRow.position))
    row = (await session.execute(query.limit(1))).one_or_none()
    return None if row is None else Stored(*row)


async def _read(session: AsyncSession, stored: Stored) -> Archived:
    """Return a match as projections see it; what was told in an older form is told anew."""
    if stored.results_version == RESULTS_VERSION:
        return Archived(stored.position, from_json(MatchResult, stored.result))
    row = await session.get_one(ArchiveRow, stored.position)
    told = await asyncio.to_thread(result_again, row.content)
    if row.results_version < RESULTS_VERSION:
        row.result, row.results_version = to_json(MatchResult, told), RESULTS_VERSION
    return Archived(stored.position, told)


async def _at(session: AsyncSession, position: int) -> Stored | None:
    row = (await session.execute(_STORED.where(col(ArchiveRow.position) == position))).one_or_none()
    return None if row is None else Stored(*row)
