"""Consumers that work off what a stream holds: each message is handled at least once.

A message is acknowledged after its handler has returned, and comes again if the process dies
before. So whatever a handler does has to bear being done twice, and messages that a dead process
had in hand come again behind their successors.
"""

import asyncio
import contextlib
from bisect import insort
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Final

from nats.aio.msg import Msg
from nats.js.api import ConsumerConfig

from howff.servicekit.nats.connection import LINE_ERRORS, Connection
from howff.servicekit.nats.loops import ReadingLoop
from howff.servicekit.nats.pulling import Pulling
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.streams import check_consumer, durable, ensure_consumer
from howff.servicekit.retries import log_failure, retry_delay
from howff.servicekit.stopping import is_set_within
from howff.servicekit.telemetry.metrics import record_handled, record_pending
from howff.servicekit.telemetry.tracing import mark_failed, receiving

PULLED_WITHIN: Final = 1.0
"""Seconds that it waits for messages before the loop looks whether it is to stop."""
KEPT_BEHIND: Final = 3
"""Messages that stay in hand behind one of their key that fails, once room is needed."""
SHORTEST_ABSENCE: Final = 1.0
"""Seconds for which a message is handed back at least."""
LINE_WAIT: Final = 0.2
BEATS_PER_WAIT: Final = 3
"""Heartbeats in the time after which a message without one goes to another process."""

Handler = Callable[[Delivery], Awaitable[None]]
Key = Callable[[str], Hashable]
"""Tells from a subject which messages have to be handled one after another."""


@dataclass(frozen=True, slots=True)
class Work:
    """What is worked off, and how.

    *subject* narrows what is read of *stream*. Up to *concurrency* handlers run at once. Up to
    *in_hand* messages are held at once, waiting or handled; one that is not acknowledged within
    *ack_wait* seconds goes to another process, and those in hand are kept from it by heartbeats.

    With a *key*, messages of the same key are handled in their order: one whose handler fails is
    tried again here, while its successors wait. When those leave no room for other keys, all but a
    few are handed back to the server for a while, and may come again behind newer ones; and when
    that is not enough, all of the keys that fail. Without a key, each message that fails is handed
    back for whoever is next.

    The durable consumer is made where there is none, unless *is_made_elsewhere*: then it is waited
    for, by somebody who need not have the right to make one.
    """

    stream: str
    durable: str
    subject: str | None = None
    key: Key | None = None
    concurrency: int = 16
    in_hand: int = 256
    ack_wait: float = 30.0
    is_made_elsewhere: bool = False

    @property
    def wanted(self) -> ConsumerConfig:
        """How its durable consumer is configured."""
        return durable(self.durable, ack_wait=self.ack_wait, subject=self.subject)


@dataclass(slots=True)
class _Line:
    """The messages of one key: the first is being handled, the others wait for it in order."""

    positions: list[int]
    delay: float | None = None
    """Seconds for which the first pauses after its last failure; None if it has not failed."""
    is_pausing: bool = False

    def add(self, position: int) -> None:
        if position != self.positions[0]:  # handed back and come again, all during its pause
            insort(self.positions, position, lo=1)

    def surplus(self, kept: int) -> list[int]:
        """Take out what waits behind the first that fails, all but *kept* messages."""
        first = len(self.positions) if self.delay is None else 1 + kept
        surplus = self.positions[first:]
        del self.positions[first:]
        return surplus


class WorkConsumer(ReadingLoop):
    """Hands messages to *handler* for as long as it runs.

    Whatever the handler raises, its message is tried again: a refusal that says `retry_after` after
    so many seconds, anything else after a growing wait. What can never be handled it has to settle
    itself, and return. `handled` counts the messages that are done, `failed` the tries that raised.

    `run` also refuses with `ConsumerDiffersError` a durable consumer that is configured in another
    way, and with `JetStreamRefusedError` a stream that does not exist. `stop` lets the running
    handlers finish, and hands back what waits.
    """

    def __init__(self, connection: Connection, work: Work, handler: Handler) -> None:
        super().__init__(connection, f"consumer {work.durable!r} of stream {work.stream!r}")
        self.handled = 0
        self.failed = 0
        self.work = work
        self._handler = handler
        self._slots = asyncio.Semaphore(work.concurrency)
        self._in_hand: dict[int, Msg] = {}
        self._lines: dict[Hashable, _Line] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._bug: BaseException | None = None
        self._may_have_room = asyncio.Event()

    async def _rounds(self) -> None:
        beating = asyncio.create_task(self._beat(), name=f"heartbeats of {self._name}")
        try:
            await super()._rounds()
        finally:
            self._stopping.set()
            try:
                await asyncio.gather(*self._tasks, return_exceptions=True)  # `_forget` keeps them
            finally:
                beating.cancel()
        if self._bug:
            raise self._bug

    async def _round(self) -> None:
        work = self.work
        secure = check_consumer if work.is_made_elsewhere else ensure_consumer
        await secure(self._connection, work.stream, work.wanted)
        pulling = await Pulling.opened(self._connection, work.stream, work.durable)
        try:
            while not self._stopping.is_set():
                await self._pull(pulling)
        finally:
            for message in await pulling.close():
                with contextlib.suppress(*LINE_ERRORS):  # untold, it comes again too
                    await message.nak()

    async def _pull(self, pulling: Pulling) -> None:
        room = self.work.in_hand - len(self._in_hand)
        if room <= 0:
            await self._make_room()
            return
        messages = await pulling.more(room, PULLED_WITHIN)
        for message in messages:
            self._accept(message)
        behind = messages[-1].metadata.num_pending if messages else 0
        record_pending(self.work.durable, behind + len(self._in_hand))

    async def _make_room(self) -> None:
        """Hand back what waits for messages that fail, or these too; else wait for a while."""
        self._may_have_room.clear()
        for line in tuple(self._lines.values()):
            await self._hand_back(line, line.surplus(KEPT_BEHIND))
        if not self._may_have_room.is_set():
            for line in tuple(self._lines.values()):
                if line.is_pausing:
                    await self._hand_back(line, [*line.surplus(0), line.positions[0]])
        await is_set_within(self._may_have_room, PULLED_WITHIN)
        self._connection.check_not_lost()

    async def _hand_back(self, line: _Line, positions: list[int]) -> None:
        """Let go of messages at once; the server brings them again when the pause is over."""
        delay = max(line.delay or 0.0, SHORTEST_ABSENCE)
        messages = [self._in_hand.pop(each) for each in positions if each in self._in_hand]
        if messages:
            self._may_have_room.set()
        for message in messages:
            with contextlib.suppress(*LINE_ERRORS):  # untold, it comes again too
                await message.nak(delay=delay)

    def _accept(self, message: Msg) -> None:
        position = message.metadata.sequence.stream
        is_known = position in self._in_hand
        self._in_hand[position] = message  # of two deliveries the later one is acknowledged
        if is_known:
            return
        key = self.work.key(message.subject) if self.work.key else position
        if key in self._lines:
            self._lines[key].add(position)
            return
        self._lines[key] = _Line([position])
        task = asyncio.create_task(self._work_off(key))
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        """Let go of a task that has ended; one that broke ends the consumer, which is then seen."""
        self._tasks.discard(task)
        if not task.cancelled() and (bug := task.exception()):
            self._bug = self._bug or bug
            self._stopping.set()
            self._may_have_room.set()

    async def _work_off(self, key: Hashable) -> None:
        line = self._lines[key]
        while line.positions:
            await self._settle(line)
            line.positions.pop(0)
        del self._lines[key]

    async def _settle(self, line: _Line) -> None:
        """Handle the first message of *line* until it is done, or hand it back."""
        position = line.positions[0]
        line.delay = None
        tries = self._in_hand[position].metadata.num_delivered
        while not self._stopping.is_set():
            async with self._slots:
                if self._stopping.is_set():
                    break
                error = await self._failure(position)
            if error is None:
                await self._answer(position, Msg.ack)
                return
            line.delay = retry_delay(error, tries)
            if self.work.key is None:
                await self._answer(position, partial(Msg.nak, delay=line.delay))
                return
            line.is_pausing = True
            self._may_have_room.set()  # by handing it back
            await self._pause(line.delay)
            line.is_pausing = False
            if position not in self._in_hand:
                return  # handed back meanwhile
            tries += 1
        await self._answer(position, Msg.nak)

    async def _failure(self, position: int) -> BaseException | None:
        """Handle a message, and return what the handler raised."""
        delivery = Delivery.of(self._in_hand[position])
        with receiving(self.work.durable, delivery.subject, delivery.headers):
            try:
                await self._handler(delivery)
            except (Exception, asyncio.CancelledError) as error:
                if _is_being_cancelled():
                    raise
                self.failed += 1
                log_failure(f"{self._name}: {delivery.subject} at {delivery.position}", error)
                mark_failed(error)
                return error
        self.handled += 1
        record_handled(self.work.durable, delivery.recorded_at)
        return None

    async def _answer(self, position: int, answer: Callable[[Msg], Awaitable[None]]) -> None:
        """Tell the server what became of a message, as soon as the line is up."""
        while not self._connection.lost.is_set():
            try:
                await answer(self._in_hand[position])
                break
            except LINE_ERRORS:
                if self._stopping.is_set():
                    break  # untold, it comes again
                await self._pause(LINE_WAIT)
        del self._in_hand[position]
        self._may_have_room.set()

    async def _beat(self) -> None:
        """Tell the server again and again that what is in hand is being worked on."""
        while True:
            await asyncio.sleep(self.work.ack_wait / BEATS_PER_WAIT)
            for message in tuple(self._in_hand.values()):
                with contextlib.suppress(*LINE_ERRORS):  # the next beat may do
                    await message.in_progress()


def _is_being_cancelled() -> bool:
    """Tell whether this task is meant to end; a handler may be cancelled by what it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
