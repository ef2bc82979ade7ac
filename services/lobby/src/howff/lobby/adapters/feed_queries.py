"""What feeds are read from: entries by number, and snapshots with the number that they are at."""

from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, tuple_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.lobby.adapters.feed_rows import LOBBY_AUDIENCE
from howff.lobby.adapters.list_queries import account_snapshot, lobby_snapshot
from howff.lobby.adapters.list_rows import FeedEntryRow, FeedEpochRow, FeedRow
from howff.lobby.application.feeds import Entry, Mark, Reading, Snapshot
from howff.servicekit.eventstore.commits import time_text
from howff.servicekit.sql.database import Database

KEPT_FOR: Final = timedelta(days=1)
"""How long what was told can be read again."""
PRUNED_AT_ONCE: Final = 5000


class SqlFeedSource:
    """The entries of all audiences, in SQL."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def since(self, audience: str, number: int | None, most: int) -> Reading:
        """Return up to *most* entries after *number*; none for None."""
        async with self._database.reading() as session:
            mark = await _mark(session, audience)
            entries = () if number is None else await _entries(session, audience, number, most)
        return Reading(mark, entries)

    async def newest(self, audiences: Collection[str]) -> Mapping[str, int]:
        """Return the newest numbers of *audiences* by audience; those told nothing are missing."""
        query = select(FeedRow).where(col(FeedRow.audience).in_(audiences))
        async with self._database.reading() as session:
            rows = (await session.execute(query)).scalars().all()
        return {each.audience: each.number for each in rows}

    async def snapshot(self, audience: str) -> Snapshot:
        """Return what stands in the lists of *audience*, and the newest number at the time."""
        async with self._database.reading() as session:
            mark = await _mark(session, audience)
            content = await (
                lobby_snapshot(session)
                if audience == LOBBY_AUDIENCE
                else account_snapshot(session, audience.partition(".")[2])
            )
        return Snapshot(mark, content.model_dump_json().encode())

    async def prune(self, now: datetime) -> int:
        """Forget entries that are older than a day, some at a time; return how many there were."""
        oldest = time_text(now - KEPT_FOR)
        key = (col(FeedEntryRow.audience), col(FeedEntryRow.number))
        old = select(*key).where(col(FeedEntryRow.at) < oldest).limit(PRUNED_AT_ONCE)
        async with self._database.writing() as session:
            keys = [tuple(each) for each in await session.execute(old)]
            if keys:
                await session.execute(delete(FeedEntryRow).where(tuple_(*key).in_(keys)))
        return len(keys)


async def _mark(session: AsyncSession, audience: str) -> Mark:
    epoch = (await session.execute(select(FeedEpochRow))).scalar_one()
    row = await session.get(FeedRow, audience)
    return Mark(epoch.word, 0 if row is None else row.number)


async def _entries(
    session: AsyncSession, audience: str, number: int, most: int
) -> tuple[Entry, ...]:
    query = select(FeedEntryRow).where(
        col(FeedEntryRow.audience) == audience, col(FeedEntryRow.number) > number
    )
    found = await session.execute(query.order_by(col(FeedEntryRow.number)).limit(most))
    return tuple(Entry(each.number, each.kind, each.data.encode()) for each in found.scalars())
