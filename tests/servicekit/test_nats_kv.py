"""Buckets: the first one wins, the leader is asked, and a follower misses nothing."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.errors import (
    ConnectionLostError,
    JetStreamRefusedError,
    NatsUnavailableError,
    StreamDiffersError,
    WrongKeyError,
)
from howff.servicekit.nats.kv import Bucket, Follower, open_bucket
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.nats.streams import MAX_MESSAGE
from support.nats import cluster, own_server, shared_server, unique
from support.running import run, until

Story = Callable[[Connection, Bucket], Awaitable[None]]


@pytest.fixture(autouse=True)
def _soon_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.servicekit.nats.kv.READ_WITHIN", 0.2)


def _run(story: Story, server: NatsServer | None = None) -> None:
    async def connected() -> None:
        async with await connect((server or shared_server()).url, name="test") as connection:
            await story(connection, await open_bucket(connection, unique("seeds"), replicas=1))

    run(connected)


def test_a_value_is_stored_replaced_and_deleted() -> None:
    async def story(_: Connection, bucket: Bucket) -> None:
        assert await bucket.get("a") is None
        await bucket.put("a", b"1")
        await bucket.put("a", b"2")
        await bucket.put("b", b"")
        assert (await bucket.get("a"), await bucket.get("b")) == (b"2", b"")
        await bucket.delete("a")
        assert await bucket.get("a") is None

    _run(story)


def test_the_first_of_fifty_who_create_a_key_at_once_wins() -> None:
    async def story(_: Connection, bucket: Bucket) -> None:
        values = [str(number).encode() for number in range(50)]
        standing = await asyncio.gather(*(bucket.create("key", value) for value in values))
        assert len(set(standing)) == 1
        assert standing[0] in values
        assert await bucket.get("key") == standing[0]
        assert await bucket.create("key", b"late") == standing[0]

    _run(story)


def test_the_first_of_fifty_wins_in_a_cluster_whoever_leads_and_dies(tmp_path: Path) -> None:
    with cluster(tmp_path) as servers:

        async def story() -> None:
            urls = [server.url for server in servers]
            async with await connect(urls, name="test") as connection:
                bucket = await open_bucket(connection, "seeds", replicas=3)
                values = [str(number).encode() for number in range(50)]
                creating = [asyncio.create_task(bucket.create("key", value)) for value in values]
                await asyncio.sleep(0)
                info = await connection.jetstream.stream_info("KV_seeds")
                leader = info.cluster.leader if info.cluster else None
                next(each for each in servers if each.plan.name == leader).kill()
                standing = await asyncio.gather(*creating)
                assert len(set(standing)) == 1
                assert await bucket.get("key") == standing[0]

        run(story, within=40)


def test_no_change_of_fifty_at_once_is_lost() -> None:
    async def story(_: Connection, bucket: Bucket) -> None:
        def longer(standing: bytes | None) -> bytes:
            return (standing or b"") + b"."

        stored = await asyncio.gather(*(bucket.change("key", longer) for _ in range(50)))
        assert sorted(map(len, stored)) == list(range(1, 51))
        assert await bucket.get("key") == b"." * 50

    _run(story)


def test_a_change_that_is_refused_changes_nothing() -> None:
    def refuse(standing: bytes | None) -> bytes:
        raise WrongKeyError("a change", expected="another", found=repr(standing))

    async def story(_: Connection, bucket: Bucket) -> None:
        await bucket.put("key", b"1")
        with pytest.raises(WrongKeyError, match="b'1'"):
            await bucket.change("key", refuse)
        assert await bucket.get("key") == b"1"

    _run(story)


def test_a_deleted_key_can_be_created_again() -> None:
    async def story(_: Connection, bucket: Bucket) -> None:
        assert await bucket.create("key", b"1") == b"1"
        await bucket.delete("key")
        assert await bucket.create("key", b"2") == b"2"

    _run(story)


def test_creating_and_reading_bridge_a_restart_of_the_server(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story(_: Connection, bucket: Bucket) -> None:
            await bucket.put("stands", b"2")
            server.kill()
            creating = asyncio.create_task(bucket.create("key", b"1"))
            reading = asyncio.create_task(bucket.get("stands"))
            await asyncio.sleep(0.1)
            await asyncio.to_thread(server.start)
            assert (await creating, await reading) == (b"1", b"2")

        _run(story, server)


def test_without_a_server_nothing_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.servicekit.nats.streams.SETTLED_WITHIN", 0.2)
    with own_server(tmp_path) as server:

        async def story(connection: Connection, bucket: Bucket) -> None:
            server.kill()
            await until(lambda: not connection.client.is_connected)
            for asked in (bucket.get("key"), bucket.put("key", b""), bucket.create("key", b"")):
                with pytest.raises(NatsUnavailableError):
                    await asked

        _run(story, server)


@pytest.mark.parametrize(
    "key", ["", ".", "a.b", "*", ">", "a b", "ä", "a\n", "a\r\nPUB x", "a" * 129, "$KV"]
)
def test_a_key_that_means_something_in_a_subject_is_refused(key: str) -> None:
    async def story(connection: Connection, bucket: Bucket) -> None:
        for asked in (bucket.get, bucket.delete):
            with pytest.raises(WrongKeyError, match="wrong key"):
                await asked(key)
        for stored in (bucket.put, bucket.create):
            with pytest.raises(WrongKeyError, match="wrong key"):
                await stored(key, b"")
        with pytest.raises(WrongKeyError):
            await open_bucket(connection, key, replicas=1)

    _run(story)


def test_a_value_that_is_too_long_is_refused() -> None:
    async def story(_: Connection, bucket: Bucket) -> None:
        for stored in (bucket.put, bucket.create):
            with pytest.raises(JetStreamRefusedError, match="maximum"):
                await stored("key", bytes(MAX_MESSAGE + 1))

    _run(story)


def test_a_bucket_that_is_made_in_another_way_is_refused() -> None:
    async def story(connection: Connection, _: Bucket) -> None:
        name = unique("other")
        await connection.jetstream.create_key_value(bucket=name, history=5)
        with pytest.raises(StreamDiffersError):
            await open_bucket(connection, name, replicas=1)

    _run(story)


class Told:
    """What a follower has told, as it stands now."""

    def __init__(self) -> None:
        self.values: dict[str, bytes | None] = {}
        self.calls = 0

    async def __call__(self, key: str, value: bytes | None) -> None:
        self.values[key] = value
        self.calls += 1


async def _followed(bucket: Bucket) -> tuple[Told, Follower, asyncio.Task[None]]:
    told = Told()
    follower = bucket.follow(told)
    task = asyncio.create_task(follower.run())
    await follower.caught_up.wait()
    return told, follower, task


def test_a_follower_is_told_what_stands_and_what_changes() -> None:
    async def story(_: Connection, bucket: Bucket) -> None:
        await bucket.put("a", b"1")
        await bucket.put("gone", b"1")
        await bucket.delete("gone")
        told, follower, task = await _followed(bucket)
        assert told.values == {"a": b"1", "gone": None}
        await bucket.put("b", b"2")
        await bucket.delete("a")
        await until(lambda: told.values == {"a": None, "b": b"2", "gone": None})
        await follower.stop()
        await task

    _run(story)


def test_a_follower_of_an_empty_bucket_has_caught_up_at_once() -> None:
    async def story(_: Connection, bucket: Bucket) -> None:
        told, follower, task = await _followed(bucket)
        assert told.calls == 0
        await follower.stop()
        await task

    _run(story)


def test_a_follower_reads_all_again_after_a_reconnection(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story(_: Connection, bucket: Bucket) -> None:
            await bucket.put("a", b"1")
            told, follower, task = await _followed(bucket)
            assert told.calls == 1
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
            assert await bucket.create("b", b"2") == b"2"
            await until(lambda: told.values == {"a": b"1", "b": b"2"} and told.calls > 2)
            await follower.stop()
            await task

        _run(story, server)


def test_a_follower_reads_all_again_when_only_the_line_was_down() -> None:
    async def story(connection: Connection, bucket: Bucket) -> None:
        await bucket.put("a", b"1")
        told, follower, task = await _followed(bucket)
        await connection.client.force_reconnect()
        await until(lambda: told.calls == 2)
        await follower.stop()
        await task

    _run(story)


def test_a_follower_whose_consumer_is_gone_reads_all_again() -> None:
    async def story(connection: Connection, bucket: Bucket) -> None:
        told, follower, task = await _followed(bucket)
        (consumer,) = await connection.jetstream.consumers_info(bucket._stream)
        await connection.jetstream.delete_consumer(bucket._stream, consumer.name)
        await bucket.put("a", b"1")
        await until(lambda: told.values == {"a": b"1"})
        await follower.stop()
        await task

    _run(story)


def test_a_follower_ends_when_the_connection_is_lost() -> None:
    async def story(connection: Connection, bucket: Bucket) -> None:
        _, _, task = await _followed(bucket)
        await connection.close()
        with pytest.raises(ConnectionLostError):
            await task

    _run(story)


def test_a_follower_ends_when_nothing_is_read_any_more() -> None:
    async def story(connection: Connection, bucket: Bucket) -> None:
        _, _, task = await _followed(bucket)
        reading = connection.client._reading_task
        assert reading is not None
        reading.cancel()
        with pytest.raises(ConnectionLostError):
            await asyncio.wait_for(task, 5)

    _run(story)
