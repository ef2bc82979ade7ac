"""Feeds: the commits of a match, told to whoever watches, as they are recorded.

A match that is watched has one feed in this process. It follows the stream alone, so that nobody
is told what was not recorded, and redacts each commit once for each pair of eyes and each voice in
which they are told, however many look through them.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, nullcontext
from dataclasses import dataclass
from typing import Final, Literal

from howff.engine.errors import RefusalError
from howff.engine.seats import Viewer
from howff.game.application.matches import KnownMatch, stream_of
from howff.game.application.ports import Committed, MatchAggregates, Subscription
from howff.game.domain.errors import NoSuchVersionError
from howff.game.domain.telling import Voice, as_it_is
from howff.match.commit import Commit, MatchId
from howff.match.match import Match
from howff.servicekit.aggregates import Baseline
from howff.servicekit.eventstore.store import Recorded
from howff.servicekit.web.tokens import Until

MOST_WAITING: Final = 256
"""How many frames may wait for a slow client before it is cut off; it can come back for them."""

Audience = tuple[Viewer, Voice]
"""Those who are told the same."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What a feed tells at once."""

    kind: Literal["commit", "heartbeat", "over"]
    version: int
    line: bytes = b""
    """The commit as JSON, or what it says."""


class Watcher:
    """One client of a feed: the frames that wait for it."""

    def __init__(self) -> None:
        self._frames: asyncio.Queue[Frame | None] = asyncio.Queue()
        self._is_cut = False
        self.is_dismissed = False
        """Whether the client may be told nothing more, not even what waits."""

    def tell(self, frame: Frame) -> None:
        """Let *frame* wait for the client; one that is too slow is cut off."""
        if self._frames.qsize() >= MOST_WAITING:
            self.cut()
        elif not self._is_cut:
            self._frames.put_nowait(frame)

    def cut(self) -> None:
        """Tell nothing more after what waits."""
        if not self._is_cut:
            self._is_cut = True
            self._frames.put_nowait(None)

    def dismiss(self) -> None:
        """Tell nothing more at all."""
        self.is_dismissed = True
        self.cut()

    async def frames(self) -> AsyncIterator[Frame]:
        """Yield the frames until the match is over or the client is cut off."""
        while (frame := await self._frames.get()) is not None:
            yield frame
            if frame.kind == "over":
                return


class MatchFeed:
    """What is told of one match in this process."""

    def __init__(
        self,
        aggregates: MatchAggregates,
        committed: Committed,
        base: Baseline[Match, Commit],
        seed: bytes,
    ) -> None:
        self._aggregates = aggregates
        self._committed = committed
        self._base = base
        self._seed = seed
        self._stream = stream_of(base.aggregate.id)
        self._subscription: Subscription | None = None
        self._turn = asyncio.Lock()
        self._watchers: dict[Audience, set[Watcher]] = {}
        self._told_again: dict[Audience, dict[int, Frame]] = {}
        self.users = 0
        """How many clients have a part in it."""

    @property
    def match(self) -> Match:
        return self._base.aggregate

    async def receive(self, recorded: Recorded[Commit]) -> None:
        """Tell of a commit that was recorded; of those between it and the last one too."""
        async with self._turn:
            expected = self._base.mark.version + 1
            if recorded.commit.version == expected:
                self._tell(recorded)
            elif recorded.commit.version > expected:
                await self._catch_up()

    async def beat(self) -> None:
        """Tell whatever was missed, and which version is the newest."""
        async with self._turn:
            await self._catch_up()
        self._to_all(Frame("heartbeat", self._base.mark.version))

    async def attach(self, audience: Audience, watcher: Watcher, *, after: int, known: int) -> int:
        """Let *watcher* be told with its *audience* what comes after the version returned.

        That is *known*, the newest when it was asked for, or a later one: what had happened before
        is read again, and not told as if it happened now.

        Raises:
            NoSuchVersionError: the match has not come as far as *after*.
        """
        async with self._turn:
            if self._subscription is None:
                # It listens before it reads, so that nothing falls between.
                self._subscription = await self._committed.subscribe(self._stream, self.receive)
                await self._catch_up()
            elif max(after, known) > self._base.mark.version:
                await self._catch_up()
            newest = self._base.mark.version
            if after > newest:
                raise NoSuchVersionError(newest, after)
            self._watchers.setdefault(audience, set()).add(watcher)
        if self.match.is_over:
            watcher.tell(Frame("over", newest))
        return newest

    def detach(self, audience: Audience, watcher: Watcher) -> None:
        """Forget *watcher*."""
        watchers = self._watchers.get(audience, set())
        watchers.discard(watcher)
        if not watchers:
            self._watchers.pop(audience, None)

    async def backlog(self, audience: Audience, after: int, newest: int) -> AsyncIterator[Frame]:
        """Yield the commits after *after* up to *newest*, as they are read again now."""
        if after == newest:
            return
        commits = await self._aggregates.since(self._stream, self._base.mark_at(after))
        for recorded in commits[: newest - after]:
            yield self._again(audience, recorded.commit)
            # A long log is many small steps, between which others get their turn.
            await asyncio.sleep(0)

    async def end(self) -> None:
        """Listen no longer."""
        if self._subscription is not None:
            await self._subscription.end()

    def cut(self) -> None:
        """Send all clients away; they come back, perhaps to another process."""
        for watchers in self._watchers.values():
            _cut(watchers)

    async def _catch_up(self) -> None:
        for recorded in await self._aggregates.since(self._stream, self._base.mark):
            self._tell(recorded)

    def _tell(self, recorded: Recorded[Commit]) -> None:
        self._base = self._aggregates.follow(self._stream, self._base, recorded)
        self._told_again.clear()
        for audience, watchers in self._watchers.items():
            try:
                frame = self._frame(audience, recorded.commit, live=True)
            except Exception:  # noqa: BLE001 — of one audience: all others go on without a gap
                _log.exception("%s can't be told to %s", self._stream, audience[0])
                _cut(watchers)
                continue
            for watcher in watchers:
                watcher.tell(frame)
        if self.match.is_over:
            self._to_all(Frame("over", recorded.commit.version))

    def _to_all(self, frame: Frame) -> None:
        for watchers in self._watchers.values():
            for watcher in watchers:
                watcher.tell(frame)

    def _again(self, audience: Audience, commit: Commit) -> Frame:
        told = self._told_again.setdefault(audience, {})
        if commit.version not in told:
            told[commit.version] = self._frame(audience, commit, live=False)
        return told[commit.version]

    def _frame(self, audience: Audience, commit: Commit, *, live: bool) -> Frame:
        viewer, voice = audience
        told = KnownMatch(self._base, self._seed).told(commit, viewer, live=live)
        return Frame("commit", commit.version, voice(self.match, told, viewer))


class Feeds:
    """The feeds of all matches that are watched in this process."""

    def __init__(self, aggregates: MatchAggregates, committed: Committed) -> None:
        self._aggregates = aggregates
        self._committed = committed
        self._open: dict[MatchId, MatchFeed] = {}
        self._is_cut = False

    @asynccontextmanager
    async def watch(
        self,
        known: KnownMatch,
        viewer: Viewer,
        after: int,
        until: Until | None = None,
        voice: Voice = as_it_is,
    ) -> AsyncIterator[AsyncIterator[Frame]]:
        """Give the frames of a match after version *after*: what there is, then what comes.

        Its commits are told by *voice*. They break off once *until* says so.

        Raises:
            NoSuchVersionError: the match has not come as far.
            UnavailableError: the store can't be reached.
        """
        watcher, audience = Watcher(), (viewer, voice)
        async with self._feed(known) as feed:
            with until(watcher.dismiss) if until else nullcontext():
                newest = await feed.attach(
                    audience, watcher, after=after, known=known.match.version
                )
                if self._is_cut:
                    watcher.cut()
                try:
                    yield _told(watcher, feed.backlog(audience, after, newest), watcher.frames())
                finally:
                    feed.detach(audience, watcher)

    async def beat(self) -> None:
        """Let every feed tell what it has missed, and its newest version."""
        await asyncio.gather(*map(_beat, tuple(self._open.values())))

    def cut(self) -> None:
        """Send all clients away, those who come yet too, since this process ends."""
        self._is_cut = True
        for feed in self._open.values():
            feed.cut()

    @asynccontextmanager
    async def _feed(self, known: KnownMatch) -> AsyncIterator[MatchFeed]:
        match = known.match.id
        feed = self._open.get(match)
        if feed is None:
            feed = MatchFeed(self._aggregates, self._committed, known.base, known.seed)
            self._open[match] = feed
        feed.users += 1
        try:
            yield feed
        finally:
            feed.users -= 1
            if not feed.users:
                del self._open[match]
                await feed.end()


async def _beat(feed: MatchFeed) -> None:
    try:
        await feed.beat()
    except RefusalError as error:  # of one match, which is no reason to leave the others
        _log.warning("a feed can't be brought up to date: %s", error)
    except Exception:  # noqa: BLE001 — of one match, too
        _log.exception("the feed of match %s can't go on", feed.match.id)
        feed.cut()


def _cut(watchers: set[Watcher]) -> None:
    for watcher in watchers:
        watcher.cut()


async def _told(watcher: Watcher, *parts: AsyncIterator[Frame]) -> AsyncIterator[Frame]:
    """Yield what all *parts* give, as long as the client of *watcher* may be told anything."""
    for part in parts:
        async for frame in part:
            if watcher.is_dismissed:
                return
            yield frame


_log = logging.getLogger(__name__)
