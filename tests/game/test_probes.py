"""Whether the service says that it is ready: with NATS, without, and with an outbox that stands."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from howff.game.app import running_service
from howff.match.journal import MATCHES
from howff.servicekit import readiness as readiness_module
from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.web.app import stopping_of
from howff.servicekit.web.health import probes_served, readiness_of
from support.running import eventually, run
from support.service import bearer, nats_server, settings_for

SEATS: list[dict[str, str]] = [{"account": "dora"}, {"account": "emil"}]


@pytest.fixture(autouse=True)
def _asked_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness_module, "KEPT", 0.0)


@asynccontextmanager
async def probed(nats: NatsServer, **changes: Any) -> AsyncIterator[tuple[FastAPI, "Probe"]]:
    async with (
        running_service(settings_for(nats, **changes)) as app,
        probes_served(readiness_of(app), host="127.0.0.1", port=0) as url,
        httpx.AsyncClient(base_url=url or "") as http,
    ):
        yield app, Probe(http)


class Probe:
    """Asks whether the service is ready."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self._http = http

    async def check(self, status: int, *failed: str) -> None:
        """Wait until it is answered with *status*, and check which checks have failed."""
        answer = await eventually(lambda: self._answer(status), AssertionError)
        checks = answer.json()["checks"]
        assert checks.keys() == {"process", "nats", "streams", "outbox", "tokens"}
        assert {name for name, each in checks.items() if not each["ok"]} == set(failed)

    async def _answer(self, status: int) -> httpx.Response:
        assert (await self._http.get("/healthz")).status_code == 200
        answer = await self._http.get("/readyz")
        assert answer.status_code == status, answer.text
        return answer


def test_the_service_is_not_ready_while_nats_is_down_and_ready_when_it_is_back() -> None:
    async def story() -> None:
        async with probed(nats) as (_, probe):
            await probe.check(200)
            await asyncio.to_thread(nats.stop)
            await probe.check(503, "nats", "streams", "outbox", "tokens")
            await asyncio.to_thread(nats.start)
            await probe.check(200)

    with nats_server() as nats:
        run(story)


def test_the_service_is_not_ready_while_its_outbox_stands_still() -> None:
    async def pause(until: datetime) -> None:
        async with await connect(nats.url, name="operator") as connection:
            request = json.dumps({"pause_until": until.isoformat()}).encode()
            subject = f"$JS.API.CONSUMER.PAUSE.{MATCHES}.outbox"
            answer = await connection.client.request(subject, request)
            assert "error" not in json.loads(answer.data)

    async def story() -> None:
        async with probed(nats, outbox_patience_seconds=0.5) as (app, probe):
            await probe.check(200)
            await pause(datetime.now(UTC) + timedelta(hours=1))  # noqa: TID251
            transport = httpx.ASGITransport(app)
            async with httpx.AsyncClient(transport=transport, base_url="http://howff") as http:
                content = {"game": "troedler", "seats": SEATS}
                headers = bearer("dora")
                answer = await http.post("/v1/matches", json=content, headers=headers)
                assert answer.status_code == 201
            await probe.check(503, "outbox")
            await pause(datetime(2000, 1, 1, tzinfo=UTC))
            await probe.check(200)

    with nats_server() as nats:
        run(story)


def test_the_service_is_not_ready_from_the_moment_it_begins_to_stop() -> None:
    async def story() -> None:
        async with probed(nats) as (app, probe):
            await probe.check(200)
            stopping_of(app).set()
            await probe.check(503, "process")

    with nats_server() as nats:
        run(story)
