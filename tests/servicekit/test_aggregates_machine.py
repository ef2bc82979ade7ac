"""Commands over a store that fails: seeded runs, whose whole history is checked at the end."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import pytest

from conftest import IS_LONG, LONG_FACTOR
from howff.engine.errors import RefusalError
from howff.servicekit.aggregates import Aggregates, Baseline, Command, Handled, UnresolvedError
from howff.servicekit.eventstore.errors import UnavailableError, UnknownOutcomeError
from howff.servicekit.eventstore.store import (
    BEGINNING,
    EventStore,
    Mark,
    Position,
    Recorded,
    StreamId,
)
from support.faulty_store import FaultPlan, FaultyStore
from support.ledger import Add, Entry, Ledger, OverdrawnError, fold_entry
from support.rng import LocalRng
from support.virtual_time import run_in_virtual_time

Ledgers = Aggregates[Ledger, Entry]
Made = Callable[[EventStore[Entry]], Ledgers]
Dressed = Callable[[Add], Command[Ledger, Entry]]

SEEDS: Final = range(40 * (LONG_FACTOR if IS_LONG else 1))
SEEDS_TO_CATCH: Final = range(40)
STREAMS: Final = (StreamId("one"), StreamId("other"))
CLIENTS: Final = 5
STEPS: Final = 12
MOST_KEPT: Final = 1  # fewer than there are streams, so that baselines fall out


def ledgers_on(store: EventStore[Entry]) -> Ledgers:
    return Aggregates(store, fold_entry, most_kept=MOST_KEPT)


def as_it_is(add: Add) -> Command[Ledger, Entry]:
    return add


@dataclass(frozen=True, slots=True)
class Sent:
    """A command that was sent, how far the log was before and after, and what came of it."""

    stream: StreamId
    add: Add
    before: int
    after: int
    answer: Handled[Ledger, Entry] | RefusalError


@dataclass(frozen=True, slots=True)
class Loaded:
    """A ledger that was read, and how far the log was before and after."""

    stream: StreamId
    before: int
    after: int
    aggregate: Ledger | None


class Run:
    """One run: clients that share a store, and several servers that handle their commands."""

    def __init__(self, seed: int, made: Made = ledgers_on, dressed: Dressed = as_it_is) -> None:
        self.seed = seed
        self.sent: list[Sent] = []
        self.loaded: list[Loaded] = []
        self.logs: dict[StreamId, list[Recorded[Entry]]] = {}
        self._rng = LocalRng(seed)
        self._store = FaultyStore(self._rng, FaultPlan.drawn(self._rng))
        self._servers = [made(self._store) for _ in range(3)]
        self._dressed = dressed

    def violations(self) -> list[str]:
        """Return what is wrong with the history of this run."""
        run_in_virtual_time(self._story)
        return [f"seed {self.seed}: {each}" for each in violations_of(self)]

    async def _story(self) -> None:
        await asyncio.gather(*(self._client(number) for number in range(CLIENTS)))
        await self._store.heal()
        for sent in [each for each in self.sent if isinstance(each.answer, UnresolvedError)]:
            await self._send(sent.stream, sent.add)
        for stream in STREAMS:
            await self._load(stream)
            self.logs[stream] = await self._store.inner.tail(stream, BEGINNING)

    async def _client(self, number: int) -> None:
        for step in range(STEPS):
            stream = self._rng.roll("stream", STREAMS)
            add = Add(f"{number}-{step}", self._rng.roll("amount", (-7, -4, -1, 1, 3, 5)))
            await self._send(stream, add)
            again = self._rng.draw("again", 10)
            if again < 3:
                await asyncio.gather(*(self._send(stream, add) for _ in range(again + 1)))
            if again == 9:
                await self._load(stream)

    async def _send(self, stream: StreamId, add: Add) -> None:
        server = self._rng.roll("server", self._servers)
        before = self._length(stream)
        try:
            answer: Handled[Ledger, Entry] | RefusalError
            answer = await server.handle(stream, self._dressed(add))
        except RefusalError as error:
            answer = error
        self.sent.append(Sent(stream, add, before, self._length(stream), answer))

    async def _load(self, stream: StreamId) -> None:
        server = self._rng.roll("server", self._servers)
        before = self._length(stream)
        try:
            found = await server.load(stream)
        except UnavailableError:
            return
        ledger = None if found is None else found.aggregate
        self.loaded.append(Loaded(stream, before, self._length(stream), ledger))

    def _length(self, stream: StreamId) -> int:
        return len(self._store.inner._streams.get(stream, []))


def violations_of(run: Run) -> Iterator[str]:
    for stream, log in run.logs.items():
        yield from _of_log(stream, [each.commit for each in log])
    ids = {each.commit.command for log in run.logs.values() for each in log}
    for sent in run.sent:
        yield from _of_sent(sent, [each.commit for each in run.logs[sent.stream]])
    for loaded in run.loaded:
        entries = [each.commit for each in run.logs[loaded.stream]]
        if not _is_some_state(loaded.aggregate, entries, loaded.before, loaded.after):
            yield f"a read that misses what was there: {loaded}"
    yield from _of_ends(run.sent, ids)


def _of_log(stream: StreamId, log: list[Entry]) -> Iterator[str]:
    if [entry.version for entry in log] != list(range(1, len(log) + 1)):
        yield f"versions of {stream} with a gap"
    for command, count in Counter(entry.command for entry in log).items():
        if count > 1:
            yield f"{command} recorded {count} times"
    if any(_balance(log[:version]) < 0 for version in range(len(log) + 1)):
        yield f"{stream} is overdrawn"


def _of_sent(sent: Sent, log: list[Entry]) -> Iterator[str]:
    """What is wrong with one answer: it has to fit the log at some moment before it came."""
    match sent.answer:
        case Handled(commit=commit, aggregate=aggregate, is_repeated=is_repeated):
            if commit not in log or commit.amount != sent.add.amount:
                yield f"an answer that the log does not have: {sent}"
            if not is_repeated and not sent.before < commit.version <= sent.after:
                yield f"recorded at another time than it was sent: {sent}"
            if not _is_some_state(aggregate, log, commit.version, sent.after):
                yield f"an aggregate that never was: {sent}"
        case OverdrawnError():
            if not any(
                _balance(log[:version]) + sent.add.amount < 0
                for version in range(sent.before, sent.after + 1)
            ):
                yield f"refused on what was long past: {sent}"
        case UnresolvedError():
            pass
        case error:
            yield f"another refusal: {error!r}"


def _of_ends(sent: list[Sent], recorded: set[str]) -> Iterator[str]:
    """What is wrong with the ends of commands: each came to one, which all answers agree on."""
    answers: dict[str, list[Handled[Ledger, Entry] | RefusalError]] = {}
    for each in sent:
        answers.setdefault(each.add.id, []).append(each.answer)
    for command, given in answers.items():
        commits = {answer.commit for answer in given if isinstance(answer, Handled)}
        if len(commits) > 1:
            yield f"{command} was answered by several commits"
        if not commits and command in recorded:
            yield f"{command} is recorded, but nobody was told"
        if all(isinstance(answer, UnresolvedError) for answer in given):
            yield f"{command} came to no end, though nothing fails any more"


def _is_some_state(ledger: Ledger | None, log: list[Entry], first: int, last: int) -> bool:
    known = [] if ledger is None else list(ledger.entries)
    return first <= len(known) <= last and known == log[: len(known)]


def _balance(log: list[Entry]) -> int:
    return sum(entry.amount for entry in log)


def test_every_command_comes_to_one_end_whatever_fails() -> None:
    counts: Counter[str] = Counter()
    for seed in SEEDS:
        run = Run(seed)
        assert run.violations() == []
        for sent in run.sent:
            counts[type(sent.answer).__name__] += 1
            counts["repeated"] += isinstance(sent.answer, Handled) and sent.answer.is_repeated
    # All ends are among the many, so that none is checked in vain.
    assert min(counts[name] for name in ("Handled", "OverdrawnError", "repeated")) > 400
    assert counts["UnresolvedError"] > 50


@dataclass(frozen=True, slots=True)
class Forgetful(Add):
    """A command that never finds itself answered."""

    def answered_by(self, aggregate: Ledger) -> int | None:  # noqa: ARG002
        return None


def forgetful(add: Add) -> Command[Ledger, Entry]:
    return Forgetful(add.id, add.amount)


class NeverRefreshed(Ledgers):
    async def _refreshed(
        self, stream: StreamId, through: Position | None = None
    ) -> Baseline[Ledger, Entry] | None:
        return self._kept.get(stream) or await super()._refreshed(stream, through)


class RefusingOnOldKnowledge(Ledgers):
    async def handle(
        self, stream: StreamId, command: Command[Ledger, Entry]
    ) -> Handled[Ledger, Entry]:
        known = self._kept.get(stream)
        if known is not None and command.answered_by(known.aggregate) is None:
            command.decide(known.aggregate)
        return await super().handle(stream, command)


class ReadingWhatIsKept(Ledgers):
    async def load(
        self, stream: StreamId, *, through: Position | None = None
    ) -> Baseline[Ledger, Entry] | None:
        return self._kept.get(stream) or await super().load(stream, through=through)


class TakingUnknownForFailed(Ledgers):
    async def _attempt(
        self,
        stream: StreamId,
        known: Baseline[Ledger, Entry] | None,
        command: Command[Ledger, Entry],
    ) -> Handled[Ledger, Entry]:
        try:
            return await super()._attempt(stream, known, command)
        except UnknownOutcomeError as error:
            raise OverdrawnError(0, 0) from error


class TakingUnknownForDone(Ledgers):
    async def _attempt(
        self,
        stream: StreamId,
        known: Baseline[Ledger, Entry] | None,
        command: Command[Ledger, Entry],
    ) -> Handled[Ledger, Entry]:
        try:
            return await super()._attempt(stream, known, command)
        except UnknownOutcomeError:
            decided = command.decide(None if known is None else known.aggregate)
            position = Position(1 if known is None else known.newest.position + 1)
            newest = Recorded(decided.commit, position)
            baseline = Baseline(decided.aggregate, newest, b"")
            return Handled(decided.commit, baseline, is_repeated=False)


@dataclass(frozen=True, slots=True)
class Unconditional:
    """A store that appends whatever the last commit is."""

    store: EventStore[Entry]

    async def append(self, stream: StreamId, commit: Entry, after: Mark) -> Mark:
        newest = await self.store.tail(stream, after)
        return await self.store.append(stream, commit, newest[-1].mark if newest else after)

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[Entry]]:
        return await self.store.tail(stream, after)

    async def read(self, stream: StreamId, at: Mark) -> Entry:
        return await self.store.read(stream, at)


@dataclass(slots=True)
class Lagging:
    """A store that is read from a replica, which often lacks the newest commit."""

    store: EventStore[Entry]
    reads: int = 0

    async def append(self, stream: StreamId, commit: Entry, after: Mark) -> Mark:
        return await self.store.append(stream, commit, after)

    async def tail(self, stream: StreamId, after: Mark) -> list[Recorded[Entry]]:
        self.reads += 1
        recorded = await self.store.tail(stream, after)
        return recorded[:-1] if self.reads % 3 == 0 else recorded

    async def read(self, stream: StreamId, at: Mark) -> Entry:
        return await self.store.read(stream, at)


def made_by(kind: type[Ledgers]) -> Made:
    return lambda store: kind(store, fold_entry, most_kept=len(STREAMS))


PLANTED: Final[dict[str, Callable[[int], Run]]] = {
    "a retry does not look for its answer": partial(Run, dressed=forgetful),
    "nothing is read after a conflict": partial(Run, made=made_by(NeverRefreshed)),
    "refused on old knowledge": partial(Run, made=made_by(RefusingOnOldKnowledge)),
    "read from what is kept": partial(Run, made=made_by(ReadingWhatIsKept)),
    "unknown is taken for failed": partial(Run, made=made_by(TakingUnknownForFailed)),
    "unknown is taken for done": partial(Run, made=made_by(TakingUnknownForDone)),
    "appended without expectation": partial(
        Run, made=lambda store: ledgers_on(Unconditional(store))
    ),
    "read from a replica that lags": partial(Run, made=lambda store: ledgers_on(Lagging(store))),
}


@pytest.mark.parametrize("fault", PLANTED)
def test_a_planted_fault_is_found(fault: str) -> None:
    assert any(PLANTED[fault](seed).violations() for seed in SEEDS_TO_CATCH)
