"""The other services of the site, asked what they tell of themselves."""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final, Self

import httpx

from howff.lobby.application.describing import Described
from howff.servicekit.web.app import DESCRIBED_AT

WITHIN: Final = 2.0
"""Seconds that a service has to tell of itself."""
KEPT_FOR: Final = 5.0
"""Seconds for which a service is not asked again."""
_log = logging.getLogger(__name__)


class Neighbours:
    """The other services, by their names and their addresses; used as an async context manager.

    Each is asked by one reader at a time, and by the ETag of what it told before.
    """

    def __init__(
        self, urls: Mapping[str, str], *, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._http = httpx.AsyncClient(timeout=WITHIN, trust_env=False)
        self._all = [_Neighbour(name, url, self._http, now) for name, url in urls.items()]

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._http.aclose()

    async def described(self) -> list[Described]:
        """Return what each has told of itself, at once or before; it never fails."""
        return list(await asyncio.gather(*(each.described() for each in self._all)))


class _Neighbour:
    """One of them."""

    def __init__(
        self, name: str, url: str, http: httpx.AsyncClient, now: Callable[[], float]
    ) -> None:
        self._url = f"{url.rstrip('/')}{DESCRIBED_AT}"
        self._http = http
        self._now = now
        self._turn = asyncio.Lock()
        self._known = Described(name, None, "not asked yet")
        self._by_tag: dict[str, str] = {}
        self._again_at = float("-inf")

    async def described(self) -> Described:
        async with self._turn:
            if self._now() >= self._again_at:
                self._known = await self._asked()
                self._again_at = self._now() + KEPT_FOR
        return self._known

    async def _asked(self) -> Described:
        known = self._known
        try:
            async with asyncio.timeout(WITHIN):
                answer = await self._http.get(self._url, headers=self._by_tag)
            is_known = self._by_tag and answer.status_code == HTTPStatus.NOT_MODIFIED
            document = known.document if is_known else _document_in(answer)
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError, ValueError) as error:
            trouble = _words(error)
            if known.trouble != trouble:
                _log.warning("service %s tells nothing of itself: %s", known.service, trouble)
            return Described(known.service, known.document, trouble)
        tag = answer.headers.get("ETag")
        self._by_tag = {} if tag is None else {"If-None-Match": tag}
        return Described(known.service, document)


def _document_in(answer: httpx.Response) -> dict[str, Any]:
    """Return the OpenAPI document that *answer* is.

    Raises:
        ValueError: it is none.
    """
    if answer.status_code != HTTPStatus.OK:
        raise ValueError(f"it answers {answer.status_code}")
    try:
        document = answer.json()
    except ValueError:
        document = None
    if not (isinstance(document, dict) and {"openapi", "paths"} <= document.keys()):
        raise ValueError("what answers there is another service")
    return document


def _words(error: Exception) -> str:
    match error:
        case TimeoutError() | httpx.TimeoutException():
            return "too slow"
        case httpx.ConnectError():
            return "nobody listens there"
        case httpx.HTTPError() | httpx.InvalidURL():
            return "the connection broke off"
        case _:
            return str(error)
