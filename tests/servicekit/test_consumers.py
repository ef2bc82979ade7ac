"""Consumers: each message is handled, whatever fails in between."""

import asyncio
import logging
from collections import Counter
from pathlib import Path

import pytest
from nats.aio.msg import Msg
from nats.js.api import StreamConfig

from howff.servicekit.consumers import Work, WorkConsumer
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import (
    ConsumerDiffersError,
    JetStreamRefusedError,
    NatsUnavailableError,
)
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.streams import durable, ensure_consumer, ensure_stream, work_queue
from howff.servicekit.retries import retry_delay
from support.nats import own_server, unique
from support.running import until
from support.working import (
    FinalError,
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


def test_each_message_is_handled_once_and_acknowledged() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        await publish(connection, name, 20)
        async with consuming(connection, Work(name, "worker"), handled) as consumer:
            await until_empty(connection, name)
            await publish(connection, name, 20)
            await until_empty(connection, name)
            assert (consumer.handled, consumer.failed) == (40, 0)
        assert handled.payloads == sorted([*range(20), *range(20)])

    run_working(story)


def test_an_empty_queue_is_waited_at_quietly(caplog: pytest.LogCaptureFixture) -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        async with consuming(connection, Work(name, "worker"), handled):
            await asyncio.sleep(0.5)  # longer than one pull
            await publish(connection, name, 1)
            await until_empty(connection, name)
        assert handled.payloads == [0]

    run_working(story)
    assert not [each for each in caplog.records if each.levelno >= logging.WARNING]


def test_without_a_key_a_failed_message_goes_to_whoever_is_next() -> None:
    async def story(connection: Connection, name: str) -> None:
        async def broken(_: Delivery) -> None:
            raise SoonError

        handled = Handled()
        work = Work(name, "worker")
        await publish(connection, name, 3)
        async with (
            consuming(connection, work, broken),
            consuming(connection, work, handled) as other,
        ):
            await until_empty(connection, name)
            assert other.handled == 3

    run_working(story)


def test_a_failure_is_logged_with_its_trace_unless_it_asks_for_time(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story(connection: Connection, name: str) -> None:
        errors = {1: ValueError("a bug"), 2: SoonError()}
        handled = Handled(lambda _, tries: errors.get(tries))
        await publish(connection, name, 1)
        async with consuming(connection, Work(name, "worker"), handled):
            await until_empty(connection, name)

    caplog.set_level(logging.INFO)
    run_working(story)
    bug, soon = (each for each in caplog.records if "worker" in each.message)
    assert (bug.levelno, soon.levelno) == (logging.ERROR, logging.INFO)
    assert bug.exc_info
    assert not soon.exc_info


def test_no_more_handlers_run_at_once_than_are_allowed() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        await publish(connection, name, 40)
        async with consuming(connection, Work(name, "worker", concurrency=3), handled):
            await until_empty(connection, name)
        assert handled.most_running == 3

    run_working(story)


def test_no_more_messages_are_in_hand_than_are_allowed() -> None:
    async def story(connection: Connection, name: str) -> None:
        goes_on = asyncio.Event()

        async def handle(_: Delivery) -> None:
            await goes_on.wait()

        await publish(connection, name, 12)
        async with consuming(connection, Work(name, "worker", in_hand=5), handle) as consumer:
            await until(lambda: len(consumer._in_hand) == 5)
            info = await connection.jetstream.consumer_info(name, "worker")
            assert (info.num_ack_pending, info.num_pending) == (5, 7)
            goes_on.set()
            await until_empty(connection, name)

    run_working(story)


def test_a_handler_that_takes_longer_than_the_wait_is_not_disturbed() -> None:
    async def story(connection: Connection, name: str) -> None:
        tries = Counter[bytes]()

        async def handle(delivery: Delivery) -> None:
            tries[delivery.payload] += 1
            await asyncio.sleep(0.6)

        await publish(connection, name, 2)
        work = Work(name, "worker", ack_wait=0.3, key=lambda _: "all")
        async with consuming(connection, work, handle):
            await until_empty(connection, name)
            info = await connection.jetstream.consumer_info(name, "worker")
        assert tries == {b"0": 1, b"1": 1}
        assert info.delivered.consumer_seq == 2  # nothing was delivered again

    run_working(story)


def test_a_restart_of_the_server_in_the_middle_loses_nothing(tmp_path: Path) -> None:
    count = 200
    with own_server(tmp_path) as server:

        async def story(connection: Connection, name: str) -> None:
            handled = Handled(lambda _, tries: SoonError() if tries == 1 else None)
            await publish(connection, name, count)
            work = Work(name, "worker", ack_wait=1.0, in_hand=20, key=lambda subject: subject)
            async with consuming(connection, work, handled):
                await until(lambda: len(handled.payloads) > count // 10)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                await until(lambda: len(set(handled.payloads)) > count // 2)
                await asyncio.to_thread(server.restart)
                await until(lambda: set(handled.payloads) == set(range(count)))
                await until(lambda: connection.client.is_connected)
                await until_empty(connection, name)

        run_working(story, server)


def test_what_a_killed_process_had_in_hand_comes_again() -> None:
    async def story(connection: Connection, name: str) -> None:
        await publish(connection, name, 4)
        work = Work(name, "worker", ack_wait=0.5)
        wanted = durable("worker", ack_wait=0.5)
        await ensure_consumer(connection, name, wanted)
        pulling = await connection.jetstream.pull_subscribe_bind("worker", name)
        assert len(await pulling.fetch(4)) == 4  # and never a word of them
        handled = Handled()
        async with consuming(connection, work, handled):
            await until_empty(connection, name)
        assert handled.payloads == [0, 1, 2, 3]

    run_working(story)


def test_a_message_that_comes_again_while_in_hand_is_handled_once() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        goes_on = asyncio.Event()

        async def handle(delivery: Delivery) -> None:
            await goes_on.wait()
            await handled(delivery)

        await publish(connection, name, 1)
        async with consuming(connection, Work(name, "worker"), handle) as consumer:
            await until(lambda: len(consumer._in_hand) == 1)
            (first,) = consumer._in_hand.values()
            await connection.client.publish(first.reply, b"-NAK")
            await until(lambda: next(iter(consumer._in_hand.values())) is not first)
            goes_on.set()
            await until_empty(connection, name)
        assert handled.payloads == [0]

    run_working(story)


def test_a_consumer_reads_only_the_subject_that_it_is_for() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        await publish(connection, name, 8)
        work = Work(name, "worker", subject=f"{name}.b")
        async with consuming(connection, work, handled):
            await until(lambda: handled.payloads == [1, 5])
        await until_left(connection, name, 6)

    run_working(story)


def test_a_consumer_that_is_configured_in_another_way_is_refused() -> None:
    async def story(connection: Connection, name: str) -> None:
        await ensure_consumer(connection, name, durable("worker", ack_wait=7))
        with pytest.raises(ConsumerDiffersError, match="ack_wait"):
            await WorkConsumer(connection, Work(name, "worker"), Handled()).run()
        with pytest.raises(JetStreamRefusedError, match="stream not found"):
            await WorkConsumer(connection, Work(unique("NONE"), "worker"), Handled()).run()

    run_working(story)


def test_a_consumer_that_somebody_deleted_is_made_again() -> None:
    async def story(connection: Connection, name: str) -> None:
        handled = Handled()
        async with consuming(connection, Work(name, "worker"), handled):
            await publish(connection, name, 1)
            await until_empty(connection, name)
            await connection.jetstream.delete_consumer(name, "worker")
            await publish(connection, name, 4)
            await until_empty(connection, name)
        assert handled.payloads == [0, 0, 1, 2, 3]

    run_working(story)


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

    run_working(story)


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
        await publish(connection, name, 2)
        handled = Handled()
        async with consuming(connection, Work(name, "worker"), handled):
            await until_empty(connection, name)
        assert handled.payloads == [0, 1]

    run_working(story)
