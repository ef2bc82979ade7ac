"""A service that runs in a thread of its own, for as long as a test needs it."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from fastapi import FastAPI

from howff.servicekit.running import run as run_served
from howff.servicekit.web.serving import serving
from support.running import WITHIN

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hosted:
    """An application as it is served, and a client that speaks to it."""

    app: FastAPI
    url: str
    loop: asyncio.AbstractEventLoop
    http: httpx.Client
    stop: Callable[[], None]
    """End it, and wait until it has ended."""

    def call(self, story: Coroutine[Any, Any, T], within: float = WITHIN) -> T:
        """Return what *story* gives, run in the loop of the service."""
        return asyncio.run_coroutine_threadsafe(story, self.loop).result(within)


@contextmanager
def hosted(running: Callable[[], AbstractAsyncContextManager[FastAPI]]) -> Iterator[Hosted]:
    """Serve the application that *running* gives until the context ends, or it is stopped."""
    begun: Future[Hosted] = Future()
    ended = asyncio.Event()

    async def story() -> None:
        loop = asyncio.get_running_loop()
        async with running() as app, serving(app) as url:
            begun.set_result(
                Hosted(app, url, loop, httpx.Client(base_url=url, timeout=WITHIN), stop)
            )
            await ended.wait()

    with ThreadPoolExecutor(1) as threads:
        served = threads.submit(lambda: run_served(story()))

        def stop() -> None:
            if not served.done():
                begun.result().loop.call_soon_threadsafe(ended.set)
            served.result(WITHIN)

        def failed(done: Future[None]) -> None:
            if not begun.done() and (error := done.exception()):
                begun.set_exception(error)

        served.add_done_callback(failed)
        service = begun.result(WITHIN)
        with service.http:
            try:
                yield service
            finally:
                stop()
