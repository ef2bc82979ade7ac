"""The one place where the parts of the service are put together."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from fastapi import FastAPI

from howff.engine.errors import RefusalError
from howff.game.adapters.commits import COMMIT_FORM, fold_commit, labels_of
from howff.game.adapters.messages import (
    CommittedSubjects,
    JetStreamPublisher,
    due_at,
    match_committed_by,
    match_due_by,
    match_started_by,
    seed_questions_answered,
)
from howff.game.adapters.secrets import BucketSeeds, issuer_key_in, signer_in
from howff.game.adapters.streams import DUE, OUTBOX, STARTER, Stores, ensure_streams
from howff.game.api.deps import Parts
from howff.game.api.feed import feed
from howff.game.api.games import games
from howff.game.api.leaving import leaving
from howff.game.api.looking_back import looking_back
from howff.game.api.routes import matches, receipts
from howff.game.api.statuses import STATUSES
from howff.game.application.deadlines import Deadlines
from howff.game.application.feeds import Feeds
from howff.game.application.looking_back import LookingBack
from howff.game.application.matches import Matches
from howff.game.application.outbox import Outbox
from howff.game.application.starts import Starts
from howff.game.settings import Settings
from howff.match.journal import MATCHES
from howff.servicekit import clock, ids
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.consumers import WorkConsumer
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.store import Position
from howff.servicekit.nats.checks import connected, moving, streams_as_wanted
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.requirements import check_server, check_when_back
from howff.servicekit.readiness import Check, Readiness
from howff.servicekit.stopping import is_set_within
from howff.servicekit.telemetry.metrics import record_late
from howff.servicekit.web.app import create_app, stopping_of
from howff.servicekit.web.issuer import ISSUER, DevelopmentIssuer, development_router
from howff.servicekit.web.parts import parts_trusted
from howff.servicekit.web.scopes import ADMIN, TokenScope
from howff.servicekit.web.tokens import (
    AUDIENCE,
    LOBBY_ISSUER,
    SCORING,
    WORKERS,
    FixedKeys,
    KeySource,
    Tokens,
    keys_of,
)
from howff.servicekit.web.trust import TokenTrust

SCOPES: Final[frozenset[TokenScope]] = frozenset({"play", "read", ADMIN})
"""What tokens of the development issuer are for."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Service:
    """The application, and what works beside it."""

    app: FastAPI
    feeds: Feeds
    readers: tuple[WorkConsumer | TokenTrust, ...]
    deadlines: Deadlines
    heartbeat_seconds: float
    sweep_seconds: float


@asynccontextmanager
async def running_service(settings: Settings) -> AsyncIterator[FastAPI]:
    """Give the application of the service, with all that works beside it until the context ends.

    A connection to NATS that is lost for good ends it.

    Raises:
        RefusalError: NATS can't be reached, or is not what the service needs.
    """
    async with await connect(
        settings.nats_urls, name="game", credentials=settings.nats_credentials
    ) as connection:
        away = await check_server(connection, settings.monitor_urls)
        stores = await ensure_streams(connection, settings.replicas)
        service = await _assembled(settings, connection, stores)
        async with asyncio.TaskGroup() as group:
            group.create_task(_cut_feeds_at_end(service))
            beside = [
                group.create_task(_beat(service)),
                group.create_task(_sweep(service)),
                group.create_task(connection.wait_lost()),
                group.create_task(check_when_back(away)),
            ]
            for reader in service.readers:
                group.create_task(reader.run())
            try:
                yield service.app
            finally:
                stopping_of(service.app).set()
                for task in beside:
                    task.cancel()
                for reader in service.readers:
                    await reader.stop()


async def _assembled(settings: Settings, connection: Connection, stores: Stores) -> Service:
    store = JetStreamStore(connection.client, MATCHES, COMMIT_FORM)
    aggregates = Aggregates(
        store, fold_commit, most_kept=settings.most_kept_matches, labels=labels_of
    )
    seeds = BucketSeeds(stores.seeds, ids.new_secret)
    publisher = JetStreamPublisher(connection)
    signer = await signer_in(stores.keys, ids.new_secret)
    service = Matches(aggregates, seeds=seeds, signer=signer, now=clock.now)
    deadlines = Deadlines(service, schedules=stores.schedules, register=stores.register)
    outbox = Outbox(service, deadlines, turns=stores.turns, publisher=publisher)
    starts = Starts(service, seeds=seeds, publisher=publisher)
    feeds = Feeds(aggregates, CommittedSubjects(connection))
    parts = Parts(service, feeds, LookingBack(service))
    await seed_questions_answered(connection, starts)

    async def on_commit(delivery: Delivery) -> None:
        await outbox.on_commit(match_committed_by(delivery), Position(delivery.position))

    async def on_start(delivery: Delivery) -> None:
        match = match_started_by(delivery)
        if match is not None:
            await starts.on_message(match, delivery.payload, delivery.position)

    async def on_due(delivery: Delivery) -> None:
        record_late((clock.now() - due_at(delivery)).total_seconds())
        await deadlines.on_due(match_due_by(delivery))

    trust = TokenTrust(stores.tokens)
    app = await _application(settings, stores, parts, trust)
    outbox_reader = WorkConsumer(connection, OUTBOX, on_commit)
    app.state.readiness = Readiness(
        _checks(settings, connection, outbox_reader, trust), stopping_of(app)
    )
    return Service(
        app=app,
        feeds=feeds,
        readers=(
            outbox_reader,
            WorkConsumer(connection, STARTER, on_start),
            WorkConsumer(connection, DUE, on_due),
            trust,
        ),
        deadlines=deadlines,
        heartbeat_seconds=settings.heartbeat_seconds,
        sweep_seconds=settings.sweep_seconds,
    )


def _checks(
    settings: Settings, connection: Connection, outbox: WorkConsumer, trust: TokenTrust
) -> dict[str, Check]:
    return {
        "nats": connected(connection),
        "streams": streams_as_wanted(connection),
        "outbox": moving(connection, outbox, settings.outbox_patience_seconds),
        "tokens": trust.check(connection),
    }


async def _application(
    settings: Settings, stores: Stores, parts: Parts, trust: TokenTrust
) -> FastAPI:
    issuer = None
    issuers: dict[str, KeySource] = {LOBBY_ISSUER: trust}
    if settings.development_tokens:
        secret = await issuer_key_in(stores.keys, ids.new_secret)
        issuer = DevelopmentIssuer(secret, mode=settings.mode)
        issuers[ISSUER] = FixedKeys(keys_of(issuer.jwks()))
    issuers |= parts_trusted({WORKERS: settings.bot_keys_file, SCORING: settings.scoring_keys_file})
    app = create_app(
        title="Howff: matches",
        version="1",
        statuses=STATUSES,
        tokens=Tokens(issuers, audience=AUDIENCE, now=clock.now, revocations=trust),
        new_id=ids.new_id,
        limits=settings.rate_limits(),
    )
    app.state.parts = parts
    for router in (games, matches, leaving, looking_back, feed, receipts):
        app.include_router(router)
    if issuer is not None:
        app.include_router(development_router(issuer, scopes=SCOPES, now=clock.now))
    return app


async def _beat(service: Service) -> None:
    """Let the feeds tell their newest versions, again and again."""
    while not await is_set_within(stopping_of(service.app), service.heartbeat_seconds):
        await service.feeds.beat()


async def _sweep(service: Service) -> None:
    """Look for deadlines that are missing, at first and again and again."""
    while True:
        try:
            await service.deadlines.sweep()
        except RefusalError as error:  # the next round may do
            _log.warning("deadlines can't be looked through: %s", error)
        if await is_set_within(stopping_of(service.app), service.sweep_seconds):
            return


async def _cut_feeds_at_end(service: Service) -> None:
    """Send the clients of feeds away when the server begins to stop: it waits for them."""
    try:
        await stopping_of(service.app).wait()
    finally:  # also when another part has failed, which cancels this one
        service.feeds.cut()
