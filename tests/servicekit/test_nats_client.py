"""A client whose line breaks: it is done with it at once, and leaves nothing behind."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import nats.errors
import pytest

from howff.servicekit.eventstore.errors import UnknownOutcomeError
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.store import BEGINNING, StreamId
from howff.servicekit.nats.client import CLOSED_WITHIN
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.streams import ensure_stream, locked
from support.ledger import FORM, Entry
from support.nats import own_server, shared_server, unique
from support.proxy import Proxy
from support.running import run, until

MEGABYTE: Final = 1024 * 1024
MORE_THAN_FITS: Final = 20
"""Megabytes that no socket takes while nobody reads from it."""
SOON: Final = 1.0


@contextlib.asynccontextmanager
async def _half_open() -> AsyncIterator[Connection]:
    """Give a connection that has more to write than its silent line takes."""
    async with Proxy(shared_server().plan.port) as proxy:
        connection = await connect(proxy.url, name="test")
        proxy.stall()
        for _ in range(MORE_THAN_FITS):
            await connection.client.publish("nobody", bytes(MEGABYTE))
        await asyncio.sleep(0)  # the flusher writes
        try:
            yield connection
        finally:
            await connection.close()


def test_a_half_open_line_with_full_buffers_is_left_for_a_new_one_at_once() -> None:
    async def story() -> None:
        async with _half_open() as connection:
            reconnection = connection.reconnection
            await connection.client._process_op_err(nats.errors.StaleConnectionError())
            await asyncio.wait_for(reconnection.wait(), SOON)
            await connection.client.flush()
            assert not connection.lost.is_set()

    run(story)


def test_a_half_open_line_with_full_buffers_is_closed_within_a_bound() -> None:
    async def story() -> None:
        async with _half_open() as connection:
            before = time.monotonic()
            await asyncio.wait_for(connection.close(), CLOSED_WITHIN + SOON)
            assert time.monotonic() - before > CLOSED_WITHIN / 2  # it had its time
            assert connection.lost.is_set()
            assert not connection.client._subs

    run(story)


def test_a_line_that_breaks_before_the_rest_is_written_is_closed_in_full() -> None:
    async def story() -> None:
        connection = await connect(shared_server().url, name="test")
        await connection.client.subscribe("told")
        await connection.client.publish("nobody")  # not written yet
        connection.client._abort()
        await connection.client.close()
        assert connection.lost.is_set()
        assert not connection.client._subs
        await connection.close()

    run(story)


def test_a_connection_can_be_closed_at_any_moment_of_a_reconnection() -> None:
    async def story() -> None:
        for moments in range(20):
            async with await connect(shared_server().url, name="test") as connection:
                await connection.client.force_reconnect()
                for _ in range(moments):
                    await asyncio.sleep(0)
            assert connection.client.is_closed

    run(story)


def test_what_was_published_before_a_connection_is_closed_arrives() -> None:
    async def story() -> None:
        subject = unique("last")
        async with await connect(shared_server().url, name="listener") as listener:
            heard = await listener.client.subscribe(subject)
            await listener.client.flush()
            async with await connect(shared_server().url, name="test") as connection:
                for _ in range(3):
                    await connection.client.publish(subject, bytes(MEGABYTE))
            for _ in range(3):
                assert len((await heard.next_msg(5)).data) == MEGABYTE

    run(story)


def test_a_flush_asks_behind_all_that_was_sent_before(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            client, sent = connection.client, list[bytes]()
            await client.flush()

            async def flush() -> None:
                await client.publish("nobody")
                await client.flush()

            with monkeypatch.context() as patch:
                patch.setattr(client._transport, "write", sent.append)
                flushing = asyncio.create_task(flush())
                await until(lambda: b"PING" in b"".join(sent))
            flushing.cancel()
            written = b"".join(sent)
            assert written.index(b"PUB nobody") < written.index(b"PING")

    run(story)


def test_requests_that_can_not_be_sent_leave_nothing_behind(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story() -> None:
            async with await connect(server.url, name="test") as connection:
                await connection.client.flush()
                with pytest.raises(nats.errors.MaxPayloadError):
                    await connection.client.request("a", bytes(2 * MEGABYTE))
                await asyncio.to_thread(server.kill)
                await until(lambda: connection.client.is_reconnecting)
                for _ in range(50):
                    with pytest.raises(nats.errors.OutboundBufferLimitError):
                        await connection.client.request("a")
                assert not connection.client._resp_map

        run(story)


Ask = Callable[[Connection], Awaitable[object]]


async def _append(connection: Connection) -> None:
    store = JetStreamStore(connection.client, "ENTRIES", FORM)
    with pytest.raises(UnknownOutcomeError):
        await store.append(StreamId("ENTRIES.one"), Entry(1, "a", 1), BEGINNING)


async def _request(connection: Connection) -> None:
    with pytest.raises(ConnectionResetError):
        await connection.client.request("ENTRIES.one", timeout=10)


@pytest.mark.parametrize("ask", [_append, _request])
def test_who_waits_for_an_answer_is_told_at_once_that_the_line_broke(
    tmp_path: Path, ask: Ask
) -> None:
    with own_server(tmp_path) as server:

        async def story() -> None:
            async with await connect(server.url, name="test") as connection:
                await ensure_stream(connection, locked("ENTRIES", ["ENTRIES.*"], replicas=1))
                server.pause()
                asking = asyncio.ensure_future(ask(connection))
                await until(lambda: bool(connection.client._resp_map))
                await asyncio.sleep(0.1)  # it has been sent
                await connection.client.force_reconnect()
                await asyncio.wait_for(asking, SOON)
                assert not connection.client._resp_map
                server.resume()

        run(story)


def test_answers_of_a_new_line_are_waited_for() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            reconnection = connection.reconnection
            await connection.client.force_reconnect()
            await until(lambda: connection.client.is_connected)
            asking = asyncio.gather(*(connection.jetstream.account_info() for _ in range(20)))
            assert len(await asking) == 20
            assert reconnection.is_set()

    run(story)


def test_the_client_tells_which_server_it_is_connected_to() -> None:
    async def story() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            assert connection.client.server_id.startswith("N")
            assert len(connection.client.server_id) == 56

    run(story)
