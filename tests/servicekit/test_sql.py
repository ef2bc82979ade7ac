"""The SQL database: transactions, what is kept of what was deleted, and migrations."""

import asyncio
import gc
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from howff.servicekit.nats.server import free_ports
from howff.servicekit.sql import database as module
from howff.servicekit.sql.database import Database, DatabaseError
from support.postgres import postgres_address
from support.postgres_kinds import postgres_kind
from support.running import run

ENV = """
from alembic import context
from sqlalchemy import NullPool, create_engine

engine = create_engine(context.config.attributes["url"], poolclass=NullPool)
with engine.connect() as connection:
    context.configure(connection=connection)
    with context.begin_transaction():
        context.run_migrations()
"""
FIRST = """
from alembic import op

revision, down_revision = "0001", None


def upgrade() -> None:
    op.execute("CREATE TABLE purse (owner VARCHAR(4000) PRIMARY KEY, amount INTEGER NOT NULL)")
"""
SECOND = """
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade() -> None:
    op.execute("ALTER TABLE purse ADD COLUMN colour VARCHAR(20)")
"""
SECRET = "Mathilda-of-the-hill"  # noqa: S105 — a name to be looked for


def sqlite_address(folder: Path) -> str:
    return f"sqlite:///{folder / 'purses.db'}"


def address_in(_: Path) -> str:
    return postgres_address()


def migrations_in(folder: Path, *versions: str) -> Path:
    """Write the migrations of these versions into a folder, whose name is no plain one."""
    migrations = folder / "100% migrations"
    (migrations / "versions").mkdir(parents=True, exist_ok=True)
    (migrations / "env.py").write_text(ENV)
    for number, version in enumerate(versions):
        (migrations / "versions" / f"{number}.py").write_text(dedent(version))
    return migrations


@asynccontextmanager
async def database_at(address: str, migrations: Path) -> AsyncIterator[Database]:
    database = Database(address)
    try:
        await database.migrate(migrations)
        yield database
    finally:
        await database.close()


Story = Callable[[Database], Awaitable[None]]


@pytest.fixture(
    params=[sqlite_address, address_in], ids=["sqlite", f"postgresql-{postgres_kind()}"]
)
def on_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Story], None]:
    def tell(story: Story) -> None:
        address: str = request.param(tmp_path)

        async def told() -> None:
            async with database_at(address, migrations_in(tmp_path, FIRST)) as database:
                await story(database)

        run(told)

    return tell


async def put(session: AsyncSession, owner: str, amount: int) -> None:
    query = text("INSERT INTO purse (owner, amount) VALUES (:owner, :amount)")
    await session.execute(query, {"owner": owner, "amount": amount})


async def write(
    database: Database, *owners: str, then_raised: type[Exception] | None = None
) -> None:
    async with database.writing() as session:
        for owner in owners:
            await put(session, owner, 1)
        if then_raised is not None:
            raise then_raised


def files_that_hold_it(folder: Path) -> list[str]:
    found = (each for each in folder.glob("purses.db*") if SECRET.encode() in each.read_bytes())
    return sorted(each.name for each in found)


async def amounts(session: AsyncSession) -> dict[str, int]:
    found = await session.execute(text("SELECT owner, amount FROM purse ORDER BY owner"))
    return {row.owner: row.amount for row in found}


async def amounts_in(database: Database) -> dict[str, int]:
    async with database.reading() as session:
        return await amounts(session)


def test_what_is_written_is_there_when_the_transaction_has_ended(
    on_database: Callable[[Story], None],
) -> None:
    async def story(database: Database) -> None:
        async with database.writing() as session:
            await put(session, "ada", 5)
            assert await amounts_in(database) == {}
        assert await amounts_in(database) == {"ada": 5}

    on_database(story)


def test_nothing_is_left_of_a_transaction_in_which_something_is_raised(
    on_database: Callable[[Story], None],
) -> None:
    async def story(database: Database) -> None:
        async with database.writing() as session:
            await put(session, "ada", 5)
        with pytest.raises(ZeroDivisionError):
            await write(database, "bea", then_raised=ZeroDivisionError)
        with pytest.raises(IntegrityError):
            await write(database, "bea", "ada")
        assert await amounts_in(database) == {"ada": 5}

    on_database(story)


def test_a_reader_sees_the_database_as_it_was_at_first(
    on_database: Callable[[Story], None],
) -> None:
    async def story(database: Database) -> None:
        async with database.reading() as session:
            assert await amounts(session) == {}
            async with database.writing() as writer:
                await put(writer, "ada", 5)
            assert await amounts(session) == {}
        assert await amounts_in(database) == {"ada": 5}

    on_database(story)


def test_writers_wait_for_each_other(on_database: Callable[[Story], None]) -> None:
    """On PostgreSQL at the row that both want, on SQLite from the beginning."""

    async def add(database: Database) -> None:
        async with database.writing() as session:
            lock = "" if database.is_sqlite else " FOR UPDATE"
            query = text(f"SELECT amount FROM purse WHERE owner = 'ada'{lock}")  # noqa: S608
            amount = (await session.execute(query)).scalar_one()
            await asyncio.sleep(0.01)  # so that the others come meanwhile
            query = text("UPDATE purse SET amount = :amount")
            await session.execute(query, {"amount": amount + 1})

    async def story(database: Database) -> None:
        async with database.writing() as session:
            await put(session, "ada", 0)
        await asyncio.gather(*(add(database) for _ in range(8)))
        assert await amounts_in(database) == {"ada": 8}

    on_database(story)


def test_of_readers_that_are_cancelled_until_they_end_nothing_is_left_to_complain(
    on_database: Callable[[Story], None],
) -> None:
    async def read(database: Database) -> None:
        async with database.reading() as session:
            for _ in range(3):
                await session.execute(text("SELECT 1"))

    async def story(database: Database) -> None:
        complaints: list[str] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: complaints.append(context["message"])
        )
        for pause in range(40):
            reader = asyncio.create_task(read(database))
            await asyncio.sleep(pause / 10_000)
            while not reader.done():
                reader.cancel()
                await asyncio.sleep(0)
        assert await amounts_in(database) == {}
        await database.close()
        gc.collect()
        await asyncio.sleep(0)
        assert complaints == []

    on_database(story)


def test_a_database_that_answers_is_checked(on_database: Callable[[Story], None]) -> None:
    async def story(database: Database) -> None:
        await database.check()

    on_database(story)


def test_sqlite_keeps_what_it_has_acknowledged_and_nothing_that_was_deleted(
    tmp_path: Path,
) -> None:
    wanted = {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "busy_timeout": 10000,
        "secure_delete": 1,
    }

    async def story() -> None:
        migrations = migrations_in(tmp_path, FIRST)
        async with database_at(sqlite_address(tmp_path), migrations) as database:
            for each in (database.reading, database.writing):
                async with each() as session:
                    found = {
                        name: (await session.execute(text(f"PRAGMA {name}"))).scalar_one()
                        for name in wanted
                    }
                    assert found == wanted

    run(story)


def test_the_files_hold_nothing_of_what_was_deleted_and_forgotten(tmp_path: Path) -> None:
    async def story() -> None:
        migrations = migrations_in(tmp_path, FIRST)
        async with database_at(sqlite_address(tmp_path), migrations) as database:
            async with database.writing() as session:
                await put(session, SECRET, 5)
                await put(session, "y" * 3000 + SECRET, 5)
                for number in range(50):
                    await put(session, f"{number}", number)
            await database.forget("purse")
            assert files_that_hold_it(tmp_path) == ["purses.db"]
            async with database.writing() as session:
                await session.execute(text("DELETE FROM purse WHERE amount = 5"))
            await database.forget("purse")
            assert files_that_hold_it(tmp_path) == []

    run(story)


def test_transactions_are_what_they_were_after_something_was_forgotten(
    on_database: Callable[[Story], None],
) -> None:
    """Since a connection that has worked outside of a transaction is used again."""

    async def story(database: Database) -> None:
        for owner in ("ada", "bea", "cid"):
            await database.forget("purse")
            with pytest.raises(ZeroDivisionError):
                await write(database, "dan", then_raised=ZeroDivisionError)
            await write(database, owner)
        assert [*await amounts_in(database)] == ["ada", "bea", "cid"]

    on_database(story)


def test_what_a_reader_still_needs_is_not_said_to_be_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pragmas = ("PRAGMA journal_mode = WAL", "PRAGMA busy_timeout = 50")
    monkeypatch.setattr("howff.servicekit.sql.database._PRAGMAS", pragmas)
    monkeypatch.setattr("howff.servicekit.sql.database.OVERWRITTEN_WITHIN", 0.1)

    async def story() -> None:
        migrations = migrations_in(tmp_path, FIRST)
        async with database_at(sqlite_address(tmp_path), migrations) as database:
            async with database.reading() as reader:
                await amounts(reader)
                async with database.writing() as session:
                    await put(session, SECRET, 5)
                with pytest.raises(DatabaseError, match="expected a moment without others"):
                    await database.forget("purse")
            await database.forget("purse")

    run(story)


def test_postgresql_writes_tables_anew_without_what_was_deleted() -> None:
    async def file_of(database: Database) -> int:
        async with database.reading() as session:
            query = text("SELECT pg_relation_filenode('purse')")
            return int((await session.execute(query)).scalar_one())

    async def story() -> None:
        database = Database(postgres_address())
        try:
            async with database.writing() as session:
                await session.execute(text("CREATE TABLE purse (owner TEXT, amount INTEGER)"))
            before = await file_of(database)
            await database.forget("purse")
            assert await file_of(database) != before
        finally:
            await database.close()

    run(story)


@pytest.mark.parametrize("address", [sqlite_address, address_in], ids=["sqlite", "postgresql"])
def test_migrations_are_made_once_and_go_on_where_they_were(
    address: Callable[[Path], str], tmp_path: Path
) -> None:
    at = address(tmp_path)

    async def story() -> None:
        for versions in ((FIRST,), (FIRST,), (FIRST, SECOND), (FIRST, SECOND)):
            async with database_at(at, migrations_in(tmp_path, *versions)) as database:
                if await amounts_in(database) == {}:
                    async with database.writing() as session:
                        await put(session, "ada", 5)
        migrations = migrations_in(tmp_path)
        async with database_at(at, migrations) as database, database.reading() as session:
            query = text("SELECT owner, amount, colour FROM purse")
            assert (await session.execute(query)).all() == [("ada", 5, None)]

    run(story)


@pytest.mark.parametrize("address", [sqlite_address, address_in], ids=["sqlite", "postgresql"])
def test_a_database_of_a_newer_version_is_refused_in_one_line(
    address: Callable[[Path], str], tmp_path: Path
) -> None:
    at = address(tmp_path)

    async def story() -> None:
        async with database_at(at, migrations_in(tmp_path / "newer", FIRST, SECOND)):
            pass
        with pytest.raises(DatabaseError) as refused:
            async with database_at(at, migrations_in(tmp_path / "older", FIRST)):
                pass
        assert refused.value.code == "database"
        assert str(refused.value) == (
            "the database can't be used: expected tables of a form that is known here, "
            "found Can't locate revision identified by '0002'"
        )

    run(story)


def gone_server(_: Path) -> str:
    (port,) = free_ports(1)
    return f"postgresql://howff@127.0.0.1:{port}/howff"


def gone_folder(folder: Path) -> str:
    return sqlite_address(folder / "not there")


@pytest.mark.parametrize("address", [gone_server, gone_folder])
def test_a_database_that_can_not_be_reached_is_named_so(
    address: Callable[[Path], str], tmp_path: Path
) -> None:
    at = address(tmp_path)

    async def story() -> None:
        database = Database(at)
        attempts: tuple[Callable[[Database], Any], ...] = (
            amounts_in,
            write,
            Database.check,
            Database.forget,
            lambda database: database.migrate(migrations_in(tmp_path, FIRST)),
        )
        for attempt in attempts:
            with pytest.raises(
                DatabaseError, match="the database can't be used: expected an answer"
            ):
                await attempt(database)
        await database.close()

    run(story)


@pytest.mark.parametrize(
    ("address", "found"),
    [("nonsense", "another"), ("mysql://there/howff", "'mysql'"), ("", "another")],
)
def test_what_is_no_address_of_a_database_is_refused(address: str, found: str) -> None:
    with pytest.raises(DatabaseError, match=f"found {found}"):
        Database(address)


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    migrations = migrations_in(tmp_path, FIRST)
    (tmp_path / "purses.db").write_bytes(b"garbage" * 1000)

    async def story() -> None:
        database = Database(sqlite_address(tmp_path))
        for ask in (database.check, partial(database.migrate, migrations)):
            with pytest.raises(DatabaseError, match="found SQLITE_NOTADB"):
                await ask()
        await database.close()

    run(story)


def test_a_full_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = (*module._PRAGMAS, "PRAGMA max_page_count = 10")

    async def story() -> None:
        migrations = migrations_in(tmp_path, FIRST)
        async with database_at(sqlite_address(tmp_path), migrations) as database:
            monkeypatch.setattr(module, "_PRAGMAS", small)
            with pytest.raises(DatabaseError, match="found SQLITE_FULL"):
                await write(database, *(owner * 4000 for owner in "abcdefghij"))
            assert await amounts_in(database) == {}

    run(story)
