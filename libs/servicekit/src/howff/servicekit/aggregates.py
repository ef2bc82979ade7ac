"""Commands of event-sourced aggregates: fold, decide, append; again where another was first.

What was folded once is kept as a baseline, so that a command on a known aggregate costs one append.
A baseline may be behind: an append then fails, and before anything is refused the stream's newest
commits are read. Nothing else is remembered, so any replica may serve any aggregate.
"""

import asyncio
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from struct import Struct
from typing import Final, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

from howff.engine.errors import RefusalError
from howff.servicekit.eventstore.errors import (
    ConflictError,
    EventStoreError,
    UnavailableError,
    UnknownOutcomeError,
)
from howff.servicekit.eventstore.store import (
    BEGINNING,
    CommitLike,
    EventStore,
    Mark,
    Position,
    Recorded,
    StreamId,
)
from howff.servicekit.telemetry.metrics import count_baseline, counted_command

A = TypeVar("A")
C = TypeVar("C", bound=CommitLike)
T = TypeVar("T")

PATIENCE: Final = 9.0
"""Seconds for which a command is tried again; an election of the stream's leader takes up to 6."""
FIRST_PAUSE: Final = 0.01
LONGEST_PAUSE: Final = 1.0
LONGEST_PAUSE_OF_RACE: Final = 0.05
"""Seconds after a conflict: who waits much longer than the others do never comes first."""


@dataclass(frozen=True, slots=True)
class Decided(Generic[A, C]):
    """What a command adds: a commit, and the aggregate after it.

    A commit that has to come first, before the command itself is judged, is no answer to it: the
    command then decides again.
    """

    commit: C
    aggregate: A
    is_answer: bool = True


class Command(Protocol[A, C]):
    """A command, bound to who gives it and under which id."""

    @property
    def id(self) -> str: ...

    @property
    def kind(self) -> str:
        """Return what kind of command it is, one of few, by which commands are counted."""
        ...

    def answered_by(self, aggregate: A) -> int | None:
        """Return the version of the commit that this command has made before, if it has."""
        ...

    def check_repeated(self, aggregate: A, commit: C) -> None:
        """Refuse to take *commit* for the answer if it answers another command under this id."""
        ...

    def decide(self, aggregate: A | None) -> Decided[A, C]:
        """Return what the command adds; None stands for an aggregate without commits."""
        ...


@dataclass(frozen=True, slots=True)
class Baseline(Generic[A, C]):
    """An aggregate as its commits up to *newest* have made it."""

    aggregate: A
    newest: Recorded[C]
    positions: bytes = field(repr=False)
    """Where its commits stand, eight bytes each, in order of version."""

    @property
    def mark(self) -> Mark:
        return self.newest.mark

    def mark_at(self, version: int) -> Mark:
        """Return the mark of an earlier *version*, from 0."""
        if version == 0:
            return BEGINNING
        return Mark(version, self._position(version))

    def version_at(self, position: Position) -> int:
        """Return the version of the commit that stands at *position*.

        Raises:
            LookupError: none of its commits does.
        """
        versions = range(1, self.mark.version + 1)
        found = bisect_left(versions, position, key=self._position)
        if found == len(versions) or self._position(versions[found]) != position:
            raise LookupError(position)
        return versions[found]

    def _position(self, version: int) -> Position:
        (position,) = _POSITION.unpack_from(self.positions, (version - 1) * _POSITION.size)
        return Position(position)


_POSITION = Struct(">Q")


@dataclass(frozen=True, slots=True)
class Handled(Generic[A, C]):
    """The commit that answers a command, and the aggregate as it stands."""

    commit: C
    baseline: Baseline[A, C]
    is_repeated: bool
    """Whether the command had been handled before."""

    @property
    def aggregate(self) -> A:
        return self.baseline.aggregate


class UnresolvedError(EventStoreError):
    """A command could not be brought to an end in time; sent again under its id it is done once."""

    code = "unresolved"
    retry_after = 1

    def __init__(self, command: str, patience: float) -> None:
        expected = f"the store to settle command {command!r} within {patience:g} s"
        super().__init__("unresolved command", expected=expected, found="no answer")


def _no_labels(_: object) -> Mapping[str, str]:
    return {}


class Aggregates(Generic[A, C]):
    """The aggregates of one kind: handles their commands and keeps the newest baselines.

    What fails and may pass is tried again for *patience* seconds. *labels* say what kind of
    aggregate a command was for, where commands are counted: few values, and no secrets.
    """

    def __init__(
        self,
        store: EventStore[C],
        fold: Callable[[A | None, C], A],
        *,
        most_kept: int,
        patience: float = PATIENCE,
        labels: Callable[[A], Mapping[str, str]] = _no_labels,
    ) -> None:
        self._store = store
        self._fold = fold
        self._most_kept = most_kept
        self._patience = patience
        self._labels = labels
        self._kept: OrderedDict[StreamId, Baseline[A, C]] = OrderedDict()
        self._turns: WeakValueDictionary[StreamId, asyncio.Lock] = WeakValueDictionary()

    async def handle(self, stream: StreamId, command: Command[A, C]) -> Handled[A, C]:
        """Bring *command* to its one end, however often it comes and whatever fails meanwhile.

        Raises:
            RefusalError: the aggregate refuses it, as it stands at the stream's leader.
            UnresolvedError: the store gave no answer in time; the command may have been recorded.
        """
        with counted_command(command.kind, partial(self._labels_of, stream)):
            return await self._handled(stream, command)

    async def _handled(self, stream: StreamId, command: Command[A, C]) -> Handled[A, C]:
        end = self._end_of_patience()
        try:
            async with self._turn(stream, end):
                known = self._found(stream)
                if known is not None:
                    # What a baseline refuses may be right by now; what failed may have succeeded;
                    # and what was answered before is answered by the aggregate as it stands now.
                    with suppress(RefusalError):
                        if command.answered_by(known.aggregate) is None:
                            return await self._attempt(stream, known, command)
                return await _patiently(lambda: self._fresh_attempt(stream, command), end)
        except _UNSETTLED as error:
            raise UnresolvedError(command.id, self._patience) from error

    async def load(
        self, stream: StreamId, *, through: Position | None = None
    ) -> Baseline[A, C] | None:
        """Return the aggregate with whatever was acknowledged before; None if it has no commits.

        Who knows of a commit that stands at *through* takes any that has come as far.

        Raises:
            UnavailableError: the store can't be reached, or has not come as far.
        """
        known = self._found(stream)
        if known is not None and through is not None and known.newest.position >= through:
            self._keep(stream, known)
            return known
        end = self._end_of_patience()
        async with self._turn(stream, end):
            return await _patiently(lambda: self._refreshed(stream, through), end)

    async def since(self, stream: StreamId, after: Mark) -> list[Recorded[C]]:
        """Return the commits of *stream* that follow *after*, up to the newest.

        Raises:
            UnavailableError: the store can't be reached.
        """
        return await _patiently(lambda: self._store.tail(stream, after), self._end_of_patience())

    async def commit(self, stream: StreamId, base: Baseline[A, C], version: int) -> C:
        """Return the commit that has made *version* of what *base* knows.

        Raises:
            UnavailableError: the store can't be reached, or does not have that version.
        """
        if version == base.mark.version:
            return base.newest.commit
        at, end = base.mark_at(version), self._end_of_patience()
        return await _patiently(lambda: self._store.read(stream, at), end)

    def follow(
        self, stream: StreamId, base: Baseline[A, C], next_one: Recorded[C]
    ) -> Baseline[A, C]:
        """Return the aggregate after *next_one*, which was recorded right after *base*."""
        known = self._kept.get(stream)
        if known is not None and known.mark == next_one.mark:
            return known
        followed = self._after(base, next_one)
        self._keep(stream, followed)
        return followed

    async def _fresh_attempt(self, stream: StreamId, command: Command[A, C]) -> Handled[A, C]:
        known = await self._refreshed(stream)
        version = None if known is None else command.answered_by(known.aggregate)
        if known is None or version is None:
            return await self._attempt(stream, known, command)
        commit = await self.commit(stream, known, version)
        command.check_repeated(known.aggregate, commit)
        return Handled(commit, known, is_repeated=True)

    async def _attempt(
        self, stream: StreamId, known: Baseline[A, C] | None, command: Command[A, C]
    ) -> Handled[A, C]:
        while True:
            decided = command.decide(None if known is None else known.aggregate)
            after = BEGINNING if known is None else known.mark
            mark = await self._store.append(stream, decided.commit, after)
            recorded = Recorded(decided.commit, mark.position)
            known = _joined(known, decided.aggregate, recorded)
            self._keep(stream, known)
            if decided.is_answer:
                return Handled(decided.commit, known, is_repeated=False)

    async def _refreshed(
        self, stream: StreamId, through: Position | None = None
    ) -> Baseline[A, C] | None:
        known = self._kept.get(stream)
        for recorded in await self._store.tail(stream, BEGINNING if known is None else known.mark):
            known = self._after(known, recorded)
        newest = 0 if known is None else known.newest.position
        if through is not None and newest < through:
            raise UnavailableError(expected=f"position {through}", found=f"position {newest}")
        if known is not None:
            self._keep(stream, known)
        return known

    def _found(self, stream: StreamId) -> Baseline[A, C] | None:
        known = self._kept.get(stream)
        count_baseline(is_kept=known is not None)
        return known

    def _labels_of(self, stream: StreamId) -> Mapping[str, str]:
        known = self._kept.get(stream)
        return {} if known is None else self._labels(known.aggregate)

    def _after(self, base: Baseline[A, C] | None, next_one: Recorded[C]) -> Baseline[A, C]:
        aggregate = self._fold(None if base is None else base.aggregate, next_one.commit)
        return _joined(base, aggregate, next_one)

    def _keep(self, stream: StreamId, baseline: Baseline[A, C]) -> None:
        """Keep *baseline* or the newer one that is kept already, as the last to be let go."""
        known = self._kept.get(stream)
        if known is None or known.mark < baseline.mark:
            self._kept[stream] = baseline
        self._kept.move_to_end(stream)
        if len(self._kept) > self._most_kept:
            self._kept.popitem(last=False)

    def _end_of_patience(self) -> float:
        return asyncio.get_running_loop().time() + self._patience

    @asynccontextmanager
    async def _turn(self, stream: StreamId, end: float) -> AsyncIterator[None]:
        """Let the commands on one aggregate go one after the other."""
        lock = self._turns.get(stream)
        if lock is None:
            lock = self._turns[stream] = asyncio.Lock()
            await lock.acquire()  # at once: nobody else knows it
        else:
            await _acquired_by(end, lock)
        try:
            yield
        finally:
            lock.release()


def _joined(base: Baseline[A, C] | None, aggregate: A, newest: Recorded[C]) -> Baseline[A, C]:
    before = b"" if base is None else base.positions
    return Baseline(aggregate, newest, before + _POSITION.pack(newest.position))


_UNSETTLED = (ConflictError, UnknownOutcomeError, UnavailableError)


async def _acquired_by(end: float, lock: asyncio.Lock) -> None:
    try:
        async with asyncio.timeout_at(end):
            await lock.acquire()
    except TimeoutError as error:
        raise UnavailableError(expected="earlier commands to end", found="none") from error


async def _patiently(attempt: Callable[[], Awaitable[T]], end: float) -> T:
    """Return what *attempt* brings, tried again after what may pass, until *end* (loop time)."""
    pause = FIRST_PAUSE / 2
    while True:
        try:
            return await attempt()
        except _UNSETTLED as error:
            is_lost_race = isinstance(error, ConflictError)
            pause = min(2 * pause, LONGEST_PAUSE_OF_RACE if is_lost_race else LONGEST_PAUSE)
            if asyncio.get_running_loop().time() + pause > end:
                raise
        await asyncio.sleep(pause)
