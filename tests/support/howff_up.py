"""A whole server of Howff, run by `howff up` as a process of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from howff.servicekit.nats.server import free_ports

HOWFF: Final = str(Path(sys.executable).with_name("howff"))
WITHIN: Final = 120.0
POLL: Final = 0.02


@dataclass(slots=True)
class Up:
    """A server on the folder *data*, which may be stopped and started again on the same ports."""

    data: Path
    ports: tuple[int, ...] = field(default_factory=lambda: free_ports(2))
    process: subprocess.Popen[bytes] | None = None
    more: tuple[str, ...] = ()
    """Other options of the command."""

    @property
    def url(self) -> str:
        return f"http://localhost:{self.ports[0]}"

    @property
    def arguments(self) -> tuple[str, ...]:
        port, nats_port = map(str, self.ports)
        places = ("--port", port, "--nats-port", nats_port, "--data", str(self.data))
        return "up", *places, "--bots", "1", *self.more

    @property
    def output(self) -> str:
        return self._output.read_text()

    @property
    def parts(self) -> list[int]:
        """The ids of the processes that run the parts, in the order of their start."""
        assert self.process is not None
        pid = self.process.pid
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))

    @property
    def violations(self) -> list[str]:
        """What a service has asked of NATS, or told it, that it may not."""
        log = (self.data / "nats" / "server.log").read_text()
        return [line for line in log.splitlines() if " Violation - " in line]

    def start(self) -> None:
        with self._output.open("wb") as output:
            self.process = started(*self.arguments, typed=subprocess.DEVNULL, output=output)
        wait_for(lambda: "Howff is up" in self.output or self.has_ended, self._output)
        assert not self.has_ended, self.output

    @property
    def has_ended(self) -> bool:
        assert self.process is not None
        return self.process.poll() is not None

    def stop(self, by: signal.Signals = signal.SIGTERM) -> int:
        """End it as Ctrl-C or its system would; return its status."""
        assert self.process is not None
        self.process.send_signal(by)
        return self.process.wait(WITHIN)

    @property
    def _output(self) -> Path:
        return self.data.with_suffix(".output")


@contextmanager
def running(data: Path, *more: str) -> Generator[Up, None, None]:
    """Give a server, started with *more* options, as long as the context is open."""
    server = Up(data, more=more)
    try:
        server.start()
        yield server
    finally:
        if not server.has_ended:
            server.stop()


def started(
    *arguments: str, output: IO[bytes], typed: int = subprocess.PIPE
) -> subprocess.Popen[bytes]:
    """Start the command as a process that writes to *output* and reads what a test has *typed*.

    Ctrl-C reaches it, whatever this process has been told to do with it.
    """
    return subprocess.Popen(  # noqa: S603 — the command under test
        [HOWFF, *arguments],
        stdin=typed,
        stdout=output,
        stderr=subprocess.STDOUT,
        env={**os.environ, "COLUMNS": "120"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )


@contextmanager
def in_the_background(
    *arguments: str, output: Path
) -> Generator[subprocess.Popen[bytes], None, None]:
    """Run a command that writes to the file *output* until it ends by itself or has to."""
    with output.open("wb") as file:
        process = started(*arguments, output=file)
    with process:
        try:
            yield process
        finally:
            process.kill()


def wait_for(is_so: Callable[[], bool], output: Path) -> None:
    """Wait until it is so; fail if it isn't in time, and show the *output* so far."""
    deadline = time.monotonic() + WITHIN
    while not is_so():
        assert time.monotonic() < deadline, output.read_text()
        time.sleep(POLL)
