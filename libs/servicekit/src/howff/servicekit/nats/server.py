"""A NATS server as a child process: for one machine, and for tests."""

import errno
import itertools
import json
import os
import secrets
import signal
import socket
import sysconfig
import time
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from subprocess import DEVNULL, Popen
from typing import Any, Final, Self

from howff.servicekit.nats.accounts import Accounts
from howff.servicekit.nats.errors import ServerNotInstalledError, ServerNotReadyError
from howff.servicekit.private import write_private
from howff.servicekit.processes import end

HOST: Final = "127.0.0.1"
LISTENING: Final = range(10_240, 32_768)
"""Ports that systems by default give to nobody who connects, so that a free one stays so."""
_looked_at: Final = itertools.count(secrets.randbelow(len(LISTENING)))
"""Which of them is tried next: each time another, for who was given one has yet to use it."""
READY_WITHIN: Final = 15.0
"""Seconds in which a server has to be ready; three that elect a leader need a few."""
STOPPED_WITHIN: Final = 10.0
POLL: Final = 0.02
LOG_LINES: Final = 8
MAX_PAYLOAD: Final = 1024 * 1024
MAX_MEMORY: Final = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class User:
    """Who may connect, and the subjects that it may publish and subscribe: all others are refused.

    None allows all subjects.
    """

    name: str
    password: str = field(repr=False)
    publish: tuple[str, ...] | None = None
    subscribe: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Cluster:
    """The part of a cluster that one server is: where it listens to the others, and all of them."""

    name: str
    port: int
    ports: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ServerPlan:
    """How a server is run; it listens on the loopback address only.

    *folder* keeps its configuration, its log and its streams. *sync_interval* `always` writes
    through to the disk before a message is acknowledged. Without *users*, who share one account,
    and without *accounts*, one for each user: anyone may do everything.
    """

    folder: Path
    port: int
    monitor_port: int
    name: str = "howff"
    sync_interval: str = "always"
    users: tuple[User, ...] = ()
    accounts: Accounts | None = None
    cluster: Cluster | None = None

    @property
    def url(self) -> str:
        return f"nats://{HOST}:{self.port}"

    @property
    def monitor_url(self) -> str:
        return f"http://{HOST}:{self.monitor_port}"

    def configuration(self) -> str:
        """Return the text of the server's configuration file."""
        settings: dict[str, Any] = {
            "server_name": self.name,
            "listen": f"{HOST}:{self.port}",
            "http": f"{HOST}:{self.monitor_port}",
            "max_payload": MAX_PAYLOAD,
            "jetstream": {
                "store_dir": str(self.folder.resolve() / "store"),
                "sync_interval": self.sync_interval,
                "max_memory_store": MAX_MEMORY,
            },
        }
        if self.users:
            settings["authorization"] = {"users": [_user_settings(user) for user in self.users]}
        if self.accounts:
            settings["accounts"] = self.accounts.settings()
        if self.cluster:
            settings["cluster"] = _cluster_settings(self.cluster)
        return json.dumps(settings, indent=2)


class NatsServer:
    """A server that runs as a child of this process, on the folder and the ports of its plan.

    It has a process group of its own, so that Ctrl-C in a terminal leaves it to its parent to stop
    the server last. A parent that is killed outright leaves it running, and with it the descriptors
    that it has *inherited*, such as that of a lock on its folder.
    """

    def __init__(self, plan: ServerPlan, *, inherited: tuple[int, ...] = ()) -> None:
        self.plan = plan
        self._inherited = inherited
        self._process: Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return self.plan.url

    @property
    def monitor_url(self) -> str:
        return self.plan.monitor_url

    @property
    def log(self) -> Path:
        """The file that the server writes its log to."""
        return self.plan.folder / "server.log"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server and wait until it is ready.

        Raises:
            ServerNotInstalledError: there is no program to start.
            ServerNotReadyError: it ended early, such as over a port that is taken, or takes too
                long.
        """
        self.launch()
        try:
            self.wait_until_ready()
        except ServerNotReadyError:
            self.stop()
            raise

    def launch(self) -> None:
        """Start the server without waiting; those of a cluster get ready together only.

        Raises:
            ServerNotInstalledError: there is no program to start.
            ServerNotReadyError: its folder can't be written to.
        """
        assert self._process is None, "the server was started already"
        program = Path(sysconfig.get_path("scripts")) / "nats-server"
        if not program.is_file():
            raise ServerNotInstalledError(str(program))
        configuration = self.plan.folder / "server.conf"
        command = [str(program), "-c", str(configuration.resolve())]
        try:
            self.plan.folder.mkdir(parents=True, exist_ok=True)
            write_private(configuration, self.plan.configuration())
            with self.log.open("ab") as log:
                streams: dict[str, Any] = {"stdin": DEVNULL, "stdout": log, "stderr": log}
                self._process = Popen(  # noqa: S603 - our own program and file
                    command, start_new_session=True, pass_fds=self._inherited, **streams
                )
        except OSError as error:
            found = f"none, with {error.filename!r}: {(error.strerror or str(error)).lower()}"
            raise ServerNotReadyError(self.plan.name, found=found) from error

    def wait_until_ready(self, within: float = READY_WITHIN) -> None:
        """Wait up to *within* seconds until the server says that it is well.

        Raises:
            ServerNotReadyError: it ended, or takes longer.
        """
        deadline = time.monotonic() + within
        while not self._is_well():
            code = self._running.poll()
            if code is not None or time.monotonic() > deadline:
                late = f"none after {within} seconds"
                found = late if code is None else f"one that ended with code {code}"
                found = f"{found}: {self._last_lines()}"
                raise ServerNotReadyError(self.plan.name, found=found)
            time.sleep(POLL)

    def stop(self) -> None:
        """Ask the server to end and wait until it has; kill it if it doesn't."""
        if self._process is None:
            return
        end(self._process, STOPPED_WITHIN)
        self._process = None

    def kill(self) -> None:
        """Kill the server at once, as a crash would."""
        self._running.kill()
        self._running.wait()
        self._process = None

    def restart(self) -> None:
        """Stop the server, if it runs, and start it again on the same files and ports."""
        self.stop()
        self.start()

    def pause(self) -> None:
        """Freeze the server: its connections stay, its answers don't come."""
        self._running.send_signal(signal.SIGSTOP)
        os.waitpid(self._running.pid, os.WUNTRACED)  # else it might answer for a moment

    def resume(self) -> None:
        """Let a frozen server go on."""
        self._running.send_signal(signal.SIGCONT)

    @property
    def _running(self) -> Popen[bytes]:
        assert self._process is not None, "the server was not started"
        return self._process

    def _is_well(self) -> bool:
        connection = HTTPConnection(HOST, self.plan.monitor_port, timeout=1)
        with closing(connection), suppress(OSError, HTTPException):
            connection.request("GET", "/healthz")
            return connection.getresponse().status == HTTPStatus.OK
        return False

    def _last_lines(self) -> str:
        return " | ".join(self.log.read_text(errors="replace").splitlines()[-LOG_LINES:])


def free_ports(count: int) -> tuple[int, ...]:
    """Return *count* ports that nobody listens to at the moment.

    Raises:
        OSError: there are not so many.
    """
    found: list[int] = []
    with ExitStack() as held:
        for _ in LISTENING:
            if len(found) == count:
                return tuple(found)
            port = LISTENING[next(_looked_at) % len(LISTENING)]
            with suppress(OSError):  # somebody listens there
                held.enter_context(socket.socket()).bind((HOST, port))
                found.append(port)
    raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))


def _user_settings(user: User) -> dict[str, Any]:
    allowed = {"publish": user.publish, "subscribe": user.subscribe}
    permissions = {
        kind: {"allow": subjects} for kind, subjects in allowed.items() if subjects is not None
    }
    settings: dict[str, Any] = {"user": user.name, "password": user.password}
    return settings | ({"permissions": permissions} if permissions else {})


def _cluster_settings(cluster: Cluster) -> dict[str, Any]:
    routes = [f"nats-route://{HOST}:{port}" for port in cluster.ports if port != cluster.port]
    return {"name": cluster.name, "listen": f"{HOST}:{cluster.port}", "routes": routes}
