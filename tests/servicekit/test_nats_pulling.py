"""Pulling from a consumer: messages are given as they come, and requests end in every way."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import pytest

from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.errors import NatsUnavailableError
from howff.servicekit.nats.pulling import Pulling
from howff.servicekit.nats.streams import durable, ensure_consumer, ensure_stream, work_queue
from support.nats import shared_server, unique
from support.running import eventually, run, until

LONG = 15.0
"""Seconds, far more than anything here takes."""
Story = Callable[[Connection, str, Pulling], Awaitable[None]]


def _run(story: Story) -> None:
    async def connected() -> None:
        name = unique("PULLED")
        async with await connect(shared_server().url, name="test") as connection:
            await ensure_stream(connection, work_queue(name, [f"{name}.*"], replicas=1))
            await ensure_consumer(connection, name, durable("reader"))
            pulling = await Pulling.opened(connection, name, "reader")
            await story(connection, name, pulling)
            await pulling.close()

    run(connected)


async def send(connection: Connection, name: str, *contents: bytes) -> None:
    for content in contents:
        await connection.jetstream.publish(f"{name}.a", content)


async def pulled(pulling: Pulling, room: int = 10, within: float = LONG) -> list[bytes]:
    return [message.data for message in await pulling.more(room, within)]


async def first_pulled(pulling: Pulling) -> list[bytes]:
    """Return what comes first; what came to nothing may be the end of a request from before."""
    while not (found := await pulled(pulling)):
        pass
    return found


def test_a_message_on_a_quiet_stream_is_given_at_once() -> None:
    async def story(connection: Connection, name: str, pulling: Pulling) -> None:
        waiting = asyncio.create_task(pulled(pulling))
        await asyncio.sleep(0.05)
        start = time.monotonic()
        await send(connection, name, b"1")
        assert await waiting == [b"1"]
        assert time.monotonic() - start < LONG / 3
        await send(connection, name, b"2")
        assert await pulled(pulling) == [b"2"]
        assert time.monotonic() - start < LONG / 3

    _run(story)


def test_what_there_is_comes_together_and_nothing_twice() -> None:
    async def story(connection: Connection, name: str, pulling: Pulling) -> None:
        sent = [b"%d" % number for number in range(25)]
        await send(connection, name, *sent)
        found: list[bytes] = []
        pulls = 0
        while len(found) < len(sent):
            found += await pulled(pulling)
            pulls += 1
        assert found == sent
        assert pulls < len(sent)
        assert await pulled(pulling, within=0.05) == []

    _run(story)


def test_no_more_is_asked_for_than_there_is_room() -> None:
    async def story(connection: Connection, name: str, pulling: Pulling) -> None:
        await send(connection, name, *[b"%d" % number for number in range(9)])
        await pulling.more(4, LONG)
        await until(lambda: pulling._came.qsize() == pulling._asked_for)

        async def four_came() -> None:
            info = await connection.jetstream.consumer_info(name, "reader")
            assert (info.num_ack_pending, info.num_pending) == (4, 5)

        await eventually(four_came, AssertionError)

    _run(story)


def test_a_request_whose_time_is_over_is_followed_by_another() -> None:
    async def story(connection: Connection, name: str, pulling: Pulling) -> None:
        assert await pulled(pulling, within=0.1) == []
        await until(lambda: not pulling._came.empty())  # the server says that it is over
        waiting = asyncio.create_task(pulled(pulling, within=0.1))
        assert await waiting == []
        await send(connection, name, b"1")
        assert await pulled(pulling) == [b"1"]

    _run(story)


def test_after_a_reconnection_it_asks_again() -> None:
    async def story(connection: Connection, name: str, pulling: Pulling) -> None:
        waiting = asyncio.create_task(pulled(pulling, within=0.2))
        await asyncio.sleep(0.05)
        reconnection = connection.reconnection
        await connection.client.force_reconnect()
        await reconnection.wait()
        assert await waiting == []
        await send(connection, name, b"1")
        assert await first_pulled(pulling) == [b"1"]

    _run(story)


def test_a_consumer_that_is_gone_is_told() -> None:
    async def story(connection: Connection, name: str, pulling: Pulling) -> None:
        waiting = asyncio.create_task(pulled(pulling))
        await asyncio.sleep(0.05)
        await connection.jetstream.delete_consumer(name, "reader")
        with pytest.raises(NatsUnavailableError):
            await waiting
        with pytest.raises(NatsUnavailableError):
            await pulled(pulling)

    _run(story)


def test_what_came_and_was_not_given_is_told_at_the_end() -> None:
    async def story(connection: Connection, name: str, pulling: Pulling) -> None:
        await send(connection, name, b"1")
        assert await pulled(pulling) == [b"1"]
        await send(connection, name, b"2", b"3")
        await until(lambda: pulling._came.qsize() == 2)
        assert [message.data for message in await pulling.close()] == [b"2", b"3"]

    _run(story)
