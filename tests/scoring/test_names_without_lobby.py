"""Names while the lobby is away: answers have none, and nobody waits for it in vain."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import pytest

from howff.scoring.adapters import lobby as lobby_module
from howff.scoring.adapters.lobby import AWAY_FOR, Lobby
from howff.scoring.application.answers import Opponent, Page, RankedPlayer
from howff.scoring.application.errors import WrongServerError
from howff.scoring.application.naming import named
from support.running import run
from support.wire import Asked, Line, Wire, answer, answering, problem

GOOD: Final = answer(200, {"items": [{"id": "a", "name": "Ann"}, {"id": "b", "name": None}]})


@dataclass
class Time:
    """A clock that goes when it is told to."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@dataclass
class Told:
    """What the lobby answers now; nothing at all, if it is empty."""

    content: bytes = GOOD

    async def __call__(self, _: Asked, line: Line) -> None:
        if self.content:
            await line.send(self.content)
        else:
            await line.hold()


@asynccontextmanager
async def asking(told: Told, time: Time) -> AsyncIterator[tuple[Wire, Lobby]]:
    async with (
        answering(told) as wire,
        Lobby(wire.url, lambda: "token", now=time) as lobby,
    ):
        yield wire, lobby


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"HTTP/1.1 200 Told\r\ncontent-length: 7\r\n\r\nno JSON",
        answer(200, {"items": [{"id": "a"}]}),
        answer(200, {"items": [{"id": "a", "name": 7}]}),
        answer(200, {"items": ["a"]}),
        answer(200, []),
        problem(503, "database"),
    ],
    ids=["nothing", "no JSON", "no name", "no text", "no profile", "no page", "a refusal"],
)
def test_a_lobby_that_tells_no_names_is_asked_once_in_a_while(
    content: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(lobby_module, "WITHIN", 0.1)
    caplog.set_level(logging.INFO, logger=lobby_module.__name__)

    async def story() -> None:
        time, told = Time(), Told(content)
        async with asking(told, time) as (wire, lobby):
            for _ in range(5):
                assert await lobby.called(["a"]) == {}
            assert [each.target for each in wire.asked] == ["/v1/accounts?id=a"]
            time.now += AWAY_FOR
            assert await asyncio.gather(*(lobby.called(["a"]) for _ in range(5))) == [{}] * 5
            assert len(wire.asked) == 2
            assert [each.levelname for each in caplog.records] == ["WARNING"]
            monkeypatch.setattr(lobby_module, "WITHIN", 10.0)
            told.content = GOOD
            assert await lobby.called(["a"]) == {}
            time.now += AWAY_FOR
            assert await lobby.called(["a", "b"]) == {"a": "Ann"}
            assert await lobby.called(["a"]) == {"a": "Ann"}
            assert len(wire.asked) == 4
            assert [each.levelname for each in caplog.records] == ["WARNING", "INFO"]

    run(story)


def test_a_lobby_that_says_when_to_ask_again_is_asked_no_sooner() -> None:
    async def story() -> None:
        time, told = Time(), Told(problem(429, "rate_limited", retry_after="30"))
        async with asking(told, time) as (wire, lobby):
            assert await lobby.called(["a"]) == {}
            time.now += 29
            assert await lobby.called(["a"]) == {}
            assert len(wire.asked) == 1
            time.now += 1
            assert await lobby.called(["a"]) == {}
            assert len(wire.asked) == 2

    run(story)


def test_one_request_asks_for_all_names_of_an_answer_and_none_where_there_are_no_accounts() -> None:
    def ranked(player: str) -> RankedPlayer:
        return RankedPlayer(
            rank=1, player=player, rating=1, deviation=1, sure_rating=1, matches=1, last_match_at=""
        )

    def opponent(account: str | None) -> Opponent:
        return Opponent(account=account, level=None, place=1, score=1, stay="stayed")

    async def story() -> None:
        async with asking(Told(), Time()) as (wire, lobby):
            page = Page(items=tuple(map(ranked, "abab")), next="more")
            told = await named(page, lobby)
            assert [each.name for each in told.items] == ["Ann", None, "Ann", None]
            assert told.next == "more"
            assert page.items[0].name is None
            assert [each.target for each in wire.asked] == ["/v1/accounts?id=a&id=b"]
            assert wire.asked[0].headers["authorization"] == "Bearer token"
            assert await named(opponent(None), lobby) == opponent(None)
            assert len(wire.asked) == 1

    run(story)


def test_an_address_that_is_none_is_named_with_its_setting() -> None:
    with pytest.raises(WrongServerError, match="HOWFF_LOBBY_URL"):
        Lobby("nowhere", lambda: "token")
