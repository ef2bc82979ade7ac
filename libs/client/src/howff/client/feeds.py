"""A feed that is followed over any number of connections, without a gap."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from http import HTTPStatus

from httpx_sse import EventSource, ServerSentEvent

from howff.client.errors import JSON, BrokenFeedError, ClientError
from howff.client.requests import Requests, reaching, refusal_in, unexpected


async def follow(
    requests: Requests, path: str, query: dict[str, str], after: int
) -> AsyncGenerator[JSON, None]:
    """Yield the commits after version *after*, as they come, until the match is over.

    Raises:
        ClientError: the service refuses, or is away longer than patience lasts.
    """
    progress = _Progress(after, requests.patience.lag)
    pauses = requests.pauses()
    while not progress.is_over:
        try:
            async with aclosing(_frames(requests, path, query, progress.version)) as frames:
                while not progress.is_over:
                    frame = await _next(frames, requests.patience.silence)
                    commit = progress.after(frame)
                    if not progress.is_lagging:
                        pauses.reset()
                    if commit is not None:
                        yield commit
        except ClientError as error:
            await pauses.after(error)


async def _frames(
    requests: Requests, path: str, query: dict[str, str], after: int
) -> AsyncGenerator[ServerSentEvent, None]:
    """Yield what one connection brings."""
    headers = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
    if after:
        headers["Last-Event-ID"] = str(after)
    query = query | {"after": str(after)}
    with reaching(requests.address):
        async with requests.http.stream("GET", path, params=query, headers=headers) as answer:
            if answer.status_code == HTTPStatus.NO_CONTENT:
                yield ServerSentEvent("over", f'{{"version": {after}}}')
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
        raise BrokenFeedError(expected="the end of the match", found="that of the feed") from error
    except TimeoutError as error:
        expected = f"a sign of life within {within:g} seconds"
        raise BrokenFeedError(expected=expected, found="silence") from error


class _Progress:
    """How far a feed has come, by all its connections."""

    def __init__(self, version: int, lag: float) -> None:
        self.version = version
        self.is_over = False
        self._lag = lag
        self._lagging_since: float | None = None

    @property
    def is_lagging(self) -> bool:
        """Whether there are commits that were told of and have not come."""
        return self._lagging_since is not None

    def after(self, frame: ServerSentEvent) -> JSON | None:
        """Return the commit in *frame*, if it brings the next one.

        Raises:
            BrokenFeedError: commits are missing.
        """
        match frame.event:
            case "commit":
                return self._after_commit(frame)
            case "heartbeat":
                self._after_heartbeat(_content(frame)["version"])
            case "over":
                self._check_next(_content(frame)["version"] + 1)
                self.is_over = True
            case _:
                pass
        return None

    def _after_commit(self, frame: ServerSentEvent) -> JSON | None:
        commit = _content(frame)
        self._check_next(commit["version"])
        if commit["version"] <= self.version:
            return None
        self.version += 1
        self._lagging_since = None
        return commit

    def _after_heartbeat(self, newest: int) -> None:
        now = time.monotonic()
        if newest <= self.version:
            self._lagging_since = None
        elif self._lagging_since is None:
            self._lagging_since = now
        elif now - self._lagging_since > self._lag:
            self._check_next(newest + 1)

    def _check_next(self, version: int) -> None:
        """Refuse to go on with *version* where others should come before."""
        if version > self.version + 1:
            # The next connection is given as much time to catch up as this one.
            self._lagging_since = None
            expected = f"version {self.version + 1}"
            raise BrokenFeedError(expected=expected, found=f"version {version}")


def _content(frame: ServerSentEvent) -> dict[str, JSON]:
    """Return what *frame* tells: a commit, or as little as the `version` that it is about."""
    try:
        plain = frame.json()
    except (ValueError, RecursionError):
        plain = None
    if not isinstance(plain, dict) or type(plain.get("version")) is not int:
        raise BrokenFeedError(expected="an object with a version", found=repr(frame.data[:80]))
    return plain
