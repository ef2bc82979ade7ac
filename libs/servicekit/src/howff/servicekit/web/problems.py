"""Problem documents (RFC 9457): the one form of all error answers."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from pydantic import BaseModel, ConfigDict
from starlette.responses import JSONResponse

from howff.engine.codec import JSON
from howff.engine.errors import RefusalError
from howff.servicekit.web.errors import WebError

PROBLEM_TYPE: Final = "application/problem+json"
PROBLEMS: Final = "/problems/"
"""What the type of a problem starts with, its code follows; a reference within the service."""

Statuses = Mapping[type[RefusalError], int]
"""The HTTP status of a class of refusals and of those derived from it."""


class FieldProblem(BaseModel):
    """What is wrong with one field of a request."""

    field: str
    expected: str
    found: str


class Problem(BaseModel):
    """A problem document; a refusal may add members of its own."""

    model_config = ConfigDict(extra="allow")

    type: str
    title: str
    status: int
    detail: str
    code: str
    """Never changes: what programs go by."""
    expected: str = ""
    """Of refusals alone, as *found*."""
    found: str = ""
    errors: list[FieldProblem] = []
    """The fields of a malformed request, the first 20 of them."""
    instance: str = ""
    """Of internal errors alone: under this id the service's log tells more."""


class ProblemResponse(JSONResponse):
    """An answer that is a problem document; no cache keeps it."""

    media_type = PROBLEM_TYPE

    def __init__(
        self, status: int, content: dict[str, JSON], headers: Mapping[str, str] | None = None
    ) -> None:
        super().__init__(content, status, {"Cache-Control": "no-store", **(headers or {})})


def problem(
    status: int,
    code: str,
    title: str,
    detail: str,
    headers: Mapping[str, str] | None = None,
    **extensions: JSON,
) -> ProblemResponse:
    """Return the problem document of these members and *extensions* as an answer."""
    members = {
        "type": PROBLEMS + code,
        "title": title,
        "status": status,
        "detail": detail,
        "code": code,
    }
    return ProblemResponse(status, members | extensions | members, headers)


def refusal_problem(refusal: RefusalError, statuses: Statuses) -> ProblemResponse:
    """Return *refusal* as an answer.

    It may have `members` (further ones of the document), `headers`, and `retry_after` (seconds).
    """
    headers: dict[str, str] = dict(getattr(refusal, "headers", {}))
    retry_after: int | None = getattr(refusal, "retry_after", None)
    if retry_after is not None:
        headers["Retry-After"] = str(retry_after)
    members: dict[str, Any] = getattr(refusal, "members", {})
    members = {**members, "expected": refusal.expected, "found": refusal.found}
    status, title = status_of(refusal, statuses), title_of(refusal.code)
    return problem(status, refusal.code, title, str(refusal), headers, **members)


def status_of(refusal: RefusalError, statuses: Statuses) -> int:
    """Return the status of the nearest class of *refusal* that has one; else 409."""
    if isinstance(refusal, WebError):
        return refusal.status
    known = (statuses[each] for each in type(refusal).__mro__ if each in statuses)
    return next(known, HTTPStatus.CONFLICT.value)


def title_of(code: str) -> str:
    """Return *code* as words for people."""
    return code.replace("_", " ").capitalize()
