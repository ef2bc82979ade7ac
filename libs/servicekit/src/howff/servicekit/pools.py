"""Processes that compute for another one, which so goes on hearing and answering.

They import what they need for that and nothing else, and end with the process that has made them.
"""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing.connection import wait
from threading import Thread
from typing import Any, Final, TypeVar

A = TypeVar("A")
R = TypeVar("R")

STUCK_AFTER: Final = 60.0
"""Seconds that something is computed which nobody waits for, until its process is taken to be
stuck."""


class PoolDiedError(Exception):
    """A process of the pool has died, and with it all that the others were at."""


class ProcessPool:
    """Up to so many *processes*, started when they are needed first, and anew when one dies."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._fated: _Fated | None = None

    async def call(self, function: Callable[[A], R], argument: A) -> R:
        """Return what *function* makes of *argument* in one of the processes.

        Whatever it raises is raised here; it must bear the way, as refusals do.

        Raises:
            PoolDiedError: the process has died meanwhile, or none can be started.
        """
        fated = self._fated = self._fated or _Fated(self._processes)
        try:
            asked = await fated.ask(function, argument)
        except (RuntimeError, OSError) as error:
            self._end(fated)
            raise PoolDiedError from error
        try:
            return await asyncio.wrap_future(asked)
        except BrokenProcessPool as error:
            self._end(fated)
            raise PoolDiedError from error
        except asyncio.CancelledError:
            asyncio.get_running_loop().call_later(STUCK_AFTER, self._end_if_stuck, fated, asked)
            raise

    def close(self) -> None:
        """End all processes, whatever they are at."""
        if self._fated is not None:
            self._end(self._fated)

    def _end(self, fated: "_Fated") -> None:
        if self._fated is fated:
            self._fated = None
            fated.end()

    def _end_if_stuck(self, fated: "_Fated", asked: Future[Any]) -> None:
        if not asked.done():
            self._end(fated)


class _Fated:
    """Processes that share one fate.

    No more is asked of them at once than they can do: what waits in there and is given up keeps
    Python 3.11 from telling the others when a process dies.
    """

    def __init__(self, processes: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(processes, context, live_as_child)
        self._free = asyncio.Semaphore(processes)

    async def ask(self, function: Callable[[A], R], argument: A) -> Future[R]:
        """Ask the next process that is free.

        Raises:
            RuntimeError: one of them has died, or all were ended while this was waiting.
            OSError: none can be started.
        """
        loop = asyncio.get_running_loop()
        await self._free.acquire()
        try:
            asked = self._executor.submit(function, argument)
        except (RuntimeError, OSError):
            self._free.release()
            raise
        asked.add_done_callback(lambda _: self._has_ended(loop))
        return asked

    def _has_ended(self, loop: asyncio.AbstractEventLoop) -> None:
        with suppress(RuntimeError):  # nobody is left to be told
            loop.call_soon_threadsafe(self._free.release)

    def end(self) -> None:
        """Kill all of them; whoever waits for one is told that it has died."""
        executor = self._executor
        for process in tuple((executor._processes or {}).values()):  # noqa: SLF001 — not told else
            process.kill()
        executor.shutdown(wait=False)


def live_as_child() -> None:
    """Leave Ctrl-C to the process that has made this one, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None, "it was made by another process"
    sentinel = parent.sentinel

    def end_with_parent() -> None:
        wait([sentinel])
        os._exit(0)

    Thread(target=end_with_parent, daemon=True).start()
