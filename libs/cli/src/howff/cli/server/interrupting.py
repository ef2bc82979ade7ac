"""Ctrl-C while a command works with a server.

Python raises KeyboardInterrupt wherever it is just then. Between two steps of an event loop that
may lose what the next step was to wake, which then waits for ever; and where something is being
deleted it is told on standard error and forgotten. Here a loop is asked to end what it does, and
a Ctrl-C that nobody took notice of counts at the next thing that is done.
"""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Self


class Interrupts:
    """Notes every Ctrl-C as long as the context is open, if nobody else handles it."""

    def __init__(self) -> None:
        self._has_come = False
        self._end: Callable[[], object] | None = None
        self._is_handling = False

    def __enter__(self) -> Self:
        self._is_handling = _is_usual()
        if self._is_handling:
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        if self._is_handling:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    @contextmanager
    def ending(self, end: Callable[[], object]) -> Generator[None, None, None]:
        """Let Ctrl-C call *end*, at any moment, instead of breaking in.

        Raises:
            KeyboardInterrupt: Ctrl-C came, however the context has ended, or before it was opened.
        """
        self.check()
        self._end = end
        try:
            yield
        finally:
            self._end = None
            self.check()

    def check(self) -> None:
        """Let a Ctrl-C that has come count, once.

        Raises:
            KeyboardInterrupt: one has.
        """
        if self._has_come:
            self.forget()
            raise KeyboardInterrupt

    def forget(self) -> None:
        """Take notice of a Ctrl-C that has come: what ends because of it may go on."""
        self._has_come = False

    def _note(self, _: int, frame: FrameType | None) -> None:
        self._has_come = True
        if self._end is not None:
            self._end()
        elif not _is_deleting(frame):
            raise KeyboardInterrupt


def _is_deleting(frame: FrameType | None) -> bool:
    """Return whether *frame* runs for something that is being deleted, from where nothing rises."""
    while frame is not None:
        if frame.f_code.co_name == "__del__":
            return True
        frame = frame.f_back
    return False


def _is_usual() -> bool:
    is_main = threading.current_thread() is threading.main_thread()
    return is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
