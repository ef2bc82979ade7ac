"""The description of an API, with all problems that its routes answer with."""

from collections.abc import Iterable, Iterator
from http import HTTPStatus
from typing import Any, Final

from howff.engine.codec import JSON
from howff.servicekit.web.auth import OPTIONAL_SCHEME, REQUIRED_SCHEME
from howff.servicekit.web.problems import PROBLEM_TYPE, Problem

_REFERENCE: Final = "#/components/schemas/{model}"
_SAFE: Final = frozenset({"get", "head", "options"})
_HEADERS: Final = {
    401: {"WWW-Authenticate": "How to bring a token (RFC 6750)."},
    405: {"Allow": "The methods that there are."},
    429: {"Retry-After": "Seconds after which there are points enough."},
    503: {"Retry-After": "Seconds after which to ask again."},
}
_LIMITS: Final = {
    "RateLimit-Limit": "Points that can be there at once.",
    "RateLimit-Remaining": "Points that are there now.",
    "RateLimit-Reset": "Seconds until all are there again.",
}
_BY_FASTAPI: Final = "Successful Response"
_MEANINGS: Final = {
    "200": "What was asked for.",
    "201": "What was made.",
    "202": "What is going to be done.",
    "204": "It was done.",
}
"""What answers mean of which FastAPI says the same as of any."""
_HEADER_REFERENCE: Final = "#/components/headers/{name}"
_OF_BODIES: Final = frozenset({400, 408, 413, 415})


def problem_responses(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the answers of these *statuses* for the `responses` of a route."""
    return {status: _response(status) for status in statuses}


def told_headers(status: int, **headers: str) -> dict[int | str, dict[str, Any]]:
    """Return the *headers* of the answers of a *status*, each with what it tells, likewise."""
    return {status: {"headers": {name: _header(text) for name, text in headers.items()}}}


def with_problems(document: dict[str, JSON], everywhere: Iterable[int]) -> dict[str, JSON]:
    """Return the OpenAPI *document* with a problem for each status that an operation may give.

    Told are those that follow from parameters, body, and security of an operation, and the
    statuses that may come *everywhere*; what else a route gives, it declares itself.
    """
    everywhere = frozenset(everywhere)
    for path, method, operation in _operations(document):
        for status in sorted(_statuses(path, method, operation) | everywhere):
            # What FastAPI says of 422 is not what it answers here.
            if (
                status == HTTPStatus.UNPROCESSABLE_ENTITY
                or str(status) not in operation["responses"]
            ):
                operation["responses"][str(status)] = _response(status)
        _tell_security(operation)
        _tell_meanings(operation)
    _tell_schemas(document)
    return document


def tell_limits(document: dict[str, JSON]) -> None:
    """Tell in an OpenAPI *document* of limits: a problem, and headers of all answers."""
    too_many = HTTPStatus.TOO_MANY_REQUESTS.value
    for _, _, operation in _operations(document):
        operation["responses"].setdefault(str(too_many), _response(too_many))
        for response in operation["responses"].values():
            told = {name: {"$ref": _HEADER_REFERENCE.format(name=name)} for name in _LIMITS}
            response["headers"] = response.get("headers", {}) | told
    headers = document["components"].setdefault("headers", {})
    headers |= {name: _header(text, "integer") for name, text in _LIMITS.items()}


def _operations(document: dict[str, JSON]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            yield path, method, operation


def _statuses(path: str, method: str, operation: dict[str, Any]) -> frozenset[int]:
    statuses: set[int] = set()
    if "{" in path:
        statuses.add(404)
    if method not in _SAFE:
        statuses |= {409, *_OF_BODIES}
    if operation.get("parameters") or "requestBody" in operation:
        statuses.add(422)
    if operation.get("security"):
        statuses |= {401, 403}
    return frozenset(statuses)


def _tell_security(operation: dict[str, Any]) -> None:
    wanted = operation.get("security", [])
    if any(OPTIONAL_SCHEME in each for each in wanted):
        operation["security"] = [{}, {REQUIRED_SCHEME: []}]


def _tell_meanings(operation: dict[str, Any]) -> None:
    for status, response in operation["responses"].items():
        if response["description"] == _BY_FASTAPI:
            response["description"] = _MEANINGS.get(status, _BY_FASTAPI)


def _tell_schemas(document: dict[str, JSON]) -> None:
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    for replaced in ("HTTPValidationError", "ValidationError"):
        schemas.pop(replaced, None)
    schema = Problem.model_json_schema(ref_template=_REFERENCE)
    schemas |= schema.pop("$defs") | {"Problem": schema}
    schemes = components.get("securitySchemes", {})
    if OPTIONAL_SCHEME in schemes:
        schemes[REQUIRED_SCHEME] = schemes.pop(OPTIONAL_SCHEME)


def _response(status: int) -> dict[str, Any]:
    schema = {"$ref": _REFERENCE.format(model="Problem")}
    told = {"description": HTTPStatus(status).phrase, "content": {PROBLEM_TYPE: {"schema": schema}}}
    headers = _HEADERS.get(status, {})
    return told | {"headers": {name: _header(text) for name, text in headers.items()}}


def _header(text: str, kind: str = "string") -> dict[str, Any]:
    return {"description": text, "schema": {"type": kind}}
