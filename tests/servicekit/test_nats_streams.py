"""Streams and consumers: made as wanted, compared ever after, and locked where it matters."""

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from nats.js.api import RePublish, StorageType, StreamConfig
from nats.js.errors import APIError, ServiceUnavailableError

from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.errors import (
    ConsumerDiffersError,
    JetStreamRefusedError,
    NatsUnavailableError,
    StreamDiffersError,
)
from howff.servicekit.nats.streams import (
    MAX_MESSAGE,
    SETTLED_WITHIN,
    answered,
    durable,
    ensure_consumer,
    ensure_stream,
    is_outage,
    locked,
    work_queue,
)
from support.nats import own_server, shared_server, unique
from support.running import run

Story = Callable[[Connection], Awaitable[None]]


def _run(story: Story) -> None:
    async def connected() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            await story(connection)

    run(connected)


def _locked(name: str, **changes: object) -> StreamConfig:
    return locked(name, [f"{name}.*"], replicas=1).evolve(**changes)


def test_a_stream_is_made_once_and_found_again() -> None:
    name = unique("MADE")

    async def story(connection: Connection) -> None:
        first = await ensure_stream(connection, _locked(name))
        again = await ensure_stream(connection, _locked(name))
        assert first.created == again.created
        await asyncio.gather(*(ensure_stream(connection, _locked(name)) for _ in range(10)))

    _run(story)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("deny_purge", False),
        ("deny_delete", False),
        ("max_age", 600.0),
        ("max_msgs", 5),
        ("max_msgs_per_subject", 1),
        ("subjects", ["other.*"]),
        ("discard", "old"),
        ("allow_msg_ttl", True),
        ("compression", "s2"),
        ("persist_mode", "async"),
        ("republish", RePublish(src=">", dest="told.>")),
        ("duplicate_window", 60.0),
        ("max_msg_size", 1024),
        ("retention", "workqueue"),
    ],
)
def test_a_stream_that_differs_is_refused_with_the_field(field: str, value: object) -> None:
    name = unique("DIFFERS")

    async def story(connection: Connection) -> None:
        await connection.jetstream.add_stream(_locked(name, **{field: value}))
        with pytest.raises(StreamDiffersError, match=f"stream '{name}'.*{field}") as refused:
            await ensure_stream(connection, _locked(name))
        assert refused.value.field == field

    _run(story)


def test_a_configuration_that_the_server_changes_silently_is_refused() -> None:
    name = unique("CHANGED")

    async def story(connection: Connection) -> None:
        wanted = _locked(name, discard="old", allow_msg_schedules=True)
        with pytest.raises(StreamDiffersError):
            await ensure_stream(connection, wanted)

    _run(story)


def test_what_the_server_does_not_take_is_refused() -> None:
    async def story(connection: Connection) -> None:
        wanted = locked(unique("THREE"), ["three.*"], replicas=3)
        with pytest.raises(JetStreamRefusedError, match="replicas > 1"):
            await ensure_stream(connection, wanted)

    _run(story)


def test_a_connection_that_is_closed_is_unavailable_at_once() -> None:
    async def story(connection: Connection) -> None:
        await connection.client.close()
        before = time.monotonic()
        with pytest.raises(NatsUnavailableError, match="connection closed"):
            await ensure_stream(connection, _locked(unique("SILENT")))
        assert time.monotonic() - before < SETTLED_WITHIN / 2  # no time would help

    _run(story)


def test_what_the_server_has_no_room_for_is_unavailable() -> None:
    async def story(connection: Connection) -> None:
        large = StreamConfig(name=unique("LARGE"), storage=StorageType.MEMORY, max_bytes=1 << 30)
        with pytest.raises(NatsUnavailableError) as refused:
            await answered("a stream", connection.jetstream.add_stream(large))
        cause = refused.value.__cause__
        assert isinstance(cause, APIError)
        assert (cause.code, cause.err_code) == (500, 10028)  # not enough memory

    _run(story)


@pytest.mark.parametrize(
    ("error", "is_so"),
    [
        (APIError(code=400, err_code=10071), False),
        (APIError(code=404, err_code=10059), False),
        (APIError(), False),
        (APIError(code=500, err_code=10118), True),  # a stream that is offline
        (APIError(code=500, err_code=10074), False),  # no cluster for so many replicas
        (APIError(code=503, err_code=10008), True),
        (APIError(code=400, err_code=10005), True),  # a server of the cluster is away
        (ServiceUnavailableError(), True),
    ],
)
def test_an_outage_is_what_the_server_could_not_help(error: APIError, *, is_so: bool) -> None:
    assert is_outage(error) == is_so


def test_nothing_can_be_taken_from_a_locked_stream() -> None:
    name = unique("LOCKED")

    async def story(connection: Connection) -> None:
        await ensure_stream(connection, _locked(name))
        jetstream = connection.jetstream
        await jetstream.publish(f"{name}.1", b"kept")
        with pytest.raises(APIError, match="message delete not permitted"):
            await jetstream.delete_msg(name, 1)
        with pytest.raises(APIError, match="stream purge not permitted"):
            await jetstream.purge_stream(name)
        for header in ({"Nats-Rollup": "sub"}, {"Nats-TTL": "1s"}):
            with pytest.raises(APIError):
                await jetstream.publish(f"{name}.1", b"", headers=dict(header))
        with pytest.raises(APIError):
            await jetstream.update_stream(_locked(name, deny_purge=False))
        with pytest.raises(APIError):
            await jetstream.publish(f"{name}.1", bytes(MAX_MESSAGE + 1))
        assert (await jetstream.stream_info(name)).state.messages == 1

    _run(story)


def test_what_a_locked_stream_has_stored_is_told_again() -> None:
    name = unique("TOLD")

    async def story(connection: Connection) -> None:
        wanted = locked(name, [f"{name}.*"], replicas=1, republish_to=f"feed{name}")
        await ensure_stream(connection, wanted)
        await ensure_stream(connection, wanted)
        told = await connection.client.subscribe(f"feed{name}.>")
        await connection.jetstream.publish(f"{name}.1", b"news")
        message = await told.next_msg(5)
        assert (message.subject, message.data) == (f"feed{name}.{name}.1", b"news")

    _run(story)


def test_work_is_gone_once_it_is_acknowledged() -> None:
    name = unique("WORK")

    async def story(connection: Connection) -> None:
        await ensure_stream(connection, work_queue(name, [f"{name}.*"], replicas=1))
        await ensure_consumer(connection, name, durable("worker"))
        await connection.jetstream.publish(f"{name}.1", b"")
        pulling = await connection.jetstream.pull_subscribe_bind("worker", name)
        (message,) = await pulling.fetch(1)
        await message.ack_sync()
        assert (await connection.jetstream.stream_info(name)).state.messages == 0

    _run(story)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("max_deliver", 5),
        ("ack_wait", 5.0),
        ("max_ack_pending", 7),
        ("ack_policy", "none"),
        ("deliver_policy", "new"),
        ("filter_subject", ">"),
        ("headers_only", True),
    ],
)
def test_a_consumer_that_differs_is_refused_with_the_field(field: str, value: object) -> None:
    name = unique("READ")

    async def story(connection: Connection) -> None:
        await ensure_stream(connection, _locked(name))
        wanted = durable("reader")
        await connection.jetstream.add_consumer(name, wanted.evolve(**{field: value}))
        with pytest.raises(ConsumerDiffersError) as refused:
            await ensure_consumer(connection, name, wanted)
        assert refused.value.field == field

    _run(story)


def test_a_consumer_with_an_option_that_the_client_does_not_know_is_refused() -> None:
    name = unique("READ")

    async def story(connection: Connection) -> None:
        await ensure_stream(connection, _locked(name))
        wanted = durable("reader")
        priority = {"priority_groups": ["first"], "priority_policy": "overflow"}
        order = {"stream_name": name, "config": {**wanted.as_dict(), **priority}}
        subject = f"$JS.API.CONSUMER.CREATE.{name}.reader"
        answer = await connection.client.request(subject, json.dumps(order).encode())
        assert "error" not in json.loads(answer.data)
        with pytest.raises(ConsumerDiffersError, match="priority_groups to be None"):
            await ensure_consumer(connection, name, wanted)

    _run(story)


def test_a_consumer_that_is_paused_or_was_is_taken(caplog: pytest.LogCaptureFixture) -> None:
    name = unique("READ")

    async def story(connection: Connection) -> None:
        await ensure_stream(connection, _locked(name))
        wanted = durable("reader")
        await ensure_consumer(connection, name, wanted)
        await connection.jetstream.pause_consumer(name, "reader", "2100-01-01T00:00:00Z")
        await ensure_consumer(connection, name, wanted)
        assert _warnings(caplog) == [
            f"consumer 'reader' of stream '{name}' is paused until 2100-01-01T00:00:00Z"
        ]
        caplog.clear()
        await connection.jetstream.pause_consumer(name, "reader", "2020-01-01T00:00:00Z")
        found = await ensure_consumer(connection, name, wanted)
        assert found.config.pause_until
        assert not _warnings(caplog)

    _run(story)


def _warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [each.message for each in caplog.records if each.levelno >= logging.WARNING]


def test_a_consumer_is_made_once_and_found_again() -> None:
    name = unique("READ")

    async def story(connection: Connection) -> None:
        await ensure_stream(connection, _locked(name))
        wanted = durable("reader", subject=f"{name}.1")
        first = await ensure_consumer(connection, name, wanted)
        assert (await ensure_consumer(connection, name, wanted)).created == first.created
        with pytest.raises(JetStreamRefusedError, match="stream not found"):
            await ensure_consumer(connection, unique("NONE"), wanted)

    _run(story)


def test_a_stream_is_made_by_a_server_that_answers_late(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("connection", "differences"):
        monkeypatch.setattr(f"howff.servicekit.nats.{module}.ANSWER_WITHIN", 0.2)
    name = unique("LATE")

    async def story() -> None:
        async with await connect(server.url, name="test") as connection:
            server.pause()
            making = asyncio.create_task(ensure_stream(connection, _locked(name)))
            try:
                await asyncio.sleep(1)  # several times as long as an answer may take
                assert not making.done()
            finally:
                server.resume()
            assert (await making).config.name == name

    with own_server(tmp_path) as server:
        run(story)
