"""Plain commits: what a command is answered with, when it was, and how it is written."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any, assert_never

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howff.engine.errors import RefusalError
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore.commits import (
    BoundCommand,
    CommandReusedError,
    Folded,
    Kind,
    PlainCommit,
    time_text,
)
from howff.servicekit.eventstore.errors import UnreadableCommitError
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.memory import MemoryStore
from howff.servicekit.eventstore.store import BEGINNING, EventStore, StreamId
from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.streams import ensure_stream, locked
from support.nats import shared_server, unique
from support.running import run

NOON = datetime(2026, 11, 28, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Added:
    amount: int
    why: str | None = None


@dataclass(frozen=True, slots=True)
class Emptied:
    pass


@dataclass(frozen=True, slots=True)
class Add:
    amount: int


@dataclass(frozen=True, slots=True)
class Empty:
    pass


class TooMuchError(RefusalError):
    code = "too_much"


def evolve(balance: int | None, event: Added | Emptied) -> int:
    match event:
        case Added(amount):
            return (balance or 0) + amount
        case Emptied():
            return 0
        case _:
            assert_never(event)


def decide(balance: int | None, command: Add | Empty, _: datetime) -> tuple[Added | Emptied, ...]:
    match command:
        case Add(amount) if (balance or 0) + amount > 100:
            raise TooMuchError("too much", expected="at most 100", found=str(amount))
        case Add(amount):
            return (Added(amount),)
        case Empty():
            return Emptied(), Added(1, "left for luck")
        case _:
            assert_never(command)


PURSES: Kind[int, Add | Empty, Added | Emptied] = Kind(Added | Emptied, decide, evolve)
Purses = Aggregates[Folded[int], PlainCommit[Added | Emptied]]
Store = EventStore[PlainCommit[Added | Emptied]]


def bound(
    command: Add | Empty,
    id: str = "a",  # noqa: A002
    actor: str = "ada",
    now: datetime = NOON,
) -> BoundCommand[int, Add | Empty, Added | Emptied]:
    return BoundCommand(PURSES, "purse.one", command, actor, id, lambda: now)


@dataclass(frozen=True, slots=True)
class Place:
    """A store, the stream of one purse, and a process that has kept nothing of it."""

    store: Store
    stream: StreamId

    def process(self) -> Purses:
        return Aggregates(self.store, PURSES.fold, most_kept=10)


@asynccontextmanager
async def in_memory() -> AsyncIterator[Place]:
    yield Place(MemoryStore(PURSES.form), StreamId("purse.one"))


@asynccontextmanager
async def on_jetstream() -> AsyncIterator[Place]:
    name = unique("PURSES")
    async with await connect(shared_server().url, name="purses") as connection:
        await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
        store = JetStreamStore(connection.client, name, PURSES.form)
        yield Place(store, StreamId(f"{name}.one"))


Story = Callable[[Place], Awaitable[None]]


@pytest.fixture(params=[in_memory, on_jetstream], ids=["memory", "jetstream"])
def on_store(request: pytest.FixtureRequest) -> Callable[[Story], None]:
    def tell(story: Story) -> None:
        async def told() -> None:
            async with request.param() as place:
                await story(place)

        run(told)

    return tell


def test_a_command_that_comes_again_gets_its_first_answer(
    on_store: Callable[[Story], None],
) -> None:
    async def story(place: Place) -> None:
        one, other = place.process(), place.process()
        first = await one.handle(place.stream, bound(Add(60)))
        await one.handle(place.stream, bound(Add(40), "b"))
        later = bound(Add(60), now=NOON + timedelta(days=1))  # and it would be refused by now
        for process in (one, other, place.process()):
            again = await process.handle(place.stream, later)
            assert again.is_repeated
            assert again.commit == first.commit
            assert again.aggregate.state == 100
        assert len(await place.store.tail(place.stream, BEGINNING)) == 2

    on_store(story)


def test_another_command_under_the_same_id_is_refused(on_store: Callable[[Story], None]) -> None:
    async def story(place: Place) -> None:
        one = place.process()
        await one.handle(place.stream, bound(Add(5)))
        for process in (one, place.process()):
            for command in (Add(6), Empty()):
                with pytest.raises(CommandReusedError, match="the command that made version 1"):
                    await process.handle(place.stream, bound(command))
        assert len(await place.store.tail(place.stream, BEGINNING)) == 1

    on_store(story)


def test_ids_of_different_actors_are_different(on_store: Callable[[Story], None]) -> None:
    async def story(place: Place) -> None:
        process = place.process()
        await process.handle(place.stream, bound(Add(5), "a", "ada"))
        handled = await process.handle(place.stream, bound(Add(5), "a", "bea"))
        assert (handled.is_repeated, handled.aggregate.state) == (False, 10)

    on_store(story)


def test_a_refused_command_leaves_nothing_and_may_come_again(
    on_store: Callable[[Story], None],
) -> None:
    async def story(place: Place) -> None:
        process = place.process()
        await process.handle(place.stream, bound(Add(60), "a"))
        with pytest.raises(TooMuchError):
            await process.handle(place.stream, bound(Add(60), "b"))
        await process.handle(place.stream, bound(Empty(), "c"))
        handled = await process.handle(place.stream, bound(Add(60), "b"))
        assert (handled.commit.version, handled.aggregate.state) == (3, 61)

    on_store(story)


def test_of_one_command_that_comes_many_times_at_once_there_is_one_commit(
    on_store: Callable[[Story], None],
) -> None:
    async def story(place: Place) -> None:
        asking = (place.process().handle(place.stream, bound(Add(1))) for _ in range(8))
        answers = await asyncio.gather(*asking)
        assert {each.commit for each in answers} == {answers[0].commit}
        assert len(await place.store.tail(place.stream, BEGINNING)) == 1

    on_store(story)


def test_time_never_goes_back_in_a_stream(on_store: Callable[[Story], None]) -> None:
    async def story(place: Place) -> None:
        for id, hours in (("a", 0), ("b", -2), ("c", 1), ("d", 0)):  # noqa: A001
            now = NOON + timedelta(hours=hours)
            await place.process().handle(place.stream, bound(Add(1), id, now=now))
        commits = [each.commit for each in await place.store.tail(place.stream, BEGINNING)]
        assert [each.at[11:16] for each in commits] == ["12:00", "12:00", "13:00", "13:00"]
        loaded = await place.process().load(place.stream)
        assert loaded is not None
        assert loaded.aggregate.began_at == "2026-11-28T12:00:00.000Z"
        assert loaded.aggregate.at == "2026-11-28T13:00:00.000Z"

    on_store(story)


def test_what_a_store_gives_back_is_what_was_appended(on_store: Callable[[Story], None]) -> None:
    async def story(place: Place) -> None:
        process = place.process()
        commands: tuple[Add | Empty, ...] = (Add(5), Empty(), Add(7))
        appended = [
            (await process.handle(place.stream, bound(command, str(at)))).commit
            for at, command in enumerate(commands)
        ]
        assert [each.commit for each in await place.store.tail(place.stream, BEGINNING)] == appended
        loaded = await place.process().load(place.stream)
        kept = await process.load(place.stream)
        assert loaded is not None
        assert kept is not None
        assert loaded.aggregate == kept.aggregate

    on_store(story)


COMMIT: PlainCommit[Added | Emptied] = PlainCommit(
    "purse.one", 1, "a", "ab" * 32, "ada", "2026-11-28T12:00:00.000Z", (Added(5, "ä\u2028"),)
)
PLAIN: dict[str, Any] = json.loads(PURSES.form.encode(COMMIT))
TEXTS = st.text(st.characters(exclude_categories=["Cs"]))
EVENTS = st.builds(Added, st.integers(-(2**53) + 1, 2**53 - 1), st.none() | TEXTS) | st.just(
    Emptied()
)


@given(
    st.builds(
        PlainCommit,
        *(TEXTS, st.integers(1, 2**53 - 1), TEXTS, TEXTS, TEXTS, TEXTS),
        st.lists(EVENTS).map(tuple),
    )
)
def test_every_commit_is_read_back_as_it_was_written(commit: PlainCommit[Added | Emptied]) -> None:
    content = PURSES.form.encode(commit)
    assert PURSES.form.read(content) == commit
    assert PURSES.form.encode(PURSES.form.read(content)) == content


CHANGES: tuple[dict[str, Any], ...] = (
    {"version": "1"},
    {"version": True},
    {"schema": 2},
    {"more": 1},
    {"at": None},
    {"events": 5},
    {"events": {}},
    {"events": [5]},
    {"events": [{"type": "Added"}]},
    {"events": [{"type": "Stolen", "data": {}}]},
    {"events": [{"type": "Added", "data": {"amount": "1"}}]},
    {"events": [{"type": "Added", "data": {"amount": 1, "secret": "Bea"}}]},
)
NO_COMMITS = (
    *(b"", b"\xff", b"no JSON", b"null", b"5", b'"commit"', b"[]", b"{}"),
    *(json.dumps({each: PLAIN[each] for each in PLAIN if each != key}).encode() for key in PLAIN),
    *(json.dumps({**PLAIN, **changes}).encode() for changes in CHANGES),
)


@pytest.mark.parametrize("content", NO_COMMITS)
def test_what_is_no_commit_is_unreadable_and_not_quoted(content: bytes) -> None:
    with pytest.raises(UnreadableCommitError) as refused:
        PURSES.form.read(content)
    assert str(refused.value).startswith("unreadable commit: expected one that can be read, found")
    assert "Bea" not in str(refused.value)


def test_commits_are_folded_in_order_only() -> None:
    first = PURSES.fold(None, COMMIT)
    assert (first.state, first.version) == (5, 1)
    assert PURSES.fold(first, replace(COMMIT, version=2, command="b")).state == 10
    for version in (1, 3):
        with pytest.raises(UnreadableCommitError, match="not the next version"):
            PURSES.fold(first, replace(COMMIT, version=version))
    with pytest.raises(UnreadableCommitError, match="not the next version"):
        PURSES.fold(None, replace(COMMIT, version=2))


def test_times_are_told_in_utc_and_sort_as_texts() -> None:
    east = timezone(timedelta(hours=2))
    assert time_text(datetime(2026, 1, 1, 1, tzinfo=east)) == "2025-12-31T23:00:00.000Z"
    moments = [NOON + timedelta(milliseconds=each) for each in (-1, 0, 1, 999, 1000, 10**9)]
    assert sorted(map(time_text, moments)) == list(map(time_text, moments))
