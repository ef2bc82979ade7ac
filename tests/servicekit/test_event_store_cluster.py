"""The event store on three replicas: what lags, freezes or dies is never taken for what is so."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from operator import attrgetter
from typing import Final

import pytest
from nats.js.errors import APIError

from conftest import IS_LONG
from howff.servicekit.aggregates import Aggregates, UnresolvedError
from howff.servicekit.eventstore.errors import ConflictError, UnavailableError
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.store import BEGINNING, StreamId
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.errors import JetStreamRefusedError, NatsUnavailableError
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.nats.streams import ensure_stream, locked
from support.ledger import FORM, Add, Entry, Ledger, fold_entry
from support.nats import cluster, unique
from support.running import eventually, run

NAME: Final = "ENTRIES"
ROUNDS: Final = 600 if IS_LONG else 80
KILLS: Final = 5 if IS_LONG else 1
WITHIN: Final = 120.0 * KILLS
"""Seconds of a story; how long an election takes is the servers' and the machine's affair."""
REST: Final = 0.02
"""Seconds between two commands of a writer: of those that never rest, one would always be first."""

Servers = dict[str, NatsServer]


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield {server.plan.name: server for server in running}


@dataclass(frozen=True, slots=True)
class Node:
    """One of the servers, as a client of it alone sees the stream."""

    server: NatsServer
    connection: Connection
    store: JetStreamStore[Entry]
    ledgers: Aggregates[Ledger, Entry]


@dataclass(frozen=True, slots=True)
class Nodes:
    """All servers, the leader of the stream first."""

    leader: Node
    followers: tuple[Node, Node]

    def __iter__(self) -> Iterator[Node]:
        return iter((self.leader, *self.followers))


@asynccontextmanager
async def nodes_of(servers: Servers) -> AsyncIterator[Nodes]:
    async with AsyncExitStack() as opened:
        connections = {
            name: await opened.enter_async_context(await connect(server.url, name=name))
            for name, server in servers.items()
        }
        leader = await leader_by(next(iter(connections.values())))
        nodes = {name: node_of(servers[name], each) for name, each in connections.items()}
        for node in nodes.values():
            await eventually(partial(append_somewhere, node), UnavailableError)
        first, second = (node for name, node in nodes.items() if name != leader)
        yield Nodes(nodes[leader], (first, second))


def node_of(server: NatsServer, connection: Connection) -> Node:
    store = JetStreamStore(connection.client, NAME, FORM)
    return Node(server, connection, store, Aggregates(store, fold_entry, most_kept=10))


async def append_somewhere(node: Node) -> None:
    """Append to a stream of its own, which a server can't hand on before it has heard of them."""
    await node.store.append(own_stream(), Entry(1, "1", 1), BEGINNING)


async def leader_by(connection: Connection) -> str:
    """Return the name of the server that leads the stream, which is made if there is none."""

    async def asked() -> str:
        found = await ensure_stream(connection, locked(NAME, ["entries.*"], replicas=3))
        if found.cluster is None or found.cluster.leader is None:
            raise NatsUnavailableError(NAME, found="no leader")
        return found.cluster.leader

    return await eventually(asked, NatsUnavailableError, JetStreamRefusedError)


def own_stream() -> StreamId:
    return StreamId(f"entries.{unique('ledger')}")


def test_of_many_appends_at_once_the_others_conflict_with_one_in_flight(servers: Servers) -> None:
    async def story() -> None:
        async with nodes_of(servers) as nodes:
            stream, store = own_stream(), nodes.leader.store
            racing = (store.append(stream, Entry(1, f"{at}", 1), BEGINNING) for at in range(50))
            answers = await asyncio.gather(*racing, return_exceptions=True)
            conflicts = [answer for answer in answers if isinstance(answer, ConflictError)]
            assert len(conflicts) == 49
            codes = Counter(
                each.__cause__.err_code
                for each in conflicts
                if isinstance(each.__cause__, APIError)
            )
            assert 10164 in codes
            assert codes.keys() <= {10164, 10071}
            assert len(await store.tail(stream, BEGINNING)) == 1

    run(story, WITHIN)


def test_nobody_reads_behind_what_was_acknowledged(servers: Servers) -> None:
    async def story() -> None:
        async with nodes_of(servers) as nodes:
            await read_after_each_append(list(nodes), ROUNDS)

    run(story, WITHIN)


async def read_after_each_append(nodes: list[Node], rounds: int) -> None:
    """Append through one node after the other; each time, read through all of them at once."""
    stream, marks = own_stream(), [BEGINNING]
    for version in range(1, rounds + 1):
        writer = nodes[version % len(nodes)]
        marks.append(await writer.store.append(stream, Entry(version, f"{version}", 1), marks[-1]))
        after = marks[version // 2]
        readings = await asyncio.gather(*(node.store.tail(stream, after) for node in nodes))
        for recorded in readings:
            assert [each.mark for each in recorded] == marks[after.version + 1 :]


def test_nothing_is_refused_that_was_made_possible_through_another_server(
    servers: Servers,
) -> None:
    async def story() -> None:
        async with nodes_of(servers) as nodes:
            stream, ledgers = own_stream(), [node.ledgers for node in nodes]
            for number in range(ROUNDS):
                giver, taker = ledgers[number % 3], ledgers[(number + 1) % 3]
                await giver.handle(stream, Add(f"give-{number}", 1))
                answer = await taker.handle(stream, Add(f"take-{number}", -1))
                assert (answer.commit.version, answer.aggregate.balance) == (2 * number + 2, 0)

    run(story, WITHIN)


def test_everything_is_read_while_a_replica_is_frozen(servers: Servers) -> None:
    async def story() -> None:
        async with nodes_of(servers) as nodes:
            frozen, awake = nodes.followers
            stream = own_stream()
            await nodes.leader.ledgers.handle(stream, Add("first", 1))
            frozen.server.pause()
            try:
                for number in range(10):
                    await awake.ledgers.handle(stream, Add(f"{number}", 1))
                # Which replica answers is the servers' choice; that one may stay away is tested
                # for itself where it can be brought about.
                reads = (node.store.tail(stream, BEGINNING) for node in (nodes.leader, awake) * 20)
                assert [len(read) for read in await asyncio.gather(*reads)] == [11] * 40
            finally:
                frozen.server.resume()
            await read_after_each_append(list(nodes), 30)
            assert len(await frozen.store.tail(stream, BEGINNING)) == 11

    run(story, WITHIN)


@dataclass(slots=True)
class Writer:
    """Writes one command after the other, and keeps what was acknowledged, and when it was last."""

    name: str
    ledgers: Aggregates[Ledger, Entry]
    commits: list[Entry] = field(default_factory=list)
    last: float = field(default_factory=time.monotonic)

    async def write(self, stream: StreamId, done: asyncio.Event) -> None:
        while not done.is_set():
            add = Add(f"{self.name}-{len(self.commits)}", 1)
            self.commits.append(await self._written(stream, add))
            self.last = time.monotonic()
            await asyncio.sleep(REST)

    async def _written(self, stream: StreamId, add: Add) -> Entry:
        """Return the commit of a command, which is sent again as long as nobody knows of it."""
        while True:
            try:
                return (await self.ledgers.handle(stream, add)).commit
            except UnresolvedError:
                await asyncio.sleep(REST)  # a new leader may take its time on a busy machine

    async def has_written_since(self, moment: float) -> None:
        assert self.last > moment


def test_a_leader_that_is_killed_loses_and_doubles_nothing(servers: Servers) -> None:
    async def story() -> None:
        urls = [server.url for server in servers.values()]
        async with AsyncExitStack() as opened:
            connections = [
                await opened.enter_async_context(await connect(urls, name=f"writer{number}"))
                for number in range(3)
            ]
            for _ in range(KILLS):
                leader = servers[await leader_by(connections[0])]
                await write_while_killed(leader, connections, own_stream())
                await asyncio.to_thread(leader.start)

    run(story, WITHIN)


async def write_while_killed(
    leader: NatsServer, connections: list[Connection], stream: StreamId
) -> None:
    stores = [JetStreamStore(each.client, NAME, FORM) for each in connections]
    writers = [
        Writer(f"{at}", Aggregates(store, fold_entry, most_kept=10))
        for at, store in enumerate(stores)
    ]
    done = asyncio.Event()
    async with asyncio.TaskGroup() as writing:
        for writer in writers:
            writing.create_task(writer.write(stream, done))
        try:
            await asyncio.sleep(0.5)
            await asyncio.to_thread(leader.kill)
            killed = time.monotonic()
            for writer in writers:
                await eventually(partial(writer.has_written_since, killed + 0.5), AssertionError)
        finally:
            done.set()  # the client may miss that its task was cancelled
    check_log(
        [commit for writer in writers for commit in writer.commits], await told(stores, stream)
    )


async def told(stores: list[JetStreamStore[Entry]], stream: StreamId) -> list[Entry]:
    """Return the commits of *stream*, as all stores tell them."""
    log, *others = [await store.tail(stream, BEGINNING) for store in stores]
    assert all(other == log for other in others)
    return [each.commit for each in log]


def check_log(acknowledged: list[Entry], log: list[Entry]) -> None:
    """Check that what was acknowledged, and nothing else, stands there once."""
    assert sorted(acknowledged, key=attrgetter("version")) == log
    assert len({entry.command for entry in log}) == len(log)
