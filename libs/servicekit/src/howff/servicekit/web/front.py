"""One address for several services: a small reverse proxy, for one machine.

Run it as a process of its own: `python -m howff.servicekit.web.front`.
"""

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Annotated, Any, Final

import httpcore
from fastapi import FastAPI
from pydantic import Field, Json, StringConstraints
from pydantic_settings import BaseSettings, SettingsConfigDict
from starlette.middleware import Middleware
from starlette.types import Receive, Scope, Send

from howff.servicekit import ids
from howff.servicekit.starting import start
from howff.servicekit.telemetry.logs import LogFormat
from howff.servicekit.web.app import NO_TELEMETRY, stopping_of
from howff.servicekit.web.bodies import BoundedBodies
from howff.servicekit.web.errors import (
    NoSuchPartError,
    PartAwayError,
    PartBrokenError,
    PartSilentError,
    UnpassableError,
    WebError,
)
from howff.servicekit.web.handlers import InternalErrors, handlers
from howff.servicekit.web.problems import refusal_problem
from howff.servicekit.web.serving import serve

PATIENCE: Final = 60.0
"""Seconds within which the answer of a service must have begun."""
KEPT_FOR: Final = 2.0
"""Seconds for which an idle line is kept: shorter than services do, so that none ends in use."""
_MOST_KEPT: Final = 100
_HOP_BY_HOP: Final = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"proxy-connection",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)
"""Headers that are about one line (RFC 9110, 7.6.1), beside those that `Connection` names."""
_NOT_ASKED: Final = frozenset({b"content-length", b"expect", b"x-forwarded-for"})
"""Headers of requests that are made anew."""
_NOT_TOLD: Final = frozenset({b"date", b"x-content-type-options"})
"""Headers of answers that the server of the front adds itself."""
_ALONE: Final = "="
"""What a route begins with that is one path alone."""
_BROKEN: Final = (httpcore.NetworkError, httpcore.RemoteProtocolError)

Header = tuple[bytes, bytes]
Address = Annotated[str, StringConstraints(pattern=r"^http://[^/?#]+$")]

logger = logging.getLogger(__name__)


class Settings(BaseSettings):
    """The settings of the process."""

    model_config = SettingsConfigDict(env_prefix="HOWFF_", extra="ignore", frozen=True)

    host: str = "127.0.0.1"
    port: Annotated[int, Field(ge=0, le=65535)] = 8000
    """0 takes any that is free."""
    routes: Json[dict[str, Address]] = Field(default=...)
    """The address of a service by what its paths begin with, as a JSON object; `/` is the rest.

    What begins with `=` is one path alone: `=/` is the root.
    """
    log_format: LogFormat = "text"


class Front:
    """Hands each request on to the service that its path belongs to, and the answer back.

    *routes* has the addresses of the services by the first segments of their paths; the longest
    that fits decides, but before it one that is this path alone (`=/`). Bodies of requests have
    come whole before; answers pass as they come. When the client leaves, the service is told so by
    a line that breaks off.
    """

    def __init__(self, routes: Mapping[str, str], pool: httpcore.AsyncConnectionPool) -> None:
        self._exact = {
            path.removeprefix(_ALONE): address
            for path, address in routes.items()
            if path.startswith(_ALONE)
        }
        self._routes = sorted(routes.items(), key=lambda route: -len(route[0]))
        self._pool = pool
        self._feeds: set[asyncio.Timeout] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body: bytes = (await receive())["body"]
        await _while_asked(self._hand_on(scope, body, receive, send), receive)

    def cut(self) -> None:
        """End all answers that may be endless, as if their service had; clients come back."""
        for feed in self._feeds:
            feed.reschedule(asyncio.get_running_loop().time())

    async def _hand_on(self, scope: Scope, body: bytes, receive: Receive, send: Send) -> None:
        try:
            answer = await self._answer_to(scope, body)
        except WebError as refusal:
            await refusal_problem(refusal, {})(scope, receive, send)
            return
        try:
            await self._pass_on(answer, send)
        except _BROKEN as error:  # of an answer under way nothing can be taken back
            logger.warning("a service has broken off its answer: %r", error)
        finally:
            await answer.aclose()

    async def _answer_to(self, scope: Scope, body: bytes) -> httpcore.Response:
        request = httpcore.Request(
            scope["method"],
            self._address_of(scope),
            headers=list(_asked(scope, body)),
            content=body,
        )
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._pool.handle_async_request(request)
        except TimeoutError as error:
            raise PartSilentError(PATIENCE) from error
        except httpcore.ConnectError as error:
            raise PartAwayError from error
        except httpcore.LocalProtocolError as error:
            raise UnpassableError from error
        except _BROKEN as error:
            raise PartBrokenError from error

    def _address_of(self, scope: Scope) -> httpcore.URL:
        path: str = scope["path"]
        fitting = (
            address
            for prefix, address in self._routes
            if f"{path}/".startswith(f"{prefix.rstrip('/')}/")
        )
        address = self._exact.get(path) or next(fitting, None)
        if address is None:
            raise NoSuchPartError
        base = httpcore.URL(address)
        query: bytes = scope["query_string"]
        target = scope["raw_path"] + (b"?" + query if query else b"")
        return httpcore.URL(scheme=base.scheme, host=base.host, port=base.port, target=target)

    async def _pass_on(self, answer: httpcore.Response, send: Send) -> None:
        headers = list(_end_to_end(answer.headers, _NOT_TOLD))
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        with self._cut_at_end(headers) as may_be_cut, suppress(TimeoutError):
            async with may_be_cut:
                async for chunk in answer.aiter_stream():
                    await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    @contextmanager
    def _cut_at_end(self, headers: Iterable[Header]) -> Iterator[asyncio.Timeout]:
        """Give what ends an answer with these *headers* when the front ends, if it may be long."""
        may_be_cut = asyncio.timeout(None)
        if not any(name == b"content-length" for name, _ in headers):
            self._feeds.add(may_be_cut)
        try:
            yield may_be_cut
        finally:
            self._feeds.discard(may_be_cut)


@asynccontextmanager
async def running_front(routes: Mapping[str, str]) -> AsyncIterator[FastAPI]:
    """Give the application that hands requests on by *routes*, until the context ends."""
    pool = httpcore.AsyncConnectionPool(
        max_connections=None, max_keepalive_connections=_MOST_KEPT, keepalive_expiry=KEPT_FOR
    )
    front = Front(routes, pool)
    app = FastAPI(
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        telemetry=NO_TELEMETRY,
        exception_handlers=handlers({}),
        middleware=[
            Middleware(InternalErrors, new_id=ids.new_id),
            Middleware(BoundedBodies),
        ],
    )
    app.state.stopping = asyncio.Event()
    app.mount("/", front)
    async with pool, asyncio.TaskGroup() as group:
        cutting = group.create_task(_cut_at_stop(front, stopping_of(app)))
        try:
            yield app
        finally:
            cutting.cancel()


async def main(settings: Settings) -> None:
    """Serve until SIGTERM or SIGINT."""
    async with running_front(settings.routes) as app:
        await serve(app, host=settings.host, port=settings.port)


async def _cut_at_stop(front: Front, stopping: asyncio.Event) -> None:
    await stopping.wait()
    front.cut()


async def _while_asked(work: Coroutine[Any, Any, None], receive: Receive) -> None:
    """Do *work* to its end, unless the client leaves before."""
    working = asyncio.create_task(work)
    leaving = asyncio.create_task(_left(receive))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _asked(scope: Scope, body: bytes) -> Iterator[Header]:
    """Yield the headers with which a service is asked what the front was asked."""
    yield from _end_to_end(scope["headers"], _NOT_ASKED)
    if body:
        yield b"content-length", str(len(body)).encode()
    hops = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
    if scope["client"] is not None:
        hops.append(scope["client"][0].encode())
    yield b"x-forwarded-for", b", ".join(hops)


def _end_to_end(headers: Iterable[Header], dropped: frozenset[bytes]) -> Iterator[Header]:
    """Yield those *headers* that are not about one line, names in lower case."""
    known = [(name.lower(), value) for name, value in headers]
    options = b",".join(value for name, value in known if name == b"connection").split(b",")
    hidden = _HOP_BY_HOP | dropped | {option.strip().lower() for option in options}
    return ((name, value) for name, value in known if name not in hidden)


if __name__ == "__main__":
    start("front", Settings, main)
