"""Every process of a site is killed while tables form, and no table is lost or started twice."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from pathlib import Path

from conftest import IS_LONG
from howff.contracts.matches import CONTRACTS
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.server import NatsServer
from support.nats import own_server
from support.restarted import Site, site_on
from support.running import eventually, run

Act = Callable[[], Awaitable[None]]
TABLES = 100 if IS_LONG else 8
AT_ONCE = 10
WITHIN = 900.0 if IS_LONG else 120.0


class Course:
    """Tables that form, and what strikes after so many steps of them."""

    def __init__(self, site: Site, strikes: list[Act]) -> None:
        self.site = site
        self.strikes = strikes
        self.started: list[str] = []
        self._steps = 0
        self._every = 5 * TABLES // (len(strikes) + 1)
        self._turn = asyncio.Lock()
        self._slots = asyncio.Semaphore(AT_ONCE)

    async def form(self) -> None:
        """Bring a table of two guests to its match."""
        async with self._slots:
            host, other = [await self._guest() for _ in range(2)]
            table = await self._done("POST", "", {"game": "troedler", "seats": 2}, host, 201)
            path = f"/{table}"
            await self._done("PUT", f"{path}/seats/1", {}, other)
            await self._done("PUT", f"{path}/seats/0/ready", {}, host)
            await self._done("PUT", f"{path}/seats/1/ready", {}, other)
            await self._done("POST", f"{path}/start", {}, host, 202)
            self.started.append(table)
            await eventually(lambda: self._check_playing(path, host), AssertionError)

    async def _guest(self) -> str:
        answer = await self.site.ask("POST", "/v1/accounts/guests", {})
        assert answer.status_code == 201, answer.text
        return str(answer.json()["access_token"])

    async def _done(
        self, method: str, path: str, content: object, token: str, status: int = 200
    ) -> str:
        answer = await self.site.ask(method, f"/v1/tables{path}", content, token)
        assert answer.status_code == status, answer.text
        await self._strike()
        return str(answer.json()["id"])

    async def _check_playing(self, path: str, token: str) -> None:
        answer = await self.site.ask("GET", f"/v1/tables{path}", None, token)
        assert answer.json()["phase"] == "playing", answer.text

    async def _strike(self) -> None:
        self._steps += 1
        if self._steps % self._every == 0 and self.strikes:
            async with self._turn:
                await self.strikes.pop(0)()


def test_no_table_is_lost_or_started_twice_by_crashes(tmp_path: Path) -> None:
    async def story() -> tuple[list[str], Counter[str]]:
        async with site_on(nats, tmp_path) as site:
            acts: list[Act] = [site.restart_all]
            if IS_LONG:
                acts = [*acts, site.restart_lobby, site.restart_game, site.restart_nats] * 3
            course = Course(site, acts)
            async with asyncio.TaskGroup() as group:
                for _ in range(TABLES):
                    group.create_task(course.form())
            assert not course.strikes, "not all processes were killed"
        return course.started, await told(nats)

    with own_server(tmp_path / "nats") as nats:
        started, told_of = run(story, WITHIN)
    assert len(set(started)) == TABLES
    assert told_of == Counter(f"contract.match_started.{table}" for table in started)


async def told(nats: NatsServer) -> Counter[str]:
    """Return how often each start of a match was told."""
    async with await connect(nats.url, name="test") as connection:
        return await _started(connection)


async def _started(connection: Connection) -> Counter[str]:
    info = await connection.jetstream.stream_info(
        CONTRACTS, subjects_filter="contract.match_started.>"
    )
    return Counter(info.state.subjects or {})
