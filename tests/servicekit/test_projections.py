"""Projections: each message once and in order, from any checkpoint, whatever comes in between."""

import asyncio
import contextlib
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from howff.engine.errors import RefusalError
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.errors import ConnectionLostError, JetStreamRefusedError, StreamLostError
from howff.servicekit.nats.reading import Delivery
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.nats.streams import SETTLED_WITHIN, ensure_stream, locked
from howff.servicekit.projections import Checkpoint, Projector
from support.nats import own_server, shared_server, unique
from support.running import run, until
from support.service import on_nats
from support.snapshots import Snapshot, restore, snapshots_of

Story = Callable[[Connection, str], Awaitable[None]]


@pytest.fixture(autouse=True)
def _soon_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("howff.servicekit.projections.READ_WITHIN", 0.2)


class WaitError(RefusalError):
    """The rows can't be written for the moment."""

    code = "wait"
    retry_after = 0.01

    def __init__(self) -> None:
        super().__init__("rows", expected="a database", found="none")


class Rows:
    """A projection that keeps what it was told, and its checkpoint, as a database would."""

    def __init__(self) -> None:
        self.stored: Checkpoint | None = None
        self.applied: list[int] = []
        self.payloads: list[bytes] = []
        self.set_aside: list[tuple[int, str]] = []
        self.tries = Counter[int]()
        self.failing: dict[int, Exception] = {}
        self.is_down = False

    async def checkpoint(self) -> Checkpoint | None:
        return self.stored

    async def begin(self, checkpoint: Checkpoint) -> None:
        self.stored = checkpoint

    async def apply(self, position: int, subject: str, payload: bytes) -> None:
        self.tries[position] += 1
        self._check(position)
        assert subject
        self.applied.append(position)
        self.payloads.append(payload)
        self._move(position)

    async def quarantine(self, position: int, subject: str, error: Exception) -> None:
        assert subject
        if self.is_down:
            raise OSError
        self.set_aside.append((position, str(error)))
        self._move(position)

    @property
    def position(self) -> int:
        return self.stored.position if self.stored else -1

    def _check(self, position: int) -> None:
        if self.is_down:
            raise OSError
        if position in self.failing:
            raise self.failing[position]

    def _move(self, position: int) -> None:
        assert self.stored
        assert position == self.stored.position + 1
        self.stored = Checkpoint(position, self.stored.created)


def _run(story: Story, server: NatsServer | None = None) -> None:
    name = unique("TOLD")

    async def connected() -> None:
        async with await connect((server or shared_server()).url, name="test") as connection:
            await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
            await story(connection, name)

    run(connected)


async def _publish(connection: Connection, name: str, count: int) -> None:
    for number in range(count):
        await connection.jetstream.publish(f"{name}.{number % 3}", str(number).encode())


@contextlib.asynccontextmanager
async def _projecting(
    connection: Connection,
    name: str,
    rows: Rows,
    foresee: Callable[[Sequence[Delivery]], None] = lambda _: None,
) -> AsyncIterator[Projector]:
    projector = Projector(connection, name, rows, foresee)
    task = asyncio.create_task(projector.run())
    yield projector
    await projector.stop()
    await task


def test_what_is_foreseen_has_come_and_is_applied_later() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        foreseen: list[int] = []

        def foresee(deliveries: Sequence[Delivery]) -> None:
            first, *_ = deliveries  # there is one
            assert first.position > rows.position
            foreseen.extend(each.position for each in deliveries)

        async with _projecting(connection, name, rows, foresee):
            await asyncio.sleep(0.5)  # in which two reads find nothing
            await _publish(connection, name, 3)
            await until(lambda: rows.position == 3)
        assert foreseen == [1, 2, 3]

    _run(story)


def test_every_message_is_applied_once_and_in_order() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        await _publish(connection, name, 300)  # more than are read at once
        async with _projecting(connection, name, rows) as projector:
            await until(lambda: rows.position == 300)
            await _publish(connection, name, 5)
            await until(lambda: rows.position == 305)
            assert projector.position == 305
        assert rows.applied == list(range(1, 306))
        assert rows.payloads[:3] == [b"0", b"1", b"2"]

    _run(story)


@pytest.mark.parametrize("checkpoint", [0, 3, 9, 10])
def test_a_projection_goes_on_from_the_checkpoint_that_it_stored(checkpoint: int) -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        await _publish(connection, name, 10)
        async with _projecting(connection, name, rows):
            await until(lambda: rows.position == 10)
        assert rows.stored
        rows.stored = Checkpoint(checkpoint, rows.stored.created)  # as after a restored backup
        rows.applied.clear()
        async with _projecting(connection, name, rows):
            await _publish(connection, name, 1)
            await until(lambda: rows.position == 11)
        assert rows.applied == list(range(checkpoint + 1, 12))

    _run(story)


def test_a_lower_position_is_skipped_and_a_gap_is_read_from_the_stream() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        await _publish(connection, name, 9)
        projector = Projector(connection, name, rows)
        projector.position = await projector._start()
        for position in (1, 1, 3, 2, 3, 8, 4, 8, 9):
            await projector._take(Delivery(position, f"{name}.0", b""))
        assert rows.applied == list(range(1, 10))
        assert rows.payloads[1] == b"1"  # as it stands in the stream

    _run(story)


def test_a_position_that_the_stream_does_not_have_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("howff.servicekit.projections.SETTLED_WITHIN", 0.2)

    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        await _publish(connection, name, 2)
        projector = Projector(connection, name, rows)
        projector.position = await projector._start()
        with pytest.raises(StreamLostError, match="a message at position 3, found none"):
            await projector._take(Delivery(5, f"{name}.0", b""))
        assert rows.applied == [1, 2]

    _run(story)


def test_a_message_that_fails_for_good_is_quarantined_and_the_rest_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        rows.failing[2] = ValueError("a bug")
        await _publish(connection, name, 4)
        async with _projecting(connection, name, rows):
            await until(lambda: rows.position == 4)
        assert rows.applied == [1, 3, 4]
        assert rows.set_aside == [(2, "a bug")]
        assert rows.tries[2] == 5

    monkeypatch.setattr("howff.servicekit.retries.FIRST_RETRY", 0.01)
    _run(story)


def test_a_message_that_fails_for_a_while_is_applied_in_the_end() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        rows.failing[2] = WaitError()
        await _publish(connection, name, 3)
        async with _projecting(connection, name, rows):
            await until(lambda: rows.tries[2] > 10)  # more than the tries of a bug
            assert rows.applied == [1]
            rows.failing.clear()
            await until(lambda: rows.position == 3)
        assert rows.applied == [1, 2, 3]
        assert not rows.set_aside

    _run(story)


def test_while_nothing_can_be_stored_nothing_is_quarantined(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("howff.servicekit.retries.LONGEST_RETRY", 0.02)

    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        await _publish(connection, name, 2)
        rows.is_down = True
        async with _projecting(connection, name, rows):
            await until(lambda: rows.tries[1] > 8)
            rows.is_down = False
            await until(lambda: rows.position == 2)
        assert rows.applied == [1, 2]

    _run(story)


def test_a_projector_stops_in_the_middle_of_a_message_that_fails() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        rows.failing[2] = WaitError()
        await _publish(connection, name, 3)
        async with _projecting(connection, name, rows):
            await until(lambda: rows.tries[2] > 1)
        assert rows.position == 1

    _run(story)


def test_nothing_is_missed_or_doubled_over_restarts_of_the_server(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story(connection: Connection, name: str) -> None:
            rows = Rows()
            await _publish(connection, name, 100)
            async with _projecting(connection, name, rows):
                await until(lambda: rows.position > 10)
                await asyncio.to_thread(server.kill)
                await asyncio.to_thread(server.start)
                await until(lambda: connection.client.is_connected)
                await _publish(connection, name, 100)
                await asyncio.to_thread(server.restart)
                await until(lambda: rows.position == 200)
            assert rows.applied == list(range(1, 201))

        _run(story, server)


def test_a_stream_that_has_less_than_was_read_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("howff.servicekit.projections.SETTLED_WITHIN", 0.2)

    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        await _publish(connection, name, 2)
        await Projector(connection, name, rows)._start()
        assert rows.stored
        rows.stored = Checkpoint(3, rows.stored.created)
        with pytest.raises(StreamLostError, match="position 3 or later, found position 2"):
            await Projector(connection, name, rows).run()

    _run(story)


async def _read_ahead(connection: Connection, name: str) -> Rows:
    """Return rows that have read two messages of a stream whose leader has one."""
    rows = Rows()
    await _publish(connection, name, 1)
    await Projector(connection, name, rows)._start()
    assert rows.stored
    rows.stored = Checkpoint(2, rows.stored.created)
    return rows


def test_a_leader_that_has_less_than_was_read_is_asked_again() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = await _read_ahead(connection, name)
        async with _projecting(connection, name, rows):
            await asyncio.sleep(0.2)
            await _publish(connection, name, 2)
            await until(lambda: rows.position == 3)
        assert rows.applied == [3]

    _run(story)


def test_a_leader_that_does_not_have_a_position_is_asked_again() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        projector = Projector(connection, name, rows)
        projector.position = await projector._start()
        taking = asyncio.create_task(projector._take(Delivery(3, f"{name}.0", b"")))
        await asyncio.sleep(0.2)
        assert not taking.done()
        await _publish(connection, name, 2)
        await taking
        assert rows.applied == [1, 2, 3]

    _run(story)


def test_a_projector_that_waits_for_a_leader_can_be_stopped() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = await _read_ahead(connection, name)
        projector = Projector(connection, name, rows)
        starting = asyncio.create_task(projector._start())
        taking = asyncio.create_task(projector._take(Delivery(9, f"{name}.0", b"")))
        projector.position = 1
        await asyncio.sleep(0.2)
        await projector.stop()
        before = time.monotonic()
        assert await starting == 2
        await taking
        assert time.monotonic() - before < SETTLED_WITHIN / 2
        assert not rows.applied

    _run(story)


def test_a_projector_ends_when_nothing_is_read_any_more() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        await _publish(connection, name, 1)
        running = asyncio.create_task(Projector(connection, name, rows).run())
        await until(lambda: rows.position == 1)
        reading = connection.client._reading_task
        assert reading is not None
        reading.cancel()
        with pytest.raises(ConnectionLostError):
            await asyncio.wait_for(running, 5)

    _run(story)


def test_a_projector_that_can_store_nothing_ends_when_nothing_is_read_any_more() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        rows.failing[1] = WaitError()
        await _publish(connection, name, 1)
        running = asyncio.create_task(Projector(connection, name, rows).run())
        await until(lambda: rows.tries[1] > 1)
        reading = connection.client._reading_task
        assert reading is not None
        reading.cancel()
        with pytest.raises(ConnectionLostError):
            await asyncio.wait_for(running, 5)

    _run(story)


def test_a_stream_that_was_made_anew_is_refused() -> None:
    async def story(connection: Connection, name: str) -> None:
        rows = Rows()
        await _publish(connection, name, 2)
        async with _projecting(connection, name, rows):
            await until(lambda: rows.position == 2)
        await connection.jetstream.delete_stream(name)
        await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
        await _publish(connection, name, 5)
        with pytest.raises(StreamLostError, match="one made at"):
            await Projector(connection, name, rows).run()
        assert rows.applied == [1, 2]

    _run(story)


def test_a_stream_that_was_restored_from_a_backup_is_read_on(tmp_path: Path) -> None:
    rows, name = Rows(), unique("TOLD")

    async def first(connection: Connection) -> Snapshot:
        await ensure_stream(connection, locked(name, [f"{name}.*"], replicas=1))
        await _publish(connection, name, 3)
        async with _projecting(connection, name, rows):
            await until(lambda: rows.position == 3)
        await _publish(connection, name, 2)
        (snapshot,) = await snapshots_of(connection)
        return snapshot

    async def second(connection: Connection, snapshot: Snapshot) -> None:
        await restore(connection, snapshot)
        await _publish(connection, name, 2)
        async with _projecting(connection, name, rows):
            await until(lambda: rows.position == 7)

    with own_server(tmp_path / "first") as server:
        snapshot = on_nats(server, first)
    with own_server(tmp_path / "second") as server:
        on_nats(server, partial(second, snapshot=snapshot))
    assert rows.applied == list(range(1, 8))


def test_a_stream_that_does_not_exist_is_refused() -> None:
    async def story(connection: Connection, _: str) -> None:
        with pytest.raises(JetStreamRefusedError, match="stream not found"):
            await Projector(connection, unique("NONE"), Rows()).run()

    _run(story)
