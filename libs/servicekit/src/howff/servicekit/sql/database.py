"""A SQL database: SQLite in one file, or PostgreSQL; the same transactions on both."""

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final
from weakref import WeakSet

import aiosqlite
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import Connection as SqlConnection
from sqlalchemy import event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import DatabaseError as SqlDatabaseError
from sqlalchemy.exc import TimeoutError as NoConnectionError
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    create_async_engine,
)

from howff.engine.errors import RefusalError

WRITES: Final = "howff_writes"
"""The execution option of a transaction that will write."""
OVERWRITTEN_WITHIN: Final = 10.0
OVERWRITE_PAUSE: Final = 0.05
"""Seconds."""
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+psycopg"}
_DRIVERS_OF_MIGRATIONS: Final = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg"}
_OUTAGES: Final = (InterfaceError, NoConnectionError, OperationalError)
_PRAGMAS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA busy_timeout = 10000",
    "PRAGMA secure_delete = ON",
)
"""Commits survive a power cut, and what was deleted is overwritten."""


class DatabaseError(RefusalError):
    """The database can't be reached, or is not what its address says."""

    code = "database"
    retry_after = 1

    def __init__(self, *, expected: str, found: str) -> None:
        super().__init__("the database can't be used", expected=expected, found=found)


class Database:
    """The database at one address, such as `sqlite:///folder/lobby.db`.

    Raises:
        DatabaseError: it is no address of SQLite or PostgreSQL.
    """

    def __init__(self, address: str) -> None:
        self.url = _url(address)
        # What errors say is logged, and must not tell what somebody is called.
        arguments = {"async_creator_fn": _ClosedOnce} if self.is_sqlite else {}
        self.engine: AsyncEngine = create_async_engine(
            self.url, hide_parameters=True, connect_args=arguments
        )
        if self.is_sqlite:
            event.listen(self.engine.sync_engine, "connect", _prepare)
            event.listen(self.engine.sync_engine, "begin", _begin)

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """Give a transaction, which is committed at the end unless something is raised.

        On SQLite it waits for the one other transaction that may write at a time.

        Raises:
            DatabaseError: the database can't be reached, or not now; nothing was written, unless
                the line broke while it was committed.
        """
        with _outage_told():
            async with AsyncSession(self.engine, expire_on_commit=False) as session:
                await session.connection(execution_options={WRITES: True})
                yield session
                await session.commit()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Give a transaction that sees the database as it is at its first statement.

        Raises:
            DatabaseError: the database can't be reached, or not now.
        """
        # SQLite does so by itself; PostgreSQL would show each statement what is new.
        options = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with _outage_told():
            async with AsyncSession(self.engine, expire_on_commit=False) as session:
                await session.connection(execution_options=options)
                yield session

    async def forget(self, *tables: str) -> None:
        """Overwrite what was deleted before, so that the files don't hold it any more.

        Raises:
            DatabaseError: it can't be reached, or others read all the time: not done.
        """
        with _outage_told():
            async with self.engine.connect() as connection:
                outside = await connection.execution_options(isolation_level="AUTOCOMMIT")
                if self.is_sqlite:
                    await _overwrite(outside)
                else:
                    for each in tables:
                        await outside.execute(text(f'VACUUM (FULL) "{each}"'))

    async def check(self) -> None:
        """Ask something of the database.

        Raises:
            DatabaseError: it does not answer.
        """
        try:
            async with self.reading() as session:
                await session.execute(text("SELECT 1"))
        except (DBAPIError, OSError) as error:
            raise DatabaseError(expected="an answer", found=_name_of(error)) from error

    async def migrate(self, migrations: Path) -> None:
        """Bring the tables to the newest form that the folder *migrations* knows.

        Raises:
            DatabaseError: it can't be reached, or has a form that is not known here.
        """
        with _outage_told():
            try:
                await asyncio.to_thread(_migrate, self.url, migrations)
            except CommandError as error:
                expected = "tables of a form that is known here"
                raise DatabaseError(expected=expected, found=str(error)) from error

    async def close(self) -> None:
        await self.engine.dispose()


@asynccontextmanager
async def opened_database(address: str, migrations: Path | None = None) -> AsyncIterator[Database]:
    """Give the database at *address* until the context ends.

    With *migrations* its tables are brought to the newest form before.

    Raises:
        DatabaseError: there is none, it can't be reached, or has a form that is not known here.
    """
    database = Database(address)
    try:
        if migrations is not None:
            await database.migrate(migrations)
        yield database
    finally:
        await database.close()


async def migrated(address: str, migrations: Path) -> None:
    """Bring the tables of the database at *address* to the newest form, and leave it again.

    Raises:
        DatabaseError: it can't be reached, or has a form that is not known here.
    """
    async with opened_database(address, migrations):
        pass


async def _overwrite(connection: AsyncConnection) -> None:
    """Let SQLite's log of changes be empty.

    SQLite waits for readers, but not for another checkpoint: that it is busy it tells by a row.
    """
    deadline = time.monotonic() + OVERWRITTEN_WITHIN
    while True:
        done = await connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
        if not done.scalar_one():
            return
        if time.monotonic() > deadline:
            raise DatabaseError(expected="a moment without others", found="none in time")
        await asyncio.sleep(OVERWRITE_PAUSE)


@contextmanager
def _outage_told() -> Generator[None, None, None]:
    """Say of whatever the next try may not meet that the database can't be used now."""
    try:
        yield
    except (*_OUTAGES, sqlite3.DatabaseError) as error:  # the latter while it is connected
        raise DatabaseError(expected="an answer", found=_name_of(error)) from error
    except SqlDatabaseError as error:
        if type(error) is not SqlDatabaseError:  # those that are more special are bugs
            raise
        raise DatabaseError(expected="a database", found=_name_of(error)) from error


def _name_of(error: Exception) -> str:
    """Return what the driver calls an *error*, whose text may tell what nobody has to know."""
    cause = getattr(error, "orig", None) or error
    return str(getattr(cause, "sqlite_errorname", type(cause).__name__))


def _url(address: str) -> URL:
    try:
        url = make_url(address)
    except ArgumentError as error:
        raise DatabaseError(
            expected="an address such as sqlite:///lobby.db", found="another"
        ) from error
    backend = url.get_backend_name()
    if backend not in _DRIVERS:
        raise DatabaseError(expected="sqlite or postgresql", found=repr(backend))
    return url.set(drivername=_DRIVERS[backend])


class _ClosedOnce(aiosqlite.Connection):
    """A connection whose thread closes it once, and ends, whoever asks for it and how often.

    SQLAlchemy closes what a cancelled task has left, and once more without waiting if the task is
    cancelled again meanwhile: then aiosqlite's own would close what is closed, or wait for a thread
    that has ended.
    """

    _stopped: asyncio.Future[Any] | None = None

    def __init__(self, path: str, **options: Any) -> None:
        super().__init__(partial(sqlite3.connect, path, factory=_SqliteConnection, **options), 64)
        self._thread.daemon = True  # as SQLAlchemy has it: no thread keeps a process that ends

    def stop(self) -> asyncio.Future[Any] | None:
        if self._stopped is None:
            self._stopped = super().stop()
        return self._stopped

    async def close(self) -> None:
        stopped = self.stop()
        if stopped is not None:
            await asyncio.shield(stopped)


class _SqliteConnection(sqlite3.Connection):
    """A connection whose transactions leave nothing behind.

    A reader that is cancelled before it has its rows leaves its cursor to Python, which may keep it
    for long; as long, SQLite holds what was deleted since.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._cursors = WeakSet[sqlite3.Cursor]()

    def cursor(self, *args: Any, **kwargs: Any) -> Any:
        cursor: sqlite3.Cursor = super().cursor(*args, **kwargs)
        self._cursors.add(cursor)
        return cursor

    def rollback(self) -> None:
        self._close_cursors()
        super().rollback()

    def close(self) -> None:
        self._close_cursors()
        super().close()

    def _close_cursors(self) -> None:
        for each in tuple(self._cursors):
            each.close()


def _prepare(connection: Any, _: object) -> None:
    connection.isolation_level = None  # SQLAlchemy's own BEGIN, at the time that it says
    cursor = connection.cursor()
    for each in _PRAGMAS:
        cursor.execute(each)
    cursor.close()


def _begin(connection: SqlConnection) -> None:
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _migrate(url: URL, migrations: Path) -> None:
    config = Config()
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    driver = _DRIVERS_OF_MIGRATIONS[url.get_backend_name()]
    config.attributes["url"] = url.set(drivername=driver)
    command.upgrade(config, "head")
