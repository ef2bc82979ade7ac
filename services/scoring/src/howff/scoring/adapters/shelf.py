"""The archive as a restore drill reads it: nothing is written there, and no table is made."""

from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from sqlalchemy.exc import DBAPIError
from sqlmodel import col, select

from howff.scoring.adapters.rows import ArchiveRow
from howff.scoring.application.drilling import Choice
from howff.scoring.domain.errors import NotArchivedError, NothingArchivedError
from howff.scoring.domain.restoring import Shelved
from howff.servicekit.sql.database import Database, DatabaseError, opened_database


class SqlShelf:
    """The archive in a database of scoring.

    All methods raise `DatabaseError` if it can't be read.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def chosen(self, choice: Choice) -> list[str]:
        """Return the matches that are meant, the newest first.

        Raises:
            NotArchivedError: one is not in the archive.
            NothingArchivedError: there is none at all.
        """
        query = select(ArchiveRow.match).order_by(col(ArchiveRow.position).desc())
        if choice.matches:
            query = query.where(col(ArchiveRow.match).in_(choice.matches))
        else:
            query = query.limit(choice.newest)
        with _unreadable_told():
            async with self._database.reading() as session:
                found = list((await session.execute(query)).scalars())
        for match in choice.matches:
            if match not in found:
                raise NotArchivedError(match)
        if not found:
            raise NothingArchivedError
        return found

    async def entry(self, match: str) -> Shelved:
        """Return the entry of a match.

        Raises:
            NotArchivedError: there is none any more.
        """
        columns = select(ArchiveRow.match, ArchiveRow.head_hash, ArchiveRow.content)
        with _unreadable_told():
            async with self._database.reading() as session:
                query = columns.where(col(ArchiveRow.match) == match)
                row = (await session.execute(query)).one_or_none()
        if row is None:
            raise NotArchivedError(match)
        return Shelved(*row)


@asynccontextmanager
async def opened_shelf(address: str) -> AsyncIterator[SqlShelf]:
    """Give the archive in the database at *address*.

    Raises:
        DatabaseError: there is no such database.
    """
    async with opened_database(address) as database:
        _check_there(database)
        yield SqlShelf(database)


def _check_there(database: Database) -> None:
    # SQLite would make an empty one.
    file = database.url.database
    if database.is_sqlite and not (file and Path(file).is_file()):
        raise DatabaseError(expected=f"a file {file!r}", found="none")


@contextmanager
def _unreadable_told() -> Generator[None, None, None]:
    """Say of whatever is no archive that it can't be used."""
    try:
        yield
    except DBAPIError as error:
        found = type(error.orig).__name__
        raise DatabaseError(expected="an archive of scoring", found=found) from error
