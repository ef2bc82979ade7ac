"""HTTP as plainly as it goes, for clients that hang up whenever they like and of which many run."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from howff.engine.codec import JSON

LOST: Final = (OSError, EOFError, TimeoutError)
"""What a request ends with when no whole answer comes."""
ANSWER_WITHIN: Final = 5.0
"""Seconds after which a client takes its request for lost, before the service gives it up."""
LARGEST_HEAD: Final = 64 * 1024
_END: Final = b"\r\n\r\n"
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked; *target* is the path with its query."""

    method: str
    target: str
    headers: Mapping[str, str]
    content: JSON = None

    def written(self) -> bytes:
        """Return the bytes of the request."""
        body = b"" if self.content is None else json.dumps(self.content).encode()
        own = {"Host": "howff.test", "Content-Length": str(len(body))}
        own |= {"Content-Type": "application/json"} if body else {}
        lines = [f"{name}: {value}" for name, value in {**own, **self.headers}.items()]
        head = "\r\n".join([f"{self.method} {self.target} HTTP/1.1", *lines])
        return head.encode() + _END + body


@dataclass(frozen=True, slots=True)
class Head:
    """How an answer begins."""

    status: int
    headers: Mapping[str, str]


@dataclass(slots=True)
class Replica:
    """Where one replica is reached, and the open lines to it that nobody uses."""

    url: str
    idle: list[Line] = field(default_factory=list)

    async def ask(self, request: Request) -> tuple[int, bytes]:
        """Return status and body of the answer.

        Raises:
            OSError, EOFError, TimeoutError: none came, or not all of it.
        """
        async with asyncio.timeout(ANSWER_WITHIN):
            line = self.idle.pop() if self.idle else await self._opened()
            try:
                line[1].write(request.written())
                head = await _head(line[0])
                body = b"".join([part async for part in _body(line[0], head)])
            except BaseException:
                line[1].close()
                raise
            self.idle.append(line)
            return head.status, body

    @asynccontextmanager
    async def stream(
        self, request: Request
    ) -> AsyncIterator[tuple[int, AsyncGenerator[bytes, None]]]:
        """Give the status and the parts of an answer as they come; then hang up.

        Raises:
            OSError, EOFError, TimeoutError: the line broke.
        """
        async with asyncio.timeout(ANSWER_WITHIN):
            reader, writer = await self._opened()
        try:
            async with asyncio.timeout(ANSWER_WITHIN):
                writer.write(request.written())
                head = await _head(reader)
            yield head.status, _body(reader, head)
        finally:
            writer.close()

    def hang_up(self) -> None:
        """Close all lines that nobody uses."""
        while self.idle:
            self.idle.pop()[1].close()

    async def _opened(self) -> Line:
        address = urlsplit(self.url)
        return await asyncio.open_connection(address.hostname, address.port, limit=LARGEST_HEAD)


async def _head(reader: asyncio.StreamReader) -> Head:
    first, *lines = (await reader.readuntil(_END)).decode().removesuffix("\r\n\r\n").split("\r\n")
    pairs = (line.split(": ", 1) for line in lines)
    return Head(int(first.split(" ")[1]), {name.lower(): value for name, value in pairs})


async def _body(reader: asyncio.StreamReader, head: Head) -> AsyncGenerator[bytes, None]:
    if head.headers.get("transfer-encoding") != "chunked":
        yield await reader.readexactly(int(head.headers.get("content-length", "0")))
        return
    while size := int(await reader.readuntil(b"\r\n"), 16):
        yield await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)
