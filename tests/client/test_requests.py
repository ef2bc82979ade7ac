import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from howff.client.client import HowffClient
from howff.client.errors import (
    AnswerError,
    ProblemError,
    UnexpectedAnswerError,
    UnreachableError,
    UnsendableError,
    WrongSettingError,
)
from support.clients import HURRIED, IMPATIENT, client
from support.running import run
from support.wire import Answering, Asked, Line, answer, answering, problem

Asking = Callable[[HowffClient], Awaitable[Any]]

MOVE = {"type": "PlayCard", "data": {"card": 3}}


def in_turn(*answers: bytes | None) -> Answering:
    """Return how to give these *answers* one after the other; None breaks the connection."""
    left = iter(answers)

    async def give(_: Asked, line: Line) -> None:
        content = next(left)
        if content is None:
            await line.reset()
        else:
            await line.send(content)

    return give


def test_a_request_tells_who_asks_and_what_for() -> None:
    async def story() -> None:
        async with answering(in_turn(answer(200, {"version": 3}))) as wire:
            async with client(wire.url, "a-token") as howff:
                assert await howff.match("a/b", viewer="seat:1") == {"version": 3}
            asked = wire.asked[0]
            assert asked.target == "/v1/matches/a%2Fb?as=seat%3A1"
            assert asked.headers["authorization"] == "Bearer a-token"

    run(story)


def test_a_match_that_has_not_gone_on_is_not_told_again() -> None:
    async def story() -> None:
        async with answering(in_turn(answer(304))) as wire:
            async with client(wire.url) as howff:
                assert await howff.match("m", known_version=17) is None
            assert wire.asked[0].headers["if-none-match"] == '"17"'

    run(story)


def test_a_move_is_sent_under_the_same_id_until_it_is_answered() -> None:
    busy = problem(503, "unavailable")
    played = answer(200, {"version": 4})

    async def story() -> None:
        async with answering(in_turn(None, busy, answer(502), None, played)) as wire:
            async with client(wire.url) as howff:
                told = await howff.play("m", MOVE, seat=0, expected_version=3)
            assert told == {"version": 4}
            assert len(wire.asked) == 5
            assert {asked.headers["idempotency-key"] for asked in wire.asked} == {"command-1"}
            sent = {"move": MOVE, "seat": 0, "expected_version": 3}
            assert [asked.json for asked in wire.asked] == [sent] * 5

    run(story)


def test_a_move_whose_answer_was_lost_is_made_once() -> None:
    made: list[str] = []

    async def take(asked: Asked, line: Line) -> None:
        key = asked.headers["idempotency-key"]
        if key in made:
            await line.send(answer(200, {"version": 1 + made.index(key)}))
        else:
            made.append(key)
            await line.reset()

    async def story() -> None:
        async with answering(take) as wire, client(wire.url) as howff:
            versions = [(await howff.play("m", MOVE))["version"] for _ in range(3)]
            assert versions == [1, 2, 3]
            assert made == ["command-1", "command-2", "command-3"]

    run(story)


def test_a_caller_may_name_the_id_of_its_command() -> None:
    async def story() -> None:
        async with answering(in_turn(answer(200, {}), answer(201, {}))) as wire:
            async with client(wire.url) as howff:
                await howff.play("m", MOVE, command_id="mine")
                await howff.start_match({"game": "troedler"}, command_id="mine too")
            keys = [asked.headers["idempotency-key"] for asked in wire.asked]
            assert keys == ["mine", "mine too"]

    run(story)


@pytest.mark.parametrize(
    ("ask", "path", "sent"),
    [
        (lambda howff: howff.resign("m", seat=1), "resign", {"seat": 1}),
        (lambda howff: howff.resign("m"), "resign", {}),
        (lambda howff: howff.wish("m", "pause"), "pause", {"wanted": True}),
        (
            lambda howff: howff.wish("m", "abort", wanted=False, seat=0),
            "abort",
            {"wanted": False, "seat": 0},
        ),
        (lambda howff: howff.take_back("m", seat=2), "take-back", {"seat": 2}),
        (lambda howff: howff.credit("m", 1, 30), "credit", {"seat": 1, "seconds": 30}),
        (
            lambda howff: howff.abort("m", "fault"),
            "abort",
            {"as_administrator": True, "reason": "fault"},
        ),
        (
            lambda howff: howff.branch("m", 17, [{"bot": "random"}]),
            "branches",
            {"at": 17, "seats": [{"bot": "random"}]},
        ),
    ],
)
def test_what_changes_a_match_is_sent_under_the_same_id_until_it_is_answered(
    ask: Asking, path: str, sent: dict[str, Any]
) -> None:
    async def story() -> None:
        told = answer(200, {"version": 4})
        async with answering(in_turn(None, problem(503, "unavailable"), told)) as wire:
            async with client(wire.url) as howff:
                assert await ask(howff) == {"version": 4}
            assert [asked.method for asked in wire.asked] == ["POST"] * 3
            assert {asked.target for asked in wire.asked} == {f"/v1/matches/m/{path}"}
            assert {asked.headers["idempotency-key"] for asked in wire.asked} == {"command-1"}
            assert [asked.json for asked in wire.asked] == [sent] * 3

    run(story)


@pytest.mark.parametrize(
    ("ask", "target"),
    [
        (lambda howff: howff.replay("a/b"), "/v1/matches/a%2Fb/replay"),
        (lambda howff: howff.replay("m", at=3, viewer="all"), "/v1/matches/m/replay?as=all&at=3"),
        (lambda howff: howff.lines("m", after=3), "/v1/matches/m/lines?after=3"),
        (lambda howff: howff.audit("m"), "/v1/matches/m/audit"),
        (lambda howff: howff.audit("m", viewer="seat:1"), "/v1/matches/m/audit?as=seat%3A1"),
    ],
)
def test_whoever_looks_back_names_the_version_and_the_eyes(ask: Asking, target: str) -> None:
    async def story() -> None:
        async with answering(in_turn(answer(503), answer(200, {"version": 3}))) as wire:
            async with client(wire.url) as howff:
                assert await ask(howff) == {"version": 3}
            assert [(asked.method, asked.target) for asked in wire.asked] == [("GET", target)] * 2

    run(story)


def test_the_service_is_given_the_time_that_it_asks_for() -> None:
    async def story() -> None:
        busy = problem(503, "unavailable", retry_after="1")
        async with answering(in_turn(busy, answer(200, []))) as wire, client(wire.url) as howff:
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.9):
                    await howff.games()
            assert len(wire.asked) == 1

    run(story)


def test_more_time_than_there_is_patience_is_not_waited() -> None:
    async def story() -> None:
        async with answering(in_turn(problem(503, "unavailable", retry_after="60"))) as wire:
            async with client(wire.url) as howff:
                with pytest.raises(ProblemError) as refusal:
                    await howff.games()
            assert refusal.value.code == "unavailable"
            assert refusal.value.retry_after == 60

    run(story)


def test_a_refusal_is_told_as_the_service_tells_it_and_not_sent_again() -> None:
    async def story() -> None:
        async with answering(in_turn(problem(409, "stale_version"))) as wire:
            async with client(wire.url) as howff:
                with pytest.raises(ProblemError) as refusal:
                    await howff.play("m", MOVE)
            told = refusal.value
            assert (told.status, told.code) == (409, "stale_version")
            assert (told.expected, told.found) == ("this", "that")
            assert len(wire.asked) == 1

    run(story)


@pytest.mark.parametrize(
    "strange",
    [
        answer(404, content_type="text/html"),
        answer(302, location="https://example.org"),
        answer(200, content_type="text/html"),
        answer(400, ["no", "problem"]),
    ],
)
def test_an_answer_of_something_else_is_told_from_one_of_the_service(strange: bytes) -> None:
    async def story() -> None:
        async with answering(in_turn(strange)) as wire, client(wire.url) as howff:
            with pytest.raises(UnexpectedAnswerError) as refusal:
                await howff.games()
            assert wire.url in str(refusal.value)

    run(story)


def test_a_service_that_is_not_there_is_named() -> None:
    async def story() -> None:
        async with answering(in_turn()) as wire:
            pass
        async with client(wire.url, patience=IMPATIENT) as howff:
            with pytest.raises(UnreachableError, match=wire.url):
                await howff.games()

    run(story)


def test_a_service_that_never_answers_is_not_waited_for_without_end() -> None:
    async def hold(_: Asked, line: Line) -> None:
        await line.send(b"HTTP/1.1 200 OK\r\n")
        await line.hold()

    async def story() -> None:
        async with answering(hold) as wire, client(wire.url, patience=IMPATIENT) as howff:
            with pytest.raises(UnreachableError, match="in time"):
                await howff.games()
            assert len(wire.asked) > 1

    run(story)


@pytest.mark.parametrize(
    "address", ["localhost:8000", "ftp://example.org", "http://", "http://[", "http://a:x", ""]
)
def test_an_address_that_is_none_is_refused_at_once(address: str) -> None:
    with pytest.raises(WrongSettingError, match="address"):
        client(address)


@pytest.mark.parametrize("token", ["", "two words", "line\n", "Schlüssel"])
def test_a_token_that_is_none_is_refused_and_kept_out_of_the_message(token: str) -> None:
    with pytest.raises(WrongSettingError) as refusal:
        client("http://localhost:8000", token)
    assert not token or token not in str(refusal.value)


def test_the_keys_that_sign_commits_are_asked_for_where_they_are_published() -> None:
    async def story() -> None:
        keys = {"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "abc"}]}
        async with answering(in_turn(answer(200, keys))) as wire:
            async with client(wire.url) as howff:
                assert await howff.receipt_keys() == keys
            assert wire.asked[0].method == "GET"
            assert wire.asked[0].target == "/.well-known/howff-receipts.json"
            assert "idempotency-key" not in wire.asked[0].headers

    run(story)


@pytest.mark.parametrize(
    "ask",
    [
        lambda howff: howff.match("\udcff"),
        lambda howff: howff.match(70_000 * "m"),
        lambda howff: howff.match("m", viewer="\udcff"),
        lambda howff: howff.development_token("\udcff"),
        lambda howff: howff.play("m", {"type": "\udcff"}),
        lambda howff: anext(howff.feed("m", viewer="\udcff")),
    ],
)
def test_what_can_not_stand_in_a_request_is_not_sent(ask: Asking) -> None:
    async def story() -> None:
        async with answering(in_turn()) as wire, client(wire.url) as howff:
            with pytest.raises(UnsendableError):
                await ask(howff)
            assert not wire.asked

    run(story)


def test_an_answer_nested_too_deep_is_none_of_the_service() -> None:
    deep = 100_000 * b"["
    head = b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\nconnection: close\r\n\r\n"

    async def story() -> None:
        async with answering(in_turn(head + deep)) as wire, client(wire.url) as howff:
            with pytest.raises(UnexpectedAnswerError):
                await howff.games()

    run(story)


def test_a_server_that_is_there_is_waited_for_until_all_of_it_has_started() -> None:
    patience = replace(HURRIED, trying=0.0, starting=5.0)

    async def after(first: bytes) -> Any:
        async with (
            answering(in_turn(first, first, answer(200, []))) as wire,
            client(wire.url, patience=patience) as howff,
        ):
            return await howff.games()

    assert run(lambda: after(problem(503, "part_away"))) == []
    for other in (problem(429, "rate_limited"), answer(503)):
        with pytest.raises(AnswerError):
            run(partial(after, other))


def test_whoever_waits_is_told_once_in_a_request_that_a_try_has_failed() -> None:
    busy = problem(503, "unavailable")
    failed: list[str] = []

    async def story() -> None:
        async with answering(in_turn(busy, busy, None, answer(200, []), answer(200, []))) as wire:
            howff = HowffClient(
                wire.url,
                ids=str,
                patience=HURRIED,
                when_away=lambda error: failed.append(error.code),
            )
            async with howff:
                await howff.games()
                assert failed == ["unavailable"]
                await howff.games()
                assert failed == ["unavailable"]

    run(story)


def test_a_token_for_trying_things_out_is_asked_for() -> None:
    async def story() -> None:
        given = {"access_token": "a.b.c", "token_type": "Bearer", "expires_in": 60}
        async with answering(in_turn(answer(200, given), answer(200, {}))) as wire:
            async with client(wire.url) as howff:
                assert await howff.development_token("freya") == "a.b.c"
                with pytest.raises(UnexpectedAnswerError):
                    await howff.development_token("freya")
            assert wire.asked[0].json == {"account": "freya"}

    run(story)
