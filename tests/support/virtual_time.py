"""Time that passes only when everybody waits, so that hours of failures take no time to test."""

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _SkippingSelector(selectors.DefaultSelector):
    """Looks for what has come and never waits for it; *now* goes on instead."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        assert timeout is not None, "all wait, and nothing is left to come"
        self.now += timeout
        return super().select(0)


class _SkippingLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._skipping = _SkippingSelector()
        super().__init__(self._skipping)

    def time(self) -> float:
        return self._skipping.now


def run_in_virtual_time(story: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run *story*, which may wait for timers but for nothing outside of the process."""
    with asyncio.Runner(loop_factory=_SkippingLoop) as runner:
        return runner.run(story())
