"""Values that only get newer, whoever writes them when."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.errors import WrongKeyError
from howff.servicekit.nats.kv import Bucket
from howff.servicekit.nats.ranks import RankedBucket, open_ranked
from support.nats import shared_server, unique
from support.running import run

Story = Callable[[Connection, Bucket, RankedBucket, RankedBucket], Awaitable[None]]


def _run(story: Story) -> None:
    """Run a *story* of a bucket, and of two processes that write it."""

    async def connected() -> None:
        async with await connect(shared_server().url, name="test") as connection:
            name = unique("turns")
            first, second = [await open_ranked(connection, name, replicas=1) for _ in range(2)]
            await story(connection, Bucket(connection, name), first, second)

    run(connected)


def test_a_newer_value_replaces_an_older_one_whoever_has_written_it() -> None:
    async def story(_: Connection, bucket: Bucket, *writers: RankedBucket) -> None:
        for rank in range(1, 9):
            value = str(rank).encode()
            await writers[rank % 3 % 2].put("key", value, rank)
            assert await bucket.get("key") == value

    _run(story)


def test_an_older_value_never_replaces_a_newer_one() -> None:
    async def story(_: Connection, bucket: Bucket, *writers: RankedBucket) -> None:
        await writers[1].put("key", b"1", 1)
        await writers[0].put("key", b"5", 5)
        for writer in writers:
            for rank in (1, 4, 5):
                await writer.put("key", b"late", rank)
        assert await bucket.get("key") == b"5"
        await writers[1].put("key", b"6", 6)
        assert await bucket.get("key") == b"6"

    _run(story)


def test_what_was_deleted_is_not_brought_back_by_who_knew_less() -> None:
    async def story(_: Connection, bucket: Bucket, *writers: RankedBucket) -> None:
        await writers[1].put("key", b"1", 1)
        await writers[0].put("key", None, 4)
        assert await bucket.get("key") is None
        await writers[1].put("key", b"3", 3)
        assert await bucket.get("key") is None
        await writers[1].put("key", b"5", 5)
        assert await bucket.get("key") == b"5"

    _run(story)


def test_what_never_was_there_can_be_deleted_before_it_is_written() -> None:
    async def story(_: Connection, bucket: Bucket, *writers: RankedBucket) -> None:
        await writers[0].put("key", None, 4)
        await writers[1].put("key", b"3", 3)
        assert await bucket.get("key") is None

    _run(story)


def test_of_many_at_once_the_newest_stays() -> None:
    async def story(_: Connection, bucket: Bucket, *writers: RankedBucket) -> None:
        ranks = [(rank * 7) % 41 + 1 for rank in range(40)]
        await asyncio.gather(
            *(writers[rank % 2].put("key", str(rank).encode(), rank) for rank in ranks)
        )
        assert await bucket.get("key") == str(max(ranks)).encode()

    _run(story)


def test_a_key_that_means_something_in_a_subject_is_refused() -> None:
    async def story(_: Connection, __: Bucket, writer: RankedBucket, ___: RankedBucket) -> None:
        for key in ("", "a.b", "*", ">"):
            with pytest.raises(WrongKeyError):
                await writer.put(key, b"", 1)

    _run(story)


def test_no_more_places_are_remembered_than_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.servicekit.nats.places.MOST_KNOWN", 2)

    async def story(_: Connection, bucket: Bucket, writer: RankedBucket, __: RankedBucket) -> None:
        for key in ("a", "b", "c"):
            await writer.put(key, b"1", 1)
        assert len(writer._places._known) == 2
        await writer.put("a", b"2", 2)
        assert await bucket.get("a") == b"2"

    _run(story)
