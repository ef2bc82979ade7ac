"""A reader misses nothing: it reads on in order, or says that it can't."""

from collections.abc import Awaitable, Callable

import pytest
from nats.js.api import ConsumerConfig, DeliverPolicy

from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.errors import (
    ConnectionLostError,
    JetStreamRefusedError,
    NatsUnavailableError,
)
from howff.servicekit.nats.reading import FORGOTTEN_AFTER, StreamReader, stored_at, stored_last
from howff.servicekit.nats.streams import ensure_stream, locked
from support.nats import shared_server, unique
from support.running import run, until

Story = Callable[[Connection, str], Awaitable[None]]
FIRST = ConsumerConfig()


def _run(story: Story) -> None:
    name = unique("READ")

    async def connected() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
            for number in range(5):
                payload, headers = str(number).encode(), {"Number": str(number)}
                await connection.jetstream.publish(f"{name}.{number}", payload, headers=headers)
            await story(connection, name)

    run(connected)


def test_a_reader_begins_where_it_is_told_and_goes_on_as_messages_come() -> None:
    async def story(connection: Connection, name: str) -> None:
        start = ConsumerConfig(deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=4)
        reader = await StreamReader.opened(connection, name, start)
        had_caught_up = reader.has_caught_up
        read = await reader.more(1)
        assert [each.position for each in read] == [4, 5]
        assert (read[0].subject, read[0].payload) == (f"{name}.3", b"3")
        assert read[0].headers["Number"] == "3"
        assert (had_caught_up, reader.has_caught_up) == (False, True)
        assert await reader.more(0.05) == []
        await connection.jetstream.publish(f"{name}.0", b"new")
        assert [each.payload for each in await reader.more(1)] == [b"new"]
        await reader.close()

    _run(story)


def test_a_message_that_got_lost_on_the_line_is_missed() -> None:
    async def story(connection: Connection, name: str) -> None:
        reader = await StreamReader.opened(connection, name, FIRST)
        pulling = reader._pulling
        await pulling._ask(3, 1)
        await until(lambda: pulling._came.qsize() == 3)
        pulling._came.get_nowait()
        with pytest.raises(NatsUnavailableError, match="found a gap"):
            await reader.more(1)
        await reader.close()

    _run(story)


def test_a_reader_is_of_no_use_after_a_reconnection() -> None:
    async def story(connection: Connection, name: str) -> None:
        reader = await StreamReader.opened(connection, name, FIRST)
        assert len(await reader.more(1)) == 5
        reconnection = connection.reconnection
        await connection.client.force_reconnect()
        await reconnection.wait()
        with pytest.raises(NatsUnavailableError, match="another connection"):
            await reader.more(0.05)
        await reader.close()

    _run(story)


def test_a_reader_on_a_connection_that_reads_no_more_says_so() -> None:
    async def story(connection: Connection, name: str) -> None:
        reader = await StreamReader.opened(connection, name, FIRST)
        assert len(await reader.more(1)) == 5
        reading = connection.client._reading_task
        assert reading is not None
        reading.cancel()
        await connection.lost.wait()
        with pytest.raises(ConnectionLostError):
            await reader.more(0.05)

    _run(story)


def test_the_server_forgets_the_consumer_of_a_reader_that_is_gone() -> None:
    async def story(connection: Connection, name: str) -> None:
        reader = await StreamReader.opened(connection, name, FIRST)
        (consumer,) = await connection.jetstream.consumers_info(name)
        assert consumer.config.inactive_threshold == FORGOTTEN_AFTER
        assert consumer.config.mem_storage
        await reader.close()

    _run(story)


def test_a_reader_of_no_stream_is_refused() -> None:
    async def story(connection: Connection, _: str) -> None:
        with pytest.raises(JetStreamRefusedError, match="stream not found"):
            await StreamReader.opened(connection, unique("NONE"), FIRST)

    _run(story)


def test_the_leader_tells_what_is_stored_and_what_is_not() -> None:
    async def story(connection: Connection, name: str) -> None:
        second = await stored_at(connection, name, 2)
        assert second
        assert (second.position, second.subject, second.payload) == (2, f"{name}.1", b"1")
        assert await stored_last(connection, name, f"{name}.1") == second
        assert second.headers == {"Number": "1"}
        assert await stored_at(connection, name, 6) is None
        assert await stored_last(connection, name, f"{name}.9") is None
        with pytest.raises(JetStreamRefusedError, match="stream not found"):
            await stored_at(connection, unique("NONE"), 1)

    _run(story)
