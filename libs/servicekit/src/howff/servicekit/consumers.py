"""Consumers that work off what a stream holds: each message is handled at least once.

A message is acknowledged after its handler has returned, and comes again if the process dies
before. So whatever a handler does has to bear being done twice, and messages that a dead process
had in hand come again behind their successors.
"""

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Final

from nats.aio.msg import Msg
from nats.js.client import JetStreamContext

from howff.engine.errors import RefusalError
from howff.servicekit.nats.connection import LINE_ERRORS, Connection
from howff.servicekit.nats.loops import ReadingLoop
from howff.servicekit.nats.reading import Delivery, fetched
from howff.servicekit.nats.streams import answered, durable, ensure_consumer

logger = logging.getLogger(__name__)

FETCH_WITHIN: Final = 1.0
"""Seconds that a fetch waits before the loop looks whether it is to stop."""
FIRST_RETRY: Final = 0.1
LONGEST_RETRY: Final = 30.0
"""Seconds between two tries of a message whose handler fails; the first doubles up to the last."""
MOST_DOUBLINGS: Final = 16
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
    tried again here, while its successors wait. Without, it is handed back to the server for
    whoever is next.
    """

    stream: str
    durable: str
    subject: str | None = None
    key: Key | None = None
    concurrency: int = 16
    in_hand: int = 256
    ack_wait: float = 30.0


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
        self._work = work
        self._handler = handler
        self._slots = asyncio.Semaphore(work.concurrency)
        self._in_hand: dict[int, Msg] = {}
        self._waiting: dict[Hashable, deque[int]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._bug: BaseException | None = None
        self._has_room = asyncio.Event()
        self._has_room.set()

    async def _rounds(self) -> None:
        beating = asyncio.create_task(self._beat(), name=f"heartbeats of {self._name}")
        try:
            await super()._rounds()
        finally:
            self._stopping.set()
            await asyncio.gather(*self._tasks)
            beating.cancel()
        if self._bug:
            raise self._bug

    async def _round(self) -> None:
        work = self._work
        wanted = durable(work.durable, ack_wait=work.ack_wait, subject=work.subject)
        await ensure_consumer(self._connection, work.stream, wanted)
        bound = self._connection.jetstream.pull_subscribe_bind(work.durable, work.stream)
        pulling = await answered(self._name, bound)
        try:
            while not self._stopping.is_set():
                await self._pull(pulling)
        finally:
            with contextlib.suppress(*LINE_ERRORS):  # it ended with the line
                await pulling.unsubscribe()

    async def _pull(self, pulling: JetStreamContext.PullSubscription) -> None:
        room = self._work.in_hand - len(self._in_hand)
        if room <= 0:
            self._has_room.clear()
            await self._has_room.wait()
            return
        for message in await fetched(pulling, room, FETCH_WITHIN):
            self._accept(message)

    def _accept(self, message: Msg) -> None:
        position = message.metadata.sequence.stream
        is_known = position in self._in_hand
        self._in_hand[position] = message  # of two deliveries the later one is acknowledged
        if is_known:
            return
        key = self._work.key(message.subject) if self._work.key else position
        if key in self._waiting:
            self._waiting[key].append(position)
            return
        self._waiting[key] = deque([position])
        task = asyncio.create_task(self._work_off(key))
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        """Let go of a task that has ended; one that broke ends the consumer, which is then seen."""
        self._tasks.discard(task)
        if not task.cancelled() and (bug := task.exception()):
            self._bug = bug
            self._stopping.set()
            self._has_room.set()

    async def _work_off(self, key: Hashable) -> None:
        waiting = self._waiting[key]
        while waiting:
            await self._settle(waiting[0])
            waiting.popleft()
        del self._waiting[key]

    async def _settle(self, position: int) -> None:
        """Handle a message until it is done, or hand it back."""
        tries = self._in_hand[position].metadata.num_delivered
        while not self._stopping.is_set():
            async with self._slots:
                if self._stopping.is_set():
                    break
                error = await self._failure(position)
            if error is None:
                await self._answer(position, Msg.ack)
                return
            delay = retry_delay(error, tries)
            if self._work.key is None:
                await self._answer(position, partial(Msg.nak, delay=delay))
                return
            await self._pause(delay)
            tries += 1
        await self._answer(position, Msg.nak)

    async def _failure(self, position: int) -> BaseException | None:
        """Handle a message, and return what the handler raised."""
        delivery = Delivery.of(self._in_hand[position])
        try:
            await self._handler(delivery)
        except (Exception, asyncio.CancelledError) as error:
            if _is_being_cancelled():
                raise
            self.failed += 1
            log_failure(f"{self._name}: {delivery.subject} at {delivery.position}", error)
            return error
        self.handled += 1
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
        self._has_room.set()

    async def _beat(self) -> None:
        """Tell the server again and again that what is in hand is being worked on."""
        while True:
            await asyncio.sleep(self._work.ack_wait / BEATS_PER_WAIT)
            for message in tuple(self._in_hand.values()):
                with contextlib.suppress(*LINE_ERRORS):  # the next beat may do
                    await message.in_progress()


def wait_asked_for(error: BaseException) -> float | None:
    """Return after how many seconds a refusal says to try again; None if *error* says nothing."""
    asked = getattr(error, "retry_after", None) if isinstance(error, RefusalError) else None
    return None if asked is None else float(asked)


def retry_delay(error: BaseException, tries: int) -> float:
    """Return how many seconds to wait after the last of *tries* has failed with *error*."""
    asked = wait_asked_for(error)
    if asked is not None:
        return asked
    return min(FIRST_RETRY * (1 << min(tries - 1, MOST_DOUBLINGS)), LONGEST_RETRY)


def log_failure(what: str, error: BaseException) -> None:
    """Log that *what* has failed: with its trace, unless it is a refusal to be tried again."""
    if wait_asked_for(error) is None:
        logger.error("%s failed", what, exc_info=error)
    else:
        logger.info("%s: %s", what, error)


def _is_being_cancelled() -> bool:
    """Tell whether this task is meant to end; a handler may be cancelled by what it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
