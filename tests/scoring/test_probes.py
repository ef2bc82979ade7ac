"""Whether scoring says that it is ready, and how it ends that can't start."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import httpx
import psycopg
import pytest

from howff.scoring.app import running_service
from howff.scoring.application.errors import WrongServerError
from howff.servicekit import readiness as readiness_module
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.sql.database import DatabaseError
from howff.servicekit.web.health import probes_served, readiness_of
from support.gate import Gate, gate_before
from support.lobby_tokens import LobbyBucket
from support.postgres import postgres_address
from support.running import eventually, run
from support.scoring import LOBBY, Scoring, scoring_beside, settings_beside
from support.service import Service, nats_server, service_on, wait_until
from support.web import problem_of

CHECKS: Final = {"process", "nats", "streams", "archive", "database", "tokens"}
STARTED_WITHIN: Final = 60.0


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_module, "KEPT", 0.0)
    for module in ("projections", "nats.kv"):
        monkeypatch.setattr(f"howff.servicekit.{module}.READ_WITHIN", 0.05)


@pytest.fixture(scope="module")
def game() -> Iterator[Service]:
    with nats_server() as nats, service_on(nats) as service:
        yield service


@pytest.fixture
def nats() -> Iterator[NatsServer]:
    with nats_server() as server:
        yield server


@pytest.fixture
def gate(game: Service) -> Iterator[Gate]:
    with gate_before(game.url) as gate:
        yield gate


class Probe:
    """Asks whether the service is ready."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def check(self, status: int, *failed: str) -> None:
        """Wait until it is answered with *status* since these checks have failed."""
        await eventually(lambda: self._check(status, set(failed)), AssertionError)

    async def _check(self, status: int, failed: set[str]) -> None:
        assert (await self._http.get("/healthz")).status_code == 200
        answer = await self._http.get("/readyz")
        assert answer.status_code == status, answer.text
        checks = answer.json()["checks"]
        assert checks.keys() == CHECKS
        assert {name for name, each in checks.items() if not each["ok"]} == failed


@asynccontextmanager
async def probed(game: Service, folder: Path, **changes: Any) -> AsyncIterator[Probe]:
    async with (
        running_service(settings_beside(game, folder, **changes)) as app,
        probes_served(readiness_of(app), host="127.0.0.1", port=0) as url,
        httpx.AsyncClient(base_url=url or "") as http,
    ):
        yield Probe(http)


def test_it_is_not_ready_while_the_archive_is_behind_for_too_long(
    game: Service, gate: Gate, tmp_path: Path
) -> None:
    async def story() -> None:
        async with probed(game, tmp_path, game_url=gate.url, patience_seconds=0.3) as probe:
            await probe.check(200)
            gate.is_open = False
            table = await asyncio.to_thread(game.table, options={"round_limit": 1})
            await asyncio.to_thread(table.advance)
            await probe.check(503, "archive")
            gate.is_open = True
            await probe.check(200)

    run(story)


def test_it_is_not_ready_while_nats_is_away(nats: NatsServer, tmp_path: Path) -> None:
    async def story(game: Service) -> None:
        async with probed(game, tmp_path) as probe:
            await probe.check(200)
            game.stop()
            await asyncio.to_thread(nats.stop)
            await probe.check(503, "nats", "streams", "archive", "tokens")
            await asyncio.to_thread(nats.start)
            await probe.check(200)

    with service_on(nats) as game:
        run(lambda: story(game))


def test_it_is_not_ready_while_its_database_is_away(game: Service, tmp_path: Path) -> None:
    address = postgres_address()
    server, _, name = address.rpartition("/")

    def admit(*, is_admitted: bool) -> None:
        with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
            connection.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS {is_admitted}'.encode())
            ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s"
            connection.execute(ended, (name,))

    async def story() -> None:
        async with probed(game, tmp_path, database_url=address) as probe:
            await probe.check(200)
            await asyncio.to_thread(admit, is_admitted=False)
            await probe.check(503, "database")
            await asyncio.to_thread(admit, is_admitted=True)
            await probe.check(200)

    run(story)


def test_a_token_is_refused_until_its_key_is_told(game: Service, tmp_path: Path) -> None:
    def retried(scoring: Scoring) -> httpx.Response:
        headers = scoring.bearer("thor", scope="admin")
        return scoring.http.post(
            "/v1/projections/archive/retry", headers=headers, json={"position": 1}
        )

    async def withdraw(connection: Any) -> None:
        await (await LobbyBucket.on(connection)).withdraw(LOBBY)

    async def tell(connection: Any) -> None:
        await (await LobbyBucket.on(connection)).tell(LOBBY)

    with scoring_beside(game, tmp_path) as scoring:
        assert retried(scoring).status_code == 404
        game.on_nats(withdraw)
        wait_until(lambda: retried(scoring).status_code != 404)
        problem_of(retried(scoring), 401, "invalid_token")
        assert scoring.get("/v1/leaderboards/troedler").status_code == 200
        game.on_nats(tell)
        wait_until(lambda: retried(scoring).status_code != 401)
        problem_of(retried(scoring), 404, "not_put_aside")


@pytest.mark.parametrize(
    ("setting", "value", "error"),
    [
        ("game_url", "nowhere", WrongServerError),
        ("lobby_url", "nowhere", WrongServerError),
        ("database_url", "mysql://nowhere", DatabaseError),
    ],
)
def test_it_does_not_start_with_an_address_that_is_none(
    game: Service, tmp_path: Path, setting: str, value: str, error: type[Exception]
) -> None:
    with pytest.raises(error), scoring_beside(game, tmp_path, **{setting: value}):
        pass


def test_a_process_with_a_wrong_setting_says_which_in_one_line_and_ends(
    game: Service, tmp_path: Path
) -> None:
    right = settings_beside(game, tmp_path)
    outside = {name: each for name, each in os.environ.items() if not name.startswith("HOWFF_")}
    ended = subprocess.run(  # noqa: S603 — our own program
        [sys.executable, "-m", "howff.scoring"],
        env={
            **outside,
            "HOWFF_PORT": "0",
            "HOWFF_NATS_URL": right.nats_url,
            "HOWFF_NATS_MONITOR_URLS": right.nats_monitor_urls,
            "HOWFF_SCORING_KEY_FILE": str(right.scoring_key_file),
            "HOWFF_DATABASE_URL": right.database_url,
            "HOWFF_LOBBY_URL": "nowhere",
        },
        capture_output=True,
        text=True,
        timeout=STARTED_WITHIN,
        check=False,
    )
    (line,) = ended.stderr.splitlines()
    assert ended.returncode == 1
    assert line.startswith("wrong_setting  HOWFF_LOBBY_URL: expected an address such as ")
    assert line.endswith("found 'nowhere'")
