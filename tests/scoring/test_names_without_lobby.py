"""Names while the lobby is away: answers have none, and nobody waits for it in vain."""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from howff.scoring.adapters import lobby as lobby_module
from howff.scoring.adapters.lobby import AWAY_FOR, Lobby
from howff.scoring.application.answers import Opponent, Page, RankedPlayer
from howff.scoring.application.errors import WrongServerError
from howff.scoring.application.naming import named
from howff.servicekit.nats.server import HOST
from support.running import run

NAMES = {"items": [{"id": "a", "name": "Ann"}, {"id": "b", "name": None}]}


@dataclass
class Wire:
    """A server that counts what it is asked, and answers with *content*, or with nothing."""

    content: bytes | None = json.dumps(NAMES).encode()
    status: str = "200 OK"
    headers: str = ""
    asked: list[str] = field(default_factory=list)
    url: str = ""

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while line := (await reader.readuntil(b"\r\n")).decode() if not reader.at_eof() else "":
            self.asked.append(line.split()[1])
            await reader.readuntil(b"\r\n\r\n")
            if self.content is None:
                await reader.read()
                break
            head = f"HTTP/1.1 {self.status}\r\n{self.headers}Connection: close\r\n"
            head += f"Content-Type: application/json\r\nContent-Length: {len(self.content)}\r\n\r\n"
            writer.write(head.encode() + self.content)
            break
        writer.close()


@dataclass
class Time:
    """A clock that goes when it is told to."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@asynccontextmanager
async def asking(wire: Wire, time: Callable[[], float]) -> AsyncIterator[Lobby]:
    server = await asyncio.start_server(wire.accept, HOST)
    async with server:
        url = f"http://{HOST}:{server.sockets[0].getsockname()[1]}"
        async with Lobby(url, lambda: "token", now=time) as lobby:
            yield lobby


@pytest.mark.parametrize(
    "changes",
    [
        {"content": None},
        {"content": b"no JSON"},
        {"content": b'{"items": [{"id": "a"}]}'},
        {"content": b'{"items": [{"id": "a", "name": 7}]}'},
        {"content": b'{"items": ["a"]}'},
        {"content": b"[]"},
        {"status": "503 Service Unavailable"},
    ],
)
def test_a_lobby_that_tells_no_names_is_asked_once_in_a_while(
    changes: dict[str, bytes | None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(lobby_module, "WITHIN", 0.1)
    caplog.set_level(logging.INFO, logger=lobby_module.__name__)

    async def story() -> None:
        time, wire, good = Time(), Wire(**changes), Wire()  # type: ignore[arg-type]
        async with asking(wire, time) as lobby:
            for _ in range(5):
                assert await lobby.called(["a"]) == {}
            assert wire.asked == ["/v1/accounts?id=a"]
            time.now += AWAY_FOR
            assert await asyncio.gather(*(lobby.called(["a"]) for _ in range(5))) == [{}] * 5
            assert len(wire.asked) == 2
            assert [each.levelname for each in caplog.records] == ["WARNING"]
            wire.content, wire.status = good.content, good.status
            assert await lobby.called(["a"]) == {}
            time.now += AWAY_FOR
            assert await lobby.called(["a", "b"]) == {"a": "Ann"}
            assert await lobby.called(["a"]) == {"a": "Ann"}
            assert len(wire.asked) == 4
            assert [each.levelname for each in caplog.records] == ["WARNING", "INFO"]

    run(story)


def test_a_lobby_that_says_when_to_ask_again_is_asked_no_sooner() -> None:
    async def story() -> None:
        time = Time()
        wire = Wire(b"{}", "429 Too Many Requests", headers="Retry-After: 30\r\n")
        async with asking(wire, time) as lobby:
            assert await lobby.called(["a"]) == {}
            time.now += 29
            assert await lobby.called(["a"]) == {}
            assert len(wire.asked) == 1
            time.now += 1
            await lobby.called(["a"])
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
        wire = Wire()
        async with asking(wire, Time()) as lobby:
            page = Page(items=tuple(map(ranked, "abab")), next="more")
            told = await named(page, lobby)
            assert [each.name for each in told.items] == ["Ann", None, "Ann", None]
            assert told.next == "more"
            assert page.items[0].name is None
            assert wire.asked == ["/v1/accounts?id=a&id=b"]
            assert await named(opponent(None), lobby) == opponent(None)
            assert len(wire.asked) == 1

    run(story)


def test_an_address_that_is_none_is_named_with_its_setting() -> None:
    with pytest.raises(WrongServerError, match="HOWFF_LOBBY_URL"):
        Lobby("nowhere", lambda: "token")
