"""How feeds are read: once for all clients of an audience, over outages and lost nudges."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from pathlib import Path
from typing import Final

import pytest

from howff.lobby.adapters.feed_queries import SqlFeedSource
from howff.lobby.adapters.feed_rows import Note, notes_to, tell
from howff.lobby.application.feeds import MOST_KEPT, Feeds, Frame, Mark, Reading, Snapshot
from howff.lobby.application.summaries import TurnSummary
from howff.servicekit.sql.database import Database, DatabaseError
from support.lists import database_in, forget_lists, second
from support.running import run, until

FREYA: Final = "account.freya"
CLIENTS: Final = 40


class Counted:
    """The real source, with a count of what is asked, that fails when it is told to."""

    def __init__(self, database: Database) -> None:
        self._source = SqlFeedSource(database)
        self.asked = 0
        self.is_down = False

    async def since(self, audience: str, number: int | None, most: int) -> Reading:
        self._ask()
        return await self._source.since(audience, number, most)

    async def newest(self, audiences: Collection[str]) -> Mapping[str, int]:
        self._ask()
        return await self._source.newest(audiences)

    async def snapshot(self, audience: str) -> Snapshot:
        self._ask()
        return await self._source.snapshot(audience)

    def _ask(self) -> None:
        self.asked += 1
        if self.is_down:
            raise DatabaseError(expected="an answer", found="none")


class Client:
    """Somebody who reads a feed."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.cut: Callable[[], None] = lambda: None
        self.has_ended = False

    def until(self, cut: Callable[[], None]) -> AbstractContextManager[None]:
        self.cut = cut
        return nullcontext()

    async def read(self, feeds: Feeds, mark: Mark | None = None) -> None:
        async with feeds.watch(FREYA, mark, self.until) as frames:
            async for frame in frames:
                self.frames.append(frame)
        self.has_ended = True

    @property
    def numbers(self) -> list[int]:
        return [each.mark.number for each in self.frames if each.mark is not None]


@asynccontextmanager
async def feeding(folder: Path) -> AsyncIterator[tuple[Database, Counted, Feeds]]:
    async with database_in(folder) as database:
        source = Counted(database)
        yield database, source, Feeds(source)


def note(version: int) -> Note:
    turn = TurnSummary(match="match", version=version, waits_for_me=True, due=None)
    return notes_to(["freya"], "turn", turn, second(version))[0]


async def write(database: Database, *versions: int) -> int:
    """Tell so many entries in one transaction, and return the newest number."""
    async with database.writing() as session:
        return (await tell(session, map(note, versions)))[FREYA]


def told(folder: Path, story: Callable[[Database, Counted, Feeds], Awaitable[None]]) -> None:
    async def fed() -> None:
        async with feeding(folder) as (database, source, feeds):
            await story(database, source, feeds)
            feeds.cut()
            await asyncio.sleep(0)

    run(fed)


def test_many_clients_of_an_audience_cost_one_question(tmp_path: Path) -> None:
    async def story(database: Database, source: Counted, feeds: Feeds) -> None:
        clients = [Client() for _ in range(CLIENTS)]
        async with asyncio.TaskGroup() as group:
            for each in clients:
                group.create_task(each.read(feeds))
            await until(lambda: all(each.frames for each in clients))
            source.asked = 0
            feeds.hear(FREYA, await write(database, 1, 2))
            await until(lambda: all(each.numbers == [0, 1, 2] for each in clients))
            assert source.asked == 1
            feeds.cut()

    told(tmp_path, story)


def test_a_lost_nudge_is_made_up_for_by_the_next_beat(tmp_path: Path) -> None:
    async def story(database: Database, _: Counted, feeds: Feeds) -> None:
        client = Client()
        async with asyncio.TaskGroup() as group:
            group.create_task(client.read(feeds))
            await until(lambda: client.numbers == [0])
            await write(database, 1)
            await feeds.beat()
            await until(lambda: len(client.frames) == 3)
            assert [each.kind for each in client.frames] == ["snapshot", "turn", "heartbeat"]
            assert client.frames[-1].data == b'{"number":1}'
            feeds.cut()

    told(tmp_path, story)


def test_a_feed_outlives_an_outage_of_the_database(tmp_path: Path) -> None:
    async def story(database: Database, source: Counted, feeds: Feeds) -> None:
        client = Client()
        async with asyncio.TaskGroup() as group:
            group.create_task(client.read(feeds))
            await until(lambda: client.numbers == [0])
            number = await write(database, 1)
            source.is_down = True
            asked = source.asked
            feeds.hear(FREYA, number)
            await until(lambda: source.asked > asked)
            await feeds.beat()
            source.is_down = False
            await feeds.beat()
            await until(lambda: client.numbers == [0, 1])
            assert not client.has_ended
            feeds.cut()
        source.is_down = True
        with pytest.raises(DatabaseError):  # which still can be told in another answer
            await Client().read(feeds)

    told(tmp_path, story)


def test_who_reads_too_slowly_is_cut_off_and_can_come_back(tmp_path: Path) -> None:
    async def story(database: Database, _: Counted, feeds: Feeds) -> None:
        async with feeds.watch(FREYA, None, Client().until) as frames:
            first = (await anext(frames)).mark
            assert first is not None
            await feeds.beat()
            assert (await anext(frames)).kind == "heartbeat"  # it has all there is
            for _step in range(3):
                feeds.hear(FREYA, await write(database, *range(100)))
            other = Client()
            reading = asyncio.create_task(other.read(feeds))
            await until(lambda: other.numbers == [300])
            feeds.hear(FREYA, await write(database, *range(100)))
            await until(lambda: other.numbers[-1] == 400)
            with pytest.raises(StopAsyncIteration):
                await anext(frames)
            other.cut()
            await reading
        back = Client()
        reading = asyncio.create_task(back.read(feeds, first))
        await until(lambda: len(back.numbers) == 400)
        assert back.numbers == list(range(1, 401))
        back.cut()
        await reading

    assert MOST_KEPT < 400
    told(tmp_path, story)


def test_who_may_be_told_nothing_more_is_not_told_what_waits(tmp_path: Path) -> None:
    async def story(database: Database, _: Counted, feeds: Feeds) -> None:
        client = Client()
        async with feeds.watch(FREYA, None, client.until) as frames:
            await anext(frames)
            feeds.hear(FREYA, await write(database, 1, 2, 3))
            assert (await anext(frames)).kind == "turn"
            client.cut()
            with pytest.raises(StopAsyncIteration):
                await anext(frames)

    told(tmp_path, story)


def test_a_feed_ends_when_rows_are_made_anew_and_its_clients_come_back_to_a_snapshot(
    tmp_path: Path,
) -> None:
    async def story(database: Database, _: Counted, feeds: Feeds) -> None:
        client, back = Client(), Client()
        await write(database, 1, 2)
        async with asyncio.TaskGroup() as group:
            group.create_task(client.read(feeds))
            await until(lambda: client.numbers == [2])
            async with database.writing() as session:
                await forget_lists(session, (), "another")
            await write(database, 3)
            await feeds.beat()
            await until(lambda: client.has_ended)
            group.create_task(back.read(feeds, client.frames[-1].mark))
            await until(lambda: bool(back.frames))
            assert (back.frames[0].kind, back.frames[0].mark) == ("snapshot", Mark("another", 1))
            feeds.cut()

    told(tmp_path, story)
