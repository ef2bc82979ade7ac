"""Real NATS servers for tests: one that a test process shares, ones of its own, and a cluster."""

import asyncio
import atexit
import itertools
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.errors import JetStreamRefusedError, NatsUnavailableError
from howff.servicekit.nats.server import Cluster, NatsServer, ServerPlan, free_ports
from howff.servicekit.nats.streams import ensure_stream, locked
from support.running import eventually

CLUSTER_SIZE: Final = 3
_numbers = itertools.count(1)


@cache
def shared_server() -> NatsServer:
    """Return the server that all tests of this process share; it ends with the process."""
    held = ExitStack()
    atexit.register(held.close)
    folder = held.enter_context(tempfile.TemporaryDirectory(prefix="howff-nats-"))
    return held.enter_context(own_server(Path(folder)))


def unique(name: str) -> str:
    """Return *name* with a number that no other test of this process has."""
    return f"{name}{next(_numbers)}"


def plan_in(folder: Path, **changes: Any) -> ServerPlan:
    """Return how a server is run in *folder*, on ports of its own."""
    port, monitor_port = free_ports(2)
    return replace(ServerPlan(folder, port, monitor_port), **changes)


@contextmanager
def own_server(folder: Path, **changes: Any) -> Iterator[NatsServer]:
    """Give a server that nobody else uses, planned with the *changes*."""
    with NatsServer(plan_in(folder, **changes)) as server:
        yield server


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[NatsServer, ...]]:
    """Give a cluster of three servers that have a leader, who knows of all of them."""
    with cluster_without_leader(folder) as servers:
        asyncio.run(_wait_until_streams_are_taken(servers))
        yield servers


@contextmanager
def cluster_without_leader(folder: Path, **changes: Any) -> Iterator[tuple[NatsServer, ...]]:
    """Give a cluster of three servers, planned with the *changes*, that may not have met yet."""
    ports = free_ports(CLUSTER_SIZE)
    servers = tuple(
        NatsServer(
            plan_in(folder / name, name=name, cluster=Cluster("howff", port, ports), **changes)
        )
        for name, port in zip(("north", "east", "west"), ports, strict=True)
    )
    with ExitStack() as running:
        for server in servers:
            running.callback(server.stop)
            server.launch()
        for server in servers:
            server.wait_until_ready()
        yield servers


async def _wait_until_streams_are_taken(servers: Sequence[NatsServer]) -> None:
    wanted = locked("PROBE", ["probe"], replicas=CLUSTER_SIZE)
    async with await connect([each.url for each in servers], name="test") as connection:
        making = partial(ensure_stream, connection, wanted)
        await eventually(making, JetStreamRefusedError, NatsUnavailableError)
        await connection.jetstream.delete_stream("PROBE")
