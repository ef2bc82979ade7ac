"""Projections: what a stream tells, applied in its order, each message once.

A projection keeps how far it has read beside what it made of it, and writes both in one
transaction. So it may be killed at any moment, and goes on exactly where it was.
"""

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol, TypeVar

from nats.js.api import ConsumerConfig, DeliverPolicy, StreamInfo

from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import StreamLostError
from howff.servicekit.nats.loops import ReadingLoop
from howff.servicekit.nats.reading import Delivery, StreamReader, stored_at
from howff.servicekit.nats.streams import RETRY_WAIT, SETTLED_WITHIN, answered
from howff.servicekit.retries import log_failure, retry_delay, wait_asked_for
from howff.servicekit.telemetry.metrics import record_handled
from howff.servicekit.telemetry.tracing import mark_failed, receiving

logger = logging.getLogger(__name__)

READ_WITHIN: Final = 1.0
"""Seconds that a read waits before the loop looks whether it is to stop."""
TRIES: Final = 5
"""Tries of a message that fails, before it is put aside."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """How far a projection has read (0: nothing yet), and of which stream.

    *created* is when the stream was made: one that was made anew counts from 1 again. One that was
    made of a backup does not.
    """

    position: int
    created: str


class Projection(Protocol):
    """What is made of a stream, and how far; each call is one transaction.

    Of two processes that project the same, one finds the position taken: `apply` has to look at the
    stored checkpoint, and to change nothing where it is there already.
    """

    async def checkpoint(self) -> Checkpoint | None:
        """Return how far it has read; None before `begin`."""
        ...

    async def begin(self, checkpoint: Checkpoint) -> None:
        """Store the first checkpoint."""
        ...

    async def apply(self, position: int, subject: str, payload: bytes) -> None:
        """Store what the message tells, if anything, and that it has been read."""
        ...

    async def quarantine(self, position: int, subject: str, error: Exception) -> None:
        """Store that the message could not be applied, and that it has been read."""
        ...


class Projector(ReadingLoop):
    """Applies all messages of *stream* to *projection* for as long as it runs.

    A message that fails is tried a few times, then quarantined, and the rest goes on; a refusal
    that says `retry_after` is waited for as long as it takes. `run` also refuses with
    `StreamLostError` a stream that was made anew, or that has less than was read of it: not at the
    first answer, for a leader that was frozen may answer from its old state when it wakes up.

    *foresee* hears of messages that have come and will be applied, so that what they need can be
    got meanwhile; it hears of some again, and of none that was missed at first.
    """

    def __init__(
        self,
        connection: Connection,
        stream: str,
        projection: Projection,
        foresee: Callable[[Sequence[Delivery]], None] = lambda _: None,
    ) -> None:
        super().__init__(connection, f"projector of stream {stream!r}")
        self.position = 0
        """The last position that was applied or quarantined."""
        self.stream = stream
        self._projection = projection
        self._foresee = foresee

    async def _round(self) -> None:
        self.position = await self._start()
        start = ConsumerConfig(
            deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=self.position + 1
        )
        reader = await StreamReader.opened(self._connection, self.stream, start)
        try:
            while not self._stopping.is_set():
                deliveries = await reader.more(READ_WITHIN)
                if deliveries:
                    self._foresee(deliveries)
                for delivery in deliveries:
                    await self._take(delivery)
        finally:
            await reader.close()

    async def _start(self) -> int:
        """Return the position that was read last."""
        info = await self._info()
        created = info.created.isoformat() if info.created else ""
        checkpoint = await self._projection.checkpoint()
        if checkpoint is None:
            checkpoint = Checkpoint(0, created)
            await self._projection.begin(checkpoint)
        if checkpoint.created != created and not await self._is_restored(info, checkpoint):
            raise self._lost(f"one made at {checkpoint.created}", f"one made at {created}")
        await self._reach(checkpoint.position)
        return checkpoint.position

    async def _is_restored(self, info: StreamInfo, checkpoint: Checkpoint) -> bool:
        """Tell whether the stream was made of a backup of the one that was read.

        Then it has messages that are older than itself, and none that is older than that one.
        """
        first = await stored_at(self._connection, self.stream, info.state.first_seq)
        if first is None or first.recorded_at is None or info.created is None:
            return False
        return datetime.fromisoformat(checkpoint.created) <= first.recorded_at < info.created

    async def _take(self, delivery: Delivery) -> None:
        """Apply *delivery* if it is the next; whatever it shows to be missing comes before it."""
        while not self._stopping.is_set() and self.position < delivery.position:
            following = self.position + 1
            if following == delivery.position:
                await self._settle(delivery)
            elif missing := await self._missing(following):
                await self._settle(missing)

    async def _info(self) -> StreamInfo:
        info = self._connection.jetstream.stream_info(self.stream)
        return await answered(f"stream {self.stream!r}", info)

    async def _reach(self, position: int) -> None:
        """Return once the stream has *position*, or the loop is to stop."""

        async def reached() -> StreamInfo | None:
            info = await self._info()
            return info if info.state.last_seq >= position else None

        if await self._settled(reached) is None and not self._stopping.is_set():
            found = f"position {(await self._info()).state.last_seq} at its end"
            raise self._lost(f"position {position} or later", found)

    async def _missing(self, position: int) -> Delivery | None:
        """Return the message at *position*; None if the loop is to stop before it is there."""
        found = await self._settled(lambda: stored_at(self._connection, self.stream, position))
        if found is None and not self._stopping.is_set():
            raise self._lost(f"a message at position {position}", "none")
        return found

    async def _settled(self, ask: Callable[[], Awaitable[T | None]]) -> T | None:
        """Return what *ask* finds in the time in which a leader may be behind."""
        deadline = time.monotonic() + SETTLED_WITHIN
        while (found := await ask()) is None:
            if self._stopping.is_set() or time.monotonic() > deadline:
                break
            await self._pause(RETRY_WAIT)
        return found

    async def _settle(self, delivery: Delivery) -> None:
        """Apply a message or quarantine it, unless the loop is to stop before."""
        tries = 0
        while not self._stopping.is_set():
            self._connection.check_not_lost()
            error = await self._failure(delivery)
            tries += 1
            if error is None or await self._is_quarantined(delivery, error, tries):
                self.position = delivery.position
                return
            await self._pause(retry_delay(error, tries))

    async def _failure(self, delivery: Delivery) -> Exception | None:
        """Apply a message, and return what was raised."""
        with receiving("projector", delivery.subject, delivery.headers):
            try:
                await self._projection.apply(delivery.position, delivery.subject, delivery.payload)
            except Exception as error:  # noqa: BLE001 - whatever it is, the message is tried again
                log_failure(f"{self._name}: {delivery.subject} at {delivery.position}", error)
                mark_failed(error)
                return error
        record_handled(f"projector of {self.stream}", delivery.recorded_at)
        return None

    async def _is_quarantined(self, delivery: Delivery, error: Exception, tries: int) -> bool:
        """Put a message aside if no try may do better, and tell whether it is.

        When that fails as well, it is not the message that is wrong.
        """
        if tries < TRIES or wait_asked_for(error) is not None:
            return False
        try:
            await self._projection.quarantine(delivery.position, delivery.subject, error)
        except Exception:
            logger.exception("%s could not quarantine %d", self._name, delivery.position)
            return False
        logger.error("%s has quarantined %d", self._name, delivery.position)
        return True

    def _lost(self, expected: str, found: str) -> StreamLostError:
        return StreamLostError(f"stream {self.stream!r}", expected=expected, found=found)
