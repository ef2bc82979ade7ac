"""A connection: what is refused, noticed and told while servers come and go."""

import asyncio
import logging
import time
from pathlib import Path

import nats.errors
import pytest
from nats.aio.msg import Msg
from nats.js.api import StreamConfig

from howff.servicekit.nats.connection import ANSWER_WITHIN, Connection, Credentials, connect
from howff.servicekit.nats.errors import ConnectionLostError, NotConnectedError
from howff.servicekit.nats.server import NatsServer, User, free_ports
from howff.servicekit.nats.streams import durable, ensure_consumer, ensure_stream, locked
from support.nats import own_server, shared_server, unique
from support.running import run, until

GAME = User("game", "one", publish=("$JS.API.>", "match.>"), subscribe=("_INBOX_game.>",))
LOBBY = User("lobby", "two", publish=("$JS.API.STREAM.INFO.>",), subscribe=("_INBOX_lobby.>",))


async def _restarted(server: NatsServer, connection: Connection) -> None:
    """Kill *server* and start it again; return when *connection* is up."""
    reconnection = connection.reconnection
    await asyncio.to_thread(server.kill)
    await asyncio.to_thread(server.start)
    await reconnection.wait()


def test_a_publish_while_disconnected_is_refused_at_once_and_never_lands(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story() -> None:
            async with await connect(server.url, name="test") as connection:
                await ensure_stream(connection, locked("LATE", ["late"], replicas=1))
                await asyncio.to_thread(server.kill)
                await until(lambda: not connection.client.is_connected)
                before = time.monotonic()
                with pytest.raises(nats.errors.OutboundBufferLimitError):
                    await connection.jetstream.publish("late", b"never")
                assert time.monotonic() - before < ANSWER_WITHIN
                await asyncio.to_thread(server.start)
                await until(lambda: connection.client.is_connected)
                assert (await connection.jetstream.publish("late", b"first")).seq == 1

        run(story)


def test_what_was_not_yet_written_when_the_line_broke_is_dropped(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story() -> None:
            async with await connect(server.url, name="test") as connection:
                await ensure_stream(connection, locked("LATE", ["late"], replicas=1))
                reconnection = connection.reconnection
                # As much as the client takes while its flusher has not run.
                await connection.client._send_command(b"PUB late 5\r\nnever\r\n")
                await connection.client.force_reconnect()
                await reconnection.wait()
                assert (await connection.jetstream.publish("late", b"first")).seq == 1

        run(story)


def test_a_connection_comes_up_again_after_a_crash_and_a_clean_stop(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story() -> None:
            async with await connect(server.url, name="test") as connection:
                for _ in range(2):
                    await _restarted(server, connection)
                    await connection.client.flush()
                reconnection = connection.reconnection
                await asyncio.to_thread(server.restart)
                await reconnection.wait()
                await connection.client.flush()
                assert not connection.lost.is_set()

        run(story)


def test_a_dead_read_loop_is_noticed_although_the_client_takes_itself_for_connected() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            reading = connection.client._reading_task
            assert reading is not None
            reading.cancel()
            await asyncio.wait_for(connection.lost.wait(), 5)
            assert connection.client.is_connected

    run(story)


def test_a_half_open_line_is_noticed_by_pings_that_stay_unanswered(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story() -> None:
            async with await connect(server.url, name="test") as connection:
                options = connection.client.options
                assert options["ping_interval"] * (options["max_outstanding_pings"] + 1) <= 15
                assert options["max_reconnect_attempts"] == -1
                options["ping_interval"] = 0.1  # the next wait of the task is the short one
                connection.client._ping_interval_task = None
                task = asyncio.create_task(connection.client._ping_interval())
                server.pause()
                await until(lambda: not connection.client.is_connected)
                server.resume()
                await until(lambda: connection.client.is_connected)
                task.cancel()

        run(story)


def test_whoever_waits_for_the_end_of_a_connection_is_told_of_it() -> None:
    async def story() -> None:
        connection = await connect(shared_server().url, name="test")
        connection.check_not_lost()
        waiting = asyncio.create_task(connection.wait_lost())
        await asyncio.sleep(0)
        assert not waiting.done()
        await connection.close()
        with pytest.raises(ConnectionLostError, match="'test'"):
            await waiting
        with pytest.raises(ConnectionLostError, match="'test'"):
            connection.check_not_lost()

    run(story)


def test_a_connection_that_the_server_ends_for_good_is_lost(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story() -> None:
            connection = await connect(server.url, name="test")
            await connection.client._process_err("'maximum control line exceeded'")
            await asyncio.wait_for(connection.lost.wait(), 5)
            await connection.close()

        run(story)


def test_a_violation_of_permissions_is_logged_as_an_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with own_server(tmp_path, users=(GAME, LOBBY)) as server:

        async def story() -> None:
            credentials = Credentials("lobby", "two")
            async with await connect(server.url, name="lobby", credentials=credentials) as lobby:
                await lobby.client.publish("match.1", b"forged")
                await lobby.client.subscribe("_INBOX_game.>")
                await lobby.client.flush()
                await until(lambda: len(_violations(caplog)) == 2)
                assert lobby.client.is_connected

        run(story)
    publish, subscribe = _violations(caplog)
    assert 'publish to "match.1"' in publish
    assert 'subscription to "_inbox_game.>"' in subscribe


def _violations(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [
        record.message
        for record in caplog.records
        if record.levelno == logging.ERROR and "permissions violation" in record.message
    ]


def test_each_service_gets_its_answers_under_a_prefix_of_its_own(tmp_path: Path) -> None:
    with own_server(tmp_path, users=(GAME, LOBBY)) as server:

        async def story() -> None:
            credentials = Credentials("game", "one")
            async with await connect(server.url, name="game", credentials=credentials) as game:
                await ensure_stream(game, locked("MATCHES", ["match.*"], replicas=1))
                assert (await game.jetstream.publish("match.1", b"")).seq == 1

        run(story)


def test_no_server_is_refused_within_the_bound() -> None:
    (port,) = free_ports(1)

    async def story() -> None:
        with pytest.raises(NotConnectedError, match="'test': expected a server that answers"):
            await connect(f"nats://127.0.0.1:{port}", name="test", within=0.5)

    before = time.monotonic()
    run(story)
    assert time.monotonic() - before < 2


def test_wrong_credentials_are_refused_with_what_the_server_says(tmp_path: Path) -> None:
    with own_server(tmp_path, users=(GAME,)) as server:

        async def story() -> None:
            wrong = Credentials("game", "wrong")
            with pytest.raises(NotConnectedError, match="Authorization Violation"):
                await connect(server.url, name="test", credentials=wrong, within=0.5)

        run(story)


def test_closing_with_prefetched_messages_takes_no_time() -> None:
    name = unique("PREFETCHED")

    async def story() -> float:
        connection = await connect(shared_server().url, name="test")
        jetstream = connection.jetstream
        await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
        await ensure_consumer(connection, name, durable("reader"))
        for _ in range(6):
            await jetstream.publish(f"{name}.1", b"")
        pulling = await jetstream.pull_subscribe_bind("reader", name)
        await connection.client.publish(
            f"$JS.API.CONSUMER.MSG.NEXT.{name}.reader", b"5", pulling._deliver
        )
        await until(lambda: pulling.pending_msgs == 5)
        assert len(await pulling.fetch(3)) >= 3
        before = time.monotonic()
        await connection.close()
        return time.monotonic() - before

    assert run(story) < 1


def test_a_stream_of_messages_flows_on_after_a_reconnection(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story() -> None:
            async with await connect(server.url, name="test") as connection:
                heard: list[bytes] = []

                async def hear(message: Msg) -> None:
                    heard.append(message.data)

                await connection.client.subscribe("told", cb=hear)
                await _restarted(server, connection)
                await connection.client.publish("told", b"again")
                await until(lambda: heard == [b"again"])
                await connection.jetstream.add_stream(StreamConfig(name="S", subjects=["s"]))

        run(story)
