import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, Final

import httpx
import pytest
from pydantic import ValidationError

from conftest import IS_LONG
from howff.game.app import running_service
from howff.game.settings import Settings
from howff.servicekit.nats.errors import RequirementError
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.web.errors import DevelopmentTokensError
from howff.servicekit.web.serving import GRACE
from support.feeds import following
from support.nats import own_server
from support.running import run
from support.service import bearer, nats_server, settings_for

STARTED_WITHIN: Final = 60.0
FEEDS: Final = 10


def environment(nats: NatsServer, **changes: str) -> dict[str, str]:
    plain = {name: each for name, each in os.environ.items() if not name.startswith("HOWFF_")}
    return plain | {
        "HOWFF_PORT": "0",
        "HOWFF_NATS_URL": nats.url,
        "HOWFF_NATS_MONITOR_URLS": nats.monitor_url,
        **changes,
    }


def command() -> list[str]:
    return [sys.executable, "-m", "howff.game"]


def ended(nats: NatsServer, **changes: str) -> subprocess.CompletedProcess[str]:
    """Return how the service has ended that can't start."""
    return subprocess.run(  # noqa: S603 — our own program
        command(),
        env=environment(nats, **changes),
        capture_output=True,
        text=True,
        timeout=STARTED_WITHIN,
        check=False,
    )


@contextmanager
def process_on(nats: NatsServer, **changes: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Give the service as a process of its own, and its URL."""
    with (
        tempfile.TemporaryFile("w+") as log,
        subprocess.Popen(  # noqa: S603 — our own program
            command(), env=environment(nats, **changes), stderr=log, text=True
        ) as process,
    ):
        try:
            yield process, _url(process, log)
        finally:
            process.kill()


def _url(process: subprocess.Popen[str], log: IO[str]) -> str:
    deadline = time.monotonic() + STARTED_WITHIN
    while True:
        log.seek(0)
        told = log.read()
        if "serving on http" in told:
            return told.rpartition("serving on ")[2].split()[0]
        assert process.poll() is None, told
        assert time.monotonic() < deadline, told
        time.sleep(0.02)


def refusal_of(settings: Settings, kind: type[Exception]) -> str:
    """Return what an application says that is not started with these settings."""

    async def story() -> None:
        async with running_service(settings):
            pytest.fail("it has started")

    with pytest.raises(kind) as refusal:
        run(story)
    return str(refusal.value)


@pytest.mark.skipif(not IS_LONG, reason="a process more; what refuses has its own tests")
def test_tokens_for_anybody_are_refused_in_a_cluster() -> None:
    with nats_server() as nats:
        told = refusal_of(settings_for(nats, mode="cluster"), DevelopmentTokensError)
        expected = "no development tokens here: expected mode one_machine or test, found 'cluster'"
        assert told == expected
        process = ended(nats, HOWFF_MODE="cluster", HOWFF_DEVELOPMENT_TOKENS="true")
    assert process.returncode == 1
    assert process.stderr.splitlines()[-1] == f"development_tokens  {expected}"
    assert "Traceback" not in process.stderr


def test_a_cluster_gives_nobody_tokens_and_knows_nobody() -> None:
    async def story() -> None:
        settings = settings_for(nats, mode="cluster", development_tokens=False)
        async with running_service(settings) as app:
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://howff") as http:
                path = "/v1/development/tokens"
                assert (await http.post(path, json={"account": "dora"})).status_code == 404
                document = (await http.get("/openapi.json")).json()
                assert path not in document["paths"]
                forged = await http.get("/v1/matches/x", headers=bearer("dora"))
                assert forged.status_code == 401

    with nats_server() as nats:
        run(story)


def test_who_asks_too_often_is_refused_unless_there_are_no_limits() -> None:
    async def statuses(**changes: Any) -> set[int]:
        async with running_service(settings_for(nats, **changes)) as app:
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://howff") as http:
                return {(await http.get("/v1/games/chess")).status_code for _ in range(4)}

    async def story() -> None:
        assert await statuses(limits=True, address_points=9) == {404, 429}
        assert await statuses() == {404}

    with nats_server() as nats:
        run(story)


@pytest.mark.skipif(not IS_LONG, reason="a process more; what refuses has its own tests")
def test_a_server_that_may_lose_what_it_has_acknowledged_is_refused(tmp_path: Path) -> None:
    with own_server(tmp_path, sync_interval="2m") as nats:
        told = refusal_of(settings_for(nats), RequirementError)
        assert "sync_interval to be always" in told
        process = ended(nats)
    assert process.returncode == 1
    (line,) = process.stderr.splitlines()
    assert line == f"{RequirementError.code}  {told}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HOWFF_MODE", "production"),
        ("HOWFF_PORT", "65536"),
        ("HOWFF_PORT", "http"),
        ("HOWFF_REPLICAS", "0"),
        ("HOWFF_REPLICAS", "6"),
        ("HOWFF_DEVELOPMENT_TOKENS", "perhaps"),
        ("HOWFF_HEARTBEAT_SECONDS", "0"),
        ("HOWFF_MOST_KEPT_MATCHES", "0"),
        ("HOWFF_ADDRESS_POINTS", "0"),
        ("HOWFF_TRUSTED_PROXIES", "127.0.0.1/33"),
    ],
)
def test_a_setting_out_of_range_is_refused(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(ValidationError) as refusal:
        Settings()
    assert name.removeprefix("HOWFF_").lower() in str(refusal.value)


def test_the_process_says_which_setting_is_wrong_and_ends() -> None:
    with nats_server() as nats:
        process = ended(nats, HOWFF_PORT="http")
    assert process.returncode == 1
    (line,) = process.stderr.splitlines()
    assert line.startswith("wrong_setting  HOWFF_PORT: expected ")
    assert line.endswith("found 'http'")


def test_settings_are_read_from_the_environment_and_print_no_password(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HOWFF_NATS_PASSWORD", "open sesame")
    monkeypatch.setenv("HOWFF_PORT", "0")
    settings = Settings()
    assert (settings.nats_password, settings.port) == ("open sesame", 0)
    assert "sesame" not in repr(settings)
    assert not settings.development_tokens


def test_the_process_ends_soon_after_it_is_told_to_with_feeds_open() -> None:
    with nats_server() as nats, process_on(nats, HOWFF_DEVELOPMENT_TOKENS="true") as (process, url):

        async def story() -> float:
            async with httpx.AsyncClient(base_url=url) as http, AsyncExitStack() as stack:
                token = await http.post("/v1/development/tokens", json={"account": "dora"})
                headers = {"Authorization": f"Bearer {token.json()['access_token']}"}
                seats: list[Any] = [{"account": "dora"}, {"account": "emil"}]
                order = {"game": "troedler", "seats": seats}
                match = (await http.post("/v1/matches", json=order, headers=headers)).json()
                path = f"/v1/matches/{match['match']}/events"
                feeds = [
                    await stack.enter_async_context(following(http, path)) for _ in range(FEEDS)
                ]
                assert [(await anext(feed)).version for feed in feeds] == [1] * FEEDS
                start = time.monotonic()
                process.send_signal(signal.SIGTERM)
                for feed in feeds:
                    assert {each.kind async for each in feed} <= {"heartbeat"}
                await asyncio.to_thread(process.wait, STARTED_WITHIN)
                return time.monotonic() - start

        assert run(story) < GRACE
        assert process.returncode == 0
