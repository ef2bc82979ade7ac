"""Leases: one process holds one at a time, and another takes over from a holder that is gone."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from howff.engine.errors import RefusalError
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.kv import Bucket, open_bucket
from howff.servicekit.nats.leases import Lease, LeasedWork
from howff.servicekit.nats.server import NatsServer
from support.nats import own_server, shared_server, unique
from support.running import run, until

PATIENCE: Final = 0.6
"""Seconds."""


class Rivals:
    """Processes that want the same lease, each with a view of its own."""

    def __init__(self, connection: Connection, bucket: Bucket, patience: float) -> None:
        self._connection = connection
        self.bucket = bucket
        self._patience = patience
        self.leases: list[Lease] = []
        self.tasks: dict[Lease, asyncio.Task[None]] = {}
        self.most_at_once = 0
        self.takeovers = 0

    def begin(self) -> Lease:
        """Return the lease of another process, which wants it from now on."""
        holder = f"p{len(self.leases)}"
        lease = Lease(self._connection, self.bucket, "work", holder=holder, patience=self._patience)
        self.leases.append(lease)
        self.go_on(lease)
        return lease

    def go_on(self, lease: Lease) -> None:
        self.tasks[lease] = asyncio.create_task(lease.run())

    async def kill(self, lease: Lease) -> None:
        """End a process, or let it stand still, without a word to anybody."""
        task = self.tasks.pop(lease)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    async def stop(self) -> None:
        for lease, task in self.tasks.items():
            await lease.stop()
            await task

    async def watch(self) -> None:
        """Count how many hold it at once, and how often it passes on."""
        last: Lease | None = None
        while True:
            holding = [each for each in self.leases if each.is_held]
            self.most_at_once = max(self.most_at_once, len(holding))
            if holding and holding[0] is not last:
                last, self.takeovers = holding[0], self.takeovers + 1
            await asyncio.sleep(0.002)


Story = Callable[[Rivals], Awaitable[None]]


def _run(story: Story, *, server: NatsServer | None = None, patience: float = PATIENCE) -> Rivals:
    async def rivalled() -> Rivals:
        async with await connect((server or shared_server()).url, name="test") as connection:
            bucket = await open_bucket(connection, unique("leases"), replicas=1)
            rivals = Rivals(connection, bucket, patience)
            watching = asyncio.create_task(rivals.watch())
            try:
                await story(rivals)
            finally:
                await rivals.stop()
                watching.cancel()
            assert rivals.most_at_once == 1
            return rivals

    return run(rivalled)


def _is_held_by_one_of(leases: list[Lease]) -> bool:
    return any(each.is_held for each in leases)


async def _holder(rivals: Rivals, within: float = 10.0) -> Lease:
    await until(lambda: any(each.is_held for each in rivals.leases), within)
    return next(each for each in rivals.leases if each.is_held)


def test_of_five_who_want_it_at_once_one_gets_it_and_keeps_it() -> None:
    async def story(rivals: Rivals) -> None:
        for _ in range(5):
            rivals.begin()
        first = await _holder(rivals)
        await asyncio.sleep(3 * PATIENCE)
        assert first.is_held

    assert _run(story).takeovers == 1


def test_a_holder_that_was_killed_is_replaced_when_patience_is_over() -> None:
    async def story(rivals: Rivals) -> None:
        first = rivals.begin()
        await until(lambda: first.is_held)
        other = rivals.begin()
        await rivals.kill(first)
        begun = time.monotonic()
        await until(lambda: other.is_held)
        assert time.monotonic() - begun < 1.2 * PATIENCE + 3  # for a machine with much to do
        assert not first.is_held

    _run(story)


def test_a_holder_that_stops_lets_the_next_one_have_it_at_once() -> None:
    async def story(rivals: Rivals) -> None:
        first = rivals.begin()
        await until(lambda: first.is_held)
        other = rivals.begin()
        await first.stop()
        assert not first.is_held
        await until(lambda: other.is_held, within=8.0)

    _run(story, patience=15.0)


def test_who_stops_without_the_lease_leaves_it_to_its_holder() -> None:
    async def story(rivals: Rivals) -> None:
        first = rivals.begin()
        await until(lambda: first.is_held)
        other = rivals.begin()
        await asyncio.sleep(PATIENCE)
        await other.stop()
        assert (await rivals.bucket.get("work") or b"").startswith(b"p0 ")
        assert first.is_held

    assert _run(story).takeovers == 1


def test_a_holder_that_stood_still_finds_that_another_one_has_it() -> None:
    async def story(rivals: Rivals) -> None:
        first = rivals.begin()
        await until(lambda: first.is_held)
        other = rivals.begin()
        await rivals.kill(first)
        await until(lambda: other.is_held)
        rivals.go_on(first)
        await asyncio.sleep(2 * PATIENCE)
        assert (first.is_held, other.is_held) == (False, True)

    _run(story)


def test_never_do_two_hold_it_whoever_dies_and_comes_back() -> None:
    async def story(rivals: Rivals) -> None:
        for _ in range(3):
            rivals.begin()
        for _ in range(4):
            holder = await _holder(rivals)
            others = [each for each in rivals.leases if each is not holder]
            await rivals.kill(holder)
            await until(partial(_is_held_by_one_of, others))
            rivals.go_on(holder)

    # With a patience that outlasts the moments in which a busy machine lets nobody run.
    assert _run(story, patience=2.5 * PATIENCE).takeovers == 5


def test_without_a_server_nobody_holds_it_and_then_somebody_again(tmp_path: Path) -> None:
    with own_server(tmp_path) as server:

        async def story(rivals: Rivals) -> None:
            for _ in range(2):
                rivals.begin()
            await _holder(rivals)
            server.kill()
            await until(lambda: not any(each.is_held for each in rivals.leases))
            await asyncio.to_thread(server.start)
            await _holder(rivals)

        _run(story, server=server)


class RefusedError(RefusalError):
    """The work can't be done now."""

    code = "refused"


def _work_of(lease: Lease, work: Callable[[], Awaitable[None]]) -> LeasedWork:
    return LeasedWork(lease, work, name="work", seconds=0.01)


def test_work_is_done_by_the_holder_alone_and_goes_on_after_a_refusal() -> None:
    async def story(rivals: Rivals) -> None:
        done: list[Lease] = []

        def works(lease: Lease) -> LeasedWork:
            async def work() -> None:
                done.append(lease)
                raise RefusedError("work", expected="nothing", found="nothing")

            return _work_of(lease, work)

        first = rivals.begin()
        await until(lambda: first.is_held)
        both = [works(first), works(rivals.begin())]
        running = [asyncio.create_task(each.run()) for each in both]
        await until(lambda: len(done) > 5)
        for each in both:
            await each.stop()
        await asyncio.gather(*running)
        assert set(done) == {first}

    _run(story)


def test_a_round_that_has_begun_comes_to_its_end() -> None:
    async def story(rivals: Rivals) -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def work() -> None:
            begun.set()
            await asyncio.sleep(0.1)
            ended.set()

        lease = rivals.begin()
        await until(lambda: lease.is_held)
        leased = _work_of(lease, work)
        running = asyncio.create_task(leased.run())
        await begun.wait()
        await leased.stop()
        assert ended.is_set()
        await running

    _run(story)


def test_a_bug_in_the_work_is_let_through() -> None:
    async def story(rivals: Rivals) -> None:
        async def work() -> None:
            raise ZeroDivisionError

        lease = rivals.begin()
        await until(lambda: lease.is_held)
        with pytest.raises(ZeroDivisionError):
            await _work_of(lease, work).run()

    _run(story)
