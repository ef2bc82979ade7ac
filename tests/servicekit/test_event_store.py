"""What every event store promises, on each of the two that there are."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from howff.servicekit.eventstore.errors import ConflictError, UnavailableError
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.memory import MemoryStore
from howff.servicekit.eventstore.store import (
    BEGINNING,
    EventStore,
    Mark,
    Position,
    Recorded,
    StreamId,
)
from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.streams import ensure_stream, locked
from support.ledger import FORM, Entry
from support.nats import shared_server, unique
from support.running import run

Store = EventStore[Entry]
Story = Callable[[Store], Awaitable[None]]


@asynccontextmanager
async def memory_store() -> AsyncIterator[Store]:
    yield MemoryStore(FORM)


@asynccontextmanager
async def jetstream_store() -> AsyncIterator[Store]:
    name = unique("STORE")
    async with await connect(shared_server().url, name="store") as connection:
        await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
        yield Prefixed(JetStreamStore(connection.client, name, FORM), name)


class Prefixed:
    """Gives the streams of a shared server names of their own."""

    def __init__(self, store: Store, name: str) -> None:
        self._store = store
        self._name = name

    async def append(self, stream: StreamId, commit: Entry, after: Mark) -> Mark:
        return await self._store.append(self._own(stream), commit, after)

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[Entry]]:
        return await self._store.tail(self._own(stream), after)

    async def read(self, stream: StreamId, at: Mark) -> Entry:
        return await self._store.read(self._own(stream), at)

    def _own(self, stream: StreamId) -> StreamId:
        return StreamId(f"{self._name}.{stream}")


@pytest.fixture(params=[memory_store, jetstream_store], ids=["memory", "jetstream"])
def on_store(request: pytest.FixtureRequest) -> Callable[[Story], None]:
    def tell(story: Story) -> None:
        async def told() -> None:
            async with request.param() as store:
                await story(store)

        run(told)

    return tell


ONE, OTHER = StreamId("one"), StreamId("other")


def entry(version: int, amount: int = 1) -> Entry:
    return Entry(version, f"command-{version}", amount)


async def append_all(store: Store, stream: StreamId, count: int) -> list[Mark]:
    marks = [BEGINNING]
    for version in range(1, count + 1):
        marks.append(await store.append(stream, entry(version), marks[-1]))
    return marks[1:]


def test_one_commit_is_read_by_its_mark(on_store: Callable[[Story], None]) -> None:
    async def story(store: Store) -> None:
        await append_all(store, OTHER, 2)
        marks = await append_all(store, ONE, 3)
        for mark in marks:
            assert await store.read(ONE, mark) == entry(mark.version)
        with pytest.raises(UnavailableError, match="expected version 9, found nothing"):
            await store.read(ONE, Mark(9, Position(marks[-1].position + 1000)))

    on_store(story)


def test_what_was_appended_is_read_in_order(on_store: Callable[[Story], None]) -> None:
    async def story(store: Store) -> None:
        marks = await append_all(store, ONE, 5)
        recorded = await store.tail(ONE, BEGINNING)
        assert [each.commit for each in recorded] == [entry(version) for version in range(1, 6)]
        assert [each.mark for each in recorded] == marks

    on_store(story)


def test_reading_goes_on_after_any_mark(on_store: Callable[[Story], None]) -> None:
    async def story(store: Store) -> None:
        marks = await append_all(store, ONE, 5)
        for mark in (BEGINNING, *marks):
            versions = [each.commit.version for each in await store.tail(ONE, mark)]
            assert versions == list(range(mark.version + 1, 6))

    on_store(story)


def test_a_stream_that_nobody_has_written_is_empty(on_store: Callable[[Story], None]) -> None:
    async def story(store: Store) -> None:
        await append_all(store, OTHER, 1)
        assert await store.tail(ONE, BEGINNING) == []

    on_store(story)


def test_streams_do_not_mix(on_store: Callable[[Story], None]) -> None:
    async def story(store: Store) -> None:
        one = other = BEGINNING
        for version in range(1, 4):
            one = await store.append(ONE, entry(version, 1), one)
            other = await store.append(OTHER, entry(version, 2), other)
        assert [each.commit.amount for each in await store.tail(ONE, BEGINNING)] == [1, 1, 1]
        assert [each.commit.amount for each in await store.tail(OTHER, BEGINNING)] == [2, 2, 2]

    on_store(story)


def test_positions_rise_over_all_streams(on_store: Callable[[Story], None]) -> None:
    async def story(store: Store) -> None:
        marks = await append_all(store, ONE, 2) + await append_all(store, OTHER, 2)
        positions = [mark.position for mark in marks]
        assert positions == sorted(set(positions))

    on_store(story)


@pytest.mark.parametrize("behind", [0, 1])
def test_an_append_after_an_older_commit_is_refused(
    on_store: Callable[[Story], None], behind: int
) -> None:
    async def story(store: Store) -> None:
        marks = [BEGINNING, *await append_all(store, ONE, 2)]
        with pytest.raises(ConflictError):
            await store.append(ONE, entry(3), marks[behind])
        assert len(await store.tail(ONE, BEGINNING)) == 2

    on_store(story)


def test_an_append_after_what_is_not_there_is_refused(on_store: Callable[[Story], None]) -> None:
    async def story(store: Store) -> None:
        (elsewhere,) = await append_all(store, OTHER, 1)
        with pytest.raises(ConflictError):
            await store.append(ONE, entry(2), elsewhere)
        assert await store.tail(ONE, BEGINNING) == []

    on_store(story)


def test_of_many_that_append_at_once_one_wins(on_store: Callable[[Story], None]) -> None:
    async def story(store: Store) -> None:
        (first,) = await append_all(store, ONE, 1)
        racing = (store.append(ONE, entry(2, amount), first) for amount in range(20))
        answers = await asyncio.gather(*racing, return_exceptions=True)
        won = [at for at, answer in enumerate(answers) if not isinstance(answer, Exception)]
        assert len(won) == 1
        assert all(isinstance(answer, Mark | ConflictError) for answer in answers)
        assert (await store.tail(ONE, first))[0].commit == entry(2, won[0])

    on_store(story)


def test_a_long_stream_is_read_to_its_end(on_store: Callable[[Story], None]) -> None:
    async def story(store: Store) -> None:
        marks = await append_all(store, ONE, 1205)
        recorded = await store.tail(ONE, BEGINNING)
        assert [each.mark for each in recorded] == marks

    on_store(story)
