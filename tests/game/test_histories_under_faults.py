"""Histories of concurrent clients while replicas and servers of NATS die, pause and come back.

The short form takes seconds. With HOWFF_LONG set, tens of thousands of commands are played and
hundreds of processes killed, round by round; the name of a round is the seed of its plan.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from howff.match.journal import MATCHES
from howff.servicekit.nats.connection import LINE_ERRORS, connect
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.running import run
from support.histories.checks import violations
from support.histories.history import History
from support.histories.replicas import ServiceProcess, replicas_inside, service_process
from support.histories.runs import Plan, Strike, prepared, recorded
from support.histories.world import Terms
from support.nats import cluster, own_server
from support.rng import LocalRng
from support.running import eventually

IS_LONG: Final = bool(os.environ.get("HOWFF_LONG"))
SHORT: Final = {"round_limit": 1}
QUICK: Final = (
    Terms("troedler", 2, options=SHORT),
    Terms("troedler", 2, 1, options=SHORT),
    Terms("highland_clans", 2, 1, most=40),
    Terms("dale_of_merchants", 2, most=40, watch="private"),
    Terms("troedler", 3, options=SHORT),
    Terms("dale_of_merchants", 2, 1, most=40),
    Terms("troedler", 2, options=SHORT, most=12, clock={"move_seconds": 1}),
)
"""About 200 commits."""
PEOPLE: Final = tuple(terms for terms in QUICK if not (terms.bots or terms.clock))
"""What waits for nobody: when a replica dies, what it had in hand takes a while."""
PAUSED: Final = 1.0
"""Seconds for which a server is frozen."""

Act = Callable[[], Awaitable[None]]
Report = Callable[[str, object], None]


def rounds(name: str, short: int, long: int) -> list[str]:
    """Return the seeds of the rounds of one test."""
    return [f"{name}-{number}" for number in range(long if IS_LONG else short)]


def drawn(seed: str, acts: Mapping[str, Act], count: int, every: int) -> list[Strike]:
    """Return *count* strikes, each of *acts* at random, about so many commands apart."""
    rng = LocalRng(f"{seed}/strikes")
    after, strikes = 0, []
    for _ in range(count):
        after += 1 + rng.draw("after", 2 * every)
        name = rng.roll("act", sorted(acts))
        strikes.append(Strike(after, name, acts[name]))
    return strikes


def check(history: History, report: Report) -> None:
    """Report the figures of *history*, and fail if a check is violated."""
    report("histories", history.figures)
    assert violations(history) == {}


@pytest.mark.skipif(not IS_LONG, reason="what strikes in the others may stay away in them too")
@pytest.mark.parametrize("seed", rounds("calm", 1, 20))
def test_a_history_of_two_replicas_holds(
    tmp_path: Path, seed: str, record_property: Report
) -> None:
    async def story() -> History:
        await prepared([nats])
        async with replicas_inside([nats]) as replicas:
            return await recorded(Plan(seed, QUICK * (6 if IS_LONG else 1)), [nats], replicas)

    with own_server(tmp_path) as nats:
        check(run(story()), record_property)


@pytest.mark.parametrize("seed", rounds("kills", 1, 14))
def test_a_history_holds_while_replicas_and_the_server_are_killed(
    tmp_path: Path, seed: str, record_property: Report
) -> None:
    count, every, tables = (16, 14, (*PEOPLE * 4, *QUICK)) if IS_LONG else (3, 14, PEOPLE)

    async def story() -> History:
        await prepared([nats])
        async with (
            service_process([nats], tmp_path / "first") as first,
            service_process([nats], tmp_path / "second") as second,
        ):
            acts = {
                "kill the first replica": partial(killed, first),
                "kill the second replica": partial(killed, second),
                "kill the server": partial(server_killed, nats),
            }
            plan = Plan(seed, tables, strikes=drawn(seed, acts, count, every))
            history = await recorded(plan, [nats], [first.replica, second.replica])
            assert (first.end, second.end) == (None, None), "a replica has ended by itself"
            return history

    with own_server(tmp_path / "nats") as nats:
        history = run(story())
    assert len(history.faults) == count, history.figures
    check(history, record_property)


@pytest.mark.parametrize("seed", rounds("cluster", 1, 8))
def test_a_history_holds_while_servers_of_a_cluster_fail(
    tmp_path: Path, seed: str, record_property: Report
) -> None:
    count, every, tables = (6, 60, QUICK * 4) if IS_LONG else (1, 20, QUICK[:4])

    async def story() -> History:
        await prepared(servers)
        acts: dict[str, Act] = {"pause a follower": partial(follower_paused, servers)}
        if IS_LONG:
            acts["kill the leader"] = partial(leader_killed, servers)
            acts["pause the leader"] = partial(leader_paused, servers)
        async with replicas_inside(servers) as replicas:
            plan = Plan(seed, tables, strikes=drawn(seed, acts, count, every))
            return await recorded(plan, servers, replicas)

    with cluster(tmp_path) as servers:
        history = run(story())
    assert len(history.faults) == count, history.figures
    check(history, record_property)


async def killed(service: ServiceProcess) -> None:
    """Kill a replica and start it again."""
    service.kill()
    await service.start()


async def server_killed(nats: NatsServer) -> None:
    """Kill the server and start it again on the same files."""
    await asyncio.to_thread(nats.kill)
    await asyncio.to_thread(nats.start)


async def follower_paused(servers: Sequence[NatsServer]) -> None:
    """Freeze a server that does not lead the stream of matches."""
    leader = await leader_of(servers)
    await paused(next(each for each in servers if each is not leader), PAUSED)


async def leader_paused(servers: Sequence[NatsServer]) -> None:
    """Freeze the server that leads the stream, until another one does."""
    await paused(await leader_of(servers), 8 * PAUSED)


async def leader_killed(servers: Sequence[NatsServer]) -> None:
    """Kill the server that leads the stream, and start it again."""
    await server_killed(await leader_of(servers))


async def paused(server: NatsServer, seconds: float) -> None:
    """Freeze *server* for so long."""
    await asyncio.to_thread(server.pause)
    await asyncio.sleep(seconds)
    server.resume()
    await asyncio.to_thread(server.wait_until_ready)


async def leader_of(servers: Sequence[NatsServer]) -> NatsServer:
    """Return the server that leads the stream of matches, as soon as one does."""

    async def leader() -> NatsServer:
        found = await connection.jetstream.stream_info(MATCHES)
        names = [each.plan.name for each in servers]
        assert found.cluster is not None
        assert found.cluster.leader in names
        return servers[names.index(found.cluster.leader)]

    async with await connect([each.url for each in servers], name="test") as connection:
        return await eventually(leader, *LINE_ERRORS, AssertionError)
