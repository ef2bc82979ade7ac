"""Answers that are for the eyes of their caller alone."""

from typing import Final

from fastapi import Response
from pydantic import BaseModel

PRIVATE: Final = {"Cache-Control": "private, no-cache", "Vary": "Authorization, Accept"}
"""The headers of what is for the eyes of its caller."""


def private_json(
    answer: BaseModel, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Return *answer* for the eyes of its caller alone."""
    told = {**(headers or {}), **PRIVATE}
    return Response(answer.model_dump_json(), status, told, "application/json")
