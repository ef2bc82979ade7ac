"""What a process needs of NATS to be ready: a line, its streams, a consumer that moves."""

import asyncio

from howff.servicekit.consumers import WorkConsumer
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.differences import check_same, described
from howff.servicekit.nats.errors import StreamDiffersError
from howff.servicekit.nats.kv import Follower
from howff.servicekit.nats.streams import answered
from howff.servicekit.projections import Projector
from howff.servicekit.readiness import Check, Finding


def connected(connection: Connection) -> Check:
    """Return a check that the line is up."""

    async def check() -> Finding:
        is_up = connection.client.is_connected and not connection.lost.is_set()
        return Finding(is_up, "connected" if is_up else "not connected")

    return check


def streams_as_wanted(connection: Connection) -> Check:
    """Return a check that all streams that were required over *connection* still are as wanted."""

    async def check() -> Finding:
        for name, wanted in connection.required.items():
            what = f"stream {name!r}"
            found = await answered(what, described(connection, f"STREAM.INFO.{name}"))
            check_same(StreamDiffersError, what, wanted, found["config"])
        return Finding(is_good=True, found=f"{len(connection.required)} as wanted")

    return check


def moving(connection: Connection, consumer: WorkConsumer, patience: float) -> Check:
    """Return a check that *consumer* settles something within *patience* seconds of waiting.

    What other processes settle counts as well: they share its work.
    """
    return _Movement(connection, consumer, patience).look


def followed(connection: Connection, follower: Follower, patience: float) -> Check:
    """Return a check that *follower* knows what its bucket holds, but for the last seconds.

    That the server is heard of by it is not enough: one that is cut off from the others goes on
    to say that there is nothing new. So the leader is asked how far the bucket has come.
    """
    return _Following(connection, follower, patience).look


class _Following:
    """Since when a follower is behind, as far as it was looked at."""

    def __init__(self, connection: Connection, follower: Follower, patience: float) -> None:
        self._connection = connection
        self._follower = follower
        self._patience = patience
        self._behind_since: float | None = None

    async def look(self) -> Finding:
        follower, now = self._follower, asyncio.get_running_loop().time()
        if not follower.caught_up.is_set():
            return Finding(is_good=False, found="not read yet")
        silence = now - follower.heard_at
        if silence > self._patience:
            return Finding(is_good=False, found=f"nothing heard for {silence:.0f} s")
        asked = described(self._connection, f"STREAM.INFO.{follower.stream}")
        found = await answered(f"stream {follower.stream!r}", asked)
        return self._finding(found["state"]["last_seq"], now)

    def _finding(self, last: int, now: float) -> Finding:
        if self._follower.position >= last:
            self._behind_since = None
            return Finding(is_good=True, found="up to date")
        # What is not known yet may have come only now.
        if self._behind_since is None:
            self._behind_since = now
        behind = now - self._behind_since
        return Finding(behind <= self._patience, f"behind for {behind:.0f} s")


def read(connection: Connection, projector: Projector, patience: float) -> Check:
    """Return a check that *projector* has read what its stream had *patience* seconds ago."""
    return _Reading(connection, projector, patience).look


class _Reading:
    """How far a stream had come when a projector was last as far, and when that was."""

    def __init__(self, connection: Connection, projector: Projector, patience: float) -> None:
        self._connection = connection
        self._projector = projector
        self._patience = patience
        self._awaited: int | None = None
        self._since = 0.0

    async def look(self) -> Finding:
        stream = self._projector.stream
        asked = described(self._connection, f"STREAM.INFO.{stream}")
        last = (await answered(f"stream {stream!r}", asked))["state"]["last_seq"]
        now, position = asyncio.get_running_loop().time(), self._projector.position
        if self._awaited is None or position >= self._awaited:
            self._awaited, self._since = last, now
        behind = now - self._since
        found = "up to date" if position >= last else f"{last - position} to be read"
        return Finding(behind <= self._patience, found)


class _Movement:
    """How long a consumer has settled nothing of what waits, as far as it was looked at."""

    def __init__(self, connection: Connection, consumer: WorkConsumer, patience: float) -> None:
        self._connection = connection
        self._consumer = consumer
        self._patience = patience
        self._settled: tuple[int, int] | None = None
        self._still_since: float | None = None

    async def look(self) -> Finding:
        work, jetstream = self._consumer.work, self._connection.jetstream
        asked = jetstream.consumer_info(work.stream, work.durable)
        info = await answered(f"consumer {work.durable!r}", asked)
        waiting = (info.num_pending or 0) + (info.num_ack_pending or 0)
        floor = info.ack_floor.stream_seq if info.ack_floor else 0
        return self._finding(waiting, (self._consumer.handled, floor))

    def _finding(self, waiting: int, settled: tuple[int, int]) -> Finding:
        now = asyncio.get_running_loop().time()
        if not waiting or settled != self._settled:
            self._settled, self._still_since = settled, None
        # What waits now may have come only now: the silence counts from the first look on.
        if waiting and self._still_since is None:
            self._still_since = now
        silence = 0.0 if self._still_since is None else now - self._still_since
        found = f"{waiting} waiting, none settled for {silence:.0f} s" if waiting else "none waits"
        return Finding(silence <= self._patience, found)
