"""Processes that think, made anew when one of them dies.

They import what is needed here, which is little, and end with the process that has made them.
"""

import asyncio
import multiprocessing
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from typing import Final

from howff.bots.application.thinking import Failure, Question, chosen
from howff.bots.children import live_as_child

DIED: Final = Failure("thinker_died")
STUCK_AFTER: Final = 60.0
"""Seconds that a choice goes on which nobody waits for, until its process is taken to be stuck."""


class ProcessThinkers:
    """Up to so many *processes*; each is started when it is needed first."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: _Pool | None = None

    async def choose(self, question: Question) -> int | Failure:
        """Return which move is chosen, or why none is."""
        pool = self._pool = self._pool or _Pool(self._processes)
        try:
            asked = await pool.ask(question)
        except (BrokenProcessPool, OSError):
            return self._died(pool)
        try:
            return await asyncio.wrap_future(asked)
        except BrokenProcessPool:
            return self._died(pool)
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(STUCK_AFTER, self._end_if_stuck, pool, asked)
            raise

    def close(self) -> None:
        """End all processes, whatever they are at."""
        if self._pool is not None:
            self._died(self._pool)

    def _died(self, pool: "_Pool") -> Failure:
        if self._pool is pool:
            self._pool = None
            pool.end()
        return DIED

    def _end_if_stuck(self, pool: "_Pool", asked: Future[int | Failure]) -> None:
        if not asked.done():
            self._died(pool)


class _Pool:
    """Processes that share one fate.

    No more is asked of them at once than they can do: what waits in there and is given up keeps
    Python 3.11 from telling the others when a process dies.
    """

    def __init__(self, processes: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(processes, context, live_as_child)
        self._free = asyncio.Semaphore(processes)

    async def ask(self, question: Question) -> Future[int | Failure]:
        """Ask the next process that is free.

        Raises:
            BrokenProcessPool: one of them has died.
            OSError: none can be started.
        """
        loop = asyncio.get_running_loop()
        await self._free.acquire()
        try:
            asked = self._executor.submit(chosen, question)
        except (BrokenProcessPool, OSError):
            self._free.release()
            raise
        asked.add_done_callback(lambda _: self._has_ended(loop))
        return asked

    def _has_ended(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # nobody is left to be told
            loop.call_soon_threadsafe(self._free.release)

    def end(self) -> None:
        """Kill all of them."""
        executor = self._executor
        for process in tuple((executor._processes or {}).values()):  # noqa: SLF001 — not told else
            process.kill()
        executor.shutdown(wait=False, cancel_futures=True)
