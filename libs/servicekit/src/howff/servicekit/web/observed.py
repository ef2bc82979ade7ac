"""Requests as telemetry sees them: a span and a duration each, named by the route's template."""

import time
from typing import Final

from opentelemetry.trace import SpanKind, StatusCode
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from howff.servicekit.telemetry.metrics import record_request
from howff.servicekit.telemetry.tracing import TRACEPARENT, current, started

NO_ROUTE: Final = "none"
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_LEAST_MISTAKE: Final = 500


class Observed:
    """The outermost middleware.

    A request is over for it when its answer begins. Until then everything was decided; what may
    follow is a feed, whose span would be exported hours later or, if the process dies, never, and
    whose duration says when somebody went to bed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = _Request(scope)

        async def observed(message: Message) -> None:
            if message["type"] == "http.response.start":
                request.end(message["status"])
            await send(message)

        with current(request.span):
            try:
                await self._app(scope, receive, observed)
            finally:
                request.end(0)


class _Request:
    """A request until its answer begins."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._start = time.perf_counter()
        self._has_ended = False
        self._method = scope["method"] if scope["method"] in _METHODS else "_OTHER"
        self.span = started(self._method, SpanKind.SERVER, _traceparent(scope))

    def end(self, status: int) -> None:
        """Tell how it was answered, once; *status* 0 is for a request without an answer."""
        if self._has_ended:
            return
        self._has_ended = True
        # Which route it was is known only now.
        route = getattr(self._scope.get("route"), "path", None)
        record_request(self._method, route or NO_ROUTE, status, time.perf_counter() - self._start)
        self.span.set_attribute("http.request.method", self._method)
        if route is not None:
            self.span.update_name(f"{self._method} {route}")
            self.span.set_attribute("http.route", route)
        if status:
            self.span.set_attribute("http.response.status_code", status)
        if not status or status >= _LEAST_MISTAKE:
            self.span.set_status(StatusCode.ERROR)
        self.span.end()


def _traceparent(scope: Scope) -> dict[str, str]:
    wanted = TRACEPARENT.encode()
    found = [value for name, value in scope["headers"] if name == wanted]
    return {TRACEPARENT: found[0].decode("latin-1")} if len(found) == 1 else {}
