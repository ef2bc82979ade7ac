"""The one place where the parts of a worker are put together."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from howff.bots.adapters.server import Server
from howff.bots.adapters.thinkers import ProcessThinkers
from howff.bots.adapters.work import consumer_of
from howff.bots.application.deciding import Deciding
from howff.bots.application.players import Player
from howff.bots.settings import Settings
from howff.servicekit import clock, ids
from howff.servicekit.consumers import WorkConsumer
from howff.servicekit.nats.checks import connected, moving
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.readiness import Check, Readiness
from howff.servicekit.web.parts import PartTokens, private_key_in
from howff.servicekit.web.tokens import WORKERS

GRACE: Final = 3.0
"""Seconds that running decisions have for their end once the worker stops."""
AT_ONCE: Final = 8
"""Decisions in hand for each process that thinks: most of them wait for the server, or for people
to follow."""


@asynccontextmanager
async def running_worker(settings: Settings) -> AsyncIterator[Readiness]:
    """Let a worker play until the context ends; gives what tells whether it is ready.

    A connection to NATS that is lost for good ends it.

    Raises:
        RefusalError: NATS can't be reached, there is no key, or the match service has no address.
    """
    tokens = PartTokens(
        WORKERS, private_key_in(settings.bot_key_file), now=clock.now, new_id=ids.new_id
    )
    async with (
        await connect(
            settings.nats_urls, name="bots", credentials=settings.nats_credentials
        ) as connection,
        Server(settings.game_url, tokens.current) as server,
    ):
        thinkers = ProcessThinkers(settings.processes)
        player = _player(settings, server, thinkers)
        consumer = consumer_of(connection, AT_ONCE * settings.processes, player.on_due)
        stopping = asyncio.Event()
        checks = _checks(settings, connection, consumer, server)
        try:
            async with asyncio.TaskGroup() as group:
                lost = group.create_task(connection.wait_lost())
                group.create_task(consumer.run())
                try:
                    yield Readiness(checks, stopping)
                finally:
                    stopping.set()
                    lost.cancel()
                    await _stop(player, consumer)
        finally:
            thinkers.close()


async def _stop(player: Player, consumer: WorkConsumer) -> None:
    """Let running decisions come to their end, but not for long."""
    handing_back = asyncio.get_running_loop().call_later(GRACE, player.hand_back)
    try:
        await consumer.stop()
    finally:
        handing_back.cancel()


def _player(settings: Settings, server: Server, thinkers: ProcessThinkers) -> Player:
    deciding = Deciding(thinkers, seconds=settings.think_seconds, new_secret=ids.new_secret)
    return Player(server, deciding, now=clock.now, pace=settings.pace_milliseconds / 1000)


def _checks(
    settings: Settings, connection: Connection, consumer: WorkConsumer, server: Server
) -> dict[str, Check]:
    return {
        "nats": connected(connection),
        "decisions": moving(connection, consumer, settings.patience_seconds),
        "game": server.check(),
    }
