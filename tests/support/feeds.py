"""Feeds as a client reads them: Server-Sent Events and lines, frame by frame."""

import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

EVENTS: Final = "text/event-stream"
LINES: Final = "application/x-ndjson"


@dataclass(frozen=True, slots=True)
class Told:
    """One frame: what kind it is, what id it has (none but commits), and what it tells."""

    kind: str
    id: str | None
    content: Any
    raw: str = field(compare=False)

    @property
    def version(self) -> int:
        """The version of a commit, or the newest one that a heartbeat or the end tells."""
        version: int = self.content["version"]
        return version


@asynccontextmanager
async def following(
    http: httpx.AsyncClient, path: str, headers: dict[str, str] | None = None
) -> AsyncIterator[AsyncGenerator[Told, None]]:
    """Give the frames of a feed of Server-Sent Events, as they come."""
    wanted = {"Accept": EVENTS, **(headers or {})}
    async with http.stream("GET", path, headers=wanted) as answer:
        assert answer.status_code == 200, await answer.aread()
        assert answer.headers["content-type"].partition(";")[0] == EVENTS
        frames = _frames(answer)
        try:
            yield frames
        finally:
            await frames.aclose()


async def followed(
    http: httpx.AsyncClient,
    path: str,
    headers: dict[str, str] | None = None,
    told: list[Told] | None = None,
) -> list[Told]:
    """Return all frames of a feed but its heartbeats; they are added to *told* as they come."""
    told = [] if told is None else told
    async with following(http, path, headers) as frames:
        async for frame in frames:
            if frame.kind != "heartbeat":
                told.append(frame)
    return told


def frames_in(text: str) -> list[Told]:
    """Return the frames of a whole feed."""
    assert not text or text.endswith("\n\n")
    return [_told(each) for each in text.split("\n\n") if each]


async def _frames(answer: httpx.Response) -> AsyncGenerator[Told, None]:
    rest = ""
    async for text in answer.aiter_text():
        *whole, rest = (rest + text).split("\n\n")
        for each in whole:
            yield _told(each)
    assert not rest, f"a feed breaks off within {rest!r}"


def _told(raw: str) -> Told:
    fields = dict(line.split(": ", 1) for line in raw.split("\n"))
    assert fields.keys() <= {"id", "event", "data"}, raw
    return Told(fields["event"], fields.get("id"), json.loads(fields["data"]), raw)
