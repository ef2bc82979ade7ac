"""A feed that is followed over any number of connections, without a gap."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from http import HTTPStatus
from typing import Protocol, TypeVar

from httpx_sse import EventSource, ServerSentEvent

from howff.client.errors import JSON, BrokenFeedError, ClientError
from howff.client.requests import Requests, reaching, refusal_in, unexpected

T_co = TypeVar("T_co", covariant=True)
T = TypeVar("T")


class Progress(Protocol[T_co]):
    """How far a feed has come, by all its connections."""

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to come."""
        ...

    @property
    def is_lagging(self) -> bool:
        """Whether there is something that was told of and has not come."""
        ...

    @property
    def query(self) -> dict[str, str]:
        """What the next connection asks for."""
        ...

    @property
    def last_id(self) -> str | None:
        """The id of the last frame that has come, if any has."""
        ...

    def after(self, frame: ServerSentEvent) -> T_co | None:
        """Return what *frame* brings, if that is the next to be told.

        Raises:
            BrokenFeedError: something is missing, or *frame* makes no sense.
        """
        ...


async def follow(requests: Requests, path: str, progress: Progress[T]) -> AsyncGenerator[T, None]:
    """Yield what comes after what *progress* knows, as it comes, until that is over.

    Raises:
        ClientError: the service refuses, or is away longer than patience lasts.
    """
    pauses = requests.pauses()
    while not progress.is_over:
        try:
            async with aclosing(_frames(requests, path, progress)) as frames:
                while not progress.is_over:
                    told = progress.after(await _next(frames, requests.patience.silence))
                    if told is not None:
                        yield told
                    # What whoever follows does meanwhile is no sign that the service is away.
                    if not progress.is_lagging:
                        pauses.reset()
        except ClientError as error:
            await pauses.after(error)


class Lag:
    """For how long something has been missing; more than *longest* seconds are too many."""

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._since: float | None = None

    @property
    def is_there(self) -> bool:
        return self._since is not None

    def end(self) -> None:
        """Note that nothing is missing, or that the next connection has as much time as this."""
        self._since = None

    def is_too_long(self) -> bool:
        """Note that something is missing; return whether it has been for too long."""
        now = time.monotonic()
        if self._since is None:
            self._since = now
        return now - self._since > self._longest


def object_in(frame: ServerSentEvent) -> dict[str, JSON]:
    """Return the object that *frame* tells.

    Raises:
        BrokenFeedError: it tells something else.
    """
    try:
        plain = frame.json()
    except (ValueError, RecursionError):
        plain = None
    if not isinstance(plain, dict):
        raise BrokenFeedError(expected="an object", found=repr(frame.data[:80]))
    return plain


def number_in(frame: ServerSentEvent, name: str) -> int:
    """Return the number called *name* in what *frame* tells.

    Raises:
        BrokenFeedError: there is none.
    """
    number = object_in(frame).get(name)
    if type(number) is not int:
        raise BrokenFeedError(expected=f"an object with a {name}", found=repr(frame.data[:80]))
    return number


async def _frames(
    requests: Requests, path: str, progress: Progress[T]
) -> AsyncGenerator[ServerSentEvent, None]:
    """Yield what one connection brings; that all is told comes as a frame `over` without data."""
    headers = {"Accept": "text/event-stream", "Cache-Control": "no-store", **requests.bearer()}
    if progress.last_id is not None:
        headers["Last-Event-ID"] = progress.last_id
    with reaching(requests.address):
        asked = requests.http.stream("GET", path, params=progress.query, headers=headers)
        async with asked as answer:
            if answer.status_code == HTTPStatus.NO_CONTENT:
                yield ServerSentEvent("over")
            elif answer.status_code != HTTPStatus.OK:
                await answer.aread()
                raise refusal_in(answer)
            elif not answer.headers.get("content-type", "").startswith("text/event-stream"):
                raise unexpected(answer)
            else:
                async with aclosing(EventSource(answer).aiter_sse()) as events:
                    async for event in events:
                        yield event


async def _next(frames: AsyncGenerator[ServerSentEvent, None], within: float) -> ServerSentEvent:
    try:
        async with asyncio.timeout(within):
            return await anext(frames)
    except StopAsyncIteration as error:
        raise BrokenFeedError(expected="more", found="the end of the feed") from error
    except TimeoutError as error:
        expected = f"a sign of life within {within:g} seconds"
        raise BrokenFeedError(expected=expected, found="silence") from error
