"""Answers that hold secrets: nobody may keep them."""

from typing import Final

from fastapi import Response
from pydantic import BaseModel

NO_STORE: Final = {"Cache-Control": "no-store", "Pragma": "no-cache"}
"""RFC 6749 asks for both."""


def secret_json(
    answer: BaseModel, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Return *answer*, which no cache keeps."""
    told = {**NO_STORE, **(headers or {})}
    return Response(answer.model_dump_json(), status, told, "application/json")
