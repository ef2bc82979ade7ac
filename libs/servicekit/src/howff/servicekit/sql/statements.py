"""Statements that SQLite and PostgreSQL both have, each by its own dialect."""

from typing import Any

from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel

Insert = sqlite.Insert | postgresql.Insert


def upsert(session: AsyncSession, row: type[SQLModel]) -> Insert:
    """Return an insertion into the table of *row* that can say what to do on a conflict."""
    if session.get_bind().dialect.name == "sqlite":
        return sqlite.insert(row)
    return postgresql.insert(row)


async def insert_missing(session: AsyncSession, row: type[SQLModel], **values: Any) -> None:
    """Insert a row of these *values*, unless there is one with its key."""
    await session.execute(upsert(session, row).values(**values).on_conflict_do_nothing())
