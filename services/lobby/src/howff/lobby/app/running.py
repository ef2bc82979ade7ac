"""The service as it runs."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from fastapi import FastAPI

from howff.lobby.adapters.list_queries import SqlLists
from howff.lobby.adapters.lists import ListsAtWork
from howff.lobby.adapters.match_service import MatchService
from howff.lobby.adapters.neighbours import Neighbours
from howff.lobby.adapters.noted_tokens import NotedTokens
from howff.lobby.adapters.signing_keys import SigningKeys
from howff.lobby.api.accounts import accounts
from howff.lobby.api.deps import Parts
from howff.lobby.api.documents import documents
from howff.lobby.api.grants import FORM_PATHS, grants
from howff.lobby.api.lists import lists as list_routes
from howff.lobby.api.lobby_feeds import lobby_feeds
from howff.lobby.api.me import me
from howff.lobby.api.pages import pages
from howff.lobby.api.statuses import STATUSES
from howff.lobby.api.tables import tables
from howff.lobby.api.tickets import tickets
from howff.lobby.app.electing import elected_on
from howff.lobby.app.opening import Ground, opened
from howff.lobby.app.people import People, people_on
from howff.lobby.app.reading import news_on, outbox_on
from howff.lobby.application.invitations import Invitations
from howff.lobby.application.tables import Tables
from howff.lobby.application.ticket_desk import TicketDesk
from howff.lobby.settings import Settings
from howff.servicekit import clock, ids
from howff.servicekit.consumers import WorkConsumer
from howff.servicekit.nats.checks import connected, moving, streams_as_wanted
from howff.servicekit.nats.requirements import check_server, check_when_back
from howff.servicekit.readiness import Check, Readiness
from howff.servicekit.sql.checks import answering
from howff.servicekit.web.app import create_app, stopping_of
from howff.servicekit.web.parts import parts_trusted
from howff.servicekit.web.tokens import AUDIENCE, LOBBY_ISSUER, SCORING
from howff.servicekit.web.trust import TokenTrust


class Running(Protocol):
    """What works for as long as the service does."""

    async def run(self) -> None: ...
    async def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Service:
    """The application, and what works beside it."""

    app: FastAPI
    trust: TokenTrust
    keys: SigningKeys
    running: tuple[Running, ...]


@asynccontextmanager
async def running_service(settings: Settings) -> AsyncIterator[FastAPI]:
    """Give the application of the service, with all that works beside it until the context ends.

    A connection to NATS that is lost for good ends it.

    Raises:
        RefusalError: NATS or the database can't be reached, or is not what the service needs; or
            a file of keys is none.
    """
    async with opened(settings) as ground, _neighbours(settings) as neighbours:
        away = await check_server(ground.connection, settings.monitor_urls)
        service = await _assembled(ground, neighbours)
        async with asyncio.TaskGroup() as group:
            beside = (
                group.create_task(ground.connection.wait_lost()),
                group.create_task(check_when_back(away)),
            )
            for part in service.running:
                group.create_task(part.run())
            try:
                await service.trust.wait_until_known()
                await service.keys.wait_until_known()
                yield service.app
            finally:
                stopping_of(service.app).set()
                for task in beside:
                    task.cancel()
                await asyncio.gather(*(part.stop() for part in service.running))


def _neighbours(settings: Settings) -> Neighbours:
    urls = {"game": settings.game_url, "scoring": settings.scoring_url}
    return Neighbours({name: url for name, url in urls.items() if url is not None})


async def _assembled(ground: Ground, neighbours: Neighbours) -> Service:
    levels = tuple(ground.settings.bot_levels.split(","))
    matches, trust = MatchService(ground.connection), TokenTrust(ground.stores.tokens)
    lists, desk = SqlLists(ground.database), TicketDesk(ground.tickets, levels)
    people = await people_on(ground, lists, desk)
    app = _application(ground, people, trust)
    at_work = ListsAtWork(
        ground.connection,
        ground.database,
        ground.stores.turns,
        stopping=stopping_of(app),
        now=clock.now,
        heartbeat_seconds=ground.settings.heartbeat_seconds,
    )
    app.state.parts = Parts(
        accounts=people.parts,
        tables=Tables(ground.tables, matches, levels),
        tickets=desk,
        invitations=Invitations(await ground.stores.keys.create("invitations", ids.new_secret())),
        lists=lists,
        feeds=at_work.feeds,
        neighbours=neighbours,
    )
    outbox = outbox_on(ground, matches, people.parts.standings, lists.tables_with)
    checks = _checks(ground, outbox)
    checks |= {"tokens": trust.check(ground.connection), **at_work.checks()}
    app.state.readiness = Readiness(checks, stopping_of(app))
    elected = elected_on(ground, matches, lists)
    readers = (trust, people.keys, people.upkeep, outbox, at_work, news_on(ground))
    return Service(app, trust, people.keys, (*readers, *elected))


def _application(ground: Ground, people: People, trust: TokenTrust) -> FastAPI:
    tokens = NotedTokens(
        {LOBBY_ISSUER: trust, **parts_trusted({SCORING: ground.settings.scoring_keys_file})},
        people.parts.personal_tokens.note,
        audience=AUDIENCE,
        now=clock.now,
        revocations=trust,
    )
    app = create_app(
        title="Howff: lobby",
        version="1",
        statuses=STATUSES,
        tokens=tokens,
        new_id=ids.new_id,
        limits=ground.settings.rate_limits(),
        form_paths=FORM_PATHS,
        describes_itself=False,  # it describes the whole site
    )
    routes = (accounts, me, grants, tables, tickets, list_routes, lobby_feeds)
    for router in (*routes, documents, pages):
        app.include_router(router)
    return app


def _checks(ground: Ground, outbox: WorkConsumer) -> dict[str, Check]:
    patience = ground.settings.outbox_patience_seconds
    return {
        "nats": connected(ground.connection),
        "streams": streams_as_wanted(ground.connection),
        "outbox": moving(ground.connection, outbox, patience),
        "database": answering(ground.database),
    }
