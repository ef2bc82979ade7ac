"""Server-Sent Events, and which form of an answer a client prefers."""

import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Final, TypeVar

from fastapi.responses import StreamingResponse

from howff.servicekit.web.errors import NotAcceptableError

T = TypeVar("T")

EVENTS_TYPE: Final = "text/event-stream"
FEED_HEADERS: Final[Mapping[str, str]] = {
    "Cache-Control": "private, no-store",
    "Vary": "Authorization, Accept",
    "X-Accel-Buffering": "no",
}
"""No cache keeps a feed, and no proxy holds its frames back."""
_QUALITY: Final = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)


def event_frame(kind: str, data: bytes, id: str | None = None) -> bytes:  # noqa: A002 — its name
    """Return one event; *data* is JSON without a line break."""
    head = b"" if id is None else b"id: %b\n" % id.encode()
    return head + b"event: %b\ndata: %b\n\n" % (kind.encode(), data)


async def streamed(
    opened: AbstractAsyncContextManager[AsyncIterator[T]], write: Callable[[T], bytes], media: str
) -> StreamingResponse:
    """Return the answer that goes on with what *opened* gives for as long as it gives something.

    Raises:
        RefusalError: it can't be opened; there still is another answer then.
    """
    frames = _written(opened, write)
    await anext(frames)
    return StreamingResponse(frames, 200, FEED_HEADERS, media)


async def _written(
    opened: AbstractAsyncContextManager[AsyncIterator[T]], write: Callable[[T], bytes]
) -> AsyncIterator[bytes]:
    """Yield nothing once *opened* is open, and then what it gives."""
    async with opened as frames:
        yield b""
        async for frame in frames:
            yield write(frame)


def preferred(accept: str, feeds: tuple[str, ...], page: str | None = None) -> str:
    """Return which of *feeds*, or *page*, the header *accept* prefers (RFC 9110, 12.5.1).

    Of equal ones that which is named, a feed before a page; who takes anything gets a page, if
    there is one.

    Raises:
        NotAcceptableError: it takes none of them.
    """
    forms = feeds if page is None else (*feeds, page)
    wanted = dict(map(_range, filter(str.strip, accept.split(",")))) or {"*/*": 1.0}

    def quality(form: str) -> float:
        kind = form.partition("/")[0]
        return wanted.get(form, wanted.get(f"{kind}/*", wanted.get("*/*", 0.0)))

    def preference(form: str) -> tuple[float, bool, bool]:
        return quality(form), form in wanted, form == page and form not in wanted

    best = max(forms, key=preference)
    if not quality(best):
        raise NotAcceptableError(tuple(reversed(forms)), accept)
    return best


def _range(part: str) -> tuple[str, float]:
    media, *parameters = [each.strip() for each in part.split(";")]
    given = next(filter(None, map(_QUALITY.fullmatch, parameters)), None)
    return media.lower(), 1.0 if given is None else float(given[1])
