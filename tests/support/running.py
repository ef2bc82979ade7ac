"""Running coroutines in tests, and waiting for what comes true."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, TypeVar

T = TypeVar("T")

WITHIN: Final = 60.0
"""Seconds that a test may take, and that it waits for what must come true, on a busy machine."""
SOON: Final = 20.0
"""Seconds within which something has to have happened, where that is what a test asks."""
POLL: Final = 0.01


def run(story: Callable[[], Coroutine[Any, Any, T]], within: float = WITHIN) -> T:
    """Run *story* to its end, which has to come within so many seconds."""

    async def bounded() -> T:
        async with asyncio.timeout(within):
            return await story()

    return asyncio.run(bounded())


async def until(is_so: Callable[[], bool], within: float = WITHIN) -> None:
    """Wait until it is so; fail if it isn't within so many seconds."""
    deadline = time.monotonic() + within
    while not is_so():
        assert time.monotonic() < deadline, f"not so after {within} seconds"
        await asyncio.sleep(POLL)


async def eventually(attempt: Callable[[], Awaitable[T]], *errors: type[Exception]) -> T:
    """Return what *attempt* gives, once it raises none of *errors* any more."""
    deadline = time.monotonic() + WITHIN
    while True:
        try:
            return await attempt()
        except errors:
            assert time.monotonic() < deadline, f"still refused after {WITHIN} seconds"
            await asyncio.sleep(POLL)
