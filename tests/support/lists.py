"""The streams that lists are made of, written as services write them; and databases for them."""

import asyncio
import atexit
import shutil
import tempfile
from collections.abc import AsyncIterator, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from sqlalchemy import delete
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import SQLModel, col, select

from howff.contracts.matches import AccountSeat, BotSeat, MatchEnded, MatchStarted, subject_of
from howff.contracts.ratings import AccountRating, Rated
from howff.contracts.ratings import subject_of as rated_subject
from howff.contracts.turns import AwaitedSeat, TurnsTold
from howff.engine.codec import JSON
from howff.lobby.adapters.list_rows import LIST_ROWS, FeedEntryRow, FeedEpochRow, FeedRow
from howff.lobby.adapters.lists import ListsAtWork
from howff.lobby.adapters.streams import LOBBY, Stores, ensure_streams
from howff.lobby.app.opening import MIGRATIONS
from howff.lobby.application.ledgers import (
    TABLE_PREFIX,
    TABLES,
    TICKET_PREFIX,
    TICKETS,
    Ledger,
    TableLedger,
    TicketLedger,
)
from howff.lobby.domain.tables.commands import (
    OpenTable,
    StartTable,
    TableCommand,
    TakeSeat,
    TellReady,
)
from howff.lobby.domain.terms import Terms
from howff.lobby.domain.tickets.commands import OpenTicket, TicketCommand
from howff.lobby.domain.tickets.events import GameWished, Wish
from howff.servicekit import clock
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore.commits import Kind
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.projections import Projector
from howff.servicekit.sql.checkpoints import CheckpointRow
from howff.servicekit.sql.database import Database
from support.nats import unique
from support.running import run, until

SEED_COMMITMENT: Final = "0" * 64
NOW: Final = clock.now().replace(microsecond=0)
"""When the tests were begun."""
TERMS: Final = Terms(game="troedler", options={}, seats=2)
WISH: Final = Wish(games=(GameWished("troedler", {}),), seats=(2,), clocks=(None,), rated="either")


async def forget_lists(session: AsyncSession, projections: Collection[str], epoch: str) -> None:
    """Empty all rows of lists and the checkpoints of *projections*, so that they are made anew.

    No process may project meanwhile. Under the new *epoch* every client begins with a snapshot.
    """
    for row in LIST_ROWS:
        await session.execute(delete(row))
    await session.execute(
        delete(CheckpointRow).where(col(CheckpointRow.projection).in_(projections))
    )
    session.add(FeedEpochRow(word=epoch))


Rows = dict[str, list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Streams:
    """Writes what the lobby and other services tell."""

    connection: Connection
    stores: Stores
    tables: TableLedger
    tickets: TicketLedger

    async def open_table(self, host: str, visibility: Any = "public", **terms: Any) -> str:
        """Open a table with its host in seat 0, and return its id."""
        table = unique("table-")
        command = OpenTable(
            by=host,
            terms=replace(TERMS, **terms),
            visibility=visibility,
            seed_commitment=SEED_COMMITMENT,
            seat=0,
            entropy_hash=None,
        )
        await self.order(table, command, host)
        return table

    async def order(self, table: str, command: TableCommand, by: str = "platform") -> None:
        await self.tables.order(table, command, by=by, key=unique("key-"))

    async def order_tickets(self, account: str, command: TicketCommand) -> None:
        await self.tickets.order(account, command, by=account, key=unique("key-"))

    async def open_ticket(self, account: str, lifetime: int = 600) -> str:
        ticket = unique("ticket-")
        await self.order_tickets(account, OpenTicket(ticket=ticket, wish=WISH, lifetime=lifetime))
        return ticket

    async def tell(self, message: MatchStarted | MatchEnded | Rated) -> None:
        """Tell a message of stream CONTRACTS."""
        subject = rated_subject(message) if isinstance(message, Rated) else subject_of(message)
        await self.connection.jetstream.publish(subject, message.model_dump_json().encode())

    async def tell_turn(self, match: str, version: int, **dues: str | None) -> None:
        """Tell whom a match waits for: accounts, underscores for hyphens, and when each is due."""
        waits_for = tuple(
            AwaitedSeat(seat=seat, account=account.replace("_", "-"), due=due)
            for seat, (account, due) in enumerate(dues.items())
        )
        told = TurnsTold(match=match, version=version, waits_for=waits_for)
        await self.stores.turns.put(match, told.model_dump_json().encode())


@asynccontextmanager
async def streams_on(nats: NatsServer) -> AsyncIterator[Streams]:
    """Give the streams on *nats*, made if there are none."""
    async with await connect(nats.url, name="test") as connection:
        stores = await ensure_streams(connection, 1)
        yield Streams(
            connection,
            stores,
            _ledger(connection, TABLES, TABLE_PREFIX),
            _ledger(connection, TICKETS, TICKET_PREFIX),
        )


def _ledger(
    connection: Connection, kind: Kind[Any, Any, Any], prefix: str
) -> Ledger[Any, Any, Any]:
    store = JetStreamStore(connection.client, LOBBY, kind.form)
    return Ledger(kind, Aggregates(store, kind.fold, most_kept=100), prefix, clock.now)


@asynccontextmanager
async def database_in(folder: Path) -> AsyncIterator[Database]:
    """Give an empty database of SQLite in *folder*, under a new name."""
    path = folder / f"{unique('rows')}.db"
    await asyncio.to_thread(shutil.copyfile, _empty_database(), path)
    database = Database(f"sqlite:///{path}")
    try:
        yield database
    finally:
        await database.close()


@cache
def _empty_database() -> Path:
    """Return a database with all its tables; to make them takes longer than most tests."""
    folder = tempfile.TemporaryDirectory(prefix="howff-rows-")
    atexit.register(folder.cleanup)
    path = Path(folder.name) / "empty.db"

    async def made() -> None:
        async with database_at(f"sqlite:///{path}"):
            pass

    with ThreadPoolExecutor(1) as threads:  # where no loop runs yet
        threads.submit(run, made).result()
    return path


@asynccontextmanager
async def database_at(address: str) -> AsyncIterator[Database]:
    """Give the database at *address*, with all its tables."""
    database = Database(address)
    await database.migrate(MIGRATIONS)
    try:
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def lists_at_work(
    streams: Streams, database: Database, heartbeat_seconds: float = 0.2
) -> AsyncIterator[ListsAtWork]:
    """Let rows be made until the context ends."""
    lists = lists_of(streams, database, heartbeat_seconds)
    task = asyncio.create_task(lists.run())
    try:
        yield lists
    finally:
        await lists.stop()
        await task


def lists_of(streams: Streams, database: Database, heartbeat_seconds: float = 0.2) -> ListsAtWork:
    return ListsAtWork(
        streams.connection,
        database,
        streams.stores.turns,
        stopping=asyncio.Event(),
        now=clock.now,
        heartbeat_seconds=heartbeat_seconds,
    )


async def all_read(streams: Streams, lists: ListsAtWork) -> None:
    """Wait until *lists* has read everything that stands in the streams."""
    follower = lists._turns.follower

    async def last_of(stream: str) -> int:
        return (await streams.connection.jetstream.stream_info(stream)).state.last_seq

    for reader in (lists._commits, lists._contracts):
        last = await last_of(reader.stream)
        await until(partial(_has_read, reader, last))
    last = await last_of(follower.stream)
    await until(lambda: follower.caught_up.is_set() and follower.position >= last)


def _has_read(reader: Projector, last: int) -> bool:
    return reader.position >= last


async def rows_of(database: Database, row: type[SQLModel]) -> list[dict[str, Any]]:
    """Return all rows of a kind in the order of their keys."""
    order = [*row.__table__.primary_key]  # type: ignore[attr-defined]
    async with database.reading() as session:
        found = (await session.execute(select(row).order_by(*order))).scalars()
        return [each.model_dump() for each in found]


async def entries_of(database: Database, audience: str) -> list[tuple[int, str, JSON]]:
    """Return what an audience was told: numbers, kinds, contents as text."""
    rows = await rows_of(database, FeedEntryRow)
    told = (each for each in rows if each["audience"] == audience)
    return [(each["number"], each["kind"], each["data"]) for each in told]


def match_started(match: str, *accounts: str, watch: Any = "public", at: int = 0) -> MatchStarted:
    """Return that a match has started *at* so many seconds after NOW; an empty one is a bot."""
    return MatchStarted(
        match=match,
        game="troedler",
        seats=tuple(map(_holder, accounts)),
        watch=watch,
        rated=False,
        at=second(at),
    )


def match_ended(match: str, *accounts: str, at: int = 60) -> MatchEnded:
    """Return that a match has ended, its seats in their order."""
    places = list(range(1, len(accounts) + 1))
    return MatchEnded(
        match=match,
        game="troedler",
        seats=tuple(map(_holder, accounts)),
        rated=False,
        reason="finished",
        outcome={"places": places, "figures": []},
        version=17,
        at=second(at),
    )


def rated(match: str, **ratings: int) -> Rated:
    """Return that a match was rated; underscores in accounts stand for hyphens."""
    changed = tuple(
        AccountRating(account=account.replace("_", "-"), rating=rating, deviation=80)
        for account, rating in ratings.items()
    )
    return Rated(match=match, game="troedler", speed="days", ratings=changed)


def second(at: int) -> str:
    """Return the time so many seconds after NOW."""
    return (NOW + timedelta(seconds=at)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _holder(account: str) -> AccountSeat | BotSeat:
    return AccountSeat(account=account) if account else BotSeat(bot="random")


async def started_table(streams: Streams, host: str, guest: str, **terms: Any) -> str:
    """Open a table for two, fill it, and ask for its match."""
    table = await streams.open_table(host, **terms)
    await streams.order(table, TakeSeat(by=guest, seat=1), guest)
    for seat, account in enumerate((host, guest)):
        await streams.order(table, TellReady(by=account, seat=seat), account)
    await streams.order(table, StartTable(by=host), host)
    return table


async def write_matches(streams: Streams) -> None:
    """Let two pairs come to their matches, of whom one waits with a ticket."""
    for _ in range(2):
        host, guest = unique("host-"), unique("guest-")
        table = await started_table(streams, host, guest)
        await streams.open_ticket(host)
        await streams.tell(match_started(table, host, guest))


async def dump(database: Database) -> Rows:
    """Return all rows that lists are made of, by kind."""
    return {row.__name__: await rows_of(database, row) for row in LIST_ROWS}


def told_each(rows: Rows) -> dict[tuple[str, bool], list[str]]:
    """Return what each audience was told by each stream, in its order."""
    found: dict[tuple[str, bool], list[str]] = {}
    for row in rows["FeedEntryRow"]:
        found.setdefault((row["audience"], row["kind"] == "match"), []).append(row["data"])
    return found


async def check_numbers(database: Database) -> None:
    """Check that the entries of each audience are numbered from 1 without a gap."""
    numbers: dict[str, list[int]] = {}
    for row in await rows_of(database, FeedEntryRow):
        numbers.setdefault(row["audience"], []).append(row["number"])
    counted = {each["audience"]: each["number"] for each in await rows_of(database, FeedRow)}
    assert numbers == {audience: list(range(1, last + 1)) for audience, last in counted.items()}
