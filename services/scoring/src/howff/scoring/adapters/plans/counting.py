"""Counting: rows whose numbers grow by what a match adds."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel

from howff.servicekit.sql.statements import upsert


async def add_counts(
    session: AsyncSession, row: type[SQLModel], counts: Sequence[dict[str, Any]]
) -> None:
    """Add what *counts* tell to the rows of their keys, each of which is told once.

    Every column that is no part of the key is a number that grows.
    """
    if not counts:
        return
    columns = row.__table__.c  # type: ignore[attr-defined]
    statement = upsert(session, row)
    grown = {
        each.name: each + statement.excluded[each.name] for each in columns if not each.primary_key
    }
    keys = [each for each in columns if each.primary_key]
    await session.execute(
        statement.on_conflict_do_update(index_elements=keys, set_=grown), list(counts)
    )


async def is_first_time(
    session: AsyncSession, counted: type[SQLModel], generation: int, position: int
) -> bool:
    """Tell whether a match has yet to be counted in a generation, and note that it has been."""
    if await session.get(counted, (generation, position)) is not None:
        return False
    session.add(counted(generation=generation, position=position))
    return True
