"""A proxy before a server, whose lines break in ways that those of a server alone can't."""

import asyncio
import contextlib
from typing import Final

from howff.servicekit.nats.server import HOST

CHUNK: Final = 64 * 1024


class Proxy:
    """Hands bytes on in both directions, for as long as it is not told otherwise."""

    def __init__(self, port: int) -> None:
        self.url = ""
        self._port = port
        self._server: asyncio.Server | None = None
        self._lines: set[asyncio.Task[None]] = set()
        self._clients: set[asyncio.StreamWriter] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def __aenter__(self) -> "Proxy":
        self._server = await asyncio.start_server(self._accept, HOST)
        self.url = f"nats://{HOST}:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(
            *(writer.wait_closed() for writer in self._writers),
            *self._lines,
            return_exceptions=True,
        )

    def stall(self) -> None:
        """Hand nothing on any more of what comes over the lines that stand; new ones are served."""
        for line in self._lines:
            line.cancel()

    def tell(self, content: bytes) -> None:
        """Tell all clients something that the server has not said."""
        for client in self._clients:
            client.write(content)

    async def _accept(self, reader: asyncio.StreamReader, client: asyncio.StreamWriter) -> None:
        server_reader, server = await asyncio.open_connection(HOST, self._port)
        self._clients.add(client)
        self._writers |= {client, server}
        self._lines |= {
            asyncio.create_task(_hand_on(reader, server)),
            asyncio.create_task(_hand_on(server_reader, client)),
        }


async def _hand_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while content := await reader.read(CHUNK):
            writer.write(content)
            await writer.drain()
        writer.close()
