"""Consumers at work in tests: what they are given, and how they fail."""

import asyncio
import contextlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final

from howff.engine.errors import RefusalError
from howff.servicekit.consumers import Handler, Work, WorkConsumer
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.nats.streams import ensure_stream, work_queue
from support.nats import shared_server, unique
from support.running import eventually, run

Story = Callable[[Connection, str], Awaitable[None]]
KEYS: Final = ("a", "b", "c", "d")
Failing = Callable[[int, int], BaseException | None]
"""Says what a handler raises at a payload's so-manieth try."""


class SoonError(RefusalError):
    """It is worth another try in a moment."""

    code = "soon"
    retry_after = 0.01

    def __init__(self) -> None:
        super().__init__("not yet", expected="patience", found="none")


class BrokenTask(BaseException):
    """It is no error of a handler."""


class FinalError(RefusalError):
    """It says nothing of another try."""

    code = "final"

    def __init__(self) -> None:
        super().__init__("no", expected="yes", found="no")


class Handled:
    """What a handler was told: the payloads, by subject, of those tries that did not fail."""

    def __init__(self, failing: Failing = lambda *_: None) -> None:
        self.by_subject: dict[str, list[int]] = defaultdict(list)
        self.tries = Counter[bytes]()
        self.running = 0
        self.most_running = 0
        self._failing = failing

    async def __call__(self, delivery: Delivery) -> None:
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            await asyncio.sleep(0)
            self.tries[delivery.payload] += 1
            if error := self._failing(int(delivery.payload), self.tries[delivery.payload]):
                raise error
            self.by_subject[delivery.subject].append(int(delivery.payload))
        finally:
            self.running -= 1

    @property
    def payloads(self) -> list[int]:
        return sorted(each for payloads in self.by_subject.values() for each in payloads)


def run_working(story: Story, server: NatsServer | None = None) -> None:
    name = unique("WORK")

    async def connected() -> None:
        async with await connect((server or shared_server()).url, name="test") as connection:
            await ensure_stream(connection, work_queue(name, [f"{name}.*"], replicas=1))
            await story(connection, name)

    run(connected)


async def publish(connection: Connection, name: str, count: int) -> None:
    for number in range(count):
        subject = f"{name}.{KEYS[number % len(KEYS)]}"
        await connection.jetstream.publish(subject, str(number).encode())


async def publish_to(connection: Connection, subject: str, numbers: range) -> None:
    for number in numbers:
        await connection.jetstream.publish(subject, str(number).encode())


@contextlib.asynccontextmanager
async def consuming(
    connection: Connection, work: Work, handler: Handler
) -> AsyncIterator[WorkConsumer]:
    consumer = WorkConsumer(connection, work, handler)
    task = asyncio.create_task(consumer.run())
    yield consumer
    await consumer.stop()
    await task


async def left(connection: Connection, name: str) -> int:
    return (await connection.jetstream.stream_info(name)).state.messages


async def until_left(connection: Connection, name: str, count: int) -> None:
    async def is_so() -> None:
        assert await left(connection, name) == count

    await eventually(is_so, AssertionError)


async def until_empty(connection: Connection, name: str) -> None:
    await until_left(connection, name, 0)
