import asyncio
import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from urllib.parse import quote, urlsplit

import httpx
import pytest
from nats.aio.msg import Msg

from howff.engine.codec import JSON
from howff.engine.seats import Seat
from howff.servicekit.nats.connection import connect
from support.service import Service, Table, bearer, new_key

MARK: Final = "hostile"
"""Stands in whatever should never get to the server of NATS."""
IDS: Final = (
    f"{MARK}.x",
    f"{MARK}.*",
    f"{MARK}*",
    f"{MARK}.>",
    f">{MARK}",
    f"{MARK} x",
    f" {MARK}",
    f"{MARK}\r\nPUB x 0\r\n",
    f"{MARK}\n",
    f"{MARK}\t",
    f"{MARK}\x00",
    f"{MARK}/../x",
    f"{MARK}$JS",
    f"{MARK}é",
    f"{MARK}\u202e",
    f"{MARK}\U0001f3f0",
    f"{MARK}%2e",
    f"{MARK}" + "a" * 58,
    f"{MARK}" + "a" * 1017,
    f"{MARK}'\"`;--",
    f"{MARK}" + "a" * 10_000,
)
ROUTES: Final = ("", "/moves", "/events", "/export")
DEEP: Final = b"[" * 10_000 + b"]" * 10_000
SOON: Final = 5.0
"""Seconds; what takes so long for 64 KiB takes for ever for more."""
MOVE: Final = b'{"move":{"type":"EndTurn","data":{}}}'
BODIES: Final[dict[str, bytes]] = {
    "nothing": b"",
    "no JSON": b"{",
    "a text": b'"hostile"',
    "a list": b"[]",
    "null": b"null",
    "a number": b"1e999",
    "NaN": b'{"move":{"type":"EndTurn","data":{"x":NaN}}}',
    "infinity": b'{"move":{"type":"EndTurn","data":{"x":-Infinity}}}',
    "a key twice": b'{"move":{"type":"EndTurn","data":{}},"move":{"type":"EndTurn","data":{}}}',
    "a key twice within": b'{"move":{"type":"EndTurn","type":"EndTurn","data":{}}}',
    "a huge integer": b'{"move":{"type":"EndTurn","data":{}},"seat":9223372036854775808}',
    "an endless integer": b'{"move":{"type":"EndTurn","data":{}},"seat":' + b"9" * 5000 + b"}",
    "a huge integer in a move": b'{"move":{"type":"RaiseBid","data":{"x":9007199254740993}}}',
    "half a character": b'{"move":{"type":"EndTurn","data":{"x":"\\ud800"}}}',
    "half a character as a key": b'{"move":{"type":"EndTurn","data":{"\\udfff":1}}}',
    "a NUL": b'{"move":{"type":"EndTurn\\u0000","data":{}}}',
    "no UTF-8": b'{"move":{"type":"\xff","data":{}}}',
    "UTF-16": '{"move":{"type":"EndTurn","data":{}}}'.encode("utf-16"),
    "a mark of order": b"\xef\xbb\xbf" + MOVE,
    "too deep": b'{"move":{"type":"EndTurn","data":{"x":' + DEEP + b"}}}",
    "deep": b'{"move":{"type":"EndTurn","data":{"x":' + b"[" * 40 + b"]" * 40 + b"}}}",
    "too much": b'{"move":{"type":"EndTurn","data":{"x":"' + b"a" * 70_000 + b'"}}}',
    "an unknown field": b'{"move":{"type":"EndTurn","data":{}},"actor":"platform"}',
    "a bot's field": b'{"move":{"type":"EndTurn","data":{}},"bot":{"policy":"x"}}',
    "an unknown field within": b'{"move":{"type":"EndTurn","data":{},"salts":{}}}',
    "a seat as text": b'{"move":{"type":"EndTurn","data":{}},"seat":"0"}',
    "a seat as truth": b'{"move":{"type":"EndTurn","data":{}},"seat":true}',
    "a seat as fraction": b'{"move":{"type":"EndTurn","data":{}},"seat":0.5}',
    "a negative seat": b'{"move":{"type":"EndTurn","data":{}},"seat":-1}',
    "a seat too far": b'{"move":{"type":"EndTurn","data":{}},"seat":10}',
    "a negative version": b'{"move":{"type":"EndTurn","data":{}},"expected_version":-1}',
    "version zero": b'{"move":{"type":"EndTurn","data":{}},"expected_version":0}',
    "a version as text": b'{"move":{"type":"EndTurn","data":{}},"expected_version":"1"}',
    "a move as text": b'{"move":"EndTurn"}',
    "a move without data": b'{"move":{"type":"EndTurn"}}',
    "data as a list": b'{"move":{"type":"EndTurn","data":[]}}',
    "the type of an event": b'{"move":{"type":"MatchEnded","data":{}}}',
    "a dunder": b'{"move":{"type":"__class__","data":{"__init__":1}}}',
    "two documents": MOVE + MOVE,
    "a comment": MOVE + b"/**/",
}
STARTS: Final[dict[str, JSON]] = {
    "no seats": {"game": "troedler", "seats": []},
    "a thousand seats": {"game": "troedler", "seats": [{"bot": "random"}] * 1000},
    "a seat of nobody": {"game": "troedler", "seats": [{}, {}]},
    "a seat of two": {"game": "troedler", "seats": [{"account": "a", "bot": "random"}] * 2},
    "a key of a subject": {"game": "troedler", "seats": [{"account": f"{MARK}.>"}] * 2},
    "an account too long": {"game": "troedler", "seats": [{"account": "a" * 65}] * 2},
    "an account with a line": {"game": "troedler", "seats": [{"account": f"{MARK}\n"}] * 2},
    "a level of a subject": {"game": "troedler", "seats": [{"bot": f"{MARK}.*"}] * 2},
    "a game of a path": {"game": "../troedler", "seats": [{"bot": "random"}] * 2},
    "a game too long": {"game": "a" * 65, "seats": [{"bot": "random"}] * 2},
    "rated": {"game": "troedler", "seats": [{"account": "a"}] * 2, "rated": True},
    "an id": {"game": "troedler", "seats": [{"account": "a"}] * 2, "match": MARK},
    "a seed": {"game": "troedler", "seats": [{"account": "a"}] * 2, "seed": "00" * 32},
    "a clock": {"game": "troedler", "seats": [{"account": "a"}] * 2, "clock": {"minutes": 5}},
    "watched by all": {"game": "troedler", "seats": [{"account": "a"}] * 2, "watch": "all"},
    "entropy with an accent": {
        "game": "troedler",
        "seats": [{"account": "a"}] * 2,
        "entropies": ["é", None],
    },
    "entropy too long": {
        "game": "troedler",
        "seats": [{"account": "a"}] * 2,
        "entropies": ["a" * 65, None],
    },
    "options as a list": {"game": "troedler", "seats": [{"account": "a"}] * 2, "options": []},
    "deep options": {
        "game": "troedler",
        "seats": [{"account": "a"}] * 2,
        "options": {"round_limit": {"a": [{"b": [1.5]}]}},
    },
    "a large option": {
        "game": "troedler",
        "seats": [{"account": "a"}] * 2,
        "options": {"round_limit": -1},
    },
}


@contextmanager
def spied(service: Service) -> Iterator[list[bytes]]:
    """Give whatever is published on the server meanwhile: subjects, headers and contents."""
    heard: list[bytes] = []
    held: Any = None

    async def listen() -> Any:
        connection = await connect(service.nats.url, name="spy", inbox_prefix="_SPY")

        async def hear(message: Msg) -> None:
            heard.append(f"{message.subject} {message.headers} ".encode() + message.data)

        await connection.client.subscribe(">", cb=hear)
        await connection.client.flush()
        return connection

    held = service.call(listen())
    try:
        yield heard
    finally:
        service.call(held.client.flush())
        service.call(held.close())


def refused(answer: httpx.Response, *statuses: int) -> None:
    """Check that *answer* is a problem document of one of these statuses, or of any of a client."""
    assert 400 <= answer.status_code < 500, answer.text
    assert not statuses or answer.status_code in statuses, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["status"] == answer.status_code
    assert answer.json()["code"]


def post(
    table: Table, content: bytes, content_type: str | None = "application/json", **headers: str
) -> httpx.Response:
    seat = Seat(table.match.to_act[0])
    told = {**table.eyes(seat).headers, "Idempotency-Key": str(new_key()), **headers}
    if content_type is not None:
        told["Content-Type"] = content_type
    return table.service.http.post(f"{table.path}/moves", content=content, headers=told)


@pytest.fixture(scope="module")
def table(service: Service) -> Table:
    return service.table()


def test_ids_that_mean_something_in_subjects_get_near_none(service: Service, table: Table) -> None:
    eyes, move = service.eyes("dora"), {"move": {"type": "EndTurn", "data": {}}}
    with spied(service) as heard:
        for each in IDS:
            path = f"/v1/matches/{quote(each, safe='')}"
            for route in ROUTES:
                refused(eyes.get(path + route), 404, 422)
            refused(eyes.post(f"{path}/moves", move, new_key()), 404, 422)
            refused(eyes.get(f"{table.path}/events?as={quote(each, safe='')}"), 422)
            refused(eyes.get(f"/v1/games/{quote(each, safe='')}"), 404)
            wanted = {"account": each}
            refused(eyes.post("/v1/development/tokens", wanted), 400, 422)
        refused(eyes.get("/v1/matches/looked-for"), 404)
    assert not [each for each in heard if MARK.encode() in each]
    assert [each for each in heard if b"looked-for" in each]


@pytest.mark.parametrize("case", BODIES)
def test_a_body_that_is_no_move_is_refused_soon(table: Table, case: str) -> None:
    start = time.perf_counter()
    refused(post(table, BODIES[case]), 400, 413, 422)
    assert time.perf_counter() - start < SOON
    assert table.match.version == 1


@pytest.mark.parametrize("case", STARTS)
def test_a_start_that_is_none_is_refused_before_anything_is_published(
    service: Service, case: str
) -> None:
    with spied(service) as heard:
        refused(service.eyes("dora").post("/v1/matches", STARTS[case], new_key()), 422)
    assert not [each for each in heard if MARK.encode() in each or each.startswith(b"match.")]


@pytest.mark.parametrize(
    "content_type",
    [
        None,
        "",
        "text/plain",
        "text/json",
        "application/xml",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/json; charset=utf-16",
        "application/json, application/json",
        "application/jsonx",
    ],
)
def test_a_body_that_does_not_claim_to_be_json_is_refused(
    table: Table, content_type: str | None
) -> None:
    refused(post(table, MOVE, content_type), 415)


@pytest.mark.parametrize(
    "query",
    [
        "events?after=-1",
        "events?after=1.5",
        "events?after=x",
        "events?after=",
        "events?after=9223372036854775808",
        f"events?after={'9' * 5000}",
        "events?after=0&after=1&after=x",
        "moves?seat=-1",
        "moves?seat=10",
        "moves?seat=true",
        "moves?seat=1e0",
        f"moves?seat={'1' * 4400}",
        f"?as={'s' * 21}",
        "?as=seat:99999999999999999",
        "?as=seat:%00",
        "export?as=seat:٣",
        "events?as=all",
    ],
)
def test_a_query_out_of_range_is_refused(table: Table, query: str) -> None:
    path = f"{table.path}{query if query.startswith('?') else f'/{query}'}"
    refused(table.eyes(Seat(0)).get(path), 422)


@pytest.mark.parametrize(
    "headers",
    [
        {"Accept": "a" * 501},
        {"Accept": "==,//"},
        {"Accept": "text/event-streams"},
        {"Last-Event-ID": "9" * 101},
        {"Last-Event-ID": "-1"},
        {"Last-Event-ID": "1,2"},
    ],
    ids=str,
)
def test_odd_headers_of_a_feed_are_refused(table: Table, headers: dict[str, str]) -> None:
    refused(table.eyes(Seat(0)).get(f"{table.path}/events", headers), 406, 409, 422)


def test_odd_tags_are_answered_with_the_match_or_refused(table: Table) -> None:
    for tags in ('"', "W/", '"1', "1" * 1000, ",,,"):
        assert table.eyes(Seat(0)).get(table.path, {"If-None-Match": tags}).status_code == 200
    refused(table.eyes(Seat(0)).get(table.path, {"If-None-Match": "1" * 1001}), 422)


@pytest.mark.parametrize("key", ["", "1", "{}", "*", ">", f"{MARK}.x", "a" * 2000, "0" * 33])
def test_a_key_that_is_no_id_is_refused(service: Service, table: Table, key: str) -> None:
    with spied(service) as heard:
        refused(post(table, MOVE, **{"Idempotency-Key": key}), 422)
        start = {"game": "troedler", "seats": [{"account": "dora"}] * 2}
        refused(service.eyes("dora").post("/v1/matches", start, key), 422)
    assert not [each for each in heard if MARK.encode() in each or each.startswith(b"match.")]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "PROPFIND"])
def test_methods_that_there_are_not_are_refused(table: Table, method: str) -> None:
    for path in (table.path, f"{table.path}/moves", "/v1/matches", "/v1/games"):
        answer = table.service.http.request(method, path, headers=bearer("dora"))
        refused(answer, 405)
        assert "GET" in answer.headers["allow"] or "POST" in answer.headers["allow"]


@pytest.mark.parametrize("path", ["/", "/v1", "/v1/matches/a/b/c", "//v1/games", "/docs", "/%00"])
def test_paths_that_lead_nowhere_are_answered_so(service: Service, path: str) -> None:
    refused(service.http.get(path), 404, 405)


def test_a_body_that_never_ends_or_lies_about_its_size_is_cut_off(
    service: Service, table: Table
) -> None:
    head = (
        f"POST {table.path}/moves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        f"Idempotency-Key: {new_key()}\r\nAuthorization: {bearer('dora')['Authorization']}\r\n"
    )
    for told in ("Content-Length: 99999999\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n"):
        with closing_socket(service) as line:
            line.sendall((head + told).encode())
            if "chunked" in told:
                for _ in range(20):
                    line.sendall(b"2000\r\n" + b" " * 0x2000 + b"\r\n")
            assert line.recv(100).startswith(b"HTTP/1.1 413 ")


@contextmanager
def closing_socket(service: Service) -> Iterator[socket.socket]:
    address = urlsplit(service.url)
    with socket.create_connection((address.hostname, address.port or 0), timeout=5) as line:
        yield line


def test_the_service_goes_on_after_all_of_it(service: Service, table: Table) -> None:
    assert table.match.version == 1
    assert table.play().status_code == 200

    async def many() -> list[int]:
        async with httpx.AsyncClient(base_url=service.url) as http:
            asked = (
                http.get(f"/v1/matches/{quote(each, safe='')}", headers=bearer("dora"))
                for each in IDS * 5
            )
            return [answer.status_code for answer in await asyncio.gather(*asked)]

    assert set(asyncio.run(many())) == {404}
    assert json.loads(table.eyes(Seat(0)).get(table.path).text)["version"] == 2
