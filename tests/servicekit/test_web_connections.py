import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

import httpx
import pytest
from fastapi import FastAPI, Response
from fastapi.responses import StreamingResponse

from howff.servicekit.running import run as run_served
from howff.servicekit.web import bodies, connections
from howff.servicekit.web.auth import OptionalCaller
from howff.servicekit.web.connections import BoundedHttp
from howff.servicekit.web.serving import serving
from support.running import WITHIN, until
from support.web import Shop

T = TypeVar("T")
Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]

GET: Final = b"GET /things/hat HTTP/1.1\r\nHost: howff\r\n"
CHUNKED: Final = (
    b"POST /offers HTTP/1.1\r\nHost: howff\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)
OFFER: Final = b"e\r\n" + b'{"amounts":[]}' + b"\r\n"
PIECE: Final = b" " * 2**20


def run(story: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run *story* in the loop that services run in; it has to end in time."""

    async def bounded() -> T:
        async with asyncio.timeout(WITHIN):
            return await story()

    return run_served(bounded())


@asynccontextmanager
async def connected(app: FastAPI) -> AsyncIterator[Connection]:
    """Serve *app* for one connection."""
    async with serving(app) as url:
        host, port = url.removeprefix("http://").split(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        try:
            yield reader, writer
        finally:
            writer.close()


async def rest(reader: asyncio.StreamReader) -> bytes:
    """Return what comes until the connection has ended, in whatever way."""
    read = bytearray()
    try:
        while piece := await reader.read(2**20):
            read += piece
    except ConnectionResetError:
        pass
    return bytes(read)


async def answered(connection: Connection) -> None:
    """Ask for something, and wait until it has come."""
    reader, writer = connection
    writer.write(GET + b"\r\n")
    assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")


async def answer_to(app: FastAPI, request: bytes) -> bytes:
    async with connected(app) as (reader, writer):
        writer.write(request)
        return await rest(reader)


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[BoundedHttp]:
    """Return where the server's ends of connections are found."""
    found: list[BoundedHttp] = []
    made = BoundedHttp.connection_made

    def note(protocol: BoundedHttp, transport: asyncio.Transport) -> None:
        made(protocol, transport)
        found.append(protocol)

    monkeypatch.setattr(BoundedHttp, "connection_made", note)
    return found


@pytest.mark.parametrize("headers", [b"a" * 70_000, b"a: b\r\n" * 12_000], ids=["one", "many"])
@pytest.mark.parametrize("earlier", [0, 1])
def test_a_head_without_end_is_refused(headers: bytes, earlier: int) -> None:
    async def story() -> bytes:
        async with connected(Shop().app) as (reader, writer):
            for _ in range(earlier):
                await answered((reader, writer))
            writer.write(GET + headers)
            return await rest(reader)

    assert run(story).startswith(b"HTTP/1.1 400 ")


def test_bodies_and_further_requests_are_no_part_of_a_head(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "LARGEST_HEAD", 1000)

    async def story() -> None:
        async with serving(Shop().app) as url, httpx.AsyncClient(base_url=url) as client:
            body = b'{"amounts": []' + b" " * 60_000 + b"}"
            for _ in range(12):
                response = await client.post(
                    "/offers", content=body, headers={"Content-Type": "application/json"}
                )
                assert response.status_code == 200

    run(story)


def test_what_is_no_http_is_refused_with_a_problem() -> None:
    hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"
    head, _, body = run(lambda: answer_to(Shop().app, hello)).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"\r\ncontent-type: application/problem+json" in head
    assert b"\r\nconnection: close" in head
    assert json.loads(body)["code"] == "malformed_request"


@pytest.mark.parametrize("trailer", [b"A: b\r\n", b"A:\r\n", b"A: b\r\nC: d\r\n"])
def test_a_trailer_is_refused_and_nothing_behind_it_is_heard(trailer: bytes) -> None:
    request = CHUNKED + OFFER + b"0\r\n" + trailer + b"\r\n" + GET + b"\r\n"
    answer = run(lambda: answer_to(Shop().app, request))
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"\r\nconnection: close\r\n" in answer
    assert answer.count(b"HTTP/1.1") == 1


def test_a_request_with_a_token_in_its_trailer_is_not_carried_out() -> None:
    shop = Shop()
    callers: list[OptionalCaller] = []

    @shop.app.post("/orders")
    async def order(caller: OptionalCaller) -> None:
        callers.append(caller)

    head = CHUNKED.replace(b"/offers", b"/orders")
    token = b"Authorization: Bearer " + shop.token().encode()
    refused = head + OFFER + b"0\r\n" + token + b"\r\n\r\n"
    assert run(lambda: answer_to(shop.app, refused)).startswith(b"HTTP/1.1 400 ")
    assert not callers


@pytest.mark.parametrize(
    "piece",
    [b"1;" + b"a" * 4000, b"1;a=b\r\nx\r\n" * 1000, b"0" * 4000, b"0\r\na: " + b"b" * 4000],
    ids=["extension", "extensions", "zeros", "trailer"],
)
def test_much_between_the_parts_of_a_body_is_refused(
    piece: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "LARGEST_HEAD", 1000)
    monkeypatch.setattr(connections, "LARGEST_FRAMING", 1000)
    answer = run(lambda: answer_to(Shop().app, CHUNKED + piece))
    assert answer.startswith(b"HTTP/1.1 400 ")


async def send_much(writer: asyncio.StreamWriter) -> None:
    for _ in range(16):
        writer.write(b"b" * 2**20)
        await writer.drain()


def test_a_trailer_without_end_is_cut_off() -> None:
    async def story() -> None:
        async with connected(Shop().app) as (_, writer):
            writer.write(CHUNKED + OFFER + b"0\r\na: ")
            with pytest.raises(ConnectionError):
                await send_much(writer)

    run(story)


@pytest.mark.parametrize("surplus", [0, 1])
def test_the_largest_body_may_come_byte_by_byte_and_a_larger_one_is_told_so(surplus: int) -> None:
    blanks = bodies.MOST_BYTES - 14 + surplus
    request = CHUNKED + OFFER + b"1\r\n \r\n" * blanks + b"0\r\n\r\n"

    async def story() -> None:
        async with connected(Shop().app) as (reader, writer):
            for start in range(0, len(request), 5000):
                writer.write(request[start : start + 5000])
                await asyncio.sleep(0)
            answer = await reader.readuntil(b"}")
            assert answer.startswith(b"HTTP/1.1 413 " if surplus else b"HTTP/1.1 200 ")

    run(story)


@pytest.mark.parametrize("sent", [b"", b"\r\n", b"GE", GET])
def test_who_finishes_no_head_is_closed(sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_PATIENCE", 0.1)
    assert run(lambda: answer_to(Shop().app, sent)) == b""


@pytest.mark.parametrize("start", [b"\r\n", b"GE", GET])
def test_who_finishes_no_further_head_is_closed(
    start: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "HEAD_PATIENCE", 0.1)

    async def story() -> None:
        async with connected(Shop().app) as (reader, writer):
            await answered((reader, writer))
            writer.write(start)
            assert await rest(reader) == b""

    run(story)


@pytest.mark.parametrize("earlier", [0, 1])
def test_a_head_that_trickles_in_is_closed(earlier: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_PATIENCE", 0.2)

    async def story() -> None:
        async with connected(Shop().app) as (reader, writer):
            for _ in range(earlier):
                await answered((reader, writer))
            writer.write(GET)
            closed = asyncio.create_task(rest(reader))
            while not closed.done():
                writer.write(b"a")
                await asyncio.sleep(0.05)
            assert await closed == b""

    run(story)


def test_a_kept_connection_may_rest_between_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_PATIENCE", 0.1)

    async def story() -> None:
        async with connected(Shop().app) as connection:
            for _ in range(2):
                await answered(connection)
                await asyncio.sleep(0.3)

    run(story)


def test_who_waits_for_an_answer_may_wait_amid_a_further_head(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "HEAD_PATIENCE", 0.1)
    shop = Shop()

    @shop.app.get("/late")
    async def answer_late() -> Response:
        await asyncio.sleep(0.3)
        return Response(b"late}")

    async def story() -> None:
        async with connected(shop.app) as (reader, writer):
            writer.write(b"GET /late HTTP/1.1\r\nHost: howff\r\n\r\n" + GET)
            assert (await reader.readuntil(b"late}")).startswith(b"HTTP/1.1 200")
            writer.write(b"\r\n")
            assert (await reader.readuntil(b"}")).startswith(b"HTTP/1.1 200")

    run(story)


def app_that_tells(pieces: int, over: asyncio.Event) -> FastAPI:
    """Return an app with so many pieces to tell; it says when there is nobody to tell more."""
    app = Shop().app

    async def told() -> AsyncIterator[bytes]:
        try:
            for _ in range(pieces):
                yield PIECE
        finally:
            over.set()

    @app.get("/pieces")
    async def tell() -> StreamingResponse:
        return StreamingResponse(told())

    @app.get("/whole")
    async def tell_at_once() -> Response:
        return Response(PIECE * pieces)

    return app


def test_a_feed_that_nobody_reads_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READ_PATIENCE", 0.1)

    async def story() -> None:
        over = asyncio.Event()
        async with connected(app_that_tells(10**6, over)) as (_, writer):
            writer.write(b"GET /pieces HTTP/1.1\r\nHost: howff\r\n\r\n")
            await until(over.is_set)

    run(story)


def test_who_reads_slowly_is_told_all_and_may_ask_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READ_PATIENCE", 0.8)
    pieces = 20

    async def story() -> None:
        async with connected(app_that_tells(pieces, asyncio.Event())) as (reader, writer):
            writer.write(b"GET /pieces HTTP/1.1\r\nHost: howff\r\n\r\n")
            for _ in range(pieces):
                await reader.readexactly(len(PIECE))
                await asyncio.sleep(0.05)
            await reader.readuntil(b"\r\n0\r\n\r\n")
            await asyncio.sleep(1)
            await answered((reader, writer))

    run(story)


@pytest.mark.parametrize("most_kept", [2**16, 2**30], ids=["much", "little"])
def test_what_nobody_reads_keeps_no_connection_from_closing(
    most_kept: int, served: list[BoundedHttp], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "READ_PATIENCE", 0.1)

    async def story() -> None:
        app = app_that_tells(20, asyncio.Event())
        async with connected(app) as (_, writer):
            await until(lambda: bool(served))
            # Of what is below this mark, servers aren't told whether it was read.
            served[0].transport.set_write_buffer_limits(most_kept)
            writer.write(b"GET /whole HTTP/1.1\r\nHost: howff\r\nConnection: close\r\n\r\n")
            await until(served[0].transport.is_closing)
            assert served[0].connections
            await until(lambda: not served[0].connections)

    run(story)


def test_nobody_looks_after_a_connection_that_has_ended(served: list[BoundedHttp]) -> None:
    async def story() -> None:
        async with connected(Shop().app) as connection:
            await answered(connection)
            connection[1].close()
            await until(served[0]._next_look.cancelled)

    run(story)
