"""`howff admin grant`: an administrator for the server that runs on a folder of this machine."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import typer

from howff.cli.errors import CommandError
from howff.cli.files import read_file, unreadable
from howff.cli.machine.folders import FolderTakenError, check_unlocked
from howff.cli.machine.services import Place, lobby_settings
from howff.engine.codec import from_json, to_json
from howff.engine.errors import MalformedError
from howff.servicekit.nats.connection import Credentials
from howff.servicekit.nats.server import ServerPlan
from howff.servicekit.private import write_private

_LOBBY: Final = "lobby"


class NoServerError(CommandError):
    """No server runs on a folder."""

    code = "no_server"

    def __init__(self, folder: Path) -> None:
        expected = "the folder of a server that runs on this machine"
        super().__init__(f"folder {str(folder)!r}", expected=expected, found="one without")


@dataclass(frozen=True, slots=True)
class _Told:
    """Where the server of NATS listens, and by what password the lobby connects to it."""

    nats: int
    monitor: int
    password: str = field(repr=False)


@contextmanager
def told_in(place: Place) -> Iterator[None]:
    """Let others find the server in this *place*, if they may read what its owner may.

    Raises:
        UnreadableFileError: it can't be told there.
    """
    file = _file_in(place.folder)
    login = place.credentials(_LOBBY)
    told = _Told(place.nats.port, place.nats.monitor_port, login.password)
    try:
        write_private(file, json.dumps(to_json(_Told, told)))
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
    told = _told_on(folder)
    plan = ServerPlan(folder, told.nats, told.monitor)
    settings = lobby_settings(folder, plan, Credentials(_LOBBY, told.password))
    environment = {**os.environ, **settings}
    granted = subprocess.run(command, env=environment, check=False)  # noqa: S603 — our own module
    if granted.returncode:
        raise typer.Exit(granted.returncode)


def _told_on(folder: Path) -> _Told:
    file = _file_in(folder)
    if not file.exists() or not _is_held(folder):
        raise NoServerError(folder)
    try:
        return from_json(_Told, json.loads(read_file(file)))
    except (ValueError, RecursionError, MalformedError) as error:
        raise NoServerError(folder) from error


def _is_held(folder: Path) -> bool:
    try:
        check_unlocked(folder)
    except FolderTakenError:
        return True
    return False


def _file_in(folder: Path) -> Path:
    return folder / "running.json"
