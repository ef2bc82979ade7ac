"""Projections in SQL: rows, and beside them in the same transaction how far has been read."""

from collections.abc import Awaitable, Callable
from typing import ClassVar, Generic, TypeVar

from sqlalchemy import BigInteger, Text
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import Field, SQLModel, col, select

from howff.engine.errors import RefusalError
from howff.servicekit.projections import Checkpoint
from howff.servicekit.sql.database import Database
from howff.servicekit.sql.statements import insert_missing
from howff.servicekit.telemetry.tracing import code_of

T = TypeVar("T")


class CheckpointRow(SQLModel, table=True):
    """How far a projection has read, and of which stream."""

    __tablename__: ClassVar[str] = "projection_checkpoint"

    projection: str = Field(primary_key=True, sa_type=Text)
    position: int = Field(sa_type=BigInteger)
    created: str = Field(sa_type=Text)


class QuarantineRow(SQLModel, table=True):
    """A message that a projection could not apply, and has passed over."""

    __tablename__: ClassVar[str] = "projection_quarantine"

    projection: str = Field(primary_key=True, sa_type=Text)
    position: int = Field(primary_key=True, sa_type=BigInteger)
    subject: str = Field(sa_type=Text)
    error: str = Field(sa_type=Text)
    """The kind of what was raised; what it says may quote the message."""


class CheckpointMovedError(RefusalError):
    """The stored checkpoint is behind what this process has applied: another database is there."""

    code = "checkpoint_moved"
    retry_after = 5

    def __init__(self, projection: str, *, expected: int, found: int) -> None:
        what = f"projection {projection!r}"
        super().__init__(what, expected=f"position {expected}", found=f"position {found}")


class SqlProgress:
    """How far the projection *name* has read, stored in the transactions that write its rows.

    The row of the checkpoint is locked first: of two processes the second finds the position taken
    and changes nothing.
    """

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name

    async def checkpoint(self) -> Checkpoint | None:
        """Return how far has been read, if anybody has begun.

        Raises:
            DatabaseError: the database can't be used now.
        """
        async with self._database.reading() as session:
            row = await session.get(CheckpointRow, self._name)
        return None if row is None else Checkpoint(row.position, row.created)

    async def begin(self, checkpoint: Checkpoint) -> None:
        """Store the first checkpoint, unless another process has.

        Raises:
            DatabaseError: the database can't be used now.
        """
        async with self._database.writing() as session:
            await insert_missing(
                session,
                CheckpointRow,
                projection=self._name,
                position=checkpoint.position,
                created=checkpoint.created,
            )

    async def advance(
        self, position: int, write: Callable[[AsyncSession], Awaitable[None]]
    ) -> None:
        """Let *write* make its rows of what stands at *position*, if that has not been read.

        Raises:
            DatabaseError: the database can't be used now.
            CheckpointMovedError: something before the position has not been read.
        """
        async with self._database.writing() as session:
            if await self._moved(session, position):
                await write(session)

    async def quarantine(self, position: int, subject: str, error: Exception) -> None:
        """Store that a message could not be applied, and that it has been read.

        Raises:
            DatabaseError: the database can't be used now.
            CheckpointMovedError: something before the message has not been read.
        """
        async with self._database.writing() as session:
            if await self._moved(session, position):
                row = QuarantineRow(
                    projection=self._name, position=position, subject=subject, error=code_of(error)
                )
                session.add(row)

    async def _moved(self, session: AsyncSession, position: int) -> bool:
        """Move the checkpoint to *position*, and tell whether it was not there already."""
        query = select(CheckpointRow).where(col(CheckpointRow.projection) == self._name)
        row = (await session.execute(query.with_for_update())).scalar_one()
        if row.position >= position:
            return False
        if row.position != position - 1:
            raise CheckpointMovedError(self._name, expected=position - 1, found=row.position)
        row.position = position
        return True


class SqlProjection(SqlProgress, Generic[T]):
    """Lets *apply* make rows of each message, once, whatever number of processes does the same.

    What *apply* returns, *applied* is told after the transaction: at most once, since the process
    may end in between.
    """

    def __init__(
        self,
        database: Database,
        name: str,
        apply: Callable[[AsyncSession, str, bytes], Awaitable[T]],
        applied: Callable[[T], Awaitable[None]],
    ) -> None:
        super().__init__(database, name)
        self._apply = apply
        self._applied = applied

    async def apply(self, position: int, subject: str, payload: bytes) -> None:
        """Store what a message tells, and that it has been read, if that has not been done.

        Raises:
            DatabaseError: the database can't be used now.
            CheckpointMovedError: something before the message has not been read.
        """
        async with self._database.writing() as session:
            if not await self._moved(session, position):
                return
            made = await self._apply(session, subject, payload)
        await self._applied(made)
