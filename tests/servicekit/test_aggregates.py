"""Commands of aggregates: appended once, answered alike, refused on the newest commits only."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from howff.servicekit.aggregates import Aggregates, Baseline
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.eventstore.memory import MemoryStore
from howff.servicekit.eventstore.store import BEGINNING, Position, StreamId
from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.streams import ensure_stream, locked
from support.ledger import (
    FORM,
    Add,
    AddAfterFee,
    Entry,
    Ledger,
    OverdrawnError,
    ReusedError,
    SpiedStore,
    fold_entry,
)
from support.nats import shared_server, unique
from support.running import run


@dataclass(frozen=True, slots=True)
class Place:
    """A store, and two streams in it that nobody else writes to."""

    store: SpiedStore
    one: StreamId = field(default_factory=lambda: StreamId(unique("one.")))
    other: StreamId = field(default_factory=lambda: StreamId(unique("other.")))

    def ledgers(self, *, most_kept: int = 10) -> Aggregates[Ledger, Entry]:
        return Aggregates(self.store, fold_entry, most_kept=most_kept)

    async def log(self, stream: StreamId) -> list[Entry]:
        return [each.commit for each in await self.store.tail(stream, BEGINNING)]


Story = Callable[[Place], Awaitable[None]]
OnStore = Callable[[Story], None]


@asynccontextmanager
async def in_memory() -> AsyncIterator[Place]:
    yield Place(SpiedStore(MemoryStore(FORM)))


@asynccontextmanager
async def on_jetstream() -> AsyncIterator[Place]:
    name = unique("LEDGERS")
    async with await connect(shared_server().url, name="ledgers") as connection:
        await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
        store = SpiedStore(JetStreamStore(connection.client, name, FORM))
        yield Place(store, StreamId(f"{name}.one"), StreamId(f"{name}.other"))


@pytest.fixture(params=[in_memory, on_jetstream], ids=["memory", "jetstream"])
def on_store(request: pytest.FixtureRequest) -> OnStore:
    def tell(story: Story) -> None:
        async def told() -> None:
            async with request.param() as place:
                await story(place)

        run(told)

    return tell


async def grown(
    ledgers: Aggregates[Ledger, Entry], stream: StreamId, count: int
) -> Baseline[Ledger, Entry]:
    for number in range(count):
        await ledgers.handle(stream, Add(f"grow-{number}", 1))
    baseline = await ledgers.load(stream)
    assert baseline is not None
    return baseline


def test_a_command_is_appended_once_and_a_repeated_one_gets_the_first_commit(
    on_store: OnStore,
) -> None:
    async def story(place: Place) -> None:
        ledgers = place.ledgers()
        first = await ledgers.handle(place.one, Add("a", 5))
        again = await ledgers.handle(place.one, Add("a", 5))
        assert (first.commit, first.is_repeated) == (Entry(1, "a", 5), False)
        assert (again.commit, again.is_repeated) == (Entry(1, "a", 5), True)
        assert await place.log(place.one) == [Entry(1, "a", 5)]

    on_store(story)


def test_a_repeated_command_gets_the_first_commit_after_many_others(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        ledgers = place.ledgers(most_kept=1)
        await grown(ledgers, place.one, 12)
        for version in (1, 2, 7, 12):
            again = await ledgers.handle(place.one, Add(f"grow-{version - 1}", 1))
            assert (again.commit.version, again.is_repeated) == (version, True)
            assert len(again.aggregate.entries) == 12
        await ledgers.handle(place.other, Add("elsewhere", 1))  # it takes the only place
        again = await ledgers.handle(place.one, Add("grow-2", 1))
        assert (again.commit.version, again.is_repeated) == (3, True)

    on_store(story)


def test_a_command_that_another_server_has_handled_gets_its_commit(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        await grown(there, place.one, 1)
        await grown(here, place.one, 3)
        first = await here.handle(place.one, Add("a", 5))
        again = await there.handle(place.one, Add("a", 5))
        assert again.commit == first.commit
        assert again.is_repeated
        assert again.aggregate == first.aggregate

    on_store(story)


def test_a_command_sent_many_times_at_once_leaves_one_commit(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        servers = [place.ledgers() for _ in range(4)]
        sent = [server.handle(place.one, Add("a", 5)) for server in servers * 3]
        answers = await asyncio.gather(*sent)
        assert {answer.commit for answer in answers} == {Entry(1, "a", 5)}
        assert [answer.is_repeated for answer in answers].count(False) == 1
        assert await place.log(place.one) == [Entry(1, "a", 5)]

    on_store(story)


def test_another_command_under_the_same_id_is_refused(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        await here.handle(place.one, Add("a", 5))
        for server in (here, there):
            with pytest.raises(ReusedError):
                await server.handle(place.one, Add("a", 6))
        assert len(await place.log(place.one)) == 1

    on_store(story)


def test_nothing_is_refused_for_what_another_server_has_changed(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        await here.handle(place.one, Add("a", 1))
        await there.handle(place.one, Add("b", 9))
        answer = await here.handle(place.one, Add("c", -10))
        assert (answer.commit.version, answer.aggregate.balance) == (3, 0)

    on_store(story)


def test_nothing_is_accepted_that_the_newest_commits_forbid(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        await here.handle(place.one, Add("a", 5))
        await there.handle(place.one, Add("b", -5))
        with pytest.raises(OverdrawnError):
            await here.handle(place.one, Add("c", -5))
        assert len(await place.log(place.one)) == 2

    on_store(story)


def test_a_refusal_is_not_remembered(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        ledgers = place.ledgers()
        with pytest.raises(OverdrawnError):
            await ledgers.handle(place.one, Add("a", -1))
        assert await place.log(place.one) == []
        await ledgers.handle(place.one, Add("b", 1))
        assert (await ledgers.handle(place.one, Add("a", -1))).commit == Entry(2, "a", -1)

    on_store(story)


def test_what_has_to_come_first_is_appended_before_the_command_is_judged(
    on_store: OnStore,
) -> None:
    async def story(place: Place) -> None:
        ledgers = place.ledgers()
        await grown(ledgers, place.one, 5)
        done = await ledgers.handle(place.one, AddAfterFee("a", -4))
        again = await ledgers.handle(place.one, AddAfterFee("a", -4))
        assert (done.commit, again.commit) == (Entry(7, "a", -4), Entry(7, "a", -4))
        await ledgers.handle(place.one, Add("more", 1))
        with pytest.raises(OverdrawnError):
            await ledgers.handle(place.one, AddAfterFee("b", -1))
        amounts = [entry.amount for entry in await place.log(place.one)]
        assert amounts == [1, 1, 1, 1, 1, -1, -4, 1, -1]

    on_store(story)


def test_servers_that_write_at_once_lose_nothing(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        async def write(server: Aggregates[Ledger, Entry], name: str) -> None:
            for number in range(10):
                await server.handle(place.one, Add(f"{name}-{number}", 1))

        await asyncio.gather(*(write(place.ledgers(), name) for name in "abcd"))
        log = await place.log(place.one)
        assert [entry.version for entry in log] == list(range(1, 41))
        assert len({entry.command for entry in log}) == 40

    on_store(story)


def test_a_command_on_a_known_aggregate_costs_one_append(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        ledgers = place.ledgers()
        await ledgers.handle(place.one, Add("a", 1))
        place.store.calls.clear()
        await ledgers.handle(place.one, Add("b", 1))
        assert place.store.calls == ["append"]

    on_store(story)


def test_a_repeated_command_costs_one_read_or_another_for_an_older_commit(
    on_store: OnStore,
) -> None:
    async def story(place: Place) -> None:
        ledgers = place.ledgers()
        await grown(ledgers, place.one, 3)
        place.store.calls.clear()
        await ledgers.handle(place.one, Add("grow-2", 1))
        assert place.store.calls == ["tail"]
        await ledgers.handle(place.one, Add("grow-1", 1))
        assert place.store.calls == ["tail", "tail", "read"]

    on_store(story)


def test_a_repeated_command_is_answered_by_the_aggregate_as_it_stands_now(
    on_store: OnStore,
) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        await here.handle(place.one, Add("a", 1))
        await there.handle(place.one, Add("b", 1))
        again = await here.handle(place.one, Add("a", 1))
        assert again.is_repeated
        assert (again.commit.version, again.aggregate.balance) == (1, 2)

    on_store(story)


def test_a_conflict_costs_one_read_and_another_append(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        await here.handle(place.one, Add("a", 1))
        await there.handle(place.one, Add("b", 1))
        place.store.calls.clear()
        await here.handle(place.one, Add("c", 1))
        assert place.store.calls == ["append", "tail", "append"]

    on_store(story)


def test_a_refusal_costs_one_read(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        ledgers = place.ledgers()
        await ledgers.handle(place.one, Add("a", 1))
        place.store.calls.clear()
        with pytest.raises(OverdrawnError):
            await ledgers.handle(place.one, Add("b", -2))
        assert place.store.calls == ["tail"]

    on_store(story)


def test_who_knows_of_a_commit_reads_nothing_if_it_is_there_already(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        base = await grown(here, place.one, 3)
        added = await there.handle(place.one, Add("a", 1))
        place.store.calls.clear()
        for version in (1, 3):
            known = await here.load(place.one, through=base.mark_at(version).position)
            assert known is not None
            assert known.mark.version == 3
        assert place.store.calls == []
        newer = await here.load(place.one, through=added.baseline.newest.position)
        assert newer is not None
        assert newer.mark.version == 4
        assert place.store.calls == ["tail"]

    on_store(story)


def test_who_knows_of_none_gets_whatever_was_acknowledged(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        assert await here.load(place.one) is None
        for number in range(1, 6):
            await there.handle(place.one, Add(f"a-{number}", 1))
            loaded = await here.load(place.one)
            assert loaded is not None
            assert (loaded.mark.version, loaded.aggregate.balance) == (number, number)

    on_store(story)


def test_few_baselines_are_kept_and_the_others_folded_again(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        ledgers = place.ledgers(most_kept=1)
        for number in range(3):
            await ledgers.handle(place.one, Add(f"one-{number}", 1))
            await ledgers.handle(place.other, Add(f"other-{number}", 10))
            assert len(ledgers._kept) == 1
        place.store.calls.clear()
        answer = await ledgers.handle(place.one, Add("one-3", 1))
        assert (answer.commit.version, answer.aggregate.balance) == (4, 4)
        assert place.store.calls == ["tail", "append"]

    on_store(story)


def test_the_mark_of_every_version_is_known(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        for number in range(3):
            await here.handle(place.one, Add(f"here-{number}", 1))
            await here.handle(place.other, Add(f"other-{number}", 1))
            await there.handle(place.one, Add(f"there-{number}", 1))
        baseline = await here.load(place.one)
        assert baseline is not None
        recorded = await place.store.tail(place.one, BEGINNING)
        marks = [BEGINNING, *(each.mark for each in recorded)]
        assert [baseline.mark_at(version) for version in range(7)] == marks
        assert [baseline.version_at(each.position) for each in recorded] == [1, 2, 3, 4, 5, 6]
        others = {recorded[0].position - 1, recorded[1].position - 1, recorded[-1].position + 1}
        for position in others - {each.position for each in recorded}:
            with pytest.raises(LookupError):
                baseline.version_at(Position(position))
        assert baseline.mark == marks[-1]
        for mark in marks:
            assert await here.since(place.one, mark) == recorded[mark.version :]

    on_store(story)


def test_a_feed_that_follows_makes_the_baseline_that_commands_start_from(
    on_store: OnStore,
) -> None:
    async def story(place: Place) -> None:
        here, there = place.ledgers(), place.ledgers()
        base = await grown(here, place.one, 2)
        await there.handle(place.one, Add("a", 5))
        (recorded,) = await here.since(place.one, base.mark)
        followed = here.follow(place.one, base, recorded)
        assert (followed.mark, followed.aggregate.balance) == (recorded.mark, 7)
        assert followed.mark_at(2) == base.mark
        place.store.calls.clear()
        assert await here.load(place.one, through=recorded.position) is followed
        await here.handle(place.one, Add("b", -7))
        assert place.store.calls == ["append"]

    on_store(story)


def test_a_feed_that_is_behind_takes_nothing_from_what_is_kept(on_store: OnStore) -> None:
    async def story(place: Place) -> None:
        ledgers = place.ledgers()
        base = await grown(ledgers, place.one, 1)
        await ledgers.handle(place.one, Add("a", 1))
        newest = await ledgers.load(place.one)
        second, *_ = await ledgers.since(place.one, base.mark)
        assert ledgers.follow(place.one, base, second) is newest
        third = await ledgers.handle(place.one, Add("b", 1))
        followed = ledgers.follow(place.one, base, second)
        assert (followed.mark, followed.aggregate.balance) == (second.mark, 2)
        place.store.calls.clear()
        kept = await ledgers.load(place.one, through=third.baseline.newest.position)
        assert kept is not None
        assert kept.mark.version == 3
        assert place.store.calls == []

    on_store(story)
