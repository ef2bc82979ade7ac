"""A server of Howff in containers, by docker-compose.yml, as a project of its own."""

import json
import os
import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from howff.cli.machine.secret_file import make_secrets
from howff.servicekit import ids
from howff.servicekit.nats.server import free_ports

ROOT: Final = Path(__file__).parents[2]
COMPOSE: Final = shlex.split(os.environ.get("HOWFF_COMPOSE", "docker compose"))
"""What `make test-containers` has found."""
IMAGE: Final = os.environ.get("HOWFF_IMAGE", "howff:dev")
WITHIN: Final = 240.0
"""Seconds in which a server of containers has to be healthy."""
PORTS: Final = ("HOWFF_PORT", "HOWFF_PROMETHEUS_PORT", "HOWFF_GRAFANA_PORT", "HOWFF_JAEGER_PORT")


@dataclass(frozen=True, slots=True)
class Composed:
    """A project with secrets in the file *secrets*, ports of its own, and these *profiles*."""

    name: str
    secrets: Path
    profiles: tuple[str, ...] = ()
    ports: tuple[int, ...] = field(default_factory=lambda: free_ports(len(PORTS)))

    @property
    def url(self) -> str:
        return f"http://localhost:{self.ports[0]}"

    @property
    def prometheus(self) -> str:
        return f"http://localhost:{self.ports[1]}"

    def up(self, *which: str) -> None:
        """Start it, or *which* of it, and wait until that is healthy."""
        self.compose("up", "--detach", "--wait", *which)

    def restart(self, service: str) -> None:
        """Restart a service, and wait until it is healthy again."""
        self.compose("restart", service)
        self.up("--no-deps", service)

    def json(self, *arguments: str) -> Any:
        return json.loads(self.compose(*arguments, "--format", "json"))

    def compose(self, *arguments: str, within: float = WITHIN) -> str:
        """Return what `docker compose` prints for these *arguments*; it has to go well."""
        done = self.tried(*arguments, within=within)
        assert done.returncode == 0, f"{arguments}: {done.stderr}\n{self.logs()}"
        return done.stdout

    def tried(
        self, *arguments: str, within: float = WITHIN, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """Return how `docker compose` ends for these *arguments*."""
        chosen = [option for each in self.profiles for option in ("--profile", each)]
        ports = {name: str(port) for name, port in zip(PORTS, self.ports, strict=True)}
        own = {"HOWFF_IMAGE": IMAGE, **ports, **environment}
        files = ["--project-name", self.name, "--env-file", str(self.secrets)]
        return subprocess.run(  # noqa: S603 — the program that make has found
            [*COMPOSE, *files, *chosen, *arguments],
            cwd=ROOT,
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            timeout=within,
            check=False,
        )

    def logs(self) -> str:
        return self.tried("logs", "--no-color", "--tail", "60").stdout


@contextmanager
def composed(folder: Path, *profiles: str) -> Iterator[Composed]:
    """Give a project with new secrets in *folder*; whatever happens, nothing of it stays.

    Its logs are kept in *folder*.
    """
    secrets = folder / "secrets.env"
    make_secrets(secrets, ids.new_secret)
    server = Composed(f"howff-test-{ids.new_id()[:8]}", secrets, profiles)
    try:
        yield server
    finally:
        (folder / "containers.log").write_text(server.tried("logs", "--no-color").stdout)
        everything = Composed(server.name, secrets, ("*",), server.ports)
        everything.compose("down", "--volumes", "--remove-orphans", "--timeout", "5")
