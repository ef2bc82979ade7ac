"""Schedules and registers on a real server: what is due comes once, whoever was down meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from howff.servicekit import clock
from howff.servicekit.consumers import Work, WorkConsumer
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.schedules import Schedules, open_register, open_schedules
from howff.servicekit.nats.server import NatsServer
from support.nats import own_server, shared_server, unique
from support.running import run, until

Story = Callable[[Connection], Awaitable[None]]
FAR = timedelta(hours=1)


def _run(story: Story) -> None:
    async def connected() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            await story(connection)

    run(connected)


@dataclass(slots=True)
class Place:
    """A stream of schedules of its own, and what has come of it."""

    connection: Connection
    name: str = field(default_factory=lambda: unique("SCHEDULES"))
    came: list[str] = field(default_factory=list[str])

    async def schedules(self) -> Schedules:
        return await open_schedules(self.connection, self.name, self.name, replicas=1)

    def consumer(self) -> WorkConsumer:
        async def on_due(delivery: Delivery) -> None:
            self.came.append(delivery.subject.rpartition(".")[2])

        work = Work(stream=self.name, durable="due", subject=f"{self.name}.due.*")
        return WorkConsumer(self.connection, work, on_due)


def soon(seconds: float = 0.3) -> datetime:
    return clock.now() + timedelta(seconds=seconds)


async def comes(place: Place, *keys: str) -> None:
    consumer = place.consumer()
    running = asyncio.create_task(consumer.run())
    await until(lambda: len(place.came) >= len(keys))
    await consumer.stop()
    await running
    assert sorted(place.came) == sorted(keys)


def test_a_message_comes_when_it_is_due_and_no_schedule_is_left() -> None:
    async def story(connection: Connection) -> None:
        place = Place(connection)
        schedules = await place.schedules()
        await schedules.put("late", clock.now() + FAR, 1)
        await schedules.put("soon", soon(), 1)
        await schedules.put("overdue", clock.now() - FAR, 1)
        await comes(place, "soon", "overdue")
        assert await schedules.keys() == {"late"}

    _run(story)


def test_a_schedule_replaces_the_one_before_also_of_another_process() -> None:
    async def story(connection: Connection) -> None:
        place = Place(connection)
        here, there = await place.schedules(), await place.schedules()
        await here.put("a", soon(), 1)
        await there.put("a", clock.now() + FAR, 2)
        await here.put("b", clock.now() + FAR, 1)
        await there.put("b", clock.now() + FAR, 2)
        await here.put("b", soon(), 3)
        await comes(place, "b")
        assert await here.keys() == {"a"}

    _run(story)


def test_who_knows_less_replaces_nothing() -> None:
    async def story(connection: Connection) -> None:
        place = Place(connection)
        here, behind = await place.schedules(), await place.schedules()
        await behind.put("a", clock.now() + FAR, 4)
        await here.put("a", soon(), 6)
        await behind.put("a", clock.now() + FAR, 5)
        await comes(place, "a")

    _run(story)


def test_a_process_that_has_set_a_schedule_does_not_replace_it_by_an_older_one() -> None:
    async def story(connection: Connection) -> None:
        place = Place(connection)
        schedules = await place.schedules()
        await schedules.put("a", soon(), 6)
        await schedules.put("a", clock.now() + FAR, 5)
        await comes(place, "a")

    _run(story)


def test_who_knows_less_clears_nothing() -> None:
    async def story(connection: Connection) -> None:
        place = Place(connection)
        here, behind = await place.schedules(), await place.schedules()
        await behind.put("a", clock.now() + FAR, 5)
        await here.put("a", soon(), 6)
        await behind.clear("a", 5)
        await here.put("b", soon(), 6)
        await here.clear("b", 5)
        await comes(place, "a", "b")

    _run(story)


def test_what_is_cleared_does_not_come() -> None:
    async def story(connection: Connection) -> None:
        place = Place(connection)
        schedules = await place.schedules()
        await schedules.put("gone", soon(), 1)
        await schedules.put("there", soon(), 1)
        await schedules.clear("gone", 1)
        await schedules.clear("never there", 1)
        await comes(place, "there")
        await schedules.put("gone", soon(), 2)
        place.came.clear()
        await comes(place, "gone")

    _run(story)


def test_what_was_due_while_the_server_was_down_comes_once_after_its_return(
    tmp_path: Path,
) -> None:
    async def story() -> None:
        with own_server(tmp_path) as server:
            await across_a_kill(server)

    run(story)


async def across_a_kill(server: NatsServer) -> None:
    async with await connect(server.url, name="test") as connection:
        place = Place(connection)
        schedules = await place.schedules()
        await schedules.put("due", soon(1.0), 1)
        await schedules.put("later", clock.now() + FAR, 1)
        await asyncio.to_thread(server.kill)
        await asyncio.sleep(1.2)
        await asyncio.to_thread(server.start)
        await comes(place, "due")
        assert await schedules.keys() == {"later"}


def test_a_register_holds_each_key_once_until_it_is_struck_out() -> None:
    async def story(connection: Connection) -> None:
        name = unique("REGISTER")
        here = await open_register(connection, name, name, replicas=1)
        there = await open_register(connection, name, name, replicas=1)
        assert await here.keys() == set()
        for key in ("a", "b", "a"):
            await here.add(key)
        assert await there.keys() == {"a", "b"}
        await there.remove("a")
        await there.remove("never there")
        assert await here.keys() == {"b"}

    _run(story)
