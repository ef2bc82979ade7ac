"""What the topics of the lobby ask for, and that it is asked under an id until it is answered."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from howff.client.admission import Login
from howff.client.client import HowffClient
from howff.client.errors import UnexpectedAnswerError, UnsendableError
from support.clients import client
from support.running import run
from support.wire import Asked, Line, answer, answering, problem

Asking = Callable[[HowffClient], Awaitable[Any]]
BUSY = problem(503, "unavailable")


@pytest.mark.parametrize(
    ("ask", "order", "sent"),
    [
        (lambda howff: howff.accounts.make_guest(), "POST /v1/accounts/guests", {}),
        (
            lambda howff: howff.accounts.make("freya", "word"),
            "POST /v1/accounts",
            {"name": "freya", "password": "word"},
        ),
        (lambda howff: howff.accounts.make_bot("b"), "POST /v1/accounts/bots", {"name": "b"}),
        (
            lambda howff: howff.scores.retry("a/b", 7),
            "POST /v1/projections/a%2Fb/retry",
            {"position": 7},
        ),
        (
            lambda howff: howff.scores.rebuild("ratings"),
            "POST /v1/projections/ratings/rebuild",
            None,
        ),
        (
            lambda howff: howff.accounts.change_password("a", "b"),
            "PUT /v1/me/password",
            {"old": "a", "new": "b"},
        ),
        (lambda howff: howff.accounts.erase("word"), "DELETE /v1/me", {"password": "word"}),
        (lambda howff: howff.accounts.erase(None), "DELETE /v1/me", {}),
        (
            lambda howff: howff.accounts.suspend("a/b", "abuse"),
            "PUT /v1/accounts/a%2Fb/suspension",
            {"reason": "abuse"},
        ),
        (
            lambda howff: howff.accounts.lift_suspension("a"),
            "DELETE /v1/accounts/a/suspension",
            None,
        ),
        (
            lambda howff: howff.tokens.make_personal("here", ("play", "read"), 30),
            "POST /v1/me/tokens",
            {"name": "here", "scopes": ["play", "read"], "days": 30},
        ),
        (lambda howff: howff.tokens.revoke_personal("t"), "DELETE /v1/me/tokens/t", None),
        (lambda howff: howff.tables.open({"game": "g"}), "POST /v1/tables", {"game": "g"}),
        (
            lambda howff: howff.tables.sit("t", 1, entropy_hash="00", invitation="i"),
            "PUT /v1/tables/t/seats/1",
            {"entropy_hash": "00", "invitation": "i"},
        ),
        (lambda howff: howff.tables.sit("t", 0), "PUT /v1/tables/t/seats/0", {}),
        (lambda howff: howff.tables.leave("t", 0), "DELETE /v1/tables/t/seats/0", None),
        (
            lambda howff: howff.tables.seat_bot("t", 2, "random"),
            "PUT /v1/tables/t/seats/2/bot",
            {"level": "random"},
        ),
        (
            lambda howff: howff.tables.tell_ready("t", 0, entropy="e"),
            "PUT /v1/tables/t/seats/0/ready",
            {"entropy": "e"},
        ),
        (
            lambda howff: howff.tables.withdraw_ready("t", 0),
            "DELETE /v1/tables/t/seats/0/ready",
            None,
        ),
        (
            lambda howff: howff.tables.invite("t", seat=0),
            "POST /v1/tables/t/invitations",
            {"seat": 0},
        ),
        (
            lambda howff: howff.tables.revoke_invitation("t", "i"),
            "DELETE /v1/tables/t/invitations/i",
            None,
        ),
        (lambda howff: howff.tables.start("t"), "POST /v1/tables/t/start", {}),
        (lambda howff: howff.tables.rematch("t"), "POST /v1/tables/t/rematch", {}),
        (lambda howff: howff.tables.give_up("t"), "DELETE /v1/tables/t", None),
        (
            lambda howff: howff.tables.close("t", "fault"),
            "POST /v1/tables/t/closure",
            {"reason": "fault"},
        ),
        (lambda howff: howff.tickets.open({"games": []}), "POST /v1/tickets", {"games": []}),
        (lambda howff: howff.tickets.cancel("t"), "DELETE /v1/tickets/t", None),
    ],
)
def test_an_order_is_sent_under_the_same_id_until_it_is_answered(
    ask: Asking, order: str, sent: dict[str, Any] | None
) -> None:
    left = iter([None, BUSY, answer(204)])

    async def give(_: Asked, line: Line) -> None:
        content = next(left)
        await (line.reset() if content is None else line.send(content))

    async def story() -> None:
        async with answering(give) as wire, client(wire.url, "token") as howff:
            assert await ask(howff) is None
            assert [f"{asked.method} {asked.target}" for asked in wire.asked] == [order] * 3
            assert {asked.headers["idempotency-key"] for asked in wire.asked} == {"command-1"}
            assert {asked.headers["authorization"] for asked in wire.asked} == {"Bearer token"}
            bodies = [asked.json if asked.body else None for asked in wire.asked]
            assert bodies == [sent] * 3

    run(story)


@pytest.mark.parametrize(
    ("ask", "target"),
    [
        (lambda howff: howff.accounts.profile("a"), "/v1/accounts/a"),
        (lambda howff: howff.accounts.me(), "/v1/me"),
        (lambda howff: howff.accounts.export(), "/v1/me/export"),
        (lambda howff: howff.tokens.personal(), "/v1/me/tokens"),
        (lambda howff: howff.tables.look("t"), "/v1/tables/t"),
        (lambda howff: howff.tables.look("t", invitation="i"), "/v1/tables/t?invitation=i"),
        (lambda howff: howff.tickets.all(), "/v1/tickets"),
        (lambda howff: howff.tickets.look("t"), "/v1/tickets/t"),
        (lambda howff: howff.scores.leaderboard("g"), "/v1/leaderboards/g"),
        (
            lambda howff: howff.scores.leaderboard("g", kind="bots", limit=5, around="p"),
            "/v1/leaderboards/g?kind=bots&limit=5&around=p",
        ),
        (lambda howff: howff.scores.player("p"), "/v1/players/p"),
        (
            lambda howff: howff.scores.matches("p", limit=5, cursor="c"),
            "/v1/players/p/matches?limit=5&cursor=c",
        ),
        (
            lambda howff: howff.scores.rating_history("p", "g"),
            "/v1/players/p/rating-history?game=g",
        ),
        (lambda howff: howff.scores.head_to_head("p"), "/v1/players/p/head-to-head"),
        (
            lambda howff: howff.scores.head_to_head("p", game="g", limit=5, cursor="c"),
            "/v1/players/p/head-to-head?game=g&limit=5&cursor=c",
        ),
        (lambda howff: howff.scores.statistics("g"), "/v1/statistics/g"),
        (
            lambda howff: howff.scores.statistics("g", seats=2, who="bots"),
            "/v1/statistics/g?seats=2&who=bots",
        ),
        (lambda howff: howff.scores.projections(), "/v1/projections"),
        (lambda howff: howff.lobby.tables(), "/v1/lobby/tables"),
        (
            lambda howff: howff.lobby.tables(game="g", limit=5, cursor="c"),
            "/v1/lobby/tables?game=g&limit=5&cursor=c",
        ),
        (
            lambda howff: howff.lobby.matches(state="playing"),
            "/v1/lobby/matches?state=playing",
        ),
        (lambda howff: howff.lobby.own_tables(limit=5), "/v1/me/tables?limit=5"),
        (
            lambda howff: howff.lobby.own_matches(state="ended"),
            "/v1/me/matches?state=ended",
        ),
    ],
)
def test_a_question_names_what_is_wanted(ask: Asking, target: str) -> None:
    async def give(_: Asked, line: Line) -> None:
        await line.send(answer(200, []))

    async def story() -> None:
        async with answering(give) as wire, client(wire.url) as howff:
            assert await ask(howff) == []
            asked = wire.asked[0]
            assert (asked.method, asked.target) == ("GET", target)
            assert "idempotency-key" not in asked.headers

    run(story)


def test_more_profiles_than_one_request_takes_are_asked_for_in_several() -> None:
    async def give(asked: Asked, line: Line) -> None:
        ids = asked.target.partition("?")[2].split("&")
        await line.send(answer(200, {"items": [{"id": each[3:]} for each in ids]}))

    async def story() -> None:
        wanted = [f"a{number}" for number in range(120)]
        async with answering(give) as wire, client(wire.url) as howff:
            found = await howff.accounts.profiles([*wanted, "a0"])
            assert [profile["id"] for profile in found] == wanted
            assert len(wire.asked) == 3
            assert await howff.accounts.profiles([]) == []
            assert len(wire.asked) == 3

    run(story)


def test_a_table_that_has_not_changed_is_not_told_again() -> None:
    async def give(_: Asked, line: Line) -> None:
        await line.send(answer(304))

    async def story() -> None:
        async with answering(give) as wire, client(wire.url) as howff:
            assert await howff.tables.look("t", known_version=4) is None
            assert wire.asked[0].headers["if-none-match"] == '"4"'

    run(story)


def test_whoever_logs_in_and_out_does_so_by_forms() -> None:
    tokens = {"access_token": "a.b.c", "refresh_token": "r", "token_type": "Bearer"}
    left = iter([answer(200, tokens), answer(200), answer(200, {"token_type": "Bearer"})])

    async def give(_: Asked, line: Line) -> None:
        await line.send(next(left))

    async def story() -> None:
        async with answering(give) as wire, client(wire.url) as howff:
            assert await howff.tokens.log_in("freya", "a & ö") == Login("a.b.c", "r")
            await howff.tokens.revoke("r")
            with pytest.raises(UnexpectedAnswerError):
                await howff.tokens.log_in("freya", "word", scope="read")
            targets = [asked.target for asked in wire.asked]
            assert targets == ["/v1/tokens", "/v1/tokens/revocation", "/v1/tokens"]
            first, second, third = (asked.form for asked in wire.asked)
            assert first == {"grant_type": "password", "username": "freya", "password": "a & ö"}
            assert second == {"token": "r"}
            assert third["scope"] == "read"
            media_type = wire.asked[0].headers["content-type"]
            assert media_type == "application/x-www-form-urlencoded"

    run(story)


@pytest.mark.parametrize(
    "ask",
    [
        lambda howff: howff.tables.look("\udcff"),
        lambda howff: howff.tickets.look("\udcff"),
        lambda howff: howff.accounts.profile("\udcff"),
        lambda howff: howff.accounts.make("\udcff", "word"),
    ],
)
def test_what_can_not_stand_in_a_request_is_not_sent(ask: Asking) -> None:
    async def give(_: Asked, line: Line) -> None:
        await line.send(answer(200, {}))

    async def story() -> None:
        async with answering(give) as wire, client(wire.url) as howff:
            with pytest.raises(UnsendableError):
                await ask(howff)
            assert not wire.asked

    run(story)
