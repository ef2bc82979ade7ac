"""Serving an application: uvicorn with httptools, and an end that comes in time."""

import asyncio
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from typing import Final

import uvicorn
from fastapi import FastAPI

from howff.servicekit.running import stop_signal
from howff.servicekit.web.app import stopping_of
from howff.servicekit.web.connections import BoundedHttp
from howff.servicekit.web.errors import WrongAddressError

GRACE: Final = 5
"""Seconds that open answers have for their end once the server stops."""
_BACKLOG: Final = 2048
_HEADERS: Final = [("x-content-type-options", "nosniff")]
_log = logging.getLogger(__name__)


def _tell(url: str) -> None:
    _log.info("serving on %s", url)


async def serve(
    app: FastAPI,
    *,
    host: str,
    port: int,
    stop: asyncio.Event | None = None,
    told: Callable[[str], None] = _tell,
) -> None:
    """Serve *app* until *stop* is set; without it, until SIGTERM or SIGINT comes.

    Port 0 takes a free one; *told* hears the URL once requests are accepted.

    Raises:
        WrongAddressError: nobody can listen there.
    """
    async with serving(app, host=host, port=port) as url:
        told(url)
        if stop is not None:
            await stop.wait()
        else:
            await stop_signal()


@asynccontextmanager
async def serving(app: FastAPI, *, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[str]:
    """Serve *app* in the running loop as long as the context is open; gives the URL.

    The application's lifespan is around it. Signals stay whose they were.

    Raises:
        WrongAddressError: nobody can listen there.
    """
    with closing(_listener(host, port)) as listener:
        async with app.router.lifespan_context(app):
            stopping_of(app).clear()
            server = _Server(_config(app), stopping_of(app))
            task = asyncio.create_task(server.serve([listener]))
            try:
                yield _url(host, listener)
            finally:
                server.should_exit = True
                await task


class _Server(uvicorn.Server):
    """Uvicorn that says when it begins to stop, and leaves signals alone."""

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stopping.set()
        await super().shutdown(sockets)

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _config(app: FastAPI) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=BoundedHttp,
        ws="none",
        # Its errors would end the process without being told to anybody.
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        headers=_HEADERS,
        timeout_graceful_shutdown=GRACE,
    )


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise WrongAddressError(host, port, (error.strerror or str(error)).lower()) from error


def _url(host: str, listener: socket.socket) -> str:
    port: int = listener.getsockname()[1]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
