"""Whom matches wait for, as bucket `TURNS` tells it: again and again, and to all processes."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Final

from pydantic import ValidationError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.contracts.turns import TurnsTold
from howff.lobby.adapters.feed_rows import Note, Numbers, audience_of, tell
from howff.lobby.adapters.list_rows import TurnRow
from howff.lobby.application.summaries import TurnSummary
from howff.servicekit.eventstore.commits import time_text
from howff.servicekit.nats.kv import Bucket
from howff.servicekit.sql.database import Database, DatabaseError
from howff.servicekit.sql.statements import insert_missing
from howff.servicekit.stopping import is_set_within

RETRY_WAIT: Final = 0.5
"""Seconds until the database is tried again that could not be used."""

Dues = Mapping[str, str | None]
"""By account when the first flag of its seats falls, if one does."""
_log = logging.getLogger(__name__)


class TurnRows:
    """Keeps whom matches wait for; *applied* is told of each change after its transaction."""

    def __init__(
        self,
        database: Database,
        turns: Bucket,
        applied: Callable[[Numbers], Awaitable[None]],
        now: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._turns = turns
        self._applied = applied
        self._now = now
        self._stopping = asyncio.Event()
        self.follower = turns.follow(self._change)

    async def run(self) -> None:
        """Follow the bucket until `stop` is called.

        Raises:
            ConnectionLostError: the connection has ended for good.
        """
        await self.follower.run()

    async def stop(self) -> None:
        """Follow no longer; return when `run` has ended."""
        self._stopping.set()
        await self.follower.stop()

    async def _change(self, match: str, value: bytes | None) -> None:
        """Store what the bucket tells of *match*, as soon as the database takes it."""
        while not self._stopping.is_set():
            try:
                await (self._store(match, value) if value is not None else self._forget(match))
            except ValidationError:
                _log.exception("what bucket TURNS tells of match %s can't be read", match)
                return
            except DatabaseError as error:
                _log.warning("turns of matches can't be stored now: %s", error)
                await is_set_within(self._stopping, RETRY_WAIT)
            else:
                return

    async def _store(self, match: str, value: bytes) -> None:
        told = TurnsTold.model_validate_json(value)
        async with self._database.writing() as session:
            await insert_missing(session, TurnRow, match_id=match, version=0, waits_for={})
            row = await _locked(session, match)
            if told.version <= row.version:
                return
            row.version = told.version
            numbers = await _replaced(session, row, _dues(told), self._now())
        await self._applied(numbers)

    async def _forget(self, match: str) -> None:
        """Store that *match* waits for nobody, if that is still so.

        A deletion has no version, and may be heard of when others have stored what came after it.
        So the bucket is asked what stands there now, and nothing changes if anybody has stored
        something since before the question.
        """
        while (version := await self._awaiting(match)) is not None:
            value = await self._turns.get(match)
            if value is not None:
                await self._store(match, value)
                return
            await self._clear(match, version)

    async def _awaiting(self, match: str) -> int | None:
        """Return the version as of which *match* waits for somebody, as far as is stored."""
        async with self._database.reading() as session:
            row = await session.get(TurnRow, match)
        return row.version if row is not None and row.waits_for else None

    async def _clear(self, match: str, version: int) -> None:
        async with self._database.writing() as session:
            row = await _locked(session, match)
            if row.version != version:
                return
            numbers = await _replaced(session, row, {}, self._now())
        await self._applied(numbers)


async def _locked(session: AsyncSession, match: str) -> TurnRow:
    """Return the row of *match*, for which others wait until the transaction ends."""
    query = select(TurnRow).where(col(TurnRow.match_id) == match).with_for_update()
    return (await session.execute(query)).scalar_one()


async def _replaced(session: AsyncSession, row: TurnRow, dues: Dues, now: datetime) -> Numbers:
    """Store the *dues*, and tell the accounts for which something has changed."""
    before, row.waits_for = row.waits_for, dict(dues)
    changed = [
        each
        for each in sorted(before.keys() | dues.keys())
        if (each in before, before.get(each)) != (each in dues, dues.get(each))
    ]
    return await tell(session, [_note(each, row, time_text(now)) for each in changed])


def _dues(told: TurnsTold) -> Dues:
    dues: dict[str, str | None] = {}
    for each in told.waits_for:
        known = dues.get(each.account)
        dues[each.account] = min(filter(None, (known, each.due)), default=None)
    return dues


def _note(account: str, row: TurnRow, at: str) -> Note:
    waits = account in row.waits_for
    due = row.waits_for.get(account)
    turn = TurnSummary(match=row.match_id, version=row.version, waits_for_me=waits, due=due)
    return Note(audience_of(account), "turn", turn, at)
