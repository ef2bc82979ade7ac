"""Clients of one table: people who move, rightly and wrongly, and those who watch."""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterable, AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from typing import Any, Final

import orjson

from howff.engine.codec import JSON
from howff.engine.seats import Seat, Viewer
from howff.match.export import viewer_name
from support.histories.history import OK, Frame, Look, Order, Sent, Session
from support.histories.lines import LOST, Request
from support.histories.world import Table, World

NEWS_WITHIN: Final = 0.2
"""Seconds after which a client looks again by itself."""
LATEST: Final = 20
"""Twice as late as this version the last watchers come, if the match goes as far."""
HUNDRED: Final = 100


class Person:
    """Holds one seat of a table, and moves in one of many manners when it is to act."""

    def __init__(self, world: World, table: Table, seat: Seat) -> None:
        self._world = world
        self._table = table
        self._seat = seat
        self._rng = world.rng(f"{table.name}/{seat}")
        self._settled: list[Order] = []
        """What came to its end, whatever that was."""
        self._manners: tuple[Callable[[Order], Awaitable[object]], ...] = (
            *(self._settle,) * 8,
            *(self._plainly_expecting,) * 3,
            *(self._twice_at_once,) * 3,
            *(self._given_up,) * 3,
            self._later,
            self._wrongly,
            self._stale,
            self._under_an_old_id,
        )

    async def play(self) -> None:
        """Move until the table has had its moves."""
        while not (self._table.is_finished or self._world.is_over):
            listed = await self._look("moves")
            if listed is None:
                await self._pause(0.05)
            elif listed["version"] >= self._table.terms.most:
                self._table.is_finished = True
            elif listed["moves"]:
                await self._decide(listed)
            else:
                await self._idle()

    async def _look(self, reading: Any, after: int = 0) -> Any:
        look = Look(self._seat, reading, after)
        read = await self._world.look(self._table, look, self._replica())
        return None if read is None else read.content

    async def _decide(self, listed: Any) -> None:
        move = self._rng.roll("move", listed["moves"])["move"]
        order = self._order(move)
        await self._rng.roll("manner", self._manners)(order)
        if self._is_lucky(10):
            await self._look("events", self._rng.draw("after", self._table.newest))
        if self._is_lucky(2):
            await self._look("export")

    async def _idle(self) -> None:
        """Wait for news; meanwhile ask for what can't be, or for what was done long ago."""
        if self._settled and self._is_lucky(8):
            await self._settle(self._rng.roll("old", self._settled))
        elif self._settled and self._is_lucky(8):
            await self._settle(self._order(self._settled[-1].move))
        elif self._is_lucky(15):
            seen = await self._look("match")
            self._table.is_finished |= seen is not None and seen["is_over"]
        else:
            await self._table.news_within(NEWS_WITHIN)

    # The manners.

    async def _plainly_expecting(self, order: Order) -> None:
        await self._settle(replace(order, expected_version=self._table.newest))

    async def _twice_at_once(self, order: Order) -> None:
        await asyncio.gather(self._settle(order), self._settle(order))

    async def _given_up(self, order: Order) -> None:
        """Break off in the middle of a request, and send it again."""
        sending = self._world.send(self._table, order, self._replica())
        with suppress(TimeoutError):
            await asyncio.wait_for(sending, self._rng.draw("patience", 10) / 1000)
        await self._settle(order)

    async def _later(self, order: Order) -> None:
        """Send what others may have overtaken by then."""
        await self._pause(0.03)
        await self._settle(replace(order, expected_version=self._table.newest))

    async def _wrongly(self, order: Order) -> None:
        """Send a move of another time, or one that is none."""
        nonsense = {"type": order.move["type"], "data": {"nonsense": 1}}
        moves = [each.move for each in self._settled[-3:]]
        await self._settle(replace(order, move=self._rng.roll("wrong", [nonsense, *moves])))

    async def _stale(self, order: Order) -> None:
        await self._settle(replace(order, expected_version=max(1, self._table.newest - 1)))

    async def _under_an_old_id(self, order: Order) -> None:
        if self._settled:
            order = replace(order, command=self._rng.roll("old", self._settled).command)
        await self._settle(order)

    async def _settle(self, order: Order) -> None:
        """Send *order* until there is an answer that stands."""
        deadline = time.monotonic() + self._world.patience
        sent = await self._try(order)
        while not sent.is_settled and time.monotonic() < deadline:
            await self._pause(0.1)
            sent = await self._try(order)
        self._settled.append(order)
        self._world.settled += 1
        if self._is_lucky(30):
            await self._look("match")

    async def _try(self, order: Order) -> Sent:
        return await self._world.send(self._table, order, self._replica())

    def _order(self, move: JSON) -> Order:
        return Order(self._table.match, self._seat, self._world.new_key(), move)

    def _replica(self) -> int:
        return self._rng.draw("replica", len(self._world.replicas))

    def _is_lucky(self, share: int) -> bool:
        return self._rng.draw("luck", HUNDRED) < share

    async def _pause(self, most: float) -> None:
        await asyncio.sleep(most * self._rng.draw("pause", HUNDRED) / HUNDRED)


class Watcher:
    """Follows a table to its end by a feed that is cut at random."""

    def __init__(self, world: World, table: Table, viewer: Viewer, name: str) -> None:
        self._world = world
        self._table = table
        self._rng = world.rng(f"{table.name}/{name}")
        self._comes_at = self._rng.draw("comes", 3) * self._rng.draw("comes", LATEST)
        """From which version on it watches."""
        self.session = Session(table.match, viewer, 0)
        world.history.sessions.append(self.session)

    async def watch(self) -> None:
        """Come at some time, and follow until everything was told."""
        while self._table.newest < self._comes_at and self._table.final is None:
            await self._table.news_within(NEWS_WITHIN)
        while not self._has_all():
            with suppress(*LOST):  # it comes back
                await self._connection(1 + self._rng.draw("frames", 40))
            await asyncio.sleep(self._rng.draw("pause", 100) / 1000)
            if not self._rng.draw("look", 5):
                look = Look(self.session.viewer, self._rng.roll("look", ("match", "events")))
                await self._world.look(self._table, look, self._replica())
        self.session.is_complete = True

    async def _connection(self, most: int) -> None:
        """Read up to so many frames by one connection."""
        asked = time.monotonic()
        form, frames_of = self._rng.roll("form", FORMS)
        async with self._asking(form) as (status, parts):
            self.session.statuses.append(status)
            if status != OK:
                return
            async for kind, version, line in frames_of(parts):
                frame = Frame(kind, version, line, time.monotonic(), asked)
                self.session.frames.append(frame)
                self._table.hear(version)
                most -= 1
                if not most or self._has_all():
                    return

    def _asking(
        self, form: str
    ) -> AbstractAsyncContextManager[tuple[int, AsyncGenerator[bytes, None]]]:
        session, path = self.session, f"{self._table.path}/events"
        headers = {"Accept": form, **self._world.headers(self._table.account(session.viewer))}
        if form == EVENTS:
            headers["Last-Event-ID"] = str(session.told)
        else:  # and where it was told to come back, and whose eyes it has, stand in the query
            path = f"{path}?after={session.told}&as={viewer_name(session.viewer)}"
        return self._world.replicas[self._replica()].stream(Request("GET", path, headers))

    def _replica(self) -> int:
        return self._rng.draw("replica", len(self._world.replicas))

    def _has_all(self) -> bool:
        return self._table.final is not None and self.session.told >= self._table.final


Told = tuple[str, int, bytes]
"""A frame: its kind, the version that it tells, and the line of its commit."""


async def events_of(parts: AsyncIterable[bytes]) -> AsyncIterator[Told]:
    async for each in _split(parts, b"\n\n"):
        fields = dict(line.split(b": ", 1) for line in each.split(b"\n"))
        line = fields[b"data"]
        version = orjson.loads(line)["version"]
        if b"id" in fields:
            assert int(fields[b"id"]) == version, each
        yield fields[b"event"].decode(), version, line


async def lines_of(parts: AsyncIterable[bytes]) -> AsyncIterator[Told]:
    async for line in _split(parts, b"\n"):
        content = orjson.loads(line)
        if "version" in content:
            yield "commit", content["version"], line
        else:
            ((kind, version),) = content.items()
            yield kind, version, line


async def _split(parts: AsyncIterable[bytes], end: bytes) -> AsyncIterator[bytes]:
    rest = b""
    async for content in parts:
        *whole, rest = (rest + content).split(end)
        for each in whole:
            yield each


EVENTS: Final = "text/event-stream"
FORMS: Final = ((EVENTS, events_of), ("application/x-ndjson", lines_of))
"""The forms of a feed, each with who reads it."""
