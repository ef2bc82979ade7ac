"""`howff up`: a whole server on this machine, as child processes over one folder."""

import fcntl
import signal
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from howff.cli.errors import CommandError, UnreadableFileError
from howff.cli.parts import ServiceProcess, check_free
from howff.servicekit.nats.server import NatsServer, ServerPlan, free_ports

WATCH_INTERVAL: Final = 0.2
"""Seconds between two looks at the parts."""


class FolderTakenError(CommandError):
    """Another server runs on the same folder."""

    code = "folder_taken"

    def __init__(self, folder: Path) -> None:
        expected = "one that no other server uses"
        super().__init__(f"folder {str(folder)!r}", expected=expected, found="one in use")


def up(folder: Path, port: int, nats_port: int, console: Console) -> None:
    """Run NATS and the game service on *folder* until Ctrl-C or SIGTERM, then stop both.

    Raises:
        CommandError: a port or the folder is taken, or a part has ended.
        NatsError: the server of NATS does not start, or has ended.
    """
    check_free("game", port)
    check_free("nats", nats_port)
    nats = NatsServer(ServerPlan(folder / "nats", nats_port, free_ports(1)[0]))
    game = _game_service(folder, port, nats)
    with _locked(folder), ExitStack() as ending:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        ending.callback(nats.stop)
        ending.callback(game.stop)
        ending.callback(_hear_no_signals)
        try:
            _run(nats, game, port, console)
        except KeyboardInterrupt:
            console.print("Stopping")


def _run(nats: NatsServer, game: ServiceProcess, port: int, console: Console) -> None:
    nats.start()
    _show("nats", nats.url, nats.log, console)
    game.start()
    game.wait_until_answers(port, "/v1/games")
    _show("game", f"http://localhost:{port}", game.log, console)
    console.print(f"Howff is up at http://localhost:{port}; Ctrl-C stops it")
    while True:
        time.sleep(WATCH_INTERVAL)
        game.check()
        nats.wait_until_ready()


def _game_service(folder: Path, port: int, nats: NatsServer) -> ServiceProcess:
    environment = {
        "HOWFF_MODE": "one_machine",
        "HOWFF_HOST": "127.0.0.1",
        "HOWFF_PORT": str(port),
        "HOWFF_NATS_URL": nats.url,
        "HOWFF_NATS_MONITOR_URLS": nats.monitor_url,
        "HOWFF_REPLICAS": "1",
        "HOWFF_DEVELOPMENT_TOKENS": "true",
    }
    return ServiceProcess("game", "howff.game", environment, folder / "log" / "game.log")


@contextmanager
def _locked(folder: Path) -> Generator[None, None, None]:
    """Keep *folder* from other servers, whose streams would ruin each other."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("ab")
    except OSError as error:
        found = (error.strerror or str(error)).lower()
        expected = "one that can be written to"
        raise UnreadableFileError(
            f"folder {str(folder)!r}", expected=expected, found=found
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FolderTakenError(folder) from error
        yield


def _hear_no_signals() -> None:
    """Stop the parts undisturbed; it does not take long."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)


def _show(part: str, address: str, log: Path, console: Console) -> None:
    console.print(Text(f"{part:6}{address}  log: {log}"), soft_wrap=True)
