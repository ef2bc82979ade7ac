import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any, Final

import httpx
import pytest

from howff.servicekit.web import bodies
from howff.servicekit.web.serving import serving
from howff.servicekit.web.strict_json import DEEPEST, LARGEST, strict_json
from support.running import run
from support.web import Shop, problem_of

JSON_TYPE: Final = {"Content-Type": "application/json"}
MOST: Final = bodies.MOST_BYTES


def deep(levels: int, opening: bytes = b"[", closing: bytes = b"]") -> bytes:
    return opening * levels + b"1" + closing * levels


def offered(value: str) -> bytes:
    """Return an offer whose note is *value*, as it stands in the JSON."""
    return f'{{"amounts": [1], "note": {value}}}'.encode()


BAD_JSON: Final[dict[str, bytes]] = {
    "NaN": b'{"amounts": [NaN]}',
    "Infinity": b'{"amounts": [Infinity]}',
    "minus Infinity": b'{"amounts": [-Infinity]}',
    "only NaN": b"NaN",
    "nan in lower case": b'{"amounts": [nan]}',
    "float past doubles": b'{"amounts": [1e999]}',
    "float below doubles": b'{"amounts": [-1e999]}',
    "2^53": b'{"amounts": [9007199254740992]}',
    "minus 2^53": b'{"amounts": [-9007199254740992]}',
    "2^63": b'{"amounts": [9223372036854775808]}',
    "2^64": b'{"amounts": [18446744073709551616]}',
    "5,000 digits": b'{"amounts": [' + b"9" * 5000 + b"]}",
    "60,000 digits": b'{"amounts": [' + b"9" * 60_000 + b"]}",
    "huge exponent": b'{"amounts": [1e' + b"9" * 5000 + b"]}",
    "leading zero": b'{"amounts": [01]}',
    "plus sign": b'{"amounts": [+1]}',
    "hexadecimal": b'{"amounts": [0x10]}',
    "bare point": b'{"amounts": [1.]}',
    "point first": b'{"amounts": [.5]}',
    "underscore": b'{"amounts": [1_000]}',
    "lone minus": b'{"amounts": [-]}',
    "key twice": b'{"amounts": [1], "amounts": [2]}',
    "key twice, once escaped": b'{"amounts": [1], "\\u0061mounts": [2]}',
    "key twice further in": b'{"amounts": [{"a": 1, "a": 1}]}',
    "high surrogate": offered('"\\ud800"'),
    "low surrogate": offered('"\\udc00"'),
    "surrogates in wrong order": offered('"\\udc00\\ud800"'),
    "surrogate between letters": offered('"a\\uD83Db"'),
    "surrogate in a key": b'{"amounts": [1], "\\ud800": 1}',
    "surrogate in a list": b'{"amounts": ["\\ud800"]}',
    "surrogate in UTF-8": b'{"amounts": [1], "note": "\xed\xa0\x80"}',
    "NUL": b'{"amounts": [1], "note": "\x00"}',
    "escaped NUL": offered('"\\u0000"'),
    "escaped NUL in a key": b'{"amounts": [1], "a\\u0000": 1}',
    "NUL behind": b'{"amounts": [1]}\x00',
    "only NUL": b"\x00",
    "newline in a text": b'{"amounts": [1], "note": "a\nb"}',
    "tab in a text": b'{"amounts": [1], "note": "a\tb"}',
    "33 lists": b'{"amounts": ' + deep(33) + b"}",
    "10,000 lists": deep(10_000),
    "32,000 lists": deep(32_000),
    "60,000 lists without end": b"[" * 60_000,
    "10,000 objects": deep(10_000, b'{"a":', b"}"),
    "10,000 objects without end": b'{"a":' * 10_000,
    "lists and objects": deep(5000, b'[{"a":', b"}]"),
    "quotes without end": b'"' + b'\\"' * 32_000,
    "backslashes": b'"' + b"\\" * 60_001,
    "bad UTF-8": b'{"amounts": [1], "note": "\xff"}',
    "cut UTF-8": b'{"amounts": [1], "note": "\xc3"}',
    "overlong UTF-8": b'{"amounts": [1], "note": "\xc0\xaf"}',
    "past Unicode": b'{"amounts": [1], "note": "\xf4\x90\x80\x80"}',
    "UTF-16": '{"amounts": [1]}'.encode("utf-16"),
    "UTF-32": '{"amounts": [1]}'.encode("utf-32"),
    "byte order mark": b'\xef\xbb\xbf{"amounts": [1]}',
    "gzip": b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03",
    "only a space": b" ",
    "single quotes": b"{'amounts': [1]}",
    "no quotes": b"{amounts: [1]}",
    "comma at the end": b'{"amounts": [1,]}',
    "comma at the end of an object": b'{"amounts": [1],}',
    "no comma": b'{"amounts": [1] "note": null}',
    "comment": b'{"amounts": [1] /* one */}',
    "two values": b'{"amounts": [1]}{"amounts": [1]}',
    "text behind": b'{"amounts": [1]} x',
    "half": b'{"amounts": [1',
    "text without end": b'{"amounts": [1], "note": "a',
    "closing alone": b"]",
    "wrong bracket": b'{"amounts": [1}',
    "Python's None": b'{"amounts": None}',
    "JavaScript's undefined": b'{"amounts": undefined}',
    "half an escape": offered('"\\u12"'),
    "unknown escape": offered('"\\x41"'),
    "form": b"amounts=1",
    "XML": b"<amounts>1</amounts>",
    "capital True": b'{"amounts": [True]}',
}

WRONG_FORM: Final[dict[str, bytes]] = {
    "null": b"null",
    "list": b"[]",
    "text": b'"amounts"',
    "number": b"1",
    "true": b"true",
    "empty": b"{}",
    "true for a number": b'{"amounts": [true]}',
    "text for a number": b'{"amounts": ["1"]}',
    "fraction": b'{"amounts": [1.5]}',
    "fraction that is whole": b'{"amounts": [1.0]}',
    "power": b'{"amounts": [1e2]}',
    "text for a list": b'{"amounts": "1"}',
    "object for a list": b'{"amounts": {"0": 1}}',
    "number for a text": offered("1"),
    "unknown field": b'{"amounts": [1], "seat": 1}',
    "prototype": b'{"amounts": [1], "__proto__": {}}',
    "key in another case": b'{"Amounts": [1]}',
}


async def posted(client: httpx.AsyncClient, body: bytes) -> httpx.Response:
    return await client.post("/offers", content=body, headers=JSON_TYPE)


def test_the_corpus_of_bad_json_is_large() -> None:
    assert len(BAD_JSON) >= 60


def test_every_bad_json_is_refused_at_once() -> None:
    async def story() -> dict[str, float]:
        took: dict[str, float] = {}
        async with Shop().client() as client:
            for name, body in BAD_JSON.items():
                began = time.perf_counter()
                response = await posted(client, body)
                took[name] = time.perf_counter() - began
                problem_of(response, 400, "malformed_json")
        return took

    took = run(story)
    # The aim is 50 ms; a hundred times as much leaves room for a busy machine.
    assert max(took.values()) < 5, max(took, key=took.__getitem__)


@pytest.mark.parametrize("name", WRONG_FORM)
def test_json_of_another_form_is_refused(name: str) -> None:
    async def story() -> None:
        async with Shop().client() as client:
            problem_of(await posted(client, WRONG_FORM[name]), 422, "malformed")

    run(story)


@pytest.mark.parametrize(
    "value",
    [
        LARGEST,
        -LARGEST,
        0.5,
        "🎲 \\ud800 \\u0000",
        {"a": [None, True, {}], "b": ""},
        json.loads("[" * DEEPEST + "]" * DEEPEST),
        "[[[" * 100,
        '"{' * 100,
    ],
    ids=repr,
)
def test_what_every_reader_understands_is_read(value: Any) -> None:
    assert strict_json(json.dumps(value).encode()) == value
    assert strict_json(json.dumps(value, ensure_ascii=False).encode()) == value


def test_a_good_body_arrives() -> None:
    async def story() -> None:
        async with Shop().client() as client:
            response = await posted(client, offered('"\\ud83c\\udfb2"'))
            assert response.json() == {"amounts": [1], "note": "🎲"}

    run(story)


@pytest.mark.parametrize(
    "media_type",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/jsonx",
        "application/problem+json",
        "application/json; charset=utf-16",
        "application/json, text/plain",
        "",
        "x" * 5000,
    ],
)
def test_a_body_that_does_not_claim_to_be_json_is_refused(media_type: str) -> None:
    async def story() -> None:
        async with Shop().client() as client:
            response = await client.post(
                "/offers", content=b'{"amounts": [1]}', headers={"Content-Type": media_type}
            )
            problem_of(response, 415, "wrong_media_type")
            assert len(response.content) < 1000

    run(story)


def test_a_body_of_no_or_of_two_media_types_is_refused() -> None:
    async def story() -> None:
        async with Shop().client() as client:
            body = b'{"amounts": [1]}'
            problem_of(await client.post("/offers", content=body), 415, "wrong_media_type")
            twice = [("Content-Type", "application/json"), ("Content-Type", "text/plain")]
            response = await client.post("/offers", content=body, headers=twice)
            problem_of(response, 415, "wrong_media_type")

    run(story)


@pytest.mark.parametrize("parameter", ["", "; charset=utf-8", ';charset="UTF-8"'])
def test_json_in_utf_8_may_say_so(parameter: str) -> None:
    async def story() -> None:
        async with Shop().client() as client:
            headers = {"Content-Type": f"Application/JSON{parameter}"}
            response = await client.post("/offers", content=b'{"amounts": []}', headers=headers)
            assert response.status_code == 200

    run(story)


def test_a_body_where_none_is_expected_is_checked_too() -> None:
    async def story() -> None:
        async with Shop().client() as client:
            response = await client.request("GET", "/bug", content=b"[", headers=JSON_TYPE)
            problem_of(response, 400, "malformed_json")

    run(story)


def test_a_body_of_the_largest_size_is_read_and_a_larger_one_is_not() -> None:
    async def story() -> None:
        async with Shop().client() as client:
            body = b'{"amounts": []' + b" " * (MOST - 15) + b"}"
            assert (await posted(client, body)).status_code == 200
            problem_of(await posted(client, body + b" "), 413, "body_too_large")

    run(story)


def test_a_false_length_hides_nothing() -> None:
    async def story() -> None:
        async with Shop().client() as client:
            headers = {**JSON_TYPE, "Content-Length": "10"}
            response = await client.post("/offers", content=b" " * (MOST + 1), headers=headers)
            problem_of(response, 413, "body_too_large")

    run(story)


async def blanks(pieces: int) -> AsyncIterator[bytes]:
    for _ in range(pieces):
        yield b" " * 16_384


def test_a_client_that_sends_far_too_much_without_saying_so_gets_the_answer() -> None:
    async def story() -> None:
        async with serving(Shop().app) as url, httpx.AsyncClient(base_url=url) as client:
            response = await client.post("/offers", content=blanks(500), headers=JSON_TYPE)
            problem_of(response, 413, "body_too_large")
            assert response.headers["connection"] == "close"
            assert (await client.get("/things/hat")).status_code == 200

    run(story)


def test_a_client_that_never_stops_sending_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "LINGERING", 0.1)

    async def send_for_ever(url: str) -> None:
        host, port = url.removeprefix("http://").split(":")
        _, writer = await asyncio.open_connection(host, int(port))
        head = "POST /offers HTTP/1.1\r\nHost: howff\r\nTransfer-Encoding: chunked\r\n\r\n"
        writer.write(head.encode())
        while True:
            writer.write(b"1000\r\n" + b" " * 4096 + b"\r\n")
            await writer.drain()

    async def story() -> None:
        async with serving(Shop().app) as url:
            with pytest.raises(ConnectionError):
                await send_for_ever(url)

    run(story)


async def exchanged(url: str, request: bytes) -> bytes:
    """Return all that the server says to *request* until it closes the connection."""
    host, port = url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(request)
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


def test_a_length_that_is_too_large_is_refused_before_the_body_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def story() -> bytes:
        async with serving(Shop().app) as url:
            head = "POST /offers HTTP/1.1\r\nHost: howff\r\nContent-Length: 1000000000\r\n"
            return await exchanged(url, f"{head}Expect: 100-continue\r\n\r\n".encode())

    monkeypatch.setattr(bodies, "LINGERING", 0.1)
    answer = run(story)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"body_too_large" in answer


def test_a_body_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "PATIENCE", 0.05)
    monkeypatch.setattr(bodies, "LINGERING", 0.05)

    async def story() -> bytes:
        async with serving(Shop().app) as url:
            head = "POST /offers HTTP/1.1\r\nHost: howff\r\nContent-Length: 10\r\n\r\n"
            return await exchanged(url, f"{head}12345".encode())

    answer = run(story)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"body_timeout" in answer


def test_a_client_that_leaves_amid_its_body_disturbs_nobody(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def story() -> None:
        async with serving(Shop().app) as url, httpx.AsyncClient(base_url=url) as client:
            host, port = url.removeprefix("http://").split(":")
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"POST /offers HTTP/1.1\r\nHost: howff\r\nContent-Length: 10\r\n\r\n123")
            await writer.drain()
            writer.close()
            await writer.wait_closed()
            assert (await client.get("/things/hat")).status_code == 200

    run(story)
    assert not [each for each in caplog.records if each.levelname in {"ERROR", "WARNING"}]
