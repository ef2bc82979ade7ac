"""What seats do beside moving, and how deadlines stand, as tests ask for it and look at it."""

import json
from typing import Any, Final
from uuid import UUID

import httpx

from howff.engine.codec import JSON
from howff.match.clocks import Milliseconds, milliseconds_of
from howff.match.commit import PLATFORM, Commit
from howff.servicekit import clock
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.reading import stored_last
from howff.servicekit.nats.schedules import keys_of
from support.service import Service, Table, new_key, wait_until

DEADLINES: Final = "DEADLINES"
CLOCKED: Final = "CLOCKED"


def asked(
    table: Table, by: int | None, what: str, key: UUID | None = None, **content: JSON
) -> httpx.Response:
    """Return what answers when the holder of seat *by* asks for *what*, a route of the match."""
    return table.eyes(by).post(f"{table.path}/{what}", content, key or new_key())


def done(answer: httpx.Response) -> list[tuple[str, JSON]]:
    """Return the events that an accepted command has caused, types and contents."""
    assert answer.status_code == 200, answer.text
    return [(each["type"], each["data"]) for each in answer.json()["commit"]["events"]]


def events_in(commits: tuple[Commit, ...], *kinds: str) -> list[tuple[int, JSON]]:
    """Return the versions and the contents of all events of these *kinds*."""
    return [
        (commit.version, event["data"])
        for commit in commits
        for event in commit.events
        if event["type"] in kinds
    ]


def look(table: Table, viewer: int | None = None) -> Any:
    """Return the match as *viewer* sees it."""
    answer = table.eyes(viewer).get(table.path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def due_of(table: Table) -> Milliseconds:
    """Return when something happens to a match by its clocks."""
    due = table.match.due
    assert due is not None
    return due


def now() -> Milliseconds:
    """Return the time, in the unit of clocks."""
    return int(clock.now().timestamp() * 1000)


def wait_until_past(due: Milliseconds) -> None:
    """Wait until the time has come."""
    wait_until(lambda: now() >= due)


def scheduled(service: Service, match: str) -> tuple[int, Milliseconds] | None:
    """Return the version and the time of the deadline that is set for *match*."""

    async def story(connection: Connection) -> tuple[int, Milliseconds] | None:
        found = await stored_last(connection, DEADLINES, f"deadline.at.{match}")
        if found is None:
            return None
        content = json.loads(found.payload)
        return content["rank"], milliseconds_of(content["due"])

    return service.on_nats(story)


def wait_until_scheduled(table: Table) -> None:
    """Wait until the deadline is set as the match has it."""
    match = table.match
    wait_until(lambda: scheduled(table.service, table.id) == (match.version, due_of(table)))


def registered(service: Service) -> set[str]:
    """Return the matches that are known to have a clock and to go on."""

    async def story(connection: Connection) -> set[str]:
        return await keys_of(connection, CLOCKED, "clocked")

    return service.on_nats(story)


def purge_deadlines(service: Service, match: str = "") -> None:
    """Take the deadline of one match away as nothing in the service would, or of all."""

    async def story(connection: Connection) -> None:
        subject = f"deadline.at.{match}" if match else None
        await connection.jetstream.purge_stream(DEADLINES, subject=subject)

    service.on_nats(story)


def is_platform(commit: Commit) -> bool:
    """Return whether no seat has caused *commit*."""
    return commit.actor == PLATFORM
