"""The parts of a server as child processes."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import IO, Final

from howff.cli.errors import CommandError
from howff.cli.files import unreadable
from howff.servicekit.processes import end

HOST: Final = "127.0.0.1"
READY_WITHIN: Final = 60.0
"""Seconds in which a part has to answer; on a machine that is busy a start takes its time."""
STOPPED_WITHIN: Final = 15.0
"""Seconds after which a part that was asked to end is killed."""
POLL: Final = 0.05
LOG_LINES: Final = 8
_OWNER_ALONE: Final = 0o077
"""The mask for what a part keeps, as it may be in a folder that others can read."""


class PortTakenError(CommandError):
    """Somebody else listens where a part should."""

    code = "port_taken"

    def __init__(self, part: str, port: int, reason: str) -> None:
        super().__init__(f"port {port} for {part}", expected="a free port", found=reason)


class PartEndedError(CommandError):
    """A part has ended, or does not answer, that the others can't do without."""

    code = "part_ended"

    def __init__(self, part: str, log: Path, lines: Sequence[str], found: str) -> None:
        told = f"{found}; the end of {log}: {' | '.join(lines) or 'nothing'}"
        super().__init__(f"part {part!r}", expected="one that runs", found=told)


class ServiceProcess:
    """A service that runs as `python -m MODULE` with an *environment* of its own.

    It has a process group of its own, so that Ctrl-C in a terminal leaves it to its parent. The
    descriptors *inherited* stay open in it.
    """

    def __init__(
        self,
        name: str,
        module: str,
        environment: Mapping[str, str],
        log: Path,
        *,
        inherited: tuple[int, ...] = (),
    ) -> None:
        self.name = name
        self.log = log
        self._logged_before = 0
        """How long the log was, as earlier runs have left it."""
        self._inherited = inherited
        self._command = [sys.executable, "-m", module]
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, without waiting until it is ready.

        Raises:
            UnreadableFileError: its log can't be written.
        """
        with _log_at(self.log) as log:
            self._logged_before = log.tell()
            self._process = subprocess.Popen(  # noqa: S603 — our own module
                self._command,
                env={**os.environ, **self._environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                pass_fds=self._inherited,
                umask=_OWNER_ALONE,
            )

    def check(self) -> None:
        """Make sure that it runs.

        Raises:
            PartEndedError: it has ended.
        """
        assert self._process is not None, "the service was not started"
        code = self._process.poll()
        if code is not None:
            raise self._ended(f"one that ended with code {code}")

    def wait_until_answers(self, port: int, path: str) -> None:
        """Wait until a GET of *path* at *port* goes well.

        Raises:
            PartEndedError: it has ended, or takes too long.
        """
        deadline = time.monotonic() + READY_WITHIN
        while not _answers(port, path):
            self.check()
            if time.monotonic() > deadline:
                raise self._ended(f"none that answers after {READY_WITHIN:g} seconds")
            time.sleep(POLL)

    def stop(self) -> None:
        """Ask it to end and wait until it has; kill it if it doesn't."""
        if self._process is None:
            return
        end(self._process, STOPPED_WITHIN)
        self._process = None

    def _ended(self, found: str) -> PartEndedError:
        with self.log.open(errors="replace") as log:
            log.seek(self._logged_before)
            lines = log.read().splitlines()[-LOG_LINES:]
        return PartEndedError(self.name, self.log, lines, found)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a server, and where a GET tells that it is ready."""

    process: ServiceProcess
    port: int
    path: str


def check_free(part: str, port: int) -> None:
    """Refuse a *port* where somebody listens.

    Raises:
        PortTakenError: somebody does, or nobody may.
    """
    try:
        socket.create_server((HOST, port)).close()
    except OSError as error:
        raise PortTakenError(part, port, os.strerror(error.errno or 0).lower()) from error


def _log_at(path: Path) -> IO[bytes]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("ab")
    except OSError as error:
        place = Path(error.filename or path)
        raise unreadable(place, "a place for a log", error) from error


def _answers(port: int, path: str) -> bool:
    connection = HTTPConnection(HOST, port, timeout=1)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
