"""Clients of feeds that are cut and come back, beside one that never was."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Final

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, classes_of
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import visibilities
from howff.match.match import Match
from howff.match.redaction import CommandTold
from howff.match.seals import commitment_of, is_sealed
from support.histories.clients import events_of
from support.histories.lines import Replica, Request
from support.rng import LocalRng
from support.running import run, until
from support.service import SERVED, Service, Table

EVERY_GAME: Final = pytest.mark.parametrize("game", SERVED)
EYES: Final = pytest.mark.parametrize("viewer", [Seat(0), None], ids=["seat", "spectator"])
CUTS: Final = 25


@dataclass(slots=True)
class Client:
    """Follows a table through the eyes of *viewer*, and keeps what it is told by version."""

    table: Table
    viewer: Viewer
    told: dict[int, bytes] = field(default_factory=dict)
    is_attached: bool = False

    async def follow(self, up_to: int) -> None:
        """Go on by a new connection until this version was told."""
        async with aclosing(self._frames()) as frames:
            async for kind, version, line in frames:
                self.is_attached = True
                if kind == "commit":
                    assert version == len(self.told) + 1
                    self.told[version] = line
                if len(self.told) >= up_to:
                    return

    async def _frames(self) -> AsyncGenerator[tuple[str, int, bytes], None]:
        headers = {"Accept": "text/event-stream", "Last-Event-ID": str(len(self.told))}
        headers |= self.table.eyes(self.viewer).headers
        request = Request("GET", f"{self.table.path}/events", headers)
        async with Replica(self.table.service.url).stream(request) as (status, parts):
            assert status == 200
            async for frame in events_of(parts):
                yield frame


@EYES
@EVERY_GAME
def test_who_comes_back_before_anything_closed_is_told_the_same_bytes(
    service: Service, game: str, viewer: Viewer
) -> None:
    table = service.table(game, GAMES[game].seats[0])
    steady, cut = Client(table, viewer), Client(table, viewer)
    open_still: set[int] = set()

    async def story() -> None:
        rng = LocalRng(game)
        following = asyncio.create_task(steady.follow(10**6))
        await until(lambda: steady.is_attached)
        await cut.follow(1)
        for _ in range(CUTS):
            missed = len(cut.told)
            match = await asyncio.to_thread(table.advance, 1 + rng.draw("missed", 3))
            if match.is_over:
                break
            open_still.update(
                each
                for each in range(missed + 1, match.version + 1)
                if is_open(match, viewer, each)
            )
            await cut.follow(match.version)
        await until(lambda: len(steady.told) >= len(cut.told))
        following.cancel()

    run(story)
    assert len(open_still) > CUTS / 5
    assert {each: cut.told[each] for each in open_still} == {
        each: steady.told[each] for each in open_still
    }
    assert set(cut.told) - open_still, "nothing has ever closed"


@EYES
@EVERY_GAME
def test_who_comes_back_later_misses_what_was_shown_for_a_moment_and_nothing_else(
    service: Service, game: str, viewer: Viewer
) -> None:
    table = service.table(game, GAMES[game].seats[0])
    steady, late = Client(table, viewer), Client(table, viewer)

    async def story() -> None:
        following = asyncio.create_task(steady.follow(10**6))
        await until(lambda: steady.is_attached)
        match = await asyncio.to_thread(table.advance, 40)
        await late.follow(match.version)
        await until(lambda: len(steady.told) >= match.version)
        following.cancel()

    run(story)
    closed = [
        name
        for version, line in late.told.items()
        for name in closed_fields(game, json.loads(steady.told[version]), json.loads(line))
    ]
    assert closed or viewer is None


def is_open(match: Match, viewer: Viewer, version: int) -> bool:
    """Return whether everything of *version* may be looked up still."""
    return match.turns.is_open(viewer, (version, 0))


def closed_fields(game: str, live: JSON, later: JSON) -> list[str]:
    """Return the fields that are open in a commit as told live, and sealed in it as told later."""
    events = zip(live.pop("events"), later.pop("events"), strict=True)
    kinds = {kind.__name__: kind for kind in classes_of(GAMES[game].event)}
    moves = [{"move": each.pop("move")} for each in (live, later)]
    salts = live.pop("salts", {})
    later.pop("salts", None)
    assert live == later
    closed = _closed(CommandTold, moves[0], moves[1], salts)
    for before, after in events:
        assert before["type"] == after["type"]
        if before != after:
            kind = kinds[before["type"]]
            closed += _closed(kind, before["data"], after["data"], before.get("salts", {}))
    return closed


def _closed(kind: type, live: JSON, later: JSON, salts: JSON) -> list[str]:
    assert live.keys() == later.keys()
    closed = [name for name in live if live[name] != later[name]]
    for name in closed:
        assert visibilities(kind)[name].momentary
        assert is_sealed(later[name])
        assert later[name]["sealed"] == commitment_of(salts[name], live[name])
    return closed
