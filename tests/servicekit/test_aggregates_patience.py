"""Commands of aggregates: their turns, and how long what fails is tried again."""

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from howff.servicekit.aggregates import Aggregates, UnresolvedError
from howff.servicekit.eventstore.errors import (
    ConflictError,
    UnavailableError,
    UnknownOutcomeError,
)
from howff.servicekit.eventstore.memory import MemoryStore
from howff.servicekit.eventstore.store import BEGINNING, EventStore, Mark, Recorded, StreamId
from support.faulty_store import FaultPlan, FaultyStore
from support.ledger import FORM, Add, Entry, Ledger, SpiedStore, fold_entry
from support.rng import LocalRng
from support.running import run, until
from support.virtual_time import run_in_virtual_time


class GatedStore(SpiedStore):
    """A store whose appends wait at a gate, each stream at its own."""

    def __init__(self) -> None:
        super().__init__(MemoryStore(FORM))
        self.waiting: list[str] = []
        self.gates: dict[StreamId, asyncio.Event] = {}

    def open(self, stream: StreamId) -> None:
        self.gates.setdefault(stream, asyncio.Event()).set()

    async def append(self, stream: StreamId, commit: Entry, after: Mark) -> Mark:
        self.waiting.append(commit.command)
        await self.gates.setdefault(stream, asyncio.Event()).wait()
        return await super().append(stream, commit, after)


ONE, OTHER = StreamId("one"), StreamId("other")


def ledgers_on(store: EventStore[Entry], patience: float = 9.0) -> Aggregates[Ledger, Entry]:
    return Aggregates(store, fold_entry, most_kept=10, patience=patience)


def test_commands_on_one_aggregate_take_turns_and_those_on_others_do_not_wait() -> None:
    async def story() -> None:
        store = GatedStore()
        ledgers = ledgers_on(store)
        first = asyncio.create_task(ledgers.handle(ONE, Add("a", 1)))
        second = asyncio.create_task(ledgers.handle(ONE, Add("b", 1)))
        other = asyncio.create_task(ledgers.handle(OTHER, Add("c", 1)))
        await until(lambda: len(store.waiting) == 2)
        store.open(OTHER)
        assert (await other).commit == Entry(1, "c", 1)
        assert store.waiting == ["a", "c"]
        assert not first.done()
        store.open(ONE)
        assert [(await each).commit for each in (first, second)] == [
            Entry(1, "a", 1),
            Entry(2, "b", 1),
        ]
        assert store.calls.count("tail") == 2, "the second command conflicted with the first"

    run(story)


def test_a_command_behind_one_that_hangs_is_answered_in_time() -> None:
    async def story() -> None:
        ledgers = ledgers_on(GatedStore())
        clock = asyncio.get_running_loop()
        hanging = asyncio.create_task(ledgers.handle(ONE, Add("a", 1)))
        await asyncio.sleep(1)
        with pytest.raises(UnresolvedError) as unresolved:
            await ledgers.handle(ONE, Add("b", 1))
        assert isinstance(unresolved.value.__cause__, UnavailableError)
        assert clock.time() == pytest.approx(10)
        with pytest.raises(UnavailableError):
            await ledgers.load(ONE)
        assert clock.time() == pytest.approx(19)
        hanging.cancel()
        with pytest.raises(asyncio.CancelledError):
            await hanging

    run_in_virtual_time(story)


def test_a_command_that_was_given_up_leaves_its_turn_to_the_next() -> None:
    async def story() -> None:
        store = GatedStore()
        ledgers = ledgers_on(store)
        given_up = asyncio.create_task(ledgers.handle(ONE, Add("a", 1)))
        waiting = asyncio.create_task(ledgers.handle(ONE, Add("b", 1)))
        await until(lambda: store.waiting == ["a"])
        given_up.cancel()
        await until(lambda: store.waiting == ["a", "b"])
        store.open(ONE)
        assert (await waiting).commit == Entry(1, "b", 1)
        assert len(ledgers._turns) == 0

    run(story)


class FailingStore(SpiedStore):
    """A store in which every append fails in the same way."""

    def __init__(self, failure: Callable[[], Exception]) -> None:
        super().__init__(MemoryStore(FORM))
        self._failure = failure

    async def append(self, stream: StreamId, commit: Entry, after: Mark) -> Mark:  # noqa: ARG002
        raise self._failure()


@pytest.mark.parametrize(
    "failure",
    [
        partial(ConflictError, ONE, 0),
        partial(UnknownOutcomeError, ONE),
        partial(UnavailableError, expected="a connection", found="none"),
    ],
    ids=["conflict", "unknown", "unavailable"],
)
@pytest.mark.parametrize("patience", [0.0, 3.0, 9.0])
def test_a_command_is_tried_again_for_as_long_as_there_is_patience(
    failure: Callable[[], Exception], patience: float
) -> None:
    async def story() -> None:
        store = FailingStore(failure)
        ledgers = ledgers_on(store, patience)
        with pytest.raises(UnresolvedError, match=f"within {patience:g} s") as unresolved:
            await ledgers.handle(ONE, Add("a", 1))
        assert isinstance(unresolved.value.__cause__, type(failure()))
        assert patience - 1 <= asyncio.get_running_loop().time() <= patience
        assert (len(store.calls) == 1) == (patience == 0)

    run_in_virtual_time(story)


class UnreachableStore(SpiedStore):
    """A store that can be reached from some moment on."""

    def __init__(self, reachable_at: float) -> None:
        super().__init__(MemoryStore(FORM))
        self._reachable_at = reachable_at

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[Entry]]:
        if asyncio.get_running_loop().time() < self._reachable_at:
            raise UnavailableError(expected="a connection", found="none")
        return await super().tail(stream, after)


def test_reading_waits_out_an_election_and_no_longer() -> None:
    async def story() -> None:
        cut_off = ledgers_on(UnreachableStore(99.0))
        assert await ledgers_on(UnreachableStore(6.0)).load(ONE) is None
        assert asyncio.get_running_loop().time() < 7
        for seconds, read in ((9, cut_off.load(ONE)), (18, cut_off.since(ONE, BEGINNING))):
            with pytest.raises(UnavailableError):
                await read
            assert asyncio.get_running_loop().time() < 7 + seconds

    run_in_virtual_time(story)


def test_what_is_no_matter_of_time_is_raised_at_once() -> None:
    async def story() -> None:
        ledgers = ledgers_on(FailingStore(partial(ZeroDivisionError, "a bug")))
        with pytest.raises(ZeroDivisionError):
            await ledgers.handle(ONE, Add("a", 1))
        assert asyncio.get_running_loop().time() == 0
        assert len(ledgers._turns) == 0

    run_in_virtual_time(story)


class DistantStore(SpiedStore):
    """A store whose appends have a longer way than those of others."""

    async def append(self, stream: StreamId, commit: Entry, after: Mark) -> Mark:
        await asyncio.sleep(0.004)
        return await super().append(stream, commit, after)


@pytest.mark.parametrize("seed", range(5))
def test_a_command_gets_through_beside_a_writer_that_hardly_rests(seed: int) -> None:
    async def story() -> None:
        store = FaultyStore(LocalRng(seed), FaultPlan({}))
        busy, number = ledgers_on(store), 0
        command = asyncio.create_task(ledgers_on(DistantStore(store)).handle(ONE, Add("a", 1)))
        while not command.done():
            await busy.handle(ONE, Add(f"busy-{number}", 1))
            await asyncio.sleep(0.005)
            number += 1
        assert (await command).commit.command == "a"

    run_in_virtual_time(story)


class ContestedStore(UnreachableStore):
    """A store that can be reached from some moment on, when others are always first."""

    async def append(self, stream: StreamId, commit: Entry, after: Mark) -> Mark:  # noqa: ARG002
        self.calls.append("append")
        raise ConflictError(stream, after.version)


def test_a_command_that_has_waited_out_an_election_races_with_the_others_again() -> None:
    async def story() -> None:
        store = ContestedStore(6.0)
        with pytest.raises(UnresolvedError):
            await ledgers_on(store).handle(ONE, Add("a", 1))
        assert store.calls.count("append") > 40

    run_in_virtual_time(story)
