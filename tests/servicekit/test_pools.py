"""Pools of processes: what they compute comes back, and so does the word that one has died."""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from howff.servicekit.pools import PoolDiedError, ProcessPool
from support.running import run


@asynccontextmanager
async def pool_of(processes: int) -> AsyncIterator[ProcessPool]:
    pool = ProcessPool(processes)
    try:
        yield pool
    finally:
        pool.close()


def test_what_is_returned_or_raised_comes_back() -> None:
    async def story() -> None:
        async with pool_of(1) as pool:
            assert await pool.call(abs, -7) == 7
            with pytest.raises(ValueError, match="'seven'"):
                await pool.call(int, "seven")

    run(story)


def test_a_death_is_told_and_the_next_finds_another_process() -> None:
    async def story() -> None:
        async with pool_of(1) as pool:
            with pytest.raises(PoolDiedError):
                await pool.call(os._exit, 1)
            assert await pool.call(abs, -7) == 7

    run(story)


@pytest.mark.parametrize("processes", [1, 2])
def test_who_waits_for_a_pool_that_is_stuck_is_told_that_it_has_died(
    monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    """Both who waits for its turn and who waits for an answer."""
    monkeypatch.setattr("howff.servicekit.pools.STUCK_AFTER", 0.05)

    async def story() -> None:
        async with pool_of(processes) as pool:
            asked = [asyncio.create_task(pool.call(time.sleep, 600)) for _ in range(3)]
            await asyncio.sleep(0)
            asked[0].cancel()
            given_up, *told = await asyncio.gather(*asked, return_exceptions=True)
            assert isinstance(given_up, asyncio.CancelledError)
            assert [type(each) for each in told] == [PoolDiedError] * 2
            assert await pool.call(abs, -7) == 7

    run(story)
