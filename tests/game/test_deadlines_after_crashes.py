"""Deadlines that come while nobody is there: server and services are killed across them."""

import asyncio
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from howff.engine.codec import JSON
from howff.engine.seats import Seat
from howff.match.clocks import SECOND, Milliseconds, milliseconds_of
from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.running import run
from support.histories.checks import violations
from support.histories.course import Course, courses
from support.histories.history import History
from support.histories.lines import LOST, Replica, Request
from support.histories.replicas import ServiceProcess, service_process
from support.histories.runs import SIGNING_KEY, mark_of, prepared, read_again
from support.histories.world import Table, Terms
from support.leaving import now
from support.nats import own_server
from support.rng import LocalRng
from support.running import eventually
from support.service import bearer, new_key

IS_LONG: Final = bool(os.environ.get("HOWFF_LONG"))
ROUNDS: Final = [f"crash-{number}" for number in range(20 if IS_LONG else 1)]
CLOCKS: Final[tuple[JSON, ...]] = (
    {"move_seconds": 1},
    {"move_seconds": 2},
    {"match_seconds": 1, "increment_seconds": 0},
    {"match_seconds": 2, "increment_seconds": 1},
    {"move_seconds": 4},
)
SLOW: Final[JSON] = {"move_seconds": 600}
AFTER_RETURN: Final[Milliseconds] = 20 * SECOND
"""In which whatever was due has to have happened."""


@dataclass(frozen=True, slots=True)
class Down:
    """When everything was killed, and when all was there again."""

    killed: Milliseconds
    back: Milliseconds


@dataclass(frozen=True, slots=True)
class Asker:
    """Somebody who speaks for all seats of some tables."""

    replica: Replica

    async def ask(self, table: Table, seat: Seat, target: str, content: JSON = None) -> Any:
        """Return what answers; a key makes what is sent twice happen once."""
        headers = {**bearer(table.account(seat) or ""), "Idempotency-Key": table.key}
        if target != "/v1/matches":
            headers["Idempotency-Key"] = str(new_key())
        request = Request("GET" if content is None else "POST", target, headers, content)
        status, body = await self.replica.ask(request)
        assert status in {200, 201}, body
        return orjson.loads(body)

    async def start(self, table: Table) -> None:
        await self.ask(table, Seat(0), "/v1/matches", table.order)

    async def play(self, table: Table) -> None:
        """Make the first legal move of a seat that owes one."""
        seen = await self.ask(table, Seat(0), table.path)
        seat = Seat(seen["to_act"][0])
        listed = await self.ask(table, seat, f"{table.path}/moves")
        await self.ask(table, seat, f"{table.path}/moves", {"move": listed["moves"][0]["move"]})

    async def is_over(self, table: Table) -> bool:
        return bool((await self.ask(table, Seat(0), table.path))["is_over"])


@pytest.mark.parametrize("seed", ROUNDS)
def test_each_deadline_is_met_once_though_everything_is_killed_across_it(
    tmp_path: Path, seed: str
) -> None:
    rng = LocalRng(seed)
    tables = [
        Table(f"{seed}-{number}", Terms("troedler", 2, clock=clock), str(new_key()))
        for number, clock in enumerate((*CLOCKS * (2 if IS_LONG else 1), SLOW))
    ]

    async def story() -> tuple[History, Down]:
        await prepared([nats])
        async with (
            service_process([nats], tmp_path / "first") as first,
            service_process([nats], tmp_path / "second") as second,
        ):
            await played(tables, (first.replica, second.replica), rng)
            await asyncio.sleep(rng.draw("moment", 1500) / 1000)
            down = await killed_for(nats, (first, second), last_deadline(tables))
            await ended(tables[:-1], second.replica)
            history = History(signing_key=SIGNING_KEY, ended=now())
            async with await connect(nats.url, name="test") as connection:
                history.marks.append(await mark_of(connection))
                await read_again(history, connection, 1)
            return history, down

    with own_server(tmp_path / "nats") as nats:
        history, down = run(story())
    check(tables, history, down)


async def played(tables: list[Table], replicas: tuple[Replica, Replica], rng: LocalRng) -> None:
    """Start all tables at once; in some of them a move is made in time."""
    askers = [Asker(replica) for replica in replicas]
    await asyncio.gather(*(askers[at % 2].start(table) for at, table in enumerate(tables)))
    moved = [table for table in tables if table.terms.clock == SLOW or rng.draw("moves", 2)]
    await asyncio.gather(*(askers[1].play(table) for table in moved), return_exceptions=True)


def last_deadline(tables: list[Table]) -> Milliseconds:
    """Return when the last flag but those of slow tables falls, if nobody moves any more."""
    seconds = (sum(table.terms.clock.values()) for table in tables if table.terms.clock != SLOW)
    return now() + (int(max(seconds)) + 1) * SECOND


async def killed_for(
    nats: NatsServer, services: tuple[ServiceProcess, ...], until: Milliseconds
) -> Down:
    """Kill everything at once, and start it again after a time."""
    killed = now()
    for service in services:
        service.kill()
    await asyncio.to_thread(nats.kill)
    await asyncio.sleep(max(0, until - now()) / SECOND)
    await asyncio.to_thread(nats.start)
    await asyncio.gather(*(service.start() for service in services))
    return Down(killed, now())


async def ended(tables: list[Table], replica: Replica) -> None:
    """Wait until all of them are over."""

    async def are_over() -> None:
        over = [await Asker(replica).is_over(table) for table in tables]
        assert all(over), over

    await eventually(are_over, AssertionError, *LOST)


def check(tables: list[Table], history: History, down: Down) -> None:
    """Check all logs, and that each flag has fallen by its deadline, once, and soon."""
    assert violations(history) == {}
    logs = courses(history)
    missed = 0
    for table in tables:
        course = logs[table.match]
        flags = flags_of(course)
        assert len(flags) == (table.terms.clock != SLOW)
        assert course.newest >= 2, "a slow match has its move, all others their end"
        for version in flags:
            clocks = course.state(version - 1).clocks
            assert clocks is not None
            assert clocks.due is not None
            at = milliseconds_of(course.commits[version - 1].at)
            missed += down.killed <= clocks.due <= down.back
            assert clocks.due <= at < max(clocks.due, down.back) + AFTER_RETURN
    assert missed, "no deadline has come while nobody was there"


def flags_of(course: Course) -> list[int]:
    """Return the versions in which flags have fallen."""
    return [
        commit.version
        for commit in course.commits
        for event in commit.events
        if event["type"] == "FlagFallen"
    ]
