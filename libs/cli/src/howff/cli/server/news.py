"""Waiting until something happens to an account, for commands that look again then."""

import asyncio
from contextlib import aclosing
from typing import Self

from howff.cli.server.servers import Server


class News:
    """Wakes whoever waits when a server tells its account something new.

    A context manager that hangs up at its end.
    """

    def __init__(self, server: Server) -> None:
        self._server = server
        self._has_come = asyncio.Event()
        self._reading: asyncio.Task[None] | None = None

    def __enter__(self) -> Self:
        self._server.ask(self._begin())
        return self

    def __exit__(self, *_: object) -> None:
        self._server.finish(self._end())

    def wait(self, seconds: float) -> None:
        """Wait until something has come since the last time, at most so many *seconds*.

        Raises:
            ClientError: the server refuses, or is away for too long.
        """
        self._server.ask(self._wait(seconds))

    async def _begin(self) -> None:
        self._reading = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async with aclosing(self._server.client.lobby.own_feed()) as feed:
            async for _ in feed:
                self._has_come.set()

    async def _wait(self, seconds: float) -> None:
        assert self._reading is not None, "the news were not asked for"
        coming = asyncio.create_task(self._has_come.wait())
        try:
            await asyncio.wait(
                (coming, self._reading), timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            coming.cancel()
        if self._reading.done():
            self._reading.result()
        self._has_come.clear()

    async def _end(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
