"""A load generator that costs little itself: HTTP/1.1 over kept connections, and event feeds."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit


@dataclass(slots=True)
class Http:
    """One connection; requests go one after the other."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    host: str

    @classmethod
    async def to(cls, url: str) -> Self:
        parts = urlsplit(url)
        reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
        return cls(reader, writer, parts.netloc)

    async def ask(self, method: str, path: str, headers: str = "", body: bytes = b"") -> bytes:
        """Return the body of the answer, which has to be a success."""
        self._send(method, path, headers, body)
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        content = await self.reader.readexactly(length)
        assert head[9:10] == b"2", (head, content)
        return content

    async def versions(self, path: str, headers: str = "") -> AsyncIterator[int]:
        """Yield the version of each commit that a feed tells."""
        self._send("GET", path, f"Accept: text/event-stream\r\n{headers}", b"")
        while line := await self.reader.readline():
            if line.startswith(b"id: "):
                yield int(line[4:])

    def close(self) -> None:
        self.writer.close()

    def _send(self, method: str, path: str, headers: str, body: bytes) -> None:
        self.writer.write(
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\n{headers}"
            f"Content-Length: {len(body)}\r\n\r\n".encode()
            + body
        )
