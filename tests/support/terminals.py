"""The command at a terminal of its own, where somebody types and sees what is shown."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from support.howff_up import HOWFF, WITHIN

MOST_PRESSED: Final = 3


@dataclass(slots=True)
class Terminal:
    """A terminal at which a command runs, and all that it has *shown*."""

    process: subprocess.Popen[bytes]
    line: int
    shown: str = ""

    def type(self, text: str) -> None:
        os.write(self.line, text.encode())

    def read_until(self, sign: str) -> None:
        """Read on until *sign* has come after all that was read before."""
        assert self._has_come(sign, len(self.shown), WITHIN), self.shown

    def interrupt_until(self, sign: str) -> None:
        """Press Ctrl-C until *sign* comes, as a person does.

        Python looks for signals and then begins to wait for a line: one that comes between these
        two is heard with the next key.
        """
        before = len(self.shown)
        for _ in range(MOST_PRESSED):
            self.type("\x03")
            if self._has_come(sign, before, WITHIN / MOST_PRESSED):
                return
        raise AssertionError(self.shown)

    def _has_come(self, sign: str, before: int, within: float) -> bool:
        deadline = time.monotonic() + within
        while sign not in self.shown[before:]:
            ready, _, _ = select.select([self.line], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                return False
            self.shown += os.read(self.line, 65536).decode(errors="replace")
        return True


def _begin_there() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    # Ctrl-C reaches the command, whatever this process has been told to do with it.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def at_a_terminal(*arguments: str) -> Generator[Terminal, None, None]:
    """Run the command at a terminal until it ends by itself or has to."""
    line, end = pty.openpty()
    process = subprocess.Popen(  # noqa: S603 — the command under test
        [HOWFF, *arguments],
        stdin=end,
        stdout=end,
        stderr=end,
        env={**os.environ, "COLUMNS": "120", "LINES": "50"},
        start_new_session=True,
        preexec_fn=_begin_there,  # noqa: PLW1509
    )
    os.close(end)
    with process:
        try:
            yield Terminal(process, line)
        finally:
            process.kill()
            os.close(line)
