"""What stands before a match service in tests, and hands requests on as it is told."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field

import httpx
from fastapi import FastAPI, Request, Response

from support.hosted import hosted


@dataclass
class Gate:
    """Hands on what the service at *behind* is asked; logs of matches *damaged* get a scratch."""

    behind: str
    is_open: bool = True
    damaged: set[str] = field(default_factory=set[str])
    asked: int = 0
    url: str = ""

    async def hand_on(self, request: Request, http: httpx.AsyncClient) -> Response:
        self.asked += 1
        if not self.is_open:
            return Response(status_code=503)
        headers = {name: request.headers[name] for name in ("authorization", "accept")}
        answer = await http.get(request.url.path, headers=headers)
        content = answer.content
        if any(match in request.url.path for match in self.damaged):
            content = content.replace(b'"at":"20', b'"at":"19', 1)
            assert content != answer.content, "there was nothing to damage"
        return Response(content, answer.status_code, media_type=answer.headers["content-type"])


@contextmanager
def gate_before(behind: str) -> Iterator[Gate]:
    """Run a gate before the service at this address until the context ends."""
    gate = Gate(behind)

    @asynccontextmanager
    async def running() -> AsyncIterator[FastAPI]:
        app = FastAPI(openapi_url=None)
        app.state.stopping = asyncio.Event()
        async with httpx.AsyncClient(base_url=gate.behind) as http:

            @app.get("/{path:path}")
            async def hand_on(request: Request, path: str) -> Response:  # noqa: ARG001
                return await gate.hand_on(request, http)

            yield app

    with hosted(running) as served:
        gate.url = served.url
        yield gate
