"""Lists and feeds at work: what reads streams into rows, and what tells of it."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from datetime import datetime
from typing import Final

from nats.aio.msg import Msg

from howff.contracts.matches import CONTRACTS
from howff.engine.errors import RefusalError
from howff.lobby.adapters.commit_rows import apply_commit
from howff.lobby.adapters.feed_queries import SqlFeedSource
from howff.lobby.adapters.feed_rows import Numbers
from howff.lobby.adapters.list_queries import COMMITS, SqlLists
from howff.lobby.adapters.match_rows import apply_contract
from howff.lobby.adapters.streams import LOBBY
from howff.lobby.adapters.turn_rows import TurnRows
from howff.lobby.application.feeds import Feeds
from howff.servicekit.nats.checks import followed, read
from howff.servicekit.nats.connection import LINE_ERRORS, Connection
from howff.servicekit.nats.kv import Bucket
from howff.servicekit.nats.streams import answered
from howff.servicekit.projections import Projector
from howff.servicekit.readiness import Check
from howff.servicekit.sql.checkpoints import SqlProjection
from howff.servicekit.sql.database import Database
from howff.servicekit.stopping import is_set_within

NUDGES: Final = "fed.lobby."
"""Before the name of an audience: where it is told, beside any stream, that its feed goes on."""
CONTRACT_ROWS: Final = "lobby_contracts"
"""The projection of stream `CONTRACTS`."""
PATIENCE: Final = 10.0
"""Seconds that rows may be behind their stream until a process is not ready."""
PRUNED_EVERY: Final = 600.0
"""Seconds."""
_log = logging.getLogger(__name__)


class ListsAtWork:
    """Makes the rows of lists and feeds, and lets clients know, as long as `run` runs."""

    def __init__(  # noqa: PLR0913 — all that it works with
        self,
        connection: Connection,
        database: Database,
        turns: Bucket,
        stopping: asyncio.Event,
        now: Callable[[], datetime],
        heartbeat_seconds: float,
    ) -> None:
        self._connection = connection
        self._source = SqlFeedSource(database)
        self._now = now
        self._stopping = stopping
        self._heartbeat_seconds = heartbeat_seconds
        self.lists = SqlLists(database)
        self.feeds = Feeds(self._source)
        commits = SqlProjection(database, COMMITS, apply_commit, self._nudge)
        contracts = SqlProjection(database, CONTRACT_ROWS, apply_contract, self._nudge)
        self._commits = Projector(connection, LOBBY, commits)
        self._contracts = Projector(connection, CONTRACTS, contracts)
        self._turns = TurnRows(database, turns, self._nudge, now)
        self._parts = (self._commits, self._contracts, self._turns)

    def checks(self) -> dict[str, Check]:
        """Return the checks that no row is behind by more than some seconds."""
        connection = self._connection
        return {
            "lists": read(connection, self._commits, PATIENCE),
            "matches": read(connection, self._contracts, PATIENCE),
            "turns": followed(connection, self._turns.follower, PATIENCE),
        }

    async def run(self) -> None:
        """Read on until `stop` is called.

        Raises:
            ConnectionLostError: the connection has ended for good.
            StreamLostError: a stream is not the one that the rows were made of.
        """
        subscribing = self._connection.client.subscribe(f"{NUDGES}>", cb=self._hear)
        subscription = await answered("nudges of feeds", subscribing)
        try:
            async with asyncio.TaskGroup() as group:
                for part in self._parts:
                    group.create_task(part.run())
                group.create_task(self._beat())
                group.create_task(self._prune())
        finally:
            self.feeds.cut()
            with contextlib.suppress(*LINE_ERRORS):  # it has ended with its connection
                await subscription.unsubscribe()

    async def stop(self) -> None:
        """Read no further; return when `run` has come to its end."""
        self._stopping.set()
        await asyncio.gather(*(part.stop() for part in self._parts))

    async def _nudge(self, numbers: Numbers) -> None:
        """Let all processes know how far audiences were told; a lost nudge waits for a beat."""
        for audience, number in numbers.items():
            with contextlib.suppress(*LINE_ERRORS):
                await self._connection.client.publish(NUDGES + audience, b"%d" % number)

    async def _hear(self, message: Msg) -> None:
        self.feeds.hear(message.subject.removeprefix(NUDGES), int(message.data))

    async def _beat(self) -> None:
        """Let clients hear that their feeds are alive, until the process begins to stop."""
        while not await is_set_within(self._stopping, self._heartbeat_seconds):
            await self.feeds.beat()
        self.feeds.cut()

    async def _prune(self) -> None:
        """Forget old entries, at first and again and again."""
        while True:
            try:
                while await self._source.prune(self._now()) and not self._stopping.is_set():
                    pass
            except RefusalError as error:  # the next round may do
                _log.warning("old entries of feeds can't be forgotten: %s", error)
            if await is_set_within(self._stopping, PRUNED_EVERY):
                return
