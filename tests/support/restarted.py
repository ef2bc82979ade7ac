"""Lobby and match service as processes that are killed, and people who go on all the same."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import httpx

from howff.engine.codec import JSON
from howff.servicekit.nats.server import NatsServer
from support.histories.replicas import ServiceProcess, environment_of, settings_of
from support.lobby import settings_for
from support.service import new_key

PAUSE: Final = 0.05
TRANSIENT: Final = 500
"""From this status on an answer says nothing about the request."""


@dataclass
class Site:
    """A whole site on one NATS server, each process of which may die at any time."""

    nats: NatsServer
    lobby: ServiceProcess
    game: ServiceProcess
    http: httpx.AsyncClient = field(default_factory=lambda: httpx.AsyncClient(timeout=5.0))

    async def ask(
        self, method: str, path: str, content: JSON = None, token: str | None = None
    ) -> httpx.Response:
        """Return what answers a request, sent again under the same key until something does."""
        headers = {"Idempotency-Key": str(new_key())}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        body: dict[str, Any] = {} if content is None else {"json": content}
        while True:
            try:
                url = f"{self.lobby.replica.url}{path}"
                answer = await self.http.request(method, url, headers=headers, **body)
            except httpx.TransportError:
                await asyncio.sleep(PAUSE)
                continue
            if answer.status_code < TRANSIENT:
                return answer
            await asyncio.sleep(PAUSE)

    async def restart_lobby(self) -> None:
        """Kill the lobby, and start it again."""
        self.lobby.kill()
        await self.lobby.start()

    async def restart_game(self) -> None:
        """Kill the match service, and start it again."""
        self.game.kill()
        await self.game.start()

    async def restart_nats(self) -> None:
        """Kill the server of NATS, and start it again."""
        await asyncio.to_thread(self.nats.kill)
        await asyncio.to_thread(self.nats.start)

    async def restart_all(self) -> None:
        """Kill every process, and then start all again."""
        self.lobby.kill()
        self.game.kill()
        await self.restart_nats()
        await asyncio.gather(self.lobby.start(), self.game.start())


@asynccontextmanager
async def site_on(nats: NatsServer, folder: Path) -> AsyncIterator[Site]:
    """Run lobby and match service as processes on *nats*."""
    for each in ("lobby", "game"):
        (folder / each).mkdir()
    lobby = ServiceProcess(
        folder / "lobby", environment_of(settings_for(nats, folder, port=0)), "howff.lobby"
    )
    game = ServiceProcess(folder / "game", environment_of(settings_of([nats])))
    site = Site(nats, lobby, game)
    try:
        async with site.http:
            await game.start()
            await lobby.start()
            yield site
    finally:
        await lobby.close()
        await game.close()
