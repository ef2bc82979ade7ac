"""What becomes of exceptions: each is answered with a problem document, or is a bug."""

import logging
from collections.abc import Callable, Coroutine
from http import HTTPStatus
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from howff.engine.errors import RefusalError
from howff.servicekit.web.malformed import MOST_INPUT, cut, field_problems
from howff.servicekit.web.problems import Statuses, problem, refusal_problem, title_of

Handler = Callable[[Request, Any], Coroutine[Any, Any, Response]]

_METHODS: Final = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
_CODES: Final = {404: "no_such_route", 405: "method_not_allowed"}

_logger = logging.getLogger(__name__)


def handlers(statuses: Statuses) -> dict[int | type[Exception], Handler]:
    """Return the handlers of all exceptions that are no bugs."""

    async def refused(_: Request, refusal: RefusalError) -> Response:
        answer = refusal_problem(refusal, statuses)
        is_ours = answer.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
        _logger.log(logging.ERROR if is_ours else logging.DEBUG, "refused: %s", refusal.code)
        return answer

    return {
        RefusalError: refused,
        RequestValidationError: _malformed,
        HTTPException: _http_problem,
    }


class InternalErrors:
    """The outermost middleware: it answers a bug with an id under which the log tells the rest."""

    def __init__(self, app: ASGIApp, *, new_id: Callable[[], str]) -> None:
        self._app = app
        self._new_id = new_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_started = False

        async def watched(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            await self._app(scope, receive, watched)
        except Exception as error:
            # Of an answer that is under way nothing can be taken back: the server cuts it off.
            if is_started or scope["type"] != "http":
                raise
            response = self._internal_error(error, scope)
            await response(scope, receive, send)

    def _internal_error(self, error: Exception, scope: Scope) -> Response:
        instance = f"urn:uuid:{self._new_id()}"
        where = scope["method"], scope["path"]
        _logger.error("internal error %s in %s %r", instance, *where, exc_info=error)
        detail = "the service made a mistake; its log tells more under this instance"
        return problem(500, "internal_error", "Internal error", detail, instance=instance)


async def _malformed(_: Request, error: RequestValidationError) -> Response:
    told = field_problems(error.errors())
    first = told[0]
    detail = (
        f"malformed value at {first['field']}: expected {first['expected']}, found {first['found']}"
    )
    return problem(
        422,
        "malformed",
        "Malformed",
        detail,
        expected=first["expected"],
        found=first["found"],
        errors=told,
    )


async def _http_problem(request: Request, error: HTTPException) -> Response:
    headers = dict(error.headers or {})
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        headers["Allow"] = ", ".join(_allowed_methods(request))
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=headers)
    code = _CODES.get(error.status_code, f"http_{error.status_code}")
    detail = f"{request.method} {cut(request.url.path, MOST_INPUT)}: {error.detail.lower()}"
    return problem(error.status_code, code, title_of(code), detail, headers)


def _allowed_methods(request: Request) -> list[str]:
    """Return the methods of all routes at the path; a single route knows its own alone."""

    def is_allowed(method: str) -> bool:
        scope = {**request.scope, "method": method}
        return any(route.matches(scope)[0] is Match.FULL for route in request.app.routes)

    allowed = {method for method in _METHODS if is_allowed(method)} | {"OPTIONS"}
    if "GET" in allowed:
        allowed.add("HEAD")
    return [method for method in _METHODS if method in allowed]
