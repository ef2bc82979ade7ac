"""`howff up`: a whole server on this machine, as child processes over one folder."""

import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Never

from rich.console import Console
from rich.text import Text

from howff.cli.machine.folders import check_unlocked, locked
from howff.cli.machine.formats import check_format
from howff.cli.machine.granting import told_in
from howff.cli.machine.keys import keys_on
from howff.cli.machine.parts import READY_WITHIN, Part, ServiceProcess, check_free
from howff.cli.machine.permissions import with_new_passwords
from howff.cli.machine.seeding import seed_demo
from howff.cli.machine.services import (
    Place,
    ServicePorts,
    front_of,
    game_service,
    lobby_service,
    scoring_service,
    worker,
)
from howff.cli.machine.signals import EndingSignals
from howff.cli.machine.stores import adopt_streams
from howff.client.errors import ClientError
from howff.servicekit.nats.server import NatsServer, ServerPlan, free_ports

WATCH_INTERVAL: Final = 0.2
"""Seconds between two looks at the parts."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody wants to run on this machine."""

    folder: Path
    port: int
    """Where all services are reached."""
    nats_port: int
    bots: int
    """How many workers play for bots."""
    has_demo: bool = False

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"


def up(wish: Wish, console: Console) -> None:
    """Run NATS and the services on a folder, until a signal asks to end; then stop them all.

    Ctrl-C, SIGTERM and the closing of the terminal end everything. Whatever happens to this
    process, the folder stays locked as long as a part of it lives.

    Raises:
        CommandError: a port or the folder is taken or can't be used, or a part has ended.
        ClientError: the demo could not be added.
        NatsError: the server of NATS does not start, or has ended.
    """
    check_unlocked(wish.folder)  # says more than that the ports of the other server are taken
    check_free("front", wish.port)
    check_free("nats", wish.nats_port)
    with locked(wish.folder) as lock, ExitStack() as ending:
        check_format(wish.folder)
        monitor_port, *ports = free_ports(4)
        place = _place(wish, lock, monitor_port)
        adopt_streams(place.nats.folder)
        machine = _machine(wish, place, ServicePorts(*ports))
        signals = EndingSignals()
        signals.hear()
        ending.callback(machine.stop)
        ending.callback(signals.hear_no_more)
        ending.enter_context(told_in(place))
        try:
            with console.status("Starting"):
                machine.start(signals)
            _tell(wish, console)
            if wish.has_demo:
                _seed(wish, machine, console)
            machine.watch()
        except KeyboardInterrupt:
            console.print("Stopping")


@dataclass(frozen=True, slots=True)
class _Machine:
    """All that runs."""

    nats: NatsServer
    services: tuple[Part, ...]
    front: Part
    """What people speak with; it hands on to the services."""
    workers: tuple[ServiceProcess, ...]

    @property
    def processes(self) -> tuple[ServiceProcess, ...]:
        """All but NATS; they are stopped from the last one to the first."""
        # When a service stops, its open answers end, and pass through the front until then.
        return (self.front.process, *(each.process for each in self.services), *self.workers)

    def start(self, signals: EndingSignals) -> None:
        """Start all of it, and return when every part answers.

        *signals* wait while a process is made, which nobody would stop if that broke off.
        """
        with signals.held():
            self.nats.launch()
        self.nats.wait_until_ready(READY_WITHIN)
        parts = (*self.services, self.front)
        with signals.held():
            for part in parts:
                part.process.start()
        for part in parts:
            part.process.wait_until_answers(part.port, part.path)
        with signals.held():
            for each in self.workers:  # they need the others, and nobody has to wait for them
                each.start()

    def watch(self) -> Never:
        """Make sure, as long as nobody asks to end, that all of it runs."""
        while True:
            time.sleep(WATCH_INTERVAL)
            self.check()

    def check(self) -> None:
        """Make sure that all of it runs.

        Raises:
            PartEndedError: a service or a worker has ended.
            ServerNotReadyError: NATS has.
        """
        for process in self.processes:
            process.check()
        self.nats.wait_until_ready(READY_WITHIN)

    def stop(self) -> None:
        """Stop all of it, whatever one of them does."""
        with ExitStack() as ending:
            ending.callback(self.nats.stop)
            for process in self.processes:
                ending.callback(process.stop)


def _place(wish: Wish, lock: int, monitor_port: int) -> Place:
    nats = wish.folder / "nats"
    plan = ServerPlan(nats, wish.nats_port, monitor_port, accounts=with_new_passwords())
    return Place(wish.folder, plan, lock)


def _machine(wish: Wish, place: Place, ports: ServicePorts) -> _Machine:
    """Return what is to run; nothing of it does yet."""
    bots, scoring = (keys_on(wish.folder, part) for part in ("bots", "scoring"))
    return _Machine(
        NatsServer(place.nats, inherited=(place.lock,)),
        (
            Part(lobby_service(place, ports, scoring), ports.lobby, "/.well-known/jwks.json"),
            Part(game_service(place, ports.game, bots, scoring), ports.game, "/v1/games"),
            Part(scoring_service(place, ports, scoring), ports.scoring, "/v1/projections"),
        ),
        Part(front_of(place, wish.port, ports), wish.port, "/v1/games"),
        tuple(worker(place, number, ports.game, bots) for number in range(1, wish.bots + 1)),
    )


def _seed(wish: Wish, machine: _Machine, console: Console) -> None:
    try:
        seed_demo(wish.folder, wish.url, console)
    except ClientError:
        machine.check()  # says more than that nobody answers
        raise


def _tell(wish: Wish, console: Console) -> None:
    """Say where the server is, and what can be done with it."""
    howff = sys.argv[0]  # as it was typed, which works where this was typed
    lines = (
        f"Howff is up at {wish.url}; Ctrl-C stops it",
        "  Open it in a browser: what can be played, who waits, and matches as they happen. Or:",
        f"  {howff} play troedler --server {wish.url}    a match against bots",
        f"  {howff} quick troedler --server {wish.url}   with whoever else would play it",
        f"Matches are kept in {wish.folder}, the logs of all parts in {wish.folder / 'log'}",
    )
    for line in lines:
        console.print(Text(line), soft_wrap=True)
