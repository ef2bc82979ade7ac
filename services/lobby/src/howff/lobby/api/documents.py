"""Routes that tell what the whole site can be asked, and what it tells: for machines."""

import asyncio
import json
from collections.abc import Callable
from functools import cache
from threading import Lock
from typing import Any, Final, Generic, TypeVar

from fastapi import APIRouter, Request, Response

from howff.engine.codec import JSON
from howff.lobby.api.deps import parts_of
from howff.lobby.application.channels import channels_told
from howff.lobby.application.describing import Described, described
from howff.servicekit.web.answers import unless_known
from howff.servicekit.web.app import DESCRIBED_AT

T = TypeVar("T")

documents = APIRouter(include_in_schema=False)

JSON_TYPE: Final = "application/json"


class Latest(Generic[T]):
    """What *make* makes of what services tell of themselves, once until they tell another thing.

    That takes a while: ask in a thread.
    """

    def __init__(self, make: Callable[[list[Described]], T]) -> None:
        self._make = make
        self._known: tuple[list[Described], T] | None = None
        self._making = Lock()

    def of(self, services: list[Described]) -> T:
        """Return what is made of *services*."""
        with self._making:
            if self._known is None or self._known[0] != services:
                self._known = services, self._make(services)
            return self._known[1]


@documents.get(DESCRIBED_AT)
async def describe_site(request: Request) -> Response:
    """Describe all that the services can be asked (OpenAPI)."""
    site = await asyncio.to_thread(_SITE.of, await services_told(request))
    return unless_known(request, site, JSON_TYPE)


@documents.get("/asyncapi.json")
async def describe_channels(request: Request) -> Response:
    """Describe what the services tell each other, and what clients may follow (AsyncAPI)."""
    return unless_known(request, _channels(), JSON_TYPE)


async def services_told(request: Request) -> list[Described]:
    """Return what the services tell of themselves, this one first."""
    own: dict[str, Any] = request.app.openapi()
    others = await parts_of(request).neighbours.described()
    return [Described("lobby", own), *others]


@cache
def _channels() -> bytes:
    return _bytes(channels_told())


def _bytes(document: JSON) -> bytes:
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()


_SITE: Final = Latest(lambda services: _bytes(described(services)))
