"""Answers that are for the eyes of their caller alone, and answers that change seldom."""

import hashlib
from typing import Final

from fastapi import Request, Response
from pydantic import BaseModel

PRIVATE: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}
"""The headers of what is for the eyes of its caller."""
ASKED_AGAIN: Final = {"Cache-Control": "no-cache"}
"""The headers of what everybody may keep, and has to ask for again before it is used."""


def private_json(
    answer: BaseModel, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Return *answer* for the eyes of its caller alone."""
    told = {**(headers or {}), **PRIVATE}
    return Response(answer.model_dump_json(), status, told, "application/json")


def tag_of(content: bytes) -> str:
    """Return an ETag for *content*."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def unless_known(
    request: Request, content: bytes, media: str, headers: dict[str, str] | None = None
) -> Response:
    """Return *content* with an ETag, or 304 if the caller has it already."""
    told = {**ASKED_AGAIN, **(headers or {}), "ETag": tag_of(content)}
    known = request.headers.get("if-none-match", "").replace("W/", "").replace(" ", "").split(",")
    if not {told["ETag"], "*"}.isdisjoint(known):
        return Response(status_code=304, headers=told)
    return Response(content, 200, told, media)
