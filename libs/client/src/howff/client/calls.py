"""What all topics of the API are asked by."""

from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import httpx

from howff.client.errors import JSON, UnsendableError
from howff.client.requests import Requests, json_in


class Calls:
    """The *requests* of a client, and the *ids* under which those go that change something."""

    def __init__(self, requests: Requests, ids: Callable[[], str]) -> None:
        self.requests = requests
        self._ids = ids

    async def send(self, method: str, path: str, **parts: Any) -> httpx.Response:
        """Return the answer to a request whose *parts* httpx knows, as `Requests.send` does."""
        return await self.requests.send(method, path, **parts)

    async def get(self, path: str, query: Any = None) -> JSON:
        """Return what there is at *path*; *query* is a mapping, or pairs."""
        accept = {"Accept": "application/json"}
        return json_in(await self.send("GET", path, params=query or {}, headers=accept))

    async def order(
        self, method: str, path: str, content: JSON = None, command_id: str | None = None
    ) -> JSON:
        """Return what answers an order that goes under *command_id*; None if nothing is told.

        Without an id it gets a new one. It has a body unless *content* is None.
        """
        headers = {"Accept": "application/json", "Idempotency-Key": command_id or self._ids()}
        body = {} if content is None else {"json": content}
        answer = await self.send(method, path, headers=headers, **body)
        return json_in(answer) if answer.content else None


def segment(text: str) -> str:
    """Return *text* as one segment of a path.

    Raises:
        UnsendableError: it is not text of Unicode.
    """
    try:
        return quote(text, safe="")
    except UnicodeEncodeError as error:
        raise UnsendableError(found=repr(text)) from error


def told(**values: JSON) -> dict[str, JSON]:
    """Return those *values* that are not None."""
    return {name: value for name, value in values.items() if value is not None}
