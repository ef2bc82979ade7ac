"""`howff admin grant`: an administrator for the server that runs on a folder of this machine."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import typer

from howff.cli.errors import CommandError
from howff.cli.files import read_file, unreadable
from howff.cli.folders import FolderTakenError, check_unlocked
from howff.cli.services import lobby_settings
from howff.engine.codec import from_json, to_json
from howff.engine.errors import MalformedError
from howff.servicekit.nats.server import ServerPlan


class NoServerError(CommandError):
    """No server runs on a folder."""

    code = "no_server"

    def __init__(self, folder: Path) -> None:
        expected = "the folder of a server that runs on this machine"
        super().__init__(f"folder {str(folder)!r}", expected=expected, found="one without")


@dataclass(frozen=True, slots=True)
class _Ports:
    """Where the server of NATS listens."""

    nats: int
    monitor: int


@contextmanager
def told_in(folder: Path, plan: ServerPlan) -> Iterator[None]:
    """Let others on this machine find the server on *folder*, whose NATS runs by *plan*.

    Raises:
        UnreadableFileError: it can't be told there.
    """
    file = _file_in(folder)
    ports = _Ports(plan.port, plan.monitor_port)
    try:
        file.write_text(json.dumps(to_json(_Ports, ports)))
    except OSError as error:
        raise unreadable(file, "a file that can be written", error) from error
    try:
        yield
    finally:
        file.unlink(missing_ok=True)


def grant_on(folder: Path, name: str) -> None:
    """Make the account called *name* an administrator of the server that runs on *folder*.

    Raises:
        NoServerError: none does.
        typer.Exit: the lobby refuses, and has said why.
    """
    command = [sys.executable, "-m", "howff.lobby", "grant", name]
    environment = {**os.environ, **lobby_settings(folder, _plan_on(folder))}
    granted = subprocess.run(command, env=environment, check=False)  # noqa: S603 — our own module
    if granted.returncode:
        raise typer.Exit(granted.returncode)


def _plan_on(folder: Path) -> ServerPlan:
    file = _file_in(folder)
    if not file.exists() or not _is_held(folder):
        raise NoServerError(folder)
    try:
        ports = from_json(_Ports, json.loads(read_file(file)))
    except (ValueError, RecursionError, MalformedError) as error:
        raise NoServerError(folder) from error
    return ServerPlan(folder, ports.nats, ports.monitor)


def _is_held(folder: Path) -> bool:
    try:
        check_unlocked(folder)
    except FolderTakenError:
        return True
    return False


def _file_in(folder: Path) -> Path:
    return folder / "ports.json"
