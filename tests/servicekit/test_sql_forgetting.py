"""What was deleted from a database is in no file any more, and errors don't tell it."""

import asyncio
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from howff.servicekit.sql import database as module
from howff.servicekit.sql.database import Database, DatabaseError
from support.running import run

PLANTED = "planted-4711"
INSERT = text("INSERT INTO person (name) VALUES (:name)")


async def opened(folder: Path) -> Database:
    database = Database(f"sqlite:///{folder / 'persons.db'}")
    async with database.writing() as session:
        await session.execute(text("CREATE TABLE person (name TEXT PRIMARY KEY)"))
        await session.execute(INSERT, {"name": PLANTED})
    return database


def files_with_it(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if PLANTED.encode() in path.read_bytes()]


def test_what_was_deleted_is_overwritten_however_many_want_it_at_once(tmp_path: Path) -> None:
    async def story() -> None:
        database = await opened(tmp_path)
        await database.forget()
        assert files_with_it(tmp_path)
        async with database.writing() as session:
            await session.execute(text("DELETE FROM person"))
        assert files_with_it(tmp_path)
        await asyncio.gather(*(database.forget() for _ in range(8)))
        assert not files_with_it(tmp_path)
        await database.close()

    run(story)


def test_it_is_said_when_others_read_all_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PRAGMAS", (*module._PRAGMAS, "PRAGMA busy_timeout = 10"))
    monkeypatch.setattr(module, "OVERWRITTEN_WITHIN", 0.1)

    async def story() -> None:
        database = await opened(tmp_path)
        async with database.reading() as session:
            await session.execute(text("SELECT name FROM person"))
            async with database.writing() as writing:
                await writing.execute(text("DELETE FROM person"))
            with pytest.raises(DatabaseError):
                await database.forget()
        await database.forget()
        assert not files_with_it(tmp_path)
        await database.close()

    run(story)


def test_an_error_does_not_tell_what_was_to_be_stored(tmp_path: Path) -> None:
    async def story() -> None:
        database = await opened(tmp_path)
        with pytest.raises(IntegrityError) as caught:
            async with database.writing() as session:
                await session.execute(INSERT, {"name": PLANTED})
        assert PLANTED not in str(caught.value)
        await database.close()

    run(story)


def test_a_reader_that_was_cancelled_does_not_keep_what_was_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _cancel_while_it_fetches("reader", monkeypatch)

    async def story() -> None:
        database = await opened(tmp_path)

        async def read() -> None:
            async with database.reading() as session:
                await session.execute(text("SELECT name FROM person"))

        reader = asyncio.create_task(read(), name="reader")
        await asyncio.wait([reader])
        assert reader.cancelled()
        async with database.writing() as session:
            await session.execute(text("DELETE FROM person"))
        await database.forget()
        assert not files_with_it(tmp_path)
        await database.close()

    run(story)


def _cancel_while_it_fetches(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the task of this *name* be cancelled when it has asked, and has no rows yet."""
    fetchall = aiosqlite.Cursor.fetchall

    async def cancelled(cursor: aiosqlite.Cursor) -> Any:
        task = asyncio.current_task()
        if task is not None and task.get_name() == name:
            task.cancel()
            await asyncio.sleep(0)
        return await fetchall(cursor)

    monkeypatch.setattr(aiosqlite.Cursor, "fetchall", cancelled)
