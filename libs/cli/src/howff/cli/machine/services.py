"""The services of a server on one machine, and which paths belong to which of them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from howff.cli.machine.keys import PartKeys
from howff.cli.machine.parts import HOST, ServiceProcess
from howff.servicekit.nats.connection import Credentials
from howff.servicekit.nats.server import ServerPlan

LOBBY_PATHS: Final = (
    "=/",
    "/asyncapi.json",
    "/docs",
    "/openapi.json",
    "/site",
    "/watch",
    "/v1/accounts",
    "/v1/lobby",
    "/v1/me",
    "/v1/tables",
    "/v1/tickets",
    "/v1/tokens",
    "/.well-known/jwks.json",
)
"""What the lobby is asked for, the pages of the site among it; `=/` is the root alone."""
SCORING_PATHS: Final = ("/v1/leaderboards", "/v1/players", "/v1/projections", "/v1/statistics")
"""What scoring is asked for; the match service is asked for everything else."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where services work: a folder, the server of NATS on it, and the descriptor of its lock."""

    folder: Path
    nats: ServerPlan
    lock: int

    def credentials(self, user: str) -> Credentials:
        """Return how *user* connects to NATS."""
        assert self.nats.accounts is not None, "each service has a user"
        password = self.nats.accounts.passwords[user]
        assert isinstance(password, str), "nobody else has to know it"
        return Credentials(user, password)


class ServicePorts(NamedTuple):
    """Where each service listens."""

    lobby: int
    game: int
    scoring: int


def lobby_service(place: Place, ports: ServicePorts, scoring: PartKeys) -> ServiceProcess:
    """Return the lobby, which keeps its database in the folder, and tells scoring all names."""
    settings = {
        **lobby_settings(place.folder, place.nats, place.credentials("lobby")),
        "HOWFF_GAME_URL": f"http://{HOST}:{ports.game}",
        "HOWFF_SCORING_URL": f"http://{HOST}:{ports.scoring}",
        "HOWFF_SCORING_KEYS_FILE": str(scoring.public.resolve()),
    }
    return _service("lobby", "howff.lobby", place, ports.lobby, settings)


def game_service(place: Place, port: int, bots: PartKeys, scoring: PartKeys) -> ServiceProcess:
    """Return the match service, which trusts the parts that sign by these keys."""
    settings = {
        **_common(place.nats, place.credentials("game")),
        "HOWFF_BOT_KEYS_FILE": str(bots.public.resolve()),
        "HOWFF_SCORING_KEYS_FILE": str(scoring.public.resolve()),
    }
    return _service("game", "howff.game", place, port, settings)


def scoring_service(place: Place, ports: ServicePorts, keys: PartKeys) -> ServiceProcess:
    """Return scoring, which keeps its database in the folder."""
    settings = {
        **_common(place.nats, place.credentials("scoring")),
        "HOWFF_DATABASE_URL": f"sqlite:///{place.folder.resolve() / 'scoring.db'}",
        "HOWFF_GAME_URL": f"http://{HOST}:{ports.game}",
        "HOWFF_LOBBY_URL": f"http://{HOST}:{ports.lobby}",
        "HOWFF_SCORING_KEY_FILE": str(keys.private.resolve()),
    }
    return _service("scoring", "howff.scoring", place, ports.scoring, settings)


def worker(place: Place, number: int, game_port: int, keys: PartKeys) -> ServiceProcess:
    """Return a worker, which plays for bots at the match service and listens nowhere."""
    environment = {
        **_common(place.nats, place.credentials("bots")),
        "HOWFF_GAME_URL": f"http://{HOST}:{game_port}",
        "HOWFF_BOT_KEY_FILE": str(keys.private.resolve()),
    }
    name = f"bots{number}"
    return ServiceProcess(
        name, "howff.bots", environment, _log_of(place, name), inherited=(place.lock,)
    )


def front_of(place: Place, port: int, services: ServicePorts) -> ServiceProcess:
    """Return what hands the requests that come to *port* on to the services."""
    routes = {
        **dict.fromkeys(LOBBY_PATHS, f"http://{HOST}:{services.lobby}"),
        **dict.fromkeys(SCORING_PATHS, f"http://{HOST}:{services.scoring}"),
        "/": f"http://{HOST}:{services.game}",
    }
    settings = {"HOWFF_ROUTES": json.dumps(routes)}
    return _service("front", "howff.servicekit.web.front", place, port, settings)


def lobby_settings(folder: Path, nats: ServerPlan, login: Credentials) -> dict[str, str]:
    """Return the settings by which the lobby on *folder* finds its database and NATS."""
    database = f"sqlite:///{folder.resolve() / 'lobby.db'}"
    return {**_common(nats, login), "HOWFF_DATABASE_URL": database}


def _common(nats: ServerPlan, login: Credentials) -> dict[str, str]:
    return {
        "HOWFF_MODE": "one_machine",
        "HOWFF_NATS_URL": nats.url,
        "HOWFF_NATS_MONITOR_URLS": nats.monitor_url,
        "HOWFF_NATS_USER": login.user,
        "HOWFF_NATS_PASSWORD": login.password,
        "HOWFF_REPLICAS": "1",
    }


def _service(
    name: str, module: str, place: Place, port: int, settings: dict[str, str]
) -> ServiceProcess:
    address = {"HOWFF_HOST": HOST, "HOWFF_PORT": str(port)}
    environment = {**address, **settings}
    return ServiceProcess(name, module, environment, _log_of(place, name), inherited=(place.lock,))


def _log_of(place: Place, name: str) -> Path:
    return place.folder / "log" / f"{name}.log"
