"""The folder of a server, on which one server at a time works."""

import fcntl
import os
from collections.abc import Generator, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from howff.cli.errors import CommandError
from howff.cli.files import unreadable

_WRITABLE: Final = "a folder that can be written to"
_PROCESSES: Final = Path("/proc")


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that has the lock of a folder."""

    process: int
    name: str

    @property
    def is_server(self) -> bool:
        """Whether it is a `howff up`, which ends all the others when it ends."""
        return self.name in {"howff", "howff.cli"}

    def __str__(self) -> str:
        return f"{self.name} (process {self.process})"


class FolderTakenError(CommandError):
    """Another server runs on the same folder, or parts of one that was killed."""

    code = "folder_taken"

    def __init__(self, folder: Path, holders: tuple[Holder, ...]) -> None:
        expected = "one that no other server uses"
        super().__init__(f"folder {str(folder)!r}", expected=expected, found=_told(holders))


def _told(holders: tuple[Holder, ...]) -> str:
    """Say who has the lock, and how to end that."""
    server = next((each for each in holders if each.is_server), None)
    if server is not None:
        return f"one with a server at work, which `kill {server.process}` ends: {server}"
    if holders:
        processes = " ".join(str(each.process) for each in holders)
        what = ", ".join(map(str, holders))
        return f"one in use by what is left of a server, which `kill {processes}` ends: {what}"
    return "one in use by others"


@contextmanager
def locked(folder: Path) -> Generator[int, None, None]:
    """Keep *folder* from other servers, whose streams would ruin each other.

    Gives the descriptor of the lock. A process that inherits it holds the lock too, even after
    whoever has started it was killed.

    Raises:
        FolderTakenError: somebody holds it already.
        UnreadableFileError: it can't be written to.
    """
    with _opened(folder) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FolderTakenError(folder, tuple(_holders(lock))) from error
        except OSError as error:
            raise unreadable(folder, _WRITABLE, error) from error
        yield lock.fileno()


def check_unlocked(folder: Path) -> None:
    """Refuse a *folder* that is locked, and make none that is not there.

    Raises:
        FolderTakenError: somebody holds it.
        UnreadableFileError: it can't be written to.
    """
    try:
        is_there = _lock_in(folder).exists()
    except OSError as error:
        raise unreadable(folder, _WRITABLE, error) from error
    if is_there:
        with locked(folder):
            pass


def _opened(folder: Path) -> IO[bytes]:
    try:
        # It keeps the seeds of matches that go on, and the keys of parts.
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _lock_in(folder).open("ab")
    except OSError as error:
        raise unreadable(folder, _WRITABLE, error) from error


def _lock_in(folder: Path) -> Path:
    return folder / "lock"


def _holders(lock: IO[bytes]) -> Iterator[Holder]:
    """Yield which other processes have the file *lock* open, as far as the system tells that."""
    file = os.fstat(lock.fileno())
    for process in sorted(_PROCESSES.glob("[0-9]*"), key=lambda process: int(process.name)):
        with suppress(OSError):  # it has ended meanwhile, or is somebody else's
            if int(process.name) != os.getpid() and _has_open(process, file):
                yield Holder(int(process.name), _name_of(process))


def _name_of(process: Path) -> str:
    """Return the name of its program, or of the module that Python runs."""
    words = (process / "cmdline").read_text().split("\0")
    return words[words.index("-m") + 1] if "-m" in words else (process / "comm").read_text().strip()


def _has_open(process: Path, file: os.stat_result) -> bool:
    for descriptor in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile
            if os.path.samestat(descriptor.stat(), file):
                return True
    return False
