"""A server that answers as a test tells it to, byte by byte, over real connections."""

import asyncio
import json
import socket
import struct
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import parse_qsl

FEED: Final = (
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n"
    b"transfer-encoding: chunked\r\n\r\n"
)
"""How an answer begins that goes on as a feed, in chunks."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it arrived; names of *headers* in lower case."""

    method: str
    target: str
    headers: dict[str, str]
    body: bytes

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), strict_parsing=True))

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True, slots=True)
class Line:
    """The way back to whoever asked; it is closed when the answer is given."""

    writer: asyncio.StreamWriter

    async def send(self, content: bytes) -> None:
        self.writer.write(content)
        await self.writer.drain()

    async def reset(self) -> None:
        """Break the connection, as a host does that crashed."""
        linger = struct.pack("ii", 1, 0)
        self.writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.writer.transport.abort()

    async def hold(self) -> None:
        """Say nothing more, and never hang up."""
        await asyncio.Event().wait()


Answering = Callable[[Asked, Line], Awaitable[None]]


@dataclass(slots=True)
class Wire:
    """A server that runs, and everything that it was asked."""

    url: str = ""
    asked: list[Asked] = field(default_factory=list)


@asynccontextmanager
async def answering(answer: Answering) -> AsyncGenerator[Wire, None]:
    """Run a server that gives each request to *answer*."""
    wire = Wire()
    open_lines: set[asyncio.Task[Any]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        open_lines.add(task)
        try:
            asked = await _read(reader)
            wire.asked.append(asked)
            await answer(asked, Line(writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass  # The client has left, as some are meant to.
        finally:
            open_lines.discard(task)
            writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        wire.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield wire
        finally:
            for line in tuple(open_lines):
                line.cancel()
            await asyncio.gather(*open_lines, return_exceptions=True)


def answer(status: int, content: Any = None, **headers: str) -> bytes:
    """Return a whole answer with *content* as JSON; `_` in names of *headers* stands for `-`."""
    body = b"" if content is None else json.dumps(content).encode()
    lines = [f"HTTP/1.1 {status} Told", f"content-length: {len(body)}", "connection: close"]
    lines += ["content-type: application/json"] * (content is not None)
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode() + body


def chunk(content: bytes) -> bytes:
    """Return *content* as a chunk of an answer."""
    return b"%x\r\n%s\r\n" % (len(content), content)


def problem(status: int, code: str, **headers: str) -> bytes:
    """Return an answer that refuses."""
    content = {"status": status, "code": code, "title": code, "expected": "this", "found": "that"}
    return answer(status, content, **headers)


async def _read(reader: asyncio.StreamReader) -> Asked:
    head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    method, target, _ = head[0].split(" ")
    pairs = (line.split(": ", 1) for line in head[1:] if line)
    headers = {name.lower(): value for name, value in pairs}
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Asked(method, target, headers, body)
