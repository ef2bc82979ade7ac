"""Consumers with keys: the order of each is kept, and none holds up another."""

import asyncio

import pytest

from howff.servicekit.consumers import Work
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.reading import Delivery
from support.running import until
from support.working import (
    KEYS,
    FinalError,
    Handled,
    SoonError,
    consuming,
    publish,
    publish_to,
    run_working,
    until_empty,
    until_left,
)


@pytest.fixture(autouse=True)
def _soon_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.servicekit.consumers.PULLED_WITHIN", 0.2)


@pytest.mark.parametrize(
    "error", [SoonError(), FinalError(), ValueError("a bug"), asyncio.CancelledError()]
)
def test_messages_of_one_key_keep_their_order_when_handlers_fail(error: BaseException) -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled(lambda payload, tries: error if tries <= 3 - payload // 4 else None)
        await publish(connection, name, 12)
        work = Work(name, "worker", key=lambda subject: subject)
        async with consuming(connection, work, handled) as consumer:
            await until_empty(connection, name)
            assert (consumer.handled, consumer.failed) == (12, 4 * (3 + 2 + 1))
        assert len(handled.by_subject) == len(KEYS)
        assert all(payloads == sorted(payloads) for payloads in handled.by_subject.values())
        assert handled.payloads == list(range(12))

    run_working(story)


def test_a_key_that_fails_on_and_on_holds_up_no_other() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()

        async def handle(delivery: Delivery) -> None:
            if delivery.subject.endswith(".a"):
                raise SoonError
            await handled(delivery)

        await publish(connection, name, 12)
        work = Work(name, "worker", key=lambda subject: subject, concurrency=1)
        async with consuming(connection, work, handle) as consumer:
            await until(lambda: len(handled.payloads) == 9 and consumer.failed > 5)
        await until_left(connection, name, 3)

    run_working(story)


def test_more_messages_of_a_key_that_fails_than_are_in_hand_hold_up_no_other() -> None:
    async def story(connection: Connection, name: str) -> None:
        is_down = True
        handled = Handled(lambda payload, _: SoonError() if is_down and payload < 50 else None)
        await publish_to(connection, f"{name}.a", range(50))
        await publish_to(connection, f"{name}.b", range(50, 55))
        work = Work(name, "worker", key=lambda subject: subject, in_hand=10)
        async with consuming(connection, work, handled) as consumer:
            await until(lambda: len(handled.payloads) == 5, within=5)
            assert len(consumer._in_hand) <= 10
            is_down = False
            await until_empty(connection, name)
        assert handled.by_subject[f"{name}.a"] == list(range(50))
        assert handled.by_subject[f"{name}.b"] == list(range(50, 55))

    run_working(story)


def test_any_number_of_messages_that_fail_may_have_been_handed_back() -> None:
    async def story(connection: Connection, name: str) -> None:
        count = 1200  # more than the server lets wait unless it is told to
        handled = Handled(lambda payload, _: SoonError() if payload < count else None)
        await publish_to(connection, f"{name}.a", range(count))
        await publish_to(connection, f"{name}.b", range(count, count + 1))
        work = Work(name, "worker", key=lambda subject: subject)
        async with consuming(connection, work, handled):
            await until(lambda: handled.payloads == [count], within=10)

    run_working(story)


def test_more_keys_that_fail_than_are_in_hand_hold_up_no_other() -> None:
    async def story(connection: Connection, name: str) -> None:
        is_down = True
        handled = Handled(lambda payload, _: SoonError() if is_down and payload < 60 else None)
        for payload in range(60):
            await publish_to(connection, f"{name}.key-{payload % 30}", range(payload, payload + 1))
        await publish_to(connection, f"{name}.b", range(60, 65))
        work = Work(name, "worker", key=lambda subject: subject, in_hand=10)
        async with consuming(connection, work, handled) as consumer:
            await until(lambda: len(handled.payloads) == 5, within=10)
            assert len(consumer._in_hand) <= 10
            is_down = False
            await until_empty(connection, name)
        assert handled.by_subject[f"{name}.b"] == list(range(60, 65))
        assert sorted(handled.payloads) == list(range(65))

    run_working(story)


def test_a_message_that_was_handed_back_takes_its_place_when_it_comes_again() -> None:
    async def story(connection: Connection, name: str) -> None:
        has_room, is_up = asyncio.Event(), False
        handled = Handled(lambda payload, _: None if is_up or payload > 9 else SoonError())

        async def handle(delivery: Delivery) -> None:
            if delivery.subject.endswith(".b"):
                await has_room.wait()
            await handled(delivery)

        await publish_to(connection, f"{name}.b", range(10, 12))
        await publish_to(connection, f"{name}.a", range(6))
        work = Work(name, "worker", key=lambda subject: subject, in_hand=8)
        async with consuming(connection, work, handle) as consumer:
            await until(lambda: len(consumer._in_hand) == 6)  # two of `a` were handed back
            has_room.set()
            await publish_to(connection, f"{name}.a", range(6, 7))
            line = consumer._lines[f"{name}.a"]
            await until(lambda: len(line.positions) == 7)
            is_up = True
            await until_empty(connection, name)
        assert handled.by_subject[f"{name}.a"] == list(range(7))

    run_working(story)


def test_nothing_is_handed_back_while_a_key_is_worked_off() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        await publish_to(connection, f"{name}.a", range(60))
        work = Work(name, "worker", key=lambda subject: subject, in_hand=10)
        async with consuming(connection, work, handled):
            await until_empty(connection, name)
            info = await connection.jetstream.consumer_info(name, "worker")
        assert info.delivered.consumer_seq == 60  # each was delivered once
        assert handled.by_subject[f"{name}.a"] == list(range(60))

    run_working(story)
