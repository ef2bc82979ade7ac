"""Running a process in a loop of uvloop, until its system asks it to end."""

import asyncio
import gc
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

import uvloop

T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Return what *main* returns, run to its end in a loop of uvloop."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(main)


def freeze() -> None:
    """Let no collection look again through what lives as long as the process."""
    gc.collect()
    gc.freeze()


async def stop_signal() -> None:
    """Wait for SIGTERM or SIGINT."""
    loop = asyncio.get_running_loop()
    came = asyncio.Event()
    signals = (signal.SIGTERM, signal.SIGINT)
    for each in signals:
        loop.add_signal_handler(each, came.set)
    try:
        await came.wait()
    finally:
        for each in signals:
            loop.remove_signal_handler(each)
