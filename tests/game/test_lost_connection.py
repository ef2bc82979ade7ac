"""A service whose connection to NATS is lost for good ends, and says why."""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process

import httpx
import pytest

from howff.game.api.deps import Parts
from howff.game.app import running_service
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.errors import ConnectionLostError
from howff.servicekit.nats.server import NatsServer
from support.feeds import following
from support.nats import shared_server
from support.proxy import Proxy
from support.running import SOON, run, until
from support.service import settings_for

REFUSED = b"-ERR 'Maximum Control Line Exceeded'\r\n"
"""What makes the client give its connection up for good."""


async def _started(nats: NatsServer, nats_url: str) -> tuple[Process, str]:
    """Return the service as a process of its own that reaches NATS at *nats_url*, and its URL."""
    settings = {
        "HOWFF_PORT": "0",
        "HOWFF_NATS_URL": nats_url,
        "HOWFF_NATS_MONITOR_URLS": nats.monitor_url,
        "HOWFF_DEVELOPMENT_TOKENS": "true",
    }
    command = (sys.executable, "-m", "howff.game")
    process = await asyncio.create_subprocess_exec(
        *command, env={**os.environ, **settings}, stderr=PIPE
    )
    assert process.stderr is not None
    told = b""
    while b"serving on" not in told:
        told = await process.stderr.readline()
        assert told, "it has ended before it served"
    return process, told.decode().rpartition("serving on ")[2].strip()


async def _match(http: httpx.AsyncClient) -> str:
    token = await http.post("/v1/development/tokens", json={"account": "dora"})
    headers = {"Authorization": f"Bearer {token.json()['access_token']}"}
    seats = [{"account": "dora"}, {"account": "emil"}]
    order = {"game": "troedler", "seats": seats}
    answer = await http.post("/v1/matches", json=order, headers=headers)
    match: str = answer.json()["match"]
    return match


def test_a_connection_that_reads_no_more_ends_the_service() -> None:
    async def story() -> None:
        async with running_service(settings_for(shared_server())) as app:
            parts: Parts = app.state.parts
            connection: Connection = parts.feeds._committed._connection  # type: ignore[attr-defined]
            # Those of answers and of questions about seeds; and all readers have begun to read.
            await until(lambda: len(connection.client._subs) == 7)
            reading = connection.client._reading_task
            assert reading is not None
            reading.cancel()
            await asyncio.sleep(SOON / 2)
            pytest.fail("it goes on")

    with pytest.raises(ExceptionGroup) as ended:
        run(story)
    lost, others = ended.value.split(ConnectionLostError)
    assert lost
    assert not others


def test_the_process_ends_and_says_that_its_connection_is_lost() -> None:
    async def story() -> None:
        nats = shared_server()
        async with Proxy(nats.plan.port) as proxy:
            process, url = await _started(nats, proxy.url)
            async with httpx.AsyncClient(base_url=url) as http:
                path = f"/v1/matches/{await _match(http)}/events"
                async with following(http, path) as feed:
                    assert (await anext(feed)).version == 1
                    proxy.tell(REFUSED)
                    assert {each.kind async for each in feed} <= {"heartbeat"}
                    _, told = await process.communicate()
            assert process.returncode == 1
            assert "Traceback" not in told.decode()
            lost = [line for line in told.decode().splitlines() if line.startswith("nats_")]
            assert len(lost) == 1
            assert lost[0].startswith("nats_connection_lost  connection 'game': ")

    run(story)
