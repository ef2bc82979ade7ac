"""Matches that are over, made for tests that look back at them; and what was told of them then."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import httpx

from howff.engine.codec import JSON
from howff.engine.seats import Viewer
from howff.match.export import viewer_name
from support.feeds import Told, followed
from support.leaving import asked, done, look
from support.running import run, until
from support.service import Service, Table

FEW = 16
"""How many moves are made of a match that is then given up."""


@dataclass(slots=True)
class Witness:
    """What one viewer was shown of a match while it was played."""

    looks: dict[int, JSON] = field(default_factory=dict)
    frames: list[Told] = field(default_factory=list)

    def line(self, version: int) -> bytes:
        """Return the bytes of a commit as the live feed has told it."""
        frames = [each for each in self.frames if each.kind == "commit"]
        told = next(each for each in frames if each.version == version)
        return told.raw.partition("data: ")[2].encode()


def witnessed(table: Table, most: int) -> dict[Viewer, Witness]:
    """Return what all viewers were shown of *table*, of which *most* moves are made at random.

    Then it is aborted, if it is not over by then.
    """
    seen: dict[Viewer, Witness] = {viewer: Witness() for viewer in table.viewers}

    async def follow(http: httpx.AsyncClient, viewer: Viewer) -> None:
        path, headers = f"{table.path}/events", table.eyes(viewer).headers
        await followed(http, path, headers, seen[viewer].frames)

    async def story() -> None:
        async with (
            httpx.AsyncClient(base_url=table.service.url) as http,
            asyncio.TaskGroup() as all_,
        ):
            for viewer in seen:
                all_.create_task(follow(http, viewer))
            await until(lambda: all(each.frames for each in seen.values()))
            await asyncio.to_thread(_played, table, seen, most)

    run(story, within=600)
    return seen


def _played(table: Table, seen: dict[Viewer, Witness], most: int) -> None:
    _look(table, seen)
    for _ in range(most):
        if table.match.is_over:
            break
        table.play()
        _look(table, seen)
    for seat in range(len(table.accounts)):
        if not table.match.is_over:
            done(asked(table, seat, "abort"))
            _look(table, seen)


def _look(table: Table, seen: dict[Viewer, Witness]) -> None:
    for viewer, witness in seen.items():
        shown = look(table, viewer)
        witness.looks[shown["version"]] = shown


def replayed(table: Table, at: int, eyes: Viewer | str, *, by: int | None = None) -> Any:
    """Return how the match stood *at* a version to these *eyes*, asked for by seat *by*."""
    return json.loads(replay(table, at, eyes, by=by))


def replay(table: Table, at: int, eyes: Viewer | str, *, by: int | None = None) -> bytes:
    """Return the same as it is answered."""
    name = eyes if isinstance(eyes, str) else viewer_name(eyes)
    answer = table.eyes(by).get(f"{table.path}/replay?at={at}&as={name}")
    assert answer.status_code == 200, answer.text
    return answer.content


def finished(service: Service, game: str = "troedler", seats: int = 2, **terms: JSON) -> Table:
    """Return a match that was played to its end."""
    if game == "troedler":
        terms = {"options": {"round_limit": 1}, **terms}
    table = service.table(game, seats, **terms)
    table.advance()
    return table
