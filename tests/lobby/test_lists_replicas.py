"""Several processes that make rows of the same streams, in the same database, at the same time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

import pytest

from howff.lobby.adapters.list_rows import TurnRow
from howff.lobby.adapters.lists import ListsAtWork
from howff.servicekit.sql.database import Database
from support.lists import (
    Streams,
    all_read,
    check_numbers,
    database_at,
    database_in,
    dump,
    entries_of,
    lists_at_work,
    rows_of,
    streams_on,
    told_each,
    write_matches,
)
from support.nats import own_server
from support.postgres import postgres_address
from support.postgres_kinds import postgres_kind
from support.running import run

REPLICAS: Final = 3
ON_EACH: Final = pytest.mark.parametrize("kind", ["sqlite", f"postgresql-{postgres_kind()}"])


@pytest.fixture(autouse=True)
def _soon_stopped(soon_stopped: None) -> None:
    """Let readers look often whether they are to stop."""


@asynccontextmanager
async def replicas(streams: Streams, database: Database) -> AsyncIterator[list[ListsAtWork]]:
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(lists_at_work(streams, database))
            for _ in range(REPLICAS)
        ]


async def write_all(streams: Streams) -> None:
    await write_matches(streams)
    for version in range(1, 9):
        await streams.tell_turn("match", version, **{("freya", "bob")[version % 2]: None})
    await streams.stores.turns.delete("match")


@ON_EACH
def test_each_message_is_applied_by_one_of_them(kind: str, tmp_path: Path) -> None:
    address = postgres_address() if kind != "sqlite" else f"sqlite:///{tmp_path / 'rows.db'}"

    async def story() -> None:
        with own_server(tmp_path / "nats") as nats:
            async with streams_on(nats) as streams, database_at(address) as database:
                async with replicas(streams, database) as working:
                    await write_all(streams)
                    await asyncio.gather(*(all_read(streams, each) for each in working))
                async with database_in(tmp_path) as other:
                    async with lists_at_work(streams, other) as alone:
                        await all_read(streams, alone)
                    await check_same(database, other)

    run(story, 40)


async def check_same(database: Database, other: Database) -> None:
    """Check the rows against those that one process has made alone, in the *other* database."""
    await check_numbers(database)
    made, of_one = await dump(database), await dump(other)
    assert _lasting(told_each(made)) == _lasting(told_each(of_one))
    for name in ("TableRow", "TablePartRow", "TicketRow", "MatchRow", "MatchPartRow"):
        assert made[name] == of_one[name], name
    assert [each["waits_for"] for each in await rows_of(database, TurnRow)] == [{}]
    for account in ("freya", "bob"):
        told = [data for _, _, data in await entries_of(database, f"account.{account}")]
        assert len(told) == len(set(told))


def _lasting(told: dict[tuple[str, bool], list[str]]) -> dict[tuple[str, bool], list[str]]:
    """Return what was told but for turns, of which some are over before anybody looks."""
    return {
        key: each for key, each in told.items() if key[0] not in {"account.freya", "account.bob"}
    }
