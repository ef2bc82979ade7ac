"""Feeds over HTTP: a snapshot, then every entry once, however a client comes and goes."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

import httpx
import pytest

from howff.engine.codec import JSON
from howff.lobby.domain.tables.commands import LeaveSeat, TakeSeat
from support.feeds import EVENTS, Told, followed, following
from support.lists import Streams, match_started, streams_on
from support.lobby import Lobby, Speaker, own_lobby
from support.nats import unique
from support.rng import LocalRng
from support.running import run, until
from support.web import problem_of

LOBBY_FEED: Final = "/v1/lobby/feed"
MY_FEED: Final = "/v1/me/feed"
CHANGES: Final = 30


@asynccontextmanager
async def speaking(lobby: Lobby) -> AsyncIterator[tuple[httpx.AsyncClient, Streams]]:
    async with (
        httpx.AsyncClient(base_url=lobby.url, timeout=20) as http,
        streams_on(lobby.nats) as streams,
    ):
        yield http, streams


def headers_of(speaker: Speaker, last: str | None = None) -> dict[str, str]:
    token = {"Authorization": f"Bearer {speaker.token}"} if speaker.token else {}
    return token if last is None else {**token, "Last-Event-ID": last}


async def told_next(frames: AsyncGenerator[Told, None], *kinds: str) -> Told:
    """Return the next frame of these *kinds*; of any but heartbeats, if none are named."""
    async for frame in frames:
        if frame.kind in kinds or (not kinds and frame.kind != "heartbeat"):
            return frame
    pytest.fail("the feed has ended")


def numbers_of(told: list[Told]) -> list[int]:
    return [int((each.id or "").partition(".")[2]) for each in told]


def test_a_feed_begins_with_all_there_is_and_goes_on_with_what_changes(lobby: Lobby) -> None:
    me, guest = lobby.guest(), lobby.guest()

    async def story() -> None:
        async with speaking(lobby) as (http, streams):
            async with following(http, MY_FEED, headers_of(me)) as frames:
                snapshot = await told_next(frames)
                assert snapshot.kind == "snapshot"
                assert snapshot.content == {
                    "tickets": [],
                    "tables": [],
                    "matches": [],
                    "is_whole": True,
                }
                table = await streams.open_table(me.account)
                ticket = await streams.open_ticket(me.account)
                await streams.order(table, TakeSeat(by=guest.account, seat=1), guest.account)
                told = [await told_next(frames) for _ in range(3)]
            assert [each.kind for each in told] == ["table", "ticket", "table"]
            assert [each.content["id"] for each in told] == [table, ticket, table]
            assert numbers_of([snapshot, *told]) == [0, 1, 2, 3]
            async with following(http, MY_FEED, headers_of(me)) as frames:
                snapshot = await told_next(frames)
            assert snapshot.id == told[-1].id
            assert snapshot.content["tables"] == [told[-1].content]
            assert snapshot.content["tickets"] == [told[1].content]

    run(story)


def test_everybody_may_follow_the_lobby_and_learns_nothing_private(lobby: Lobby) -> None:
    me, stranger = lobby.guest(), lobby.guest()

    async def story() -> None:
        async with (
            speaking(lobby) as (http, streams),
            following(http, LOBBY_FEED) as everybodys,
            following(http, MY_FEED, headers_of(stranger)) as of_stranger,
            following(http, MY_FEED, headers_of(me)) as mine,
        ):
            for each in (everybodys, of_stranger, mine):
                await told_next(each, "snapshot")
            hidden = [await streams.open_table(me.account, "invitation")]
            hidden.append(await streams.open_ticket(me.account))
            hidden.append(unique("match-"))
            await streams.tell(match_started(hidden[-1], me.account, "", watch="private"))
            shown = await streams.open_table(me.account)
            seen = [await told_next(mine) for _ in range(4)]
            assert {each.content["id"] for each in seen} == {*hidden, shown}
            first = await told_next(everybodys)
            assert (first.kind, first.content["id"]) == ("table", shown)
            await streams.open_ticket(stranger.account)
            assert numbers_of([await told_next(of_stranger)]) == [1]

    run(story)


def test_who_drops_at_random_points_is_told_the_same_as_who_never_does(lobby: Lobby) -> None:
    steady, dropping = list[Told](), list[Told]()

    async def story() -> None:
        async with speaking(lobby) as (http, streams), asyncio.TaskGroup() as group:
            group.create_task(stay(http, steady))
            await until(lambda: bool(steady))
            group.create_task(change_a_table(streams))
            group.create_task(drop(http, steady[0], dropping))

    run(story)
    assert dropping == steady[1:]
    first = numbers_of(steady)[0]
    assert numbers_of(steady) == list(range(first, first + CHANGES + 1))


async def change_a_table(streams: Streams) -> None:
    guest = unique("guest-")
    table = await streams.open_table(unique("host-"))
    for change in range(CHANGES - 1):
        order: Any = LeaveSeat if change % 2 else TakeSeat
        await streams.order(table, order(by=guest, seat=1), guest)


async def stay(http: httpx.AsyncClient, told: list[Told]) -> None:
    """Read a snapshot and all changes after it."""
    async with following(http, LOBBY_FEED) as frames:
        while len(told) <= CHANGES:
            told.append(await told_next(frames))


async def drop(http: httpx.AsyncClient, first: Told, told: list[Told]) -> None:
    """Read all changes after *first*, a few at a time, and then come back."""
    rng, last = LocalRng(3), first
    while len(told) < CHANGES:
        async with following(http, LOBBY_FEED, {"Last-Event-ID": last.id or ""}) as frames:
            for _ in range(min(rng.draw("read", 4), CHANGES - len(told))):
                last = await told_next(frames)
                told.append(last)


@pytest.mark.parametrize("last", ["", "x", "another.0", "{epoch}.999", "{epoch}.-1", "{epoch}.01"])
def test_who_comes_with_a_number_that_is_none_gets_a_snapshot(lobby: Lobby, last: str) -> None:
    me = lobby.guest()

    async def story() -> None:
        async with speaking(lobby) as (http, streams):
            async with following(http, MY_FEED, headers_of(me)) as frames:
                epoch = ((await told_next(frames)).id or "").partition(".")[0]
                await streams.open_ticket(me.account)
                await told_next(frames, "ticket")
            sent = headers_of(me, last.replace("{epoch}", epoch))
            async with following(http, MY_FEED, sent) as frames:
                snapshot = await told_next(frames)
                assert (snapshot.kind, snapshot.id) == ("snapshot", f"{epoch}.1")
                assert len(snapshot.content["tickets"]) == 1
            async with following(http, MY_FEED, headers_of(me, f"{epoch}.0")) as frames:
                assert (await told_next(frames)).kind == "ticket"

    run(story)


def test_heartbeats_tell_the_number_that_the_client_has(lobby: Lobby) -> None:
    me = lobby.guest()

    async def story() -> None:
        async with (
            speaking(lobby) as (http, streams),
            following(http, MY_FEED, headers_of(me)) as frames,
        ):
            await told_next(frames, "snapshot")
            heartbeat = await told_next(frames, "heartbeat")
            assert (heartbeat.id, heartbeat.content) == (None, {"number": 0})
            await streams.open_ticket(me.account)
            await told_next(frames, "ticket")
            assert (await told_next(frames, "heartbeat")).content == {"number": 1}

    run(story)


def test_a_feed_ends_with_its_token(lobby: Lobby) -> None:
    me = lobby.guest()

    async def story() -> None:
        async with speaking(lobby) as (http, _):
            told = {path: list[Told]() for path in (MY_FEED, LOBBY_FEED)}
            reading = [
                asyncio.create_task(followed(http, path, headers_of(me), told[path]))
                for path in told
            ]
            await until(lambda: all(told.values()))
            gone = await http.request("DELETE", "/v1/me", json={}, headers=headers_of(me))
            assert gone.status_code == 204, gone.text
            await asyncio.gather(*reading)
            problem_of(await http.get(MY_FEED, headers=headers_of(me)), 401, "token_revoked")

    run(story)


@pytest.mark.usefixtures("soon_stopped")
def test_feeds_end_when_the_server_stops() -> None:
    async def story(lobby: Lobby) -> JSON:
        told = list[Told]()
        async with httpx.AsyncClient(base_url=lobby.url, timeout=20) as http:
            reading = asyncio.create_task(followed(http, LOBBY_FEED, told=told))
            await until(lambda: bool(told))
            await asyncio.to_thread(lobby.stop)
            await reading
        return [each.kind for each in told]

    with own_lobby() as lobby:
        assert run(lambda: story(lobby)) == ["snapshot"]


@pytest.mark.parametrize("path", [LOBBY_FEED, MY_FEED])
def test_a_feed_is_no_page(lobby: Lobby, path: str) -> None:
    answer = lobby.guest().get(path, Accept="application/json")
    assert EVENTS in problem_of(answer, 406, "not_acceptable")["expected"]
