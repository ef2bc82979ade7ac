"""Answers that change seldom: with an ETag, and as CSV for whoever wants a table."""

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any, Final

from fastapi import Request, Response
from pydantic import BaseModel

from howff.engine.catalogue import game_of
from howff.servicekit.web.answers import unless_known

CSV: Final = "text/csv"
JSON_TYPE: Final = "application/json"
TABLE: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {CSV: {}}}}
"""How routes say that they answer with tables too."""


def check_game(game: str | None, found: Sequence[BaseModel]) -> None:
    """Refuse a *game* of which nothing was *found*, if there is none of that key.

    What there is of one that can't be played any more is told.

    Raises:
        UnknownGameError: there is none.
    """
    if game is not None and not found:
        game_of(game)


def answered(
    request: Request,
    answer: BaseModel,
    rows: Sequence[BaseModel] | None = None,
    *,
    is_private: bool = False,
) -> Response:
    """Return *answer*, or 304 if the caller has it already; *rows* are what a table of it shows."""
    table = None
    if rows is not None and CSV in request.headers.get("accept", ""):
        table = _table(rows)
    content = answer.model_dump_json().encode() if table is None else table
    headers = {
        "Cache-Control": f"{'private' if is_private else 'public'}, no-cache",
        "Vary": "Accept, Authorization",
    }
    return unless_known(request, content, JSON_TYPE if table is None else CSV, headers)


def _table(rows: Iterable[BaseModel]) -> bytes:
    """Return *rows* as CSV (RFC 4180), their plain fields alone."""
    plain = [each.model_dump() for each in rows]
    told = [{name: value for name, value in each.items() if _is_plain(value)} for each in plain]
    output = io.StringIO(newline="")
    if told:
        writer = csv.DictWriter(output, fieldnames=list(told[0]), extrasaction="ignore")
        writer.writeheader()
        writer.writerows(told)
    return output.getvalue().encode()


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | bool)
