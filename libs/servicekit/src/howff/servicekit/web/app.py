"""The application of a service: FastAPI with what all services of Howff have in common."""

import asyncio
import json
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from typing import Annotated, Any, Final, cast

from fastapi import Depends, FastAPI, Request, Response
from fastapi.routing import APIRoute
from fastapi.telemetry import TelemetryConfig
from starlette.middleware import Middleware

from howff.servicekit.web.answers import unless_known
from howff.servicekit.web.bodies import MOST_BYTES, CleanBodies
from howff.servicekit.web.handlers import InternalErrors, handlers
from howff.servicekit.web.head import HeadAsGet
from howff.servicekit.web.limiting import Limited, RateLimits
from howff.servicekit.web.observed import Observed
from howff.servicekit.web.openapi import tell_limits, with_problems
from howff.servicekit.web.problems import Statuses
from howff.servicekit.web.tokens import Tokens

NO_TELEMETRY: Final[TelemetryConfig] = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "operation_spans": False,
    "auto_configure": False,
}
"""FastAPI's own would tell paths, queries and what exceptions say, in spans as long as a feed."""
DESCRIBED_AT: Final = "/openapi.json"

Lifespan = Callable[[FastAPI], AbstractAsyncContextManager[None]]


class _App(FastAPI):
    """FastAPI whose description tells the problems; those of the server come anywhere."""

    statuses: Statuses
    has_limits = False

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            of_servers = {each for each in self.statuses.values() if each >= 500}  # noqa: PLR2004
            self.openapi_schema = with_problems(super().openapi(), of_servers)
            if self.has_limits:
                tell_limits(self.openapi_schema)
        return self.openapi_schema

    @cached_property
    def document(self) -> bytes:
        """What `openapi` tells, as it is sent; made once, of the routes that there are by then."""
        return json.dumps(self.openapi(), ensure_ascii=False, separators=(",", ":")).encode()


def create_app(  # noqa: PLR0913 — the parts that services differ in
    *,
    title: str,
    version: str,
    statuses: Statuses,
    tokens: Tokens,
    new_id: Callable[[], str],
    limits: RateLimits | None = None,
    lifespan: Lifespan | None = None,
    most_bytes: int = MOST_BYTES,
    form_paths: frozenset[str] = frozenset(),
    describes_itself: bool = True,
) -> FastAPI:
    """Return an application without routes.

    *statuses* says what the refusals of the service are in HTTP, *tokens* verifies its callers,
    *new_id* names internal errors, and no body is larger than *most_bytes*. At *form_paths* bodies
    are forms, everywhere else JSON. *limits* says how often anybody may ask, and without them
    everybody may at any time. The names of its routes are the ids of their operations. It is
    described at `DESCRIBED_AT`, unless it says itself what stands there. There is no page of
    documentation: FastAPI's own loads scripts from elsewhere.
    """
    app = _App(
        title=title,
        version=version,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=_name,
        exception_handlers=handlers(statuses),
        lifespan=lifespan,
        telemetry=NO_TELEMETRY,
        middleware=[
            Middleware(Observed),
            *([Middleware(Limited, limits=limits, tokens=tokens)] if limits else []),
            Middleware(InternalErrors, new_id=new_id),
            Middleware(HeadAsGet),
            Middleware(CleanBodies, most_bytes=most_bytes, form_paths=form_paths),
        ],
    )
    app.statuses = statuses
    app.has_limits = limits is not None
    app.state.tokens = tokens
    app.state.stopping = asyncio.Event()
    if describes_itself:
        app.add_route(DESCRIBED_AT, _describe, include_in_schema=False)
    return app


async def _describe(request: Request) -> Response:
    app: _App = request.app
    return unless_known(request, app.document, "application/json")


def stopping_of(app: FastAPI) -> asyncio.Event:
    """Return the event that is set when the server of *app* begins to stop.

    What streams for long waits for it too, and then ends: the server waits for open answers.
    """
    return cast("asyncio.Event", app.state.stopping)


async def _stopping(request: Request) -> asyncio.Event:
    return stopping_of(request.app)


Stopping = Annotated[asyncio.Event, Depends(_stopping)]
"""For routes: `stopping_of` their application."""


def _name(route: APIRoute) -> str:
    return route.name
