"""Bodies of requests: read whole, up to a limit, and clean JSON before any route sees them."""

import asyncio
import re
from contextlib import suppress
from typing import Annotated, Final, TypeVar

from pydantic import BaseModel, ConfigDict, Strict
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from howff.servicekit.web.errors import (
    BodyTimeoutError,
    BodyTooLargeError,
    WebError,
    WrongMediaTypeError,
)
from howff.servicekit.web.problems import refusal_problem
from howff.servicekit.web.strict_json import strict_json

T = TypeVar("T")

MOST_BYTES: Final = 64 * 1024
PATIENCE: Final = 10.0
"""Seconds within which a body must have come."""
LINGERING: Final = 1.0
"""Seconds for which a client may go on sending after its body was refused."""
_CHARSET: Final = rb'[ \t]*(;[ \t]*charset="?utf-8"?)?'
_JSON_TYPE: Final = re.compile(rb"application/json" + _CHARSET, re.IGNORECASE)
_FORM_TYPE: Final = re.compile(rb"application/x-www-form-urlencoded" + _CHARSET, re.IGNORECASE)


class StrictModel(BaseModel):
    """The base of what routes take: nothing unknown in it, nothing converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


Listed = Annotated[tuple[T, ...], Strict(strict=False)]
"""A tuple in a `StrictModel`: JSON tells it as a list; what is in it stays strict."""


class BoundedBodies:
    """The middleware that lets bodies through once they are whole, up to *most_bytes*.

    Routes that expect no body are guarded too. Answers pass as they come, so feeds may be endless.
    """

    def __init__(self, app: ASGIApp, *, most_bytes: int = MOST_BYTES) -> None:
        self._app = app
        self._most_bytes = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            body = await self._bounded_body(scope, receive)
            if body:
                self.check(scope, body)
        except ClientDisconnect:
            return
        except WebError as refusal:
            response = refusal_problem(refusal, {})
            is_cut_off = "Connection" in refusal.headers
            await (_linger if is_cut_off else _answer)(response, scope, receive, send)
            return
        await self._app(scope, _replayed(body, receive), send)

    def check(self, scope: Scope, body: bytes) -> None:
        """Refuse a *body* that is none of those that are let through, by a `WebError`."""

    async def _bounded_body(self, scope: Scope, receive: Receive) -> bytes:
        if _declared_bytes(scope) > self._most_bytes:
            raise BodyTooLargeError(self._most_bytes)
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._whole_body(receive)
        except TimeoutError as error:
            raise BodyTimeoutError(PATIENCE) from error

    async def _whole_body(self, receive: Receive) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ClientDisconnect
            body += message.get("body", b"")
            if len(body) > self._most_bytes:
                raise BodyTooLargeError(self._most_bytes)
            if not message.get("more_body", False):
                return bytes(body)


class CleanBodies(BoundedBodies):
    """The middleware that lets only bodies of clean JSON through, and forms at *form_paths* alone.

    What a form tells is for the route to read.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        most_bytes: int = MOST_BYTES,
        form_paths: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(app, most_bytes=most_bytes)
        self._form_paths = form_paths

    def check(self, scope: Scope, body: bytes) -> None:
        if scope["path"] in self._form_paths:
            _check_media_type(scope, _FORM_TYPE, "application/x-www-form-urlencoded in UTF-8")
        else:
            _check_media_type(scope, _JSON_TYPE, "application/json in UTF-8")
            strict_json(body)


def _declared_bytes(scope: Scope) -> int:
    declared = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(declared[0]) if declared and declared[0].isdigit() else 0


def _check_media_type(scope: Scope, wanted: re.Pattern[bytes], expected: str) -> None:
    found = [value for name, value in scope["headers"] if name == b"content-type"]
    if len(found) != 1 or not wanted.fullmatch(found[0].strip()):
        told = b", ".join(found)[:80].decode("latin-1")
        raise WrongMediaTypeError(expected, repr(told) if found else "none")


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a way to receive *body*, which was read before, and then what else comes."""
    is_told = False

    async def replay() -> Message:
        nonlocal is_told
        if is_told:
            return await receive()
        is_told = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay


async def _answer(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    await response(scope, receive, send)


async def _linger(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer, and let the client send on for a little.

    Closed at once, the connection would be reset, and clients would lose the answer.
    """

    async def unfinished(message: Message) -> None:
        if message["type"] == "http.response.body":
            message = {**message, "more_body": True}
        await send(message)

    await response(scope, receive, unfinished)
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGERING):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body", "body": b"", "more_body": False})
