"""The front: what it hands on, how answers pass, and what becomes of broken lines."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Final

import httpx
import pytest
from fastapi import FastAPI
from pydantic import ValidationError
from starlette.requests import Request
from starlette.responses import Response

from howff.servicekit.web.bodies import MOST_BYTES
from howff.servicekit.web.front import Settings, running_front
from howff.servicekit.web.serving import serving
from support.running import run, until
from support.web import problem_of
from support.wire import Answering, Asked, Line, Wire, answer, answering

FEED: Final = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
CHUNKED: Final = FEED[:-2] + b"transfer-encoding: chunked\r\n\r\n"


def always(content: bytes) -> Answering:
    async def give(_: Asked, line: Line) -> None:
        await line.send(content)

    return give


@asynccontextmanager
async def fronted(**routes: str) -> AsyncIterator[httpx.AsyncClient]:
    """Give a client of a front; the names of *routes* are their first segments, `rest` is `/`."""
    by_path = {"/" if name == "rest" else f"/{name}": url for name, url in routes.items()}
    async with (
        running_front(by_path) as app,
        serving(app) as url,
        httpx.AsyncClient(base_url=url) as http,
    ):
        yield http


@asynccontextmanager
async def fronted_wire(give: Answering) -> AsyncIterator[tuple[httpx.AsyncClient, Wire]]:
    async with answering(give) as wire, fronted(rest=wire.url) as http:
        yield http, wire


def test_a_request_goes_to_the_service_whose_path_is_the_longest_that_fits() -> None:
    async def story() -> None:
        async with AsyncExitStack() as running:
            wires = [
                await running.enter_async_context(answering(always(answer(200, name))))
                for name in ("lobby", "keys", "game")
            ]
            lobby, keys, game = (wire.url for wire in wires)
            routes = {"v1/me": lobby, "v1/me/keys": keys, "rest": game}
            http = await running.enter_async_context(fronted(**routes))
            for path, name in (
                ("/v1/me", "lobby"),
                ("/v1/me/", "lobby"),
                ("/v1/me/tokens", "lobby"),
                ("/v1/me/keys/a", "keys"),
                ("/v1/mean", "game"),
                ("/v1", "game"),
                ("/", "game"),
            ):
                assert (await http.get(path)).json() == name, path

    run(story)


def test_a_route_that_is_one_path_alone_goes_before_all_that_begin_so() -> None:
    async def story() -> None:
        async with AsyncExitStack() as running:
            root, docs, rest = [
                await running.enter_async_context(answering(always(answer(200, name))))
                for name in ("root", "docs", "rest")
            ]
            routes = {"=/": root.url, "/": rest.url, "=/docs": docs.url, "/docs": rest.url}
            app = await running.enter_async_context(running_front(routes))
            url = await running.enter_async_context(serving(app))
            http = await running.enter_async_context(httpx.AsyncClient(base_url=url))
            for path, name in (
                ("/", "root"),
                ("/?a=1", "root"),
                ("/docs", "docs"),
                ("/docs/", "rest"),
                ("/docs/a", "rest"),
                ("/a", "rest"),
                ("/=", "rest"),
            ):
                assert (await http.get(path)).json() == name, path

    run(story)


def test_a_path_that_no_service_has_is_not_found() -> None:
    async def story() -> None:
        async with fronted(v1="http://127.0.0.1:1") as http:
            problem_of(await http.get("/v2"), 404, "no_such_route")

    run(story)


def test_what_is_asked_arrives_as_it_was_sent() -> None:
    async def story() -> None:
        async with fronted_wire(always(answer(201, {}))) as (http, wire):
            path = "/v1/a%2Fb/%C3%A9;x=1?q=%26&q=b+c"
            sent = await http.post(path, content=b"\x00\xff", headers={"Idempotency-Key": "k"})
            assert sent.status_code == 201
            asked = wire.asked[0]
            assert (asked.method, asked.target, asked.body) == ("POST", path, b"\x00\xff")
            assert asked.headers["idempotency-key"] == "k"
            assert asked.headers["host"] == http.base_url.netloc.decode()

    run(story)


def test_headers_about_one_line_stay_on_it_and_the_peer_is_told() -> None:
    async def story() -> None:
        given = answer(200, {}, keep_alive="timeout=9", x_kept="yes", date="yesterday")
        async with fronted_wire(always(given)) as (http, wire):
            headers = {
                "Connection": "keep-alive, X-Mine",
                "X-Mine": "secret",
                "TE": "trailers",
                "X-Forwarded-For": "203.0.113.9",
                "X-Other": "kept",
            }
            told = await http.get("/", headers=headers)
            asked = wire.asked[0].headers
            assert asked["x-forwarded-for"] == "203.0.113.9, 127.0.0.1"
            assert asked["x-other"] == "kept"
            assert not {"connection", "x-mine", "te"} & asked.keys()
            assert told.headers["x-kept"] == "yes"
            assert "keep-alive" not in told.headers
            for name in ("date", "x-content-type-options"):
                assert len(told.headers.get_list(name)) == 1
            assert told.headers["date"] != "yesterday"

    run(story)


def test_answers_that_have_no_body_pass_as_such() -> None:
    async def story() -> None:
        bare = b"HTTP/1.1 304 Not Modified\r\netag: 3\r\nconnection: close\r\n\r\n"
        async with fronted_wire(always(bare)) as (http, _):
            told = await http.get("/", headers={"If-None-Match": "3"})
            assert (told.status_code, told.headers["etag"], told.content) == (304, "3", b"")
        head = b"HTTP/1.1 200 OK\r\ncontent-length: 12\r\nconnection: close\r\n\r\n"
        async with fronted_wire(always(head)) as (http, wire):
            told = await http.head("/")
            assert (told.headers["content-length"], told.content) == ("12", b"")
            assert wire.asked[0].method == "HEAD"

    run(story)


def test_what_a_feed_tells_arrives_at_once() -> None:
    async def story() -> None:
        may_go_on = asyncio.Event()

        async def tell(_: Asked, line: Line) -> None:
            await line.send(FEED + b"data: 1\n\n")
            await may_go_on.wait()
            await line.send(b"data: 2\n\n")

        async with fronted_wire(tell) as (http, _), http.stream("GET", "/") as feed:
            chunks = feed.aiter_raw()
            assert await anext(chunks) == b"data: 1\n\n"
            may_go_on.set()
            assert await anext(chunks) == b"data: 2\n\n"
            assert await anext(chunks, None) is None

    run(story)


def test_a_feed_whose_client_leaves_is_hung_up() -> None:
    async def story() -> None:
        hung_up = asyncio.Event()

        async def tell(_: Asked, line: Line) -> None:
            await line.send(FEED)
            try:
                while True:
                    await line.send(b": alive\n\n")
                    await asyncio.sleep(0.01)
            finally:
                hung_up.set()

        async with fronted_wire(tell) as (http, _):
            async with http.stream("GET", "/") as feed:
                await anext(feed.aiter_raw())
            await hung_up.wait()

    run(story)


def test_a_request_whose_client_leaves_before_the_answer_is_given_up() -> None:
    async def story() -> None:
        app = FastAPI()
        app.state.stopping = asyncio.Event()
        has_come, has_left = asyncio.Event(), asyncio.Event()

        async def think(request: Request) -> Response:
            has_come.set()
            while (await request.receive())["type"] != "http.disconnect":
                pass
            has_left.set()
            return Response()

        app.add_route("/", think)
        async with serving(app) as url, fronted(rest=url) as http:
            asking = asyncio.create_task(http.get("/"))
            await has_come.wait()
            asking.cancel()
            await has_left.wait()

    run(story)


def test_a_service_that_is_away_is_said_to_be_and_the_others_go_on() -> None:
    async def story() -> None:
        async with answering(always(answer(200, {}))) as away:
            pass
        async with (
            answering(always(answer(200, {}))) as there,
            fronted(v1=away.url, rest=there.url) as http,
        ):
            told = await http.get("/v1")
            problem_of(told, 503, "part_away")
            assert told.headers["retry-after"] == "1"
            assert (await http.get("/")).status_code == 200

    run(story)


def test_a_line_that_breaks_before_the_answer_is_told_from_a_refusal() -> None:
    async def leave(_: Asked, line: Line) -> None:
        await line.reset()

    async def story() -> None:
        async with fronted_wire(leave) as (http, _):
            problem_of(await http.get("/"), 502, "part_broken")

    run(story)


def test_a_service_that_never_answers_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def hold(_: Asked, line: Line) -> None:
        await line.hold()

    async def story() -> None:
        async with fronted_wire(hold) as (http, _):
            problem_of(await http.get("/"), 504, "part_silent")

    monkeypatch.setattr("howff.servicekit.web.front.PATIENCE", 0.1)
    run(story)


@pytest.mark.parametrize(
    "begun",
    [CHUNKED + b"3\r\none\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\none"],
)
def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one(begun: bytes) -> None:
    async def break_off(_: Asked, line: Line) -> None:
        await line.send(begun)

    async def story() -> None:
        async with fronted_wire(break_off) as (http, _):
            with pytest.raises(httpx.RemoteProtocolError):
                await http.get("/")

    run(story)


@pytest.mark.parametrize("has_length", [True, False])
def test_a_body_that_is_too_large_is_refused_before_a_service_sees_it(
    has_length: bool,  # noqa: FBT001
) -> None:
    async def parts() -> AsyncIterator[bytes]:
        for _ in range(MOST_BYTES // 1000 + 1):
            yield 1000 * b" "

    async def story() -> None:
        async with fronted_wire(always(answer(200, {}))) as (http, wire):
            content: Any = (MOST_BYTES + 1) * b" " if has_length else parts()
            problem_of(await http.post("/", content=content), 413, "body_too_large")
            assert not wire.asked
            largest = await http.post("/", content=MOST_BYTES * b" ")
            assert largest.status_code == 200
            assert len(wire.asked[0].body) == MOST_BYTES

    run(story)


def test_a_question_about_the_whole_server_is_answered_with_a_problem() -> None:
    async def story() -> None:
        async with fronted_wire(always(answer(200, {}))) as (http, wire):
            reader, writer = await asyncio.open_connection("127.0.0.1", http.base_url.port)
            writer.write(b"OPTIONS * HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n")
            told = await reader.read()
            writer.close()
            await writer.wait_closed()
            assert told.startswith(b"HTTP/1.1 404 ")
            assert b"application/problem+json" in told
            assert b"no_such_route" in told
            assert not wire.asked

    run(story)


def test_a_request_without_a_host_is_refused() -> None:
    async def story() -> None:
        async with fronted_wire(always(answer(200, {}))) as (http, wire):
            reader, writer = await asyncio.open_connection("127.0.0.1", http.base_url.port)
            writer.write(b"GET / HTTP/1.1\r\nconnection: close\r\n\r\n")
            told = await reader.read()
            writer.close()
            await writer.wait_closed()
            assert told.startswith(b"HTTP/1.1 400 ")
            assert b"malformed_request" in told
            assert not wire.asked

    run(story)


def test_a_client_that_reads_slowly_holds_up_its_service_and_gets_everything() -> None:
    size, most_between = 48 * 2**20, 24 * 2**20
    sent = 0

    async def tell(_: Asked, line: Line) -> None:
        nonlocal sent
        await line.send(FEED)
        while sent < size:
            sent += 2**16
            await line.send(2**16 * b".")

    async def story() -> None:
        received = 0
        async with fronted_wire(tell) as (http, _), http.stream("GET", "/") as feed:
            async for chunk in feed.aiter_raw():
                if not received:  # as much as lines and buffers hold comes before the rest is read
                    await until(lambda: sent > 2**20)
                received += len(chunk)
                assert sent - received < most_between
        assert received == size

    run(story)


def test_feeds_end_with_the_front_and_counted_answers_come_whole() -> None:
    async def story() -> None:
        is_stopping = asyncio.Event()

        async def tell(asked: Asked, line: Line) -> None:
            if asked.target == "/feed":
                await line.send(FEED + b"data: 1\n\n")
                await line.hold()
            else:
                await line.send(b"HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\none")
                await is_stopping.wait()
                await line.send(b"two")

        async def read(feed: httpx.Response) -> bytes:
            return b"".join([chunk async for chunk in feed.aiter_raw()])

        async with AsyncExitStack() as held, answering(tell) as wire, asyncio.TaskGroup() as group:
            http = await held.enter_async_context(httpx.AsyncClient())
            async with running_front({"/": wire.url}) as app, serving(app) as url:
                readers = []
                for path in ("feed", "file"):
                    told = await held.enter_async_context(http.stream("GET", f"{url}/{path}"))
                    readers.append(group.create_task(read(told)))
                await until(lambda: len(wire.asked) == 2)
                asyncio.get_running_loop().call_later(0.1, is_stopping.set)
            assert [await reader for reader in readers] == [b"data: 1\n\n", b"onetwo"]

    run(story)


@pytest.mark.parametrize(
    "routes", ["{", "[]", '{"/": 1}', '{"/": "ftp://x"}', '{"/": "http://x/y"}']
)
def test_routes_that_lead_nowhere_are_refused(routes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOWFF_ROUTES", routes)
    with pytest.raises(ValidationError):
        Settings()
