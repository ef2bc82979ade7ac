"""Scoring as it runs beside a match service, for tests."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from howff.scoring.app import running_service
from howff.scoring.settings import Settings
from howff.servicekit import clock
from howff.servicekit.nats.connection import Connection
from howff.servicekit.web.parts import key_pair
from support.hosted import Hosted, hosted
from support.lobby_tokens import LobbyBucket, LobbyKey
from support.service import Service, wait_until
from support.workers import KEY

LOBBY = LobbyKey(bytes(range(3, 35)))


@dataclass(frozen=True, slots=True)
class Scoring(Hosted):
    """The service as it runs in a thread of its own, beside the match service *game*."""

    game: Service

    def bearer(self, account: str, scope: str = "play read") -> dict[str, str]:
        """Return the header of somebody with a token of the lobby."""
        token = LOBBY.token(account, f"t-{account}", clock.now(), scope=scope)
        return {"Authorization": f"Bearer {token}"}

    def states(self) -> dict[str, Any]:
        """Return how far the archive and its projections are, by their names."""
        told = self.http.get("/v1/projections").json()["projections"]
        return {each["projection"]: each for each in told}

    def wait_until_projected(self) -> None:
        """Wait until all that has ended is archived and projected."""
        wait_until(lambda: all(each["lag"] == 0 for each in self.states().values()))

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.http.get(path, headers=headers)


def settings_beside(game: Service, folder: Path, **changes: Any) -> Settings:
    """Return how scoring is set up that keeps its database and key in *folder*."""
    key = folder / "scoring.key"
    key.write_text(key_pair(KEY.secret).private)
    terms = {
        "mode": "test",
        "limits": False,
        "nats_url": game.nats.url,
        "nats_monitor_urls": game.nats.monitor_url,
        "game_url": game.url,
        "lobby_url": None,
        "scoring_key_file": key,
        "database_url": f"sqlite:///{folder / 'scoring.db'}",
    }
    return Settings(**{**terms, **changes})


@contextmanager
def scoring_beside(game: Service, folder: Path, **changes: Any) -> Iterator[Scoring]:
    """Run scoring in a thread until the context ends, or it is stopped before."""

    async def tell(connection: Connection) -> None:
        await (await LobbyBucket.on(connection)).tell(LOBBY)

    game.on_nats(tell)
    settings = settings_beside(game, folder, **changes)
    with hosted(lambda: running_service(settings)) as served:
        yield Scoring(served.app, served.url, served.loop, served.http, served.stop, game)
