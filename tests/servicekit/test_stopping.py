"""Waiting for a flag for some seconds, and work that a flag stops."""

import asyncio

import pytest

from howff.servicekit.stopping import Stoppable, is_set_within


def test_a_flag_that_is_set_is_not_waited_for() -> None:
    async def found() -> bool:
        event = asyncio.Event()
        event.set()
        return await is_set_within(event, 60)

    assert asyncio.run(found())


def test_a_flag_that_nobody_sets_is_waited_for_in_vain() -> None:
    assert not asyncio.run(is_set_within(asyncio.Event(), 0.01))


@pytest.mark.parametrize("turns", range(3))
def test_who_is_cancelled_just_when_the_flag_is_set_stays_cancelled(turns: int) -> None:
    async def scenario() -> bool:
        event = asyncio.Event()
        waiting = asyncio.create_task(is_set_within(event, 60))
        await asyncio.sleep(0)
        event.set()
        for _ in range(turns):
            await asyncio.sleep(0)
        is_too_late = not waiting.cancel()
        await asyncio.wait([waiting])
        return is_too_late or waiting.cancelled()

    assert asyncio.run(scenario())


class Counting(Stoppable):
    """Counts its rounds."""

    def __init__(self) -> None:
        super().__init__()
        self.rounds = 0

    async def _rounds(self) -> None:
        while not self._stopping.is_set():
            self.rounds += 1
            await self._pause(60)
            await asyncio.sleep(0)  # what a round has yet to do


def test_work_is_stopped_in_its_pause_and_waited_for_to_its_end() -> None:
    async def scenario() -> Counting:
        work = Counting()
        running = asyncio.create_task(work.run())
        await asyncio.sleep(0)
        async with asyncio.timeout(5):
            await work.stop()
        await running
        return work

    assert asyncio.run(scenario()).rounds == 1


def test_work_that_never_ran_is_stopped_at_once() -> None:
    asyncio.run(Counting().stop())
