"""The one place where the parts of the service are put together."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from fastapi import FastAPI

import howff.scoring.adapters
from howff.contracts.matches import CONTRACTS
from howff.scoring.adapters.announcing import Announcing
from howff.scoring.adapters.archive import Archive
from howff.scoring.adapters.lobby import Lobby, NoLobby
from howff.scoring.adapters.logs import MatchService
from howff.scoring.adapters.plans import PLANS
from howff.scoring.adapters.projections import ArchiveProjection
from howff.scoring.adapters.queries import SqlScores
from howff.scoring.adapters.upkeep import SqlUpkeep
from howff.scoring.adapters.verifiers import ProcessVerifiers
from howff.scoring.api.deps import Parts
from howff.scoring.api.projections import projections
from howff.scoring.api.scores import scores
from howff.scoring.api.statistics import statistics
from howff.scoring.api.statuses import STATUSES
from howff.scoring.application.following import Following
from howff.scoring.application.ports import Names
from howff.scoring.settings import Settings
from howff.servicekit import clock, ids
from howff.servicekit.nats.checks import connected, read, streams_as_wanted
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.kv import open_bucket
from howff.servicekit.nats.requirements import check_server, check_when_back
from howff.servicekit.nats.streams import ensure_stream, locked
from howff.servicekit.projections import Projector
from howff.servicekit.readiness import Check, Readiness
from howff.servicekit.sql.checks import answering
from howff.servicekit.sql.database import Database, migrated, opened_database
from howff.servicekit.web.app import create_app, stopping_of
from howff.servicekit.web.parts import PartTokens, private_key_in
from howff.servicekit.web.tokens import AUDIENCE, LOBBY_ISSUER, SCORING, Tokens
from howff.servicekit.web.trust import BUCKET, TokenTrust

MIGRATIONS: Final = Path(next(iter(howff.scoring.adapters.__path__))) / "migrations"


@dataclass(frozen=True, slots=True)
class Ground:
    """What the parts of the service stand on."""

    connection: Connection
    database: Database
    logs: MatchService
    verifiers: ProcessVerifiers
    names: Names


@dataclass(frozen=True, slots=True)
class Service:
    """The application, and what works beside it."""

    app: FastAPI
    trust: TokenTrust
    projector: Projector
    following: Following
    upkeep: SqlUpkeep
    archive: Archive


@asynccontextmanager
async def running_service(settings: Settings) -> AsyncIterator[FastAPI]:
    """Give the application of the service, with all that works beside it until the context ends.

    A connection to NATS that is lost for good ends it.

    Raises:
        RefusalError: NATS or the database can't be reached, or is not what the service needs; or
            there is no key, or no address, to ask the other services by.
    """
    key = private_key_in(settings.scoring_key_file)
    tokens = PartTokens(SCORING, key, now=clock.now, new_id=ids.new_id)
    migrations = MIGRATIONS if settings.migrates else None
    async with (
        await connect(
            settings.nats_urls, name="scoring", credentials=settings.nats_credentials
        ) as connection,
        opened_database(settings.database_url, migrations) as database,
        MatchService(settings.game_url, tokens.current) as logs,
        _verifiers(settings) as verifiers,
        _lobby(settings, tokens.current) as names,
    ):
        away = await check_server(connection, settings.monitor_urls)
        await ensure_stream(
            connection, locked(CONTRACTS, ["contract.>"], replicas=settings.replicas)
        )
        service = await _assembled(settings, Ground(connection, database, logs, verifiers, names))
        async with asyncio.TaskGroup() as group:
            beside = (
                group.create_task(connection.wait_lost()),
                group.create_task(check_when_back(away)),
            )
            for part in (service.trust, service.projector, service.following):
                group.create_task(part.run())
            try:
                await service.trust.wait_until_known()
                yield service.app
            finally:
                stopping_of(service.app).set()
                for task in beside:
                    task.cancel()
                parts = (service.trust, service.projector, service.following, service.upkeep)
                await asyncio.gather(*(part.stop() for part in parts))
                await service.archive.stop()


async def migrate(settings: Settings) -> None:
    """Bring the tables to the form that this version wants.

    Raises:
        DatabaseError: the database can't be reached, or has a form that is not known here.
    """
    await migrated(settings.database_url, MIGRATIONS)


@asynccontextmanager
async def _verifiers(settings: Settings) -> AsyncIterator[ProcessVerifiers]:
    verifiers = ProcessVerifiers(settings.processes)
    try:
        yield verifiers
    finally:
        verifiers.close()


def _lobby(
    settings: Settings, token: Callable[[], str]
) -> AbstractAsyncContextManager[Lobby | NoLobby]:
    return Lobby(settings.lobby_url, token) if settings.lobby_url else nullcontext(NoLobby())


async def _assembled(settings: Settings, ground: Ground) -> Service:
    connection, database = ground.connection, ground.database
    made = tuple(ArchiveProjection(database, plan) for plan in PLANS)
    following = Following(*made, Announcing(connection, database))
    archive = Archive(database, ground.logs, ground.verifiers, archived=following.nudge)
    projector = Projector(connection, CONTRACTS, archive, archive.foresee)
    trust = TokenTrust(await open_bucket(connection, BUCKET, replicas=settings.replicas))
    app = create_app(
        title="Howff: scoring",
        version="1",
        statuses=STATUSES,
        tokens=Tokens({LOBBY_ISSUER: trust}, audience=AUDIENCE, now=clock.now, revocations=trust),
        new_id=ids.new_id,
        limits=settings.rate_limits(),
    )
    for router in (scores, statistics, projections):
        app.include_router(router)
    upkeep = SqlUpkeep(connection, database, archive, made)
    app.state.parts = Parts(SqlScores(database), ground.names, upkeep)
    checks = _checks(settings, connection, database, projector)
    checks["tokens"] = trust.check(connection)
    app.state.readiness = Readiness(checks, stopping_of(app))
    return Service(app, trust, projector, following, upkeep, archive)


def _checks(
    settings: Settings, connection: Connection, database: Database, projector: Projector
) -> dict[str, Check]:
    return {
        "nats": connected(connection),
        "streams": streams_as_wanted(connection),
        "archive": read(connection, projector, settings.patience_seconds),
        "database": answering(database),
    }
