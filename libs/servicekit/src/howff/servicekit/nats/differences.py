"""Streams and consumers as the server describes them, compared with how they are wanted."""

import json
from enum import Enum
from typing import Any, Final

from nats.js.api import Base
from nats.js.errors import APIError

from howff.servicekit.nats.connection import ANSWER_WITHIN, Connection
from howff.servicekit.nats.errors import DiffersError

UNLIMITED: Final = -1
SAYS_NOTHING: Final[tuple[object, ...]] = (None, False, 0, UNLIMITED, "", [], {}, "none")
"""How the server and the client write that something is not asked for."""
_NOT_COMPARED: Final = frozenset({"metadata", "pause_until"})
"""The server's own notes; and a pause, which stays noted when it is over."""


async def described(connection: Connection, subject: str) -> dict[str, Any]:
    """Return what JetStream answers to a question for *subject*, such as `STREAM.INFO.<name>`.

    The client's own classes would leave out what they don't know.

    Raises:
        APIError: there is no such thing, or nobody to tell.
        nats.errors.Error: no answer came.
    """
    answer = await connection.client.request(f"$JS.API.{subject}", timeout=ANSWER_WITHIN)
    found: dict[str, Any] = json.loads(answer.data)
    if "error" in found:
        raise APIError.from_error(found["error"])
    return found


def check_same(refusal: type[DiffersError], what: str, wanted: Base, found: dict[str, Any]) -> None:
    """Refuse any difference of a configuration that was *found*, also in what was not asked for."""
    wants = wanted.as_dict()
    for field in sorted((wants.keys() | found.keys()) - _NOT_COMPARED):
        want, have = wants.get(field), found.get(field)
        if want != have and not (want in SAYS_NOTHING and have in SAYS_NOTHING):
            raise refusal(what, field, wanted=_plain(want), found=have)


def _plain(value: object) -> object:
    return value.value if isinstance(value, Enum) else value
