"""Tokens of the lobby at the match service: what they open, and what ends with them."""

import asyncio
from collections.abc import Callable, Coroutine
from datetime import timedelta
from typing import Any, Final

import httpx
import pytest

from howff.match.commit import MatchId
from howff.servicekit import clock
from howff.servicekit.nats.connection import Connection
from support.feeds import LINES, following
from support.lobby_tokens import LobbyBucket, LobbyKey
from support.running import run
from support.service import Service, Table, new_key, wait_until
from support.web import problem_of

KEY: Final = LobbyKey(bytes(range(2, 34)))


@pytest.fixture(scope="module")
def lobby(service: Service) -> Service:
    """Give the service once it knows the key of the lobby."""
    on_bucket(service, lambda bucket: bucket.tell(KEY))
    header = bearer(KEY.token("freya", "first", clock.now()))
    path = "/v1/matches/unknown/moves"
    wait_until(lambda: service.http.get(path, headers=header).status_code == 404)
    return service


def on_bucket(service: Service, change: Callable[[LobbyBucket], Coroutine[Any, Any, None]]) -> None:
    async def story(connection: Connection) -> None:
        await change(await LobbyBucket.on(connection))

    service.on_nats(story)


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_a_token_of_the_lobby_opens_the_seats_of_its_account(lobby: Service) -> None:
    table = lobby.table(watch="private")
    header = bearer(KEY.token(table.accounts[1], f"t-{new_key()}", clock.now()))
    answer = lobby.http.get(table.path, headers=header)
    assert answer.json()["viewer"] == "seat:1"


def test_a_revoked_token_is_refused_at_every_route(lobby: Service) -> None:
    table, token_id = lobby.table(), f"t-{new_key()}"
    header = bearer(KEY.token(table.accounts[0], token_id, clock.now()))
    assert lobby.http.get(table.path, headers=header).status_code == 200
    on_bucket(lobby, lambda bucket: bucket.revoke(token_id, clock.now()))
    wait_until(lambda: lobby.http.get(table.path, headers=header).status_code == 401)
    for path in (table.path, f"{table.path}/moves", f"{table.path}/events"):
        problem_of(lobby.http.get(path, headers=header), 401, "token_revoked")


def feed_until_its_end(table: Table, header: dict[str, str], end: Callable[[], None]) -> list[str]:
    """Return what kinds of frames a feed tells, of which *end* ends the token."""

    async def story() -> list[str]:
        async with (
            httpx.AsyncClient(base_url=table.service.url, timeout=20) as http,
            following(http, f"{table.path}/events", header) as frames,
        ):
            kinds = [(await anext(frames)).kind]
            ending = asyncio.create_task(asyncio.to_thread(end))
            kinds += [each.kind async for each in frames]
            await ending
        return kinds

    return run(story)


def test_a_feed_ends_when_its_token_is_revoked(lobby: Service) -> None:
    table, token_id = lobby.table(watch="private"), f"t-{new_key()}"
    header = bearer(KEY.token(table.accounts[0], token_id, clock.now()))

    def revoke() -> None:
        on_bucket(lobby, lambda bucket: bucket.revoke(token_id, clock.now()))

    kinds = feed_until_its_end(table, header, revoke)
    assert set(kinds) <= {"commit", "heartbeat"}
    problem_of(lobby.http.get(f"{table.path}/events", headers=header), 401, "token_revoked")


def test_a_feed_of_lines_ends_when_all_tokens_of_its_account_are_revoked(lobby: Service) -> None:
    table = lobby.table()
    account = table.accounts[0]
    headers = {"Accept": LINES, **bearer(KEY.token(account, f"t-{new_key()}", clock.now()))}
    others = bearer(KEY.token(table.accounts[1], f"t-{new_key()}", clock.now()))
    with (
        lobby.http.stream("GET", f"{table.path}/events", headers=headers) as ended,
        lobby.http.stream("GET", f"{table.path}/events", headers={**headers, **others}) as stays,
    ):
        lines, others_lines = ended.iter_lines(), stays.iter_lines()
        next(lines)
        next(others_lines)
        on_bucket(lobby, lambda bucket: bucket.revoke_all(account, clock.now()))
        assert not [each for each in lines if "over" in each]
        assert next(others_lines)


def test_a_feed_ends_when_its_token_expires(lobby: Service) -> None:
    table = lobby.table()
    lifetime = timedelta(seconds=2)
    header = bearer(KEY.token(table.accounts[0], f"t-{new_key()}", clock.now(), lifetime))
    kinds = feed_until_its_end(table, header, lambda: None)
    assert "over" not in kinds
    problem_of(lobby.http.get(f"{table.path}/events", headers=header), 401, "invalid_token")


def test_who_may_be_told_nothing_more_is_not_told_what_waits(lobby: Service) -> None:
    table = lobby.table()
    table.advance(4)
    feeds, matches = lobby.parts.feeds, lobby.parts.matches

    async def story() -> list[int]:
        known = await matches.find(MatchId(table.id))
        ends: list[Callable[[], None]] = []

        class Until:
            def __init__(self, end: Callable[[], None]) -> None:
                ends.append(end)

            def __enter__(self) -> None:
                return

            def __exit__(self, *_: object) -> None:
                return

        told: list[int] = []
        async with feeds.watch(known, None, 0, Until) as frames:
            async for frame in frames:
                told.append(frame.version)
                if frame.version == 2:
                    ends[0]()
        return told

    assert lobby.call(story()) == [1, 2]
