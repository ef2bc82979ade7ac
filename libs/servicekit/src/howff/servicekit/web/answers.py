"""Answers that are for the eyes of their caller alone, and answers that change seldom."""

import hashlib
from typing import Annotated, Final

from fastapi import Header, Request, Response
from pydantic import BaseModel

PRIVATE: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}
"""The headers of what is for the eyes of its caller."""
ASKED_AGAIN: Final = {"Cache-Control": "no-cache"}
"""The headers of what everybody may keep, and has to ask for again before it is used."""
KnownTags = Annotated[str, Header(alias="If-None-Match", max_length=1000)]
"""For routes: the tags of what the caller has already, for `is_known`."""


def private_json(
    answer: BaseModel, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Return *answer* for the eyes of its caller alone."""
    told = {**(headers or {}), **PRIVATE}
    return Response(answer.model_dump_json(), status, told, "application/json")


def tag_of(content: bytes) -> str:
    """Return an ETag for *content*."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def is_known(tag: str, tags: str) -> bool:
    """Tell whether *tags*, as `If-None-Match` has them, name *tag*: weak or not, or all by `*`."""
    return not {tag, "*"}.isdisjoint(tags.replace("W/", "").replace(" ", "").split(","))


def unless_known(
    request: Request, content: bytes, media: str, headers: dict[str, str] | None = None
) -> Response:
    """Return *content* with an ETag, or 304 if the caller has it already."""
    told = {**ASKED_AGAIN, **(headers or {}), "ETag": tag_of(content)}
    if is_known(told["ETag"], request.headers.get("if-none-match", "")):
        return Response(status_code=304, headers=told)
    return Response(content, 200, told, media)
