"""`howff up`: a whole server on this machine, as child processes over one folder."""

import signal
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from howff.cli.folders import check_unlocked, locked
from howff.cli.parts import READY_WITHIN, ServiceProcess, check_free
from howff.servicekit.nats.server import NatsServer, ServerPlan, free_ports

WATCH_INTERVAL: Final = 0.2
"""Seconds between two looks at the parts."""


def up(folder: Path, port: int, nats_port: int, console: Console) -> None:
    """Run NATS and the game service on *folder*, until a signal asks to end; then stop both.

    Ctrl-C, SIGTERM and the closing of the terminal do. Whatever happens to this process, the
    folder stays locked as long as a part of it lives.

    Raises:
        CommandError: a port or the folder is taken, or a part has ended.
        NatsError: the server of NATS does not start, or has ended.
    """
    check_unlocked(folder)  # says more than that the ports of the other server are taken
    check_free("game", port)
    check_free("nats", nats_port)
    plan = ServerPlan(folder / "nats", nats_port, free_ports(1)[0])
    with locked(folder) as lock, ExitStack() as ending:
        nats = NatsServer(plan, inherited=(lock,))
        game = _game_service(folder, port, plan, inherited=(lock,))
        _hear_signals()
        ending.callback(nats.stop)
        ending.callback(game.stop)
        ending.callback(_hear_no_signals)
        try:
            _run(nats, game, port, console)
        except KeyboardInterrupt:
            console.print("Stopping")


def _run(nats: NatsServer, game: ServiceProcess, port: int, console: Console) -> None:
    nats.launch()
    nats.wait_until_ready(READY_WITHIN)
    _show("nats", nats.url, nats.log, console)
    game.start()
    game.wait_until_answers(port, "/v1/games")
    _show("game", f"http://localhost:{port}", game.log, console)
    console.print(f"Howff is up at http://localhost:{port}; Ctrl-C stops it")
    while True:
        time.sleep(WATCH_INTERVAL)
        game.check()
        nats.wait_until_ready(READY_WITHIN)


def _game_service(
    folder: Path, port: int, nats: ServerPlan, *, inherited: tuple[int, ...]
) -> ServiceProcess:
    environment = {
        "HOWFF_MODE": "one_machine",
        "HOWFF_HOST": "127.0.0.1",
        "HOWFF_PORT": str(port),
        "HOWFF_NATS_URL": nats.url,
        "HOWFF_NATS_MONITOR_URLS": nats.monitor_url,
        "HOWFF_REPLICAS": "1",
        "HOWFF_DEVELOPMENT_TOKENS": "true",
    }
    log = folder / "log" / "game.log"
    return ServiceProcess("game", "howff.game", environment, log, inherited=inherited)


def _hear_signals() -> None:
    """Take each signal that asks to end as Ctrl-C is taken."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # with nohup it stays ignored
        signal.signal(signal.SIGHUP, signal.default_int_handler)


def _hear_no_signals() -> None:
    """Stop the parts undisturbed; it does not take long."""
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)


def _show(part: str, address: str, log: Path, console: Console) -> None:
    console.print(Text(f"{part:6}{address}  log: {log}"), soft_wrap=True)
