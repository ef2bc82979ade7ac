"""Consumers: each message is handled, in the order of its key, whatever fails in between."""

import asyncio
import contextlib
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest
from nats.aio.msg import Msg
from nats.js.api import StreamConfig

from howff.engine.errors import RefusalError
from howff.servicekit.consumers import Handler, Work, WorkConsumer, retry_delay
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.errors import (
    ConnectionLostError,
    ConsumerDiffersError,
    JetStreamRefusedError,
    NatsUnavailableError,
)
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.nats.streams import durable, ensure_consumer, ensure_stream, work_queue
from support.nats import own_server, shared_server, unique
from support.running import eventually, run, until

Story = Callable[[Connection, str], Awaitable[None]]
KEYS: Final = ("a", "b", "c", "d")


@pytest.fixture(autouse=True)
def _soon_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.servicekit.consumers.FETCH_WITHIN", 0.2)


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


def _run(story: Story, server: NatsServer | None = None) -> None:
    name = unique("WORK")

    async def connected() -> None:
        async with await connect((server or shared_server()).url, name="test") as connection:
            await ensure_stream(connection, work_queue(name, [f"{name}.*"], replicas=1))
            await story(connection, name)

    run(connected)


async def _publish(connection: Connection, name: str, count: int) -> None:
    for number in range(count):
        subject = f"{name}.{KEYS[number % len(KEYS)]}"
        await connection.jetstream.publish(subject, str(number).encode())


@contextlib.asynccontextmanager
async def _consuming(
    connection: Connection, work: Work, handler: Handler
) -> AsyncIterator[WorkConsumer]:
    consumer = WorkConsumer(connection, work, handler)
    task = asyncio.create_task(consumer.run())
    yield consumer
    await consumer.stop()
    await task


async def _left(connection: Connection, name: str) -> int:
    return (await connection.jetstream.stream_info(name)).state.messages


async def _until_left(connection: Connection, name: str, count: int) -> None:
    async def is_so() -> None:
        assert await _left(connection, name) == count

    await eventually(is_so, AssertionError)


async def _until_empty(connection: Connection, name: str) -> None:
    await _until_left(connection, name, 0)


def test_each_message_is_handled_once_and_acknowledged() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        await _publish(connection, name, 20)
        async with _consuming(connection, Work(name, "worker"), handled) as consumer:
            await _until_empty(connection, name)
            await _publish(connection, name, 20)
            await _until_empty(connection, name)
            assert (consumer.handled, consumer.failed) == (40, 0)
        assert handled.payloads == sorted([*range(20), *range(20)])

    _run(story)


def test_an_empty_queue_is_waited_at_quietly(caplog: pytest.LogCaptureFixture) -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        async with _consuming(connection, Work(name, "worker"), handled):
            await asyncio.sleep(0.5)  # longer than one fetch
            await _publish(connection, name, 1)
            await _until_empty(connection, name)
        assert handled.payloads == [0]

    _run(story)
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


@pytest.mark.parametrize(
    "error", [SoonError(), FinalError(), ValueError("a bug"), asyncio.CancelledError()]
)
def test_messages_of_one_key_keep_their_order_when_handlers_fail(error: BaseException) -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled(lambda payload, tries: error if tries <= 3 - payload // 4 else None)
        await _publish(connection, name, 12)
        work = Work(name, "worker", key=lambda subject: subject)
        async with _consuming(connection, work, handled) as consumer:
            await _until_empty(connection, name)
            assert (consumer.handled, consumer.failed) == (12, 4 * (3 + 2 + 1))
        assert len(handled.by_subject) == len(KEYS)
        assert all(payloads == sorted(payloads) for payloads in handled.by_subject.values())
        assert handled.payloads == list(range(12))

    _run(story)


def test_a_key_that_fails_on_and_on_holds_up_no_other() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()

        async def handle(delivery: Delivery) -> None:
            if delivery.subject.endswith(".a"):
                raise SoonError
            await handled(delivery)

        await _publish(connection, name, 12)
        work = Work(name, "worker", key=lambda subject: subject, concurrency=1)
        async with _consuming(connection, work, handle) as consumer:
            await until(lambda: len(handled.payloads) == 9 and consumer.failed > 5)
        await _until_left(connection, name, 3)

    _run(story)


def test_without_a_key_a_failed_message_goes_to_whoever_is_next() -> None:
    async def story(connection: Connection, name: str) -> None:
        async def broken(_: Delivery) -> None:
            raise SoonError

        handled = Handled()
        work = Work(name, "worker")
        await _publish(connection, name, 3)
        async with (
            _consuming(connection, work, broken),
            _consuming(connection, work, handled) as other,
        ):
            await _until_empty(connection, name)
            assert other.handled == 3

    _run(story)


def test_a_failure_is_logged_with_its_trace_unless_it_asks_for_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(connection: Connection, name: str) -> None:
        errors = {1: ValueError("a bug"), 2: SoonError()}
        handled = Handled(lambda _, tries: errors.get(tries))
        await _publish(connection, name, 1)
        async with _consuming(connection, Work(name, "worker"), handled):
            await _until_empty(connection, name)

    caplog.set_level(logging.INFO)
    _run(story)
    bug, soon = (each for each in caplog.records if "worker" in each.message)
    assert (bug.levelno, soon.levelno) == (logging.ERROR, logging.INFO)
    assert bug.exc_info
    assert not soon.exc_info


def test_no_more_handlers_run_at_once_than_are_allowed() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        await _publish(connection, name, 40)
        async with _consuming(connection, Work(name, "worker", concurrency=3), handled):
            await _until_empty(connection, name)
        assert handled.most_running == 3

    _run(story)


def test_no_more_messages_are_in_hand_than_are_allowed() -> None:
    async def story(connection: Connection, name: str) -> None:
        goes_on = asyncio.Event()

        async def handle(_: Delivery) -> None:
            await goes_on.wait()

        await _publish(connection, name, 12)
        async with _consuming(connection, Work(name, "worker", in_hand=5), handle) as consumer:
            await until(lambda: len(consumer._in_hand) == 5)
            info = await connection.jetstream.consumer_info(name, "worker")
            assert (info.num_ack_pending, info.num_pending) == (5, 7)
            goes_on.set()
            await _until_empty(connection, name)

    _run(story)


def test_a_handler_that_takes_longer_than_the_wait_is_not_disturbed() -> None:
    async def story(connection: Connection, name: str) -> None:
        tries = Counter[bytes]()

        async def handle(delivery: Delivery) -> None:
            tries[delivery.payload] += 1
            await asyncio.sleep(0.6)

        await _publish(connection, name, 2)
        work = Work(name, "worker", ack_wait=0.3, key=lambda _: "all")
        async with _consuming(connection, work, handle):
            await _until_empty(connection, name)
            info = await connection.jetstream.consumer_info(name, "worker")
        assert tries == {b"0": 1, b"1": 1}
        assert info.delivered.consumer_seq == 2  # nothing was delivered again

    _run(story)


def test_stopping_lets_handlers_finish_and_hands_back_what_waits() -> None:
    async def story(connection: Connection, name: str) -> None:
        goes_on = asyncio.Event()
        handled = Handled()

        async def handle(delivery: Delivery) -> None:
            await goes_on.wait()
            await handled(delivery)

        await _publish(connection, name, 8)
        work = Work(name, "worker", key=lambda subject: subject, concurrency=2)
        consumer = WorkConsumer(connection, work, handle)
        task = asyncio.create_task(consumer.run())
        await until(lambda: len(consumer._in_hand) == 8)
        stopping = asyncio.create_task(consumer.stop())
        await asyncio.sleep(0.5)  # longer than one fetch
        assert not stopping.done()
        goes_on.set()
        await stopping
        await task
        assert len(handled.payloads) == 2
        await _until_left(connection, name, 6)
        async with _consuming(connection, work, handled):  # long before the wait of 30 seconds
            await _until_empty(connection, name)
        assert handled.payloads == list(range(8))
        assert all(payloads == sorted(payloads) for payloads in handled.by_subject.values())

    _run(story)


def test_a_restart_of_the_server_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    count = 200
    with own_server(tmp_path) as server:

        async def story(connection: Connection, name: str) -> None:
            handled = Handled(lambda _, tries: SoonError() if tries == 1 else None)
            await _publish(connection, name, count)
            work = Work(name, "worker", ack_wait=1.0, in_hand=20, key=lambda subject: subject)
            async with _consuming(connection, work, handled):
                await until(lambda: len(handled.payloads) > count // 10)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                await until(lambda: len(set(handled.payloads)) > count // 2)
                await asyncio.to_thread(server.restart)
                await until(lambda: set(handled.payloads) == set(range(count)))
                await until(lambda: connection.client.is_connected)
                await _until_empty(connection, name)

        _run(story, server)


def test_what_a_killed_process_had_in_hand_comes_again() -> None:
    async def story(connection: Connection, name: str) -> None:
        await _publish(connection, name, 4)
        work = Work(name, "worker", ack_wait=0.5)
        wanted = durable("worker", ack_wait=0.5)
        await ensure_consumer(connection, name, wanted)
        pulling = await connection.jetstream.pull_subscribe_bind("worker", name)
        assert len(await pulling.fetch(4)) == 4  # and never a word of them
        handled = Handled()
        async with _consuming(connection, work, handled):
            await _until_empty(connection, name)
        assert handled.payloads == [0, 1, 2, 3]

    _run(story)


def test_a_key_that_can_not_be_told_ends_the_consumer() -> None:
    async def story(connection: Connection, name: str) -> None:
        await _publish(connection, name, 1)
        work = Work(name, "worker", key=lambda subject: [][len(subject)])
        with pytest.raises(IndexError):
            await WorkConsumer(connection, work, Handled()).run()

    _run(story)


def test_a_task_that_breaks_ends_the_consumer() -> None:
    async def story(connection: Connection, name: str) -> None:
        await _publish(connection, name, 1)
        handled = Handled(lambda *_: BrokenTask())
        with pytest.raises(BrokenTask):
            await WorkConsumer(connection, Work(name, "worker", in_hand=1), handled).run()

    _run(story)


def test_a_cancelled_consumer_finishes_what_it_has_begun() -> None:
    async def story(connection: Connection, name: str) -> None:
        goes_on = asyncio.Event()
        handled = Handled()

        async def handle(delivery: Delivery) -> None:
            await goes_on.wait()
            await handled(delivery)

        await _publish(connection, name, 1)
        consumer = WorkConsumer(connection, Work(name, "worker"), handle)
        task = asyncio.create_task(consumer.run())
        await until(lambda: len(consumer._in_hand) == 1)
        task.cancel()
        await asyncio.sleep(0.01)
        goes_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert handled.payloads == [0]

    _run(story)


def test_a_message_that_comes_again_while_in_hand_is_handled_once() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        goes_on = asyncio.Event()

        async def handle(delivery: Delivery) -> None:
            await goes_on.wait()
            await handled(delivery)

        await _publish(connection, name, 1)
        async with _consuming(connection, Work(name, "worker"), handle) as consumer:
            await until(lambda: len(consumer._in_hand) == 1)
            (first,) = consumer._in_hand.values()
            await connection.client.publish(first.reply, b"-NAK")
            await until(lambda: next(iter(consumer._in_hand.values())) is not first)
            goes_on.set()
            await _until_empty(connection, name)
        assert handled.payloads == [0]

    _run(story)


def test_a_consumer_reads_only_the_subject_that_it_is_for() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        await _publish(connection, name, 8)
        work = Work(name, "worker", subject=f"{name}.b")
        async with _consuming(connection, work, handled):
            await until(lambda: handled.payloads == [1, 5])
        await _until_left(connection, name, 6)

    _run(story)


def test_a_consumer_that_is_configured_in_another_way_is_refused() -> None:
    async def story(connection: Connection, name: str) -> None:
        await ensure_consumer(connection, name, durable("worker", ack_wait=7))
        with pytest.raises(ConsumerDiffersError, match="ack_wait"):
            await WorkConsumer(connection, Work(name, "worker"), Handled()).run()
        with pytest.raises(JetStreamRefusedError, match="stream not found"):
            await WorkConsumer(connection, Work(unique("NONE"), "worker"), Handled()).run()

    _run(story)


def test_a_consumer_ends_when_the_connection_is_lost() -> None:
    async def story(connection: Connection, name: str) -> None:
        running = asyncio.create_task(
            WorkConsumer(connection, Work(name, "worker"), Handled()).run()
        )
        await asyncio.sleep(0.05)
        await connection.close()
        with pytest.raises(ConnectionLostError):
            await running

    _run(story)


def test_a_consumer_that_somebody_deleted_is_made_again() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        async with _consuming(connection, Work(name, "worker"), handled):
            await _publish(connection, name, 1)
            await _until_empty(connection, name)
            await connection.jetstream.delete_consumer(name, "worker")
            await _publish(connection, name, 4)
            await _until_empty(connection, name)
        assert handled.payloads == [0, 0, 1, 2, 3]

    _run(story)


def test_waits_grow_up_to_a_bound_unless_a_refusal_names_one() -> None:
    waits = [retry_delay(ValueError(), tries) for tries in range(1, 100)]
    assert waits == sorted(waits)
    assert (waits[0], waits[1], waits[-1]) == (0.1, 0.2, 30.0)
    assert retry_delay(SoonError(), 50) == 0.01
    assert retry_delay(NatsUnavailableError("x", found="y"), 50) == 1
    assert retry_delay(FinalError(), 1) == 0.1


def test_a_full_queue_refuses_new_work_and_keeps_the_old() -> None:
    async def story(connection: Connection, name: str) -> None:
        small: StreamConfig = work_queue(unique("FULL"), [f"{name}full"], replicas=1)
        await ensure_stream(connection, small.evolve(max_msgs=2))
        for _ in range(2):
            await connection.jetstream.publish(f"{name}full", b"")
        with pytest.raises(Exception, match="maximum messages exceeded"):
            await connection.jetstream.publish(f"{name}full", b"")

    _run(story)


@pytest.mark.parametrize("error", [ConnectionResetError(), RuntimeError("the handler is closed")])
def test_a_line_that_breaks_under_an_acknowledgement_ends_nothing(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the client lets through then is raised in its place, for it is a matter of moments."""
    broken = [error]
    acknowledge = Msg.ack

    async def breaking(message: Msg) -> None:
        if broken:
            raise broken.pop()
        await acknowledge(message)

    monkeypatch.setattr(Msg, "ack", breaking)

    async def story(connection: Connection, name: str) -> None:
        await _publish(connection, name, 2)
        handled = Handled()
        async with _consuming(connection, Work(name, "worker"), handled):
            await _until_empty(connection, name)
        assert handled.payloads == [0, 1]

    _run(story)
