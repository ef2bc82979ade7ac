import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
import uvloop
from fastapi import FastAPI
from fastapi.responses import StreamingResponse

from howff.engine.errors import RefusalError
from howff.servicekit.running import run as run_served
from howff.servicekit.web import serving as serving_module
from howff.servicekit.web.app import Stopping
from howff.servicekit.web.errors import WrongAddressError
from howff.servicekit.web.serving import GRACE, serve, serving
from support.running import run, until
from support.web import Shop

STREAMS = 50


def app_with_feeds() -> FastAPI:
    """Return an app with a feed that ends with the server, and one that would never end."""
    app = Shop().app

    @app.get("/feed")
    async def follow(stopping: Stopping) -> StreamingResponse:
        return StreamingResponse(_until(stopping), media_type="text/event-stream")

    @app.get("/deaf")
    async def follow_for_ever() -> StreamingResponse:
        return StreamingResponse(_until(asyncio.Event()), media_type="text/event-stream")

    return app


async def _until(over: asyncio.Event) -> AsyncIterator[str]:
    yield "event: hello\n\n"
    await over.wait()
    yield "event: bye\n\n"


async def followed(client: httpx.AsyncClient, path: str, opened: list[str]) -> str:
    """Return all of a feed; the path is added to *opened* once something has come of it."""
    text = ""
    async with client.stream("GET", path) as response:
        async for chunk in response.aiter_text():
            if not text:
                opened.append(path)
            text += chunk
    return text


def test_a_server_tells_its_url_and_stops_when_it_is_told_to() -> None:
    async def story() -> None:
        stop = asyncio.Event()
        told: asyncio.Queue[str] = asyncio.Queue()
        serving_task = asyncio.create_task(
            serve(Shop().app, host="127.0.0.1", port=0, stop=stop, told=told.put_nowait)
        )
        async with httpx.AsyncClient(base_url=await told.get()) as client:
            response = await client.get("/things/hat")
            assert response.status_code == 200
            assert response.headers["x-content-type-options"] == "nosniff"
            assert "server" not in response.headers
            stop.set()
            await serving_task
            with pytest.raises(httpx.ConnectError):
                await client.get("/things/hat")

    run(story)


def test_feeds_end_with_the_server() -> None:
    async def story() -> None:
        opened: list[str] = []
        async with AsyncExitStack() as stack:
            url = await stack.enter_async_context(serving(app_with_feeds()))
            async with httpx.AsyncClient(base_url=url) as client:
                task = asyncio.create_task(followed(client, "/feed", opened))
                await until(lambda: bool(opened))
                began = time.monotonic()
                await stack.aclose()
                assert await task == "event: hello\n\nevent: bye\n\n"
        assert time.monotonic() - began < GRACE

    run(story)


def test_a_feed_that_hears_nothing_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving_module, "GRACE", 0)

    async def story() -> None:
        opened: list[str] = []
        async with AsyncExitStack() as stack:
            url = await stack.enter_async_context(serving(app_with_feeds()))
            async with httpx.AsyncClient(base_url=url) as client:
                task = asyncio.create_task(followed(client, "/deaf", opened))
                await until(lambda: bool(opened))
                await stack.aclose()
                with pytest.raises(httpx.RemoteProtocolError):
                    await task

    run(story)


def test_head_of_a_feed_ends_at_once() -> None:
    async def story() -> None:
        async with serving(app_with_feeds()) as url, httpx.AsyncClient(base_url=url) as client:
            response = await client.head("/deaf")
            assert response.headers["content-type"].startswith("text/event-stream")
            assert (await client.head("/feed")).status_code == 200

    run(story)


def test_an_app_can_be_served_again() -> None:
    async def story() -> None:
        app = app_with_feeds()
        for _ in range(2):
            async with serving(app) as url, httpx.AsyncClient(base_url=url) as client:
                assert (await client.get("/things/hat")).status_code == 200
                assert not app.state.stopping.is_set()
            assert app.state.stopping.is_set()

    run(story)


def test_a_taken_port_is_refused_by_name() -> None:
    async def story() -> None:
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            with pytest.raises(WrongAddressError, match=f"127.0.0.1:{port}.*in use"):
                await serve(Shop().app, host="127.0.0.1", port=port)

    run(story)


class NotReadyError(RefusalError):
    code = "not_ready"


def test_what_goes_wrong_at_the_start_is_told_to_who_started_the_server() -> None:
    @asynccontextmanager
    async def when_ready(app: FastAPI) -> AsyncIterator[None]:
        if not app.state.is_ready:
            what = "not ready"
            raise NotReadyError(what, expected="a store", found="none")
        yield

    async def story() -> None:
        app = Shop().app
        app.router.lifespan_context = when_ready
        app.state.is_ready = False
        with pytest.raises(NotReadyError):
            await serve(app, host="127.0.0.1", port=0)

    run(story)


def test_requests_are_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    async def story() -> None:
        async with serving(Shop().app) as url, httpx.AsyncClient(base_url=url) as client:
            await client.get("/things/hat?pieces=4711")

    with caplog.at_level(logging.DEBUG):
        run(story)
    from_server = [each for each in caplog.records if each.name.startswith(("uvicorn", "howff"))]
    assert from_server
    assert not [each for each in from_server if "4711" in each.getMessage()]


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_a_process_with_open_feeds_in_time(end: signal.Signals) -> None:
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen(  # noqa: S603 — this very file
        [sys.executable, __file__], stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        assert process.stdout is not None
        url = process.stdout.readline().strip()

        async def story() -> list[str]:
            opened: list[str] = []
            limits = httpx.Limits(max_connections=None)
            async with httpx.AsyncClient(base_url=url, limits=limits) as client:
                tasks = [
                    asyncio.create_task(followed(client, "/feed", opened)) for _ in range(STREAMS)
                ]
                await until(lambda: len(opened) == STREAMS)
                process.send_signal(end)
                return await asyncio.gather(*tasks)

        began = time.monotonic()
        texts = run(story)
        assert process.wait(timeout=GRACE) == 0
        assert time.monotonic() - began < GRACE
        assert texts == ["event: hello\n\nevent: bye\n\n"] * STREAMS
        assert process.stdout.read() == "uvloop\n"


async def _serve_until_signal() -> None:
    def tell(url: str) -> None:
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()

    await serve(app_with_feeds(), host="127.0.0.1", port=0, told=tell)
    if isinstance(asyncio.get_running_loop(), uvloop.Loop):
        sys.stdout.write("uvloop\n")


if __name__ == "__main__":
    run_served(_serve_until_signal())
