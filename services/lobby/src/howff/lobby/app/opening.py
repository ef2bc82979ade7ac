"""What every process of the service begins with: a connection, a database, its aggregates."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import howff.lobby.adapters
from howff.lobby.adapters.streams import LOBBY, Stores, ensure_streams
from howff.lobby.application.accounts.issuing import Sources
from howff.lobby.application.ledgers import (
    ACCOUNT_PREFIX,
    ACCOUNTS,
    TABLE_PREFIX,
    TABLES,
    TICKET_PREFIX,
    TICKETS,
    AccountLedger,
    Ledger,
    TableLedger,
    TicketLedger,
)
from howff.lobby.settings import Settings
from howff.servicekit import clock, ids
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore.commits import Kind
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.sql.database import Database, opened_database

S = TypeVar("S")
D = TypeVar("D")
E = TypeVar("E")

MIGRATIONS: Final = Path(next(iter(howff.lobby.adapters.__path__))) / "migrations"
SOURCES: Final = Sources(clock.now, ids.new_id, ids.new_secret)


@dataclass(frozen=True, slots=True)
class Ground:
    """What the parts of the service stand on."""

    settings: Settings
    connection: Connection
    database: Database
    stores: Stores
    tables: TableLedger
    tickets: TicketLedger
    accounts: AccountLedger


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Ground]:
    """Give the ground that *settings* name, until the context ends.

    Raises:
        RefusalError: NATS or the database can't be reached, or is not what the service needs.
    """
    migrations = MIGRATIONS if settings.migrates else None
    async with (
        await connected(settings) as connection,
        opened_database(settings.database_url, migrations) as database,
    ):
        stores = await ensure_streams(connection, settings.replicas)
        yield Ground(
            settings,
            connection,
            database,
            stores,
            tables=_ledger(settings, connection, TABLES, TABLE_PREFIX),
            tickets=_ledger(settings, connection, TICKETS, TICKET_PREFIX),
            accounts=_ledger(settings, connection, ACCOUNTS, ACCOUNT_PREFIX),
        )


async def connected(settings: Settings) -> Connection:
    """Return a connection to NATS.

    Raises:
        NatsUnavailableError: nobody answers there.
    """
    return await connect(settings.nats_urls, name="lobby", credentials=settings.nats_credentials)


def _ledger(
    settings: Settings, connection: Connection, kind: Kind[S, D, E], prefix: str
) -> Ledger[S, D, E]:
    store = JetStreamStore(connection.client, LOBBY, kind.form)
    aggregates = Aggregates(store, kind.fold, most_kept=settings.most_kept)
    return Ledger(kind, aggregates, prefix, clock.now)
