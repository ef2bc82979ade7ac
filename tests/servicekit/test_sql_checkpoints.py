"""Projections in SQL: what is waited for, what is put aside, and how far a process says it is."""

import asyncio
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel, select

from howff.servicekit.nats.checks import read
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.server import free_ports
from howff.servicekit.nats.streams import ensure_stream, locked
from howff.servicekit.projections import Checkpoint, Projector
from howff.servicekit.retries import wait_asked_for
from howff.servicekit.sql.checkpoints import (
    CheckpointRow,
    QuarantineRow,
    SqlProjection,
)
from howff.servicekit.sql.database import Database, DatabaseError
from support.nats import shared_server, unique
from support.postgres import postgres_address
from support.postgres_kinds import postgres_kind
from support.running import run, until

MESSAGES: Final = 25


async def nothing(*_: object) -> None:
    """Make no row, and tell nobody."""


async def made(database: Database) -> None:
    tables = [SQLModel.metadata.tables[row.__tablename__] for row in (CheckpointRow, QuarantineRow)]
    async with database.engine.begin() as connection:
        await connection.run_sync(SQLModel.metadata.create_all, tables)


def test_a_database_that_is_away_is_waited_for_as_long_as_it_takes() -> None:
    async def story() -> None:
        (port,) = free_ports(1)
        database = Database(f"postgresql://howff@127.0.0.1:{port}/howff")
        projection = SqlProjection(database, "rows", nothing, nothing)
        for attempt in (
            projection.checkpoint(),
            projection.begin(Checkpoint(0, "")),
            projection.apply(1, "told", b""),
            projection.quarantine(1, "told", ValueError()),
        ):
            with pytest.raises(DatabaseError) as refused:
                await attempt
            assert wait_asked_for(refused.value)
        await database.close()

    run(story)


def test_what_is_wrong_with_a_row_is_no_outage(tmp_path: Path) -> None:
    async def story() -> None:
        database = Database(f"sqlite:///{tmp_path / 'rows.db'}")
        await made(database)
        for expected in (None, IntegrityError):
            row = CheckpointRow(projection="rows", position=1, created="")
            if expected is None:
                async with database.writing() as session:
                    session.add(row)
            else:
                with pytest.raises(expected):
                    async with database.writing() as session:
                        session.add(row)
        await database.close()

    run(story)


async def look(connection: Connection, projector: Projector, gate: asyncio.Event) -> None:
    """Look how far *projector* says it is, before and after the *gate* is open."""
    check = read(connection, projector, 0.0)
    publish = connection.jetstream.publish
    for payload in (b"good", b"wrong"):
        await publish(f"{projector.stream}.x", payload)
    await until(lambda: projector.position == 2)
    assert (await check()).is_good
    await publish(f"{projector.stream}.x", b"late")
    assert (await check()).is_good  # it may have come only now
    finding = await check()
    assert (finding.is_good, finding.found) == (False, "1 to be read")
    gate.set()
    await until(lambda: projector.position == 3)
    assert (await check()).is_good


@pytest.mark.parametrize("kind", ["sqlite", f"postgresql-{postgres_kind()}"])
def test_of_those_who_apply_the_same_at_once_one_does(kind: str, tmp_path: Path) -> None:
    address = postgres_address() if kind != "sqlite" else f"sqlite:///{tmp_path / 'rows.db'}"

    async def apply(session: AsyncSession, _: str, __: bytes) -> None:
        await session.execute(text("INSERT INTO told VALUES (1)"))

    async def apply_all(database: Database) -> None:
        projection = SqlProjection(database, "rows", apply, nothing)
        await projection.begin(Checkpoint(0, ""))
        for position in range(1, MESSAGES + 1):
            await projection.apply(position, "told", b"")

    async def story() -> None:
        database = Database(address)
        await made(database)
        async with database.writing() as session:
            await session.execute(text("CREATE TABLE told (number INTEGER)"))
        await asyncio.gather(*(apply_all(database) for _ in range(4)))
        async with database.reading() as session:
            count = (await session.execute(text("SELECT count(*) FROM told"))).scalar_one()
        assert count == MESSAGES
        await database.close()

    run(story)


def test_a_projector_tells_how_far_it_is_and_puts_aside_what_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("howff.servicekit.projections.READ_WITHIN", 0.05)
    monkeypatch.setattr("howff.servicekit.retries.FIRST_RETRY", 0.001)
    stream, gate = unique("TOLD"), asyncio.Event()

    async def apply(_: AsyncSession, __: str, payload: bytes) -> None:
        if payload == b"wrong":
            raise ValueError
        if payload == b"late":
            await gate.wait()

    async def story() -> None:
        database = Database(f"sqlite:///{tmp_path / 'rows.db'}")
        await made(database)
        async with await connect(shared_server().url, name="test") as connection:
            await ensure_stream(connection, locked(stream, [f"{stream}.*"], replicas=1))
            projection = SqlProjection(database, stream, apply, nothing)
            projector = Projector(connection, stream, projection)
            running = asyncio.create_task(projector.run())
            await look(connection, projector, gate)
            await projector.stop()
            await running
        async with database.reading() as session:
            aside = (await session.execute(select(QuarantineRow))).scalars().all()
        assert [(each.position, each.error) for each in aside] == [(2, "ValueError")]
        await database.close()

    run(story)
