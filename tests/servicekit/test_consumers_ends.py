"""The end of a consumer: whatever brings it about, nothing is lost and nothing goes on."""

import asyncio

import pytest

from howff.servicekit.consumers import Work, WorkConsumer
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import (
    ConnectionLostError,
)
from howff.servicekit.nats.reading import Delivery
from support.running import until
from support.working import (
    BrokenTask,
    Handled,
    SoonError,
    consuming,
    publish,
    run_working,
    until_empty,
    until_left,
)


@pytest.fixture(autouse=True)
def _soon_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.servicekit.consumers.PULLED_WITHIN", 0.2)


def test_stopping_lets_handlers_finish_and_hands_back_what_waits() -> None:
    async def story(connection: Connection, name: str) -> None:
        goes_on = asyncio.Event()
        handled = Handled()

        async def handle(delivery: Delivery) -> None:
            await goes_on.wait()
            await handled(delivery)

        await publish(connection, name, 8)
        work = Work(name, "worker", key=lambda subject: subject, concurrency=2)
        consumer = WorkConsumer(connection, work, handle)
        task = asyncio.create_task(consumer.run())
        await until(lambda: len(consumer._in_hand) == 8)
        stopping = asyncio.create_task(consumer.stop())
        await asyncio.sleep(0.5)  # longer than one pull
        assert not stopping.done()
        goes_on.set()
        await stopping
        await task
        assert len(handled.payloads) == 2
        await until_left(connection, name, 6)
        async with consuming(connection, work, handled):  # long before the wait of 30 seconds
            await until_empty(connection, name)
        assert handled.payloads == list(range(8))
        assert all(payloads == sorted(payloads) for payloads in handled.by_subject.values())

    run_working(story)


def test_a_key_that_can_not_be_told_ends_the_consumer() -> None:
    async def story(connection: Connection, name: str) -> None:
        await publish(connection, name, 1)
        work = Work(name, "worker", key=lambda subject: [][len(subject)])
        with pytest.raises(IndexError):
            await WorkConsumer(connection, work, Handled()).run()

    run_working(story)


def test_a_task_that_breaks_ends_the_consumer() -> None:
    async def story(connection: Connection, name: str) -> None:
        await publish(connection, name, 1)
        handled = Handled(lambda *_: BrokenTask())
        with pytest.raises(BrokenTask):
            await WorkConsumer(connection, Work(name, "worker", in_hand=1), handled).run()

    run_working(story)


def test_tasks_that_break_one_after_the_other_leave_nothing_running() -> None:
    async def story(connection: Connection, name: str) -> None:
        before = asyncio.all_tasks()
        arrived = asyncio.Barrier(3)

        async def handle(delivery: Delivery) -> None:
            await arrived.wait()
            await asyncio.sleep(0.3 * int(delivery.payload))  # longer than one pull
            raise BrokenTask

        await publish(connection, name, 3)
        with pytest.raises(BrokenTask):
            await WorkConsumer(connection, Work(name, "worker"), handle).run()
        await asyncio.sleep(0)
        assert asyncio.all_tasks() == before

    run_working(story)


def test_a_cancelled_consumer_finishes_what_it_has_begun() -> None:
    async def story(connection: Connection, name: str) -> None:
        goes_on = asyncio.Event()
        handled = Handled()

        async def handle(delivery: Delivery) -> None:
            await goes_on.wait()
            await handled(delivery)

        await publish(connection, name, 1)
        consumer = WorkConsumer(connection, Work(name, "worker"), handle)
        task = asyncio.create_task(consumer.run())
        await until(lambda: len(consumer._in_hand) == 1)
        task.cancel()
        await asyncio.sleep(0.01)
        goes_on.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert handled.payloads == [0]

    run_working(story)


def test_a_consumer_ends_when_the_connection_is_lost() -> None:
    async def story(connection: Connection, name: str) -> None:
        running = asyncio.create_task(
            WorkConsumer(connection, Work(name, "worker"), Handled()).run()
        )
        await asyncio.sleep(0.05)
        await connection.close()
        with pytest.raises(ConnectionLostError):
            await running

    run_working(story)


@pytest.mark.parametrize("in_hand", [1, 10])
def test_a_consumer_ends_when_nothing_is_read_any_more(in_hand: int) -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled(lambda *_: SoonError())
        work = Work(name, "worker", in_hand=in_hand, key=lambda subject: subject)
        await publish(connection, name, 1)
        running = asyncio.create_task(WorkConsumer(connection, work, handled).run())
        await until(lambda: bool(handled.tries))
        reading = connection.client._reading_task
        assert reading is not None
        reading.cancel()
        with pytest.raises(ConnectionLostError):
            await asyncio.wait_for(running, 5)

    run_working(story)
