"""The signals that ask a server on this machine to end: Ctrl-C, SIGTERM, a terminal that closes."""

import signal
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_ASKING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class EndingSignals:
    """Takes the first of these signals as Ctrl-C is taken, and no notice of those after it."""

    def __init__(self) -> None:
        self._has_come = False
        self._is_held = False

    def hear(self) -> None:
        """Hear of them from now on."""
        for each in _ASKING:
            if signal.getsignal(each) != signal.SIG_IGN:  # with nohup it stays ignored
                signal.signal(each, self._take)

    def hear_no_more(self) -> None:
        """Let none of them disturb what is done now."""
        # Not by ignoring them, which processes that are started now would go on with.
        self._has_come = True

    @contextmanager
    def held(self) -> Generator[None, None, None]:
        """Let one that comes wait until the context ends.

        Raises:
            KeyboardInterrupt: one has come.
        """
        self._is_held = True
        try:
            yield
        finally:
            self._is_held = False
        if self._has_come:
            raise KeyboardInterrupt

    def _take(self, _: int, __: FrameType | None) -> None:
        if self._has_come:
            return
        self._has_come = True
        if not self._is_held:
            raise KeyboardInterrupt
