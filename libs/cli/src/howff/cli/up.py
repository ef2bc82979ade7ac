"""`howff up`: a whole server on this machine, as child processes over one folder."""

import signal
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from rich.console import Console
from rich.text import Text

from howff.cli.folders import check_unlocked, locked
from howff.cli.granting import told_in
from howff.cli.keys import keys_on
from howff.cli.parts import READY_WITHIN, Part, ServiceProcess, check_free
from howff.cli.services import (
    Place,
    ServicePorts,
    front_of,
    game_service,
    lobby_service,
    scoring_service,
    worker,
)
from howff.servicekit.nats.server import NatsServer, ServerPlan, free_ports

WATCH_INTERVAL: Final = 0.2
"""Seconds between two looks at the parts."""


def up(folder: Path, port: int, nats_port: int, bots: int, console: Console) -> None:
    """Run NATS and the services on *folder*, until a signal asks to end; then stop them all.

    The services are reached at one *port*; as many workers as *bots* play for bots. Ctrl-C, SIGTERM
    and the closing of the terminal end everything. Whatever happens to this process, the folder
    stays locked as long as a part of it lives.

    Raises:
        CommandError: a port or the folder is taken or can't be used, or a part has ended.
        NatsError: the server of NATS does not start, or has ended.
    """
    check_unlocked(folder)  # says more than that the ports of the other server are taken
    check_free("front", port)
    check_free("nats", nats_port)
    monitor_port, *service_ports = free_ports(4)
    ports = ServicePorts(*service_ports)
    plan = ServerPlan(folder / "nats", nats_port, monitor_port)
    with locked(folder) as lock, ExitStack() as ending:
        nats = NatsServer(plan, inherited=(lock,))
        place = Place(folder, plan, lock)
        services = _services(place, ports)
        front = Part(front_of(place, port, ports), port, "/v1/games")
        bot_keys = keys_on(folder, "bots")
        workers = [worker(place, number, ports.game, bot_keys) for number in range(1, bots + 1)]
        _hear_signals()
        ending.callback(nats.stop)
        # Answers of the services end by themselves when these do, and pass through the front.
        for process in (front.process, *(each.process for each in services), *workers):
            ending.callback(process.stop)
        ending.callback(_hear_no_signals)
        ending.enter_context(told_in(folder, plan))
        try:
            _run(nats, (*services, front), workers, console)
        except KeyboardInterrupt:
            console.print("Stopping")


def _services(place: Place, ports: ServicePorts) -> tuple[Part, ...]:
    """Return the services behind the front, each with what it answers once it works."""
    bots, scoring = (keys_on(place.folder, part) for part in ("bots", "scoring"))
    return (
        Part(lobby_service(place, ports.lobby, scoring), ports.lobby, "/.well-known/jwks.json"),
        Part(game_service(place, ports.game, bots, scoring), ports.game, "/v1/games"),
        Part(
            scoring_service(place, ports, scoring),
            ports.scoring,
            "/v1/projections",
        ),
    )


def _run(
    nats: NatsServer, parts: tuple[Part, ...], workers: list[ServiceProcess], console: Console
) -> None:
    nats.launch()
    nats.wait_until_ready(READY_WITHIN)
    _show("nats", nats.url, nats.log, console)
    for part in parts:
        part.process.start()
    for part in parts:
        part.process.wait_until_answers(part.port, part.path)
        _show(part.process.name, f"http://localhost:{part.port}", part.process.log, console)
    for each in workers:  # they need the others, and nobody has to wait for them
        each.start()
        console.print(Text(f"{each.name:8}log: {each.log}"), soft_wrap=True)
    console.print(f"Howff is up at http://localhost:{parts[-1].port}; Ctrl-C stops it")
    while True:
        time.sleep(WATCH_INTERVAL)
        for process in (*(part.process for part in parts), *workers):
            process.check()
        nats.wait_until_ready(READY_WITHIN)


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
    console.print(Text(f"{part:8}{address}  log: {log}"), soft_wrap=True)
