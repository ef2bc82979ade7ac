"""Feeds: what an audience is told, entry by entry, without a gap however its clients come and go.

Entries are numbered by audience where they are written. A client reads those after the number it
has, and waits. That there are new ones is told by nudges, which may get lost, and looked for at
each heartbeat. An audience is read once in this process, however many of its clients listen.
"""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Final, Protocol

from howff.engine.errors import RefusalError
from howff.servicekit.web.tokens import Until

READ_AT_ONCE: Final = 256
"""Entries."""
MOST_KEPT: Final = 256
"""Entries that are kept of an audience; a client that falls further behind is cut off."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Mark:
    """How far a client has been told; numbers of another epoch mean nothing."""

    epoch: str
    number: int


@dataclass(frozen=True, slots=True)
class Entry:
    """What an audience was told under a number; *data* is JSON."""

    number: int
    kind: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Reading:
    """Entries that follow on a number, and the newest mark at the time."""

    newest: Mark
    entries: tuple[Entry, ...]

    def follows(self, mark: Mark) -> bool:
        """Tell whether the entries go on after *mark* without a gap, as far as they reach."""
        numbers = [each.number for each in self.entries]
        is_gapless = numbers == list(range(mark.number + 1, mark.number + 1 + len(numbers)))
        has_all = bool(numbers) or mark.number == self.newest.number
        return mark.epoch == self.newest.epoch and is_gapless and has_all


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that stands in the lists of an audience, as JSON, when it had been told up to a mark."""

    mark: Mark
    data: bytes


@dataclass(frozen=True, slots=True)
class Frame:
    """What a client is told at once; *mark* is what it then has, None with a heartbeat."""

    kind: str
    mark: Mark | None
    data: bytes


class FeedSource(Protocol):
    """Where entries are read; all refuse with `DatabaseError` while they can't be read."""

    async def since(self, audience: str, number: int | None, most: int) -> Reading:
        """Return up to *most* entries after *number*; none for None."""
        ...

    async def newest(self, audiences: Collection[str]) -> Mapping[str, int]:
        """Return the newest numbers of *audiences* by audience; those told nothing are missing."""
        ...

    async def snapshot(self, audience: str) -> Snapshot:
        """Return what stands in the lists of *audience*."""
        ...


class Watcher:
    """One client that listens."""

    def __init__(self) -> None:
        self._woken = asyncio.Event()
        self._is_cut = False

    def wake(self) -> None:
        """Let the client look for what is new."""
        self._woken.set()

    def cut(self) -> None:
        """Tell the client nothing more."""
        self._is_cut = True
        self._woken.set()

    def listens(self) -> bool:
        """Tell whether the client may be told anything more."""
        return not self._is_cut

    async def woken(self) -> None:
        """Wait until there may be something new since the last wait."""
        await self._woken.wait()
        self._woken.clear()


class AudienceFeed:
    """What one audience is told, as far as this process has read it."""

    def __init__(self, source: FeedSource, audience: str) -> None:
        self._source = source
        self._audience = audience
        self._turn = asyncio.Lock()
        self._kept: deque[Entry] = deque(maxlen=MOST_KEPT)
        """The newest entries, without a gap."""
        self._newest: Mark | None = None
        self._snapshot: Snapshot | None = None
        self._may_be_behind = True
        self.watchers: set[Watcher] = set()
        self.beats = 0

    @property
    def number(self) -> int:
        """The newest number that was read."""
        return 0 if self._newest is None else self._newest.number

    def look_again(self) -> None:
        """Read on before anybody is told anything more, and let all clients look."""
        self._may_be_behind = True
        self.wake()

    def wake(self) -> None:
        """Let all clients look."""
        for watcher in self.watchers:
            watcher.wake()

    async def after(self, mark: Mark) -> tuple[Entry, ...] | None:
        """Return entries that follow *mark*, nothing at the end; None if they are not to be had.

        Raises:
            RefusalError: they can't be read now.
        """
        newest = await self._caught_up()
        if mark.epoch != newest.epoch or mark.number > newest.number:
            return None
        first = newest.number - len(self._kept) + 1
        if mark.number + 1 >= first:
            return tuple(islice(self._kept, mark.number + 1 - first, None))
        reading = await self._source.since(self._audience, mark.number, READ_AT_ONCE)
        return reading.entries if reading.follows(mark) else None

    async def snapshot(self) -> Snapshot:
        """Return a snapshot of now; all who ask before anything changes get the same one.

        Raises:
            RefusalError: it can't be read now.
        """
        newest = await self._caught_up()
        async with self._turn:
            known = self._snapshot
            if known is None or known.mark != newest:
                known = self._snapshot = await self._source.snapshot(self._audience)
                self._may_be_behind = True
        return known

    def is_left_behind(self, mark: Mark) -> bool:
        """Tell whether entries after *mark* are no longer kept."""
        return self.number - mark.number > MOST_KEPT

    async def _caught_up(self) -> Mark:
        """Read what is new, if something may be, and return the newest mark."""
        async with self._turn:
            while self._newest is None or self._may_be_behind:
                self._may_be_behind = False
                try:
                    self._newest = await self._read_on(self._newest)
                except BaseException:
                    self._may_be_behind = True
                    raise
            return self._newest

    async def _read_on(self, known: Mark | None) -> Mark:
        """Keep what follows *known*, and return how far that reaches."""
        number = None if known is None else known.number
        reading = await self._source.since(self._audience, number, READ_AT_ONCE)
        newest = reading.newest
        if known is None:
            self._may_be_behind = newest.number > 0
            return Mark(newest.epoch, max(newest.number - MOST_KEPT, 0))
        if not reading.follows(known):
            self._kept.clear()
            return newest
        self._kept.extend(reading.entries)
        mark = Mark(known.epoch, known.number + len(reading.entries))
        self._may_be_behind = self._may_be_behind or mark != newest
        return mark


class Feeds:
    """The feeds of all audiences that somebody listens to in this process."""

    def __init__(self, source: FeedSource) -> None:
        self._source = source
        self._open: dict[str, AudienceFeed] = {}
        self._is_cut = False

    @asynccontextmanager
    async def watch(
        self, audience: str, mark: Mark | None, until: Until
    ) -> AsyncIterator[AsyncIterator[Frame]]:
        """Give what *audience* is told after *mark*; a snapshot first, if that is not to be had.

        It breaks off once *until* says so, when the process ends, and when the client reads too
        slowly: it can come back with the last mark it has.

        Raises:
            RefusalError: it can't be read now.
        """
        watcher = Watcher()
        with self._feed(audience, watcher) as feed, until(watcher.cut):
            feed.look_again()
            snapshot = None
            if mark is None or await feed.after(mark) is None:
                snapshot = await feed.snapshot()
                mark = snapshot.mark
            if self._is_cut:
                watcher.cut()
            yield _frames(feed, watcher, mark, snapshot)

    def hear(self, audience: str, number: int) -> None:
        """Take notice that *audience* was told *number*."""
        feed = self._open.get(audience)
        if feed is not None and number > feed.number:
            feed.look_again()

    async def beat(self) -> None:
        """Look for what no nudge has told, and let every client hear that its feed is alive."""
        feeds = dict(self._open)
        newest: Mapping[str, int] = {}
        try:
            newest = await self._source.newest(feeds)
        except RefusalError as error:  # the next beat may do
            _log.warning("feeds can't be brought up to date: %s", error)
        for audience, feed in feeds.items():
            feed.beats += 1
            if newest.get(audience, feed.number) != feed.number:
                feed.look_again()
            feed.wake()

    def cut(self) -> None:
        """Send all clients away, those who come yet too, since this process ends."""
        self._is_cut = True
        for feed in self._open.values():
            for watcher in feed.watchers:
                watcher.cut()

    @contextmanager
    def _feed(self, audience: str, watcher: Watcher) -> Iterator[AudienceFeed]:
        feed = self._open.setdefault(audience, AudienceFeed(self._source, audience))
        feed.watchers.add(watcher)
        try:
            yield feed
        finally:
            feed.watchers.discard(watcher)
            if not feed.watchers:
                del self._open[audience]


async def _frames(
    feed: AudienceFeed, watcher: Watcher, mark: Mark, snapshot: Snapshot | None
) -> AsyncIterator[Frame]:
    """Yield *snapshot* and what follows *mark*, until the client is cut off."""
    beats, has_caught_up = feed.beats, False
    if snapshot is not None and watcher.listens():
        yield Frame("snapshot", mark, snapshot.data)
    while watcher.listens():
        entries = await _found(feed, mark)
        if entries is None or (has_caught_up and feed.is_left_behind(mark)):
            return
        for entry in entries:
            if not watcher.listens():
                return
            mark = Mark(mark.epoch, entry.number)
            yield Frame(entry.kind, mark, entry.data)
        if entries:
            continue
        has_caught_up = True
        if beats != feed.beats:
            beats = feed.beats
            yield Frame("heartbeat", None, b'{"number":%d}' % mark.number)
        await watcher.woken()


async def _found(feed: AudienceFeed, mark: Mark) -> tuple[Entry, ...] | None:
    """Return what follows *mark*; nothing as well while it can't be read."""
    try:
        return await feed.after(mark)
    except RefusalError as error:
        _log.warning("a feed can't be read on: %s", error)
        return ()
