"""Tokens that end while a client works, and services that ask it to slow down."""

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import pytest

from howff.client.admission import Admission, Login
from howff.client.errors import ProblemError, WrongSettingError
from support.clients import client
from support.running import run
from support.wire import FEED, Asked, Line, answer, answering, chunk, problem

FIRST = Login("access-1", "refresh-1")


@dataclass
class Door:
    """A service that lets the newest access token in, and renews it by the newest refresh token."""

    newest: int = 2
    renewed: list[str] = field(default_factory=list)
    code: str = "invalid_token"

    async def answer(self, asked: Asked, line: Line) -> None:
        if asked.target == "/v1/tokens":
            await line.send(self.renewal(asked))
        elif asked.headers.get("authorization") == f"Bearer access-{self.newest}":
            await line.send(answer(200, ["troedler"]))
        else:
            await line.send(problem(401, self.code))

    def renewal(self, asked: Asked) -> bytes:
        assert "authorization" not in asked.headers
        assert asked.form["grant_type"] == "refresh_token"
        token = asked.form["refresh_token"]
        self.renewed.append(token)
        if token != f"refresh-{self.newest - 1}" or self.renewed.count(token) > 1:
            return problem(400, "invalid_grant")
        content = {
            "access_token": f"access-{self.newest}",
            "refresh_token": f"refresh-{self.newest}",
        }
        return answer(200, content)


@pytest.mark.parametrize("code", ["invalid_token", "token_revoked"])
def test_a_token_that_has_ended_is_renewed_and_the_request_sent_again(code: str) -> None:
    door = Door(code=code)
    kept: list[Login] = []

    async def story() -> None:
        async with answering(door.answer) as wire:
            admission = Admission(FIRST, kept.append)
            async with client(wire.url, admission) as howff:
                assert await howff.start_match({}) == ["troedler"]
                assert await howff.games() == ["troedler"]
                assert kept == [admission.login] == [Login("access-2", "refresh-2")]
                door.newest = 3
                assert await howff.games() == ["troedler"]
            orders = [asked for asked in wire.asked if asked.target == "/v1/matches"]
            assert [asked.headers["idempotency-key"] for asked in orders] == ["command-1"] * 2
        assert door.renewed == ["refresh-1", "refresh-2"]

    run(story)


def test_however_many_requests_find_a_token_ended_it_is_renewed_once() -> None:
    door = Door()

    async def story() -> None:
        async with answering(door.answer) as wire, client(wire.url, Admission(FIRST)) as howff:
            assert await asyncio.gather(*(howff.games() for _ in range(8))) == [["troedler"]] * 8
        assert door.renewed == ["refresh-1"]

    run(story)


def test_a_token_that_can_not_be_renewed_is_refused_as_the_service_did() -> None:
    async def story() -> None:
        for login in (Login("access-0", "refresh-0"), Login("access-0"), "access-0"):
            door = Door()
            async with answering(door.answer) as wire, client(wire.url, Admission(login)) as howff:
                with pytest.raises(ProblemError) as refusal:
                    await howff.games()
                assert refusal.value.code == "invalid_token"
                assert len(wire.asked) <= 2

    run(story)


def test_a_service_that_takes_no_token_at_all_is_not_asked_without_end() -> None:
    async def refuse(asked: Asked, line: Line) -> None:
        if asked.target == "/v1/tokens":
            await line.send(answer(200, {"access_token": "a", "refresh_token": "b"}))
        else:
            await line.send(problem(401, "invalid_token"))

    async def story() -> None:
        async with answering(refuse) as wire, client(wire.url, Admission(FIRST)) as howff:
            with pytest.raises(ProblemError, match="invalid_token"):
                await howff.games()
            assert len(wire.asked) == 3

    run(story)


def test_what_a_token_is_not_for_is_not_asked_again() -> None:
    async def refuse(_: Asked, line: Line) -> None:
        await line.send(problem(403, "missing_scope"))

    async def story() -> None:
        async with answering(refuse) as wire, client(wire.url, Admission(FIRST)) as howff:
            with pytest.raises(ProblemError, match="missing_scope"):
                await howff.games()
            assert len(wire.asked) == 1

    run(story)


def test_a_feed_whose_token_ends_goes_on_with_the_next_one() -> None:
    door = Door(newest=1)
    by_connection: list[Any] = []

    async def tell(asked: Asked, line: Line) -> None:
        if asked.target == "/v1/tokens" or asked.headers["authorization"][-1] != str(door.newest):
            await door.answer(asked, line)
            return
        by_connection.append(asked.headers.get("last-event-id"))
        number = len(by_connection)
        kind = b"snapshot" if number == 1 else b"turn"
        frame = b'id: e.%d\nevent: %s\ndata: {"at": %d}\n\n' % (number, kind, number)
        await line.send(FEED + chunk(frame) + b"0\r\n\r\n")
        door.newest += 1

    async def story() -> None:
        async with (
            answering(tell) as wire,
            client(wire.url, Admission(FIRST)) as howff,
            aclosing(howff.lobby.own_feed()) as feed,
        ):
            assert [(await anext(feed)).content["at"] for _ in range(4)] == [1, 2, 3, 4]
        assert by_connection == [None, "e.1", "e.2", "e.3"]
        assert door.renewed == ["refresh-1", "refresh-2", "refresh-3"]

    run(story)


def test_tokens_stay_out_of_what_is_shown() -> None:
    assert "1" not in repr(FIRST)
    with pytest.raises(WrongSettingError) as refusal:
        Admission(Login("two words"))
    assert "two words" not in str(refusal.value)


def test_a_service_that_is_asked_too_often_is_given_the_time_that_it_asks_for() -> None:
    left = iter([problem(429, "rate_limited", retry_after="1"), answer(200, [])])

    async def slow_down(_: Asked, line: Line) -> None:
        await line.send(next(left))

    async def story() -> None:
        loop = asyncio.get_running_loop()
        start = loop.time()
        async with answering(slow_down) as wire, client(wire.url) as howff:
            assert await howff.games() == []
            assert loop.time() - start >= 1
            assert len(wire.asked) == 2

    run(story)
