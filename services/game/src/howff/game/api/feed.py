"""The route of feeds: the same commits once, as lines, or as Server-Sent Events."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Final

from fastapi import APIRouter, Header, Query, Request, Response
from fastapi.responses import StreamingResponse

from howff.engine.errors import MalformedError
from howff.engine.seats import Viewer
from howff.game.api.answers import viewer_name
from howff.game.api.deps import MatchPath, ViewerQuery, account_of, parts_of
from howff.game.api.schemas import EventsAnswer
from howff.game.application.feeds import Feeds, Frame
from howff.game.application.matches import Known, Log
from howff.game.domain.errors import NoSuchVersionError, NotAcceptableError
from howff.game.domain.seating import viewer_for
from howff.game.domain.telling import line_of
from howff.servicekit.web.auth import OptionalCaller
from howff.servicekit.web.openapi import problem_responses

feed = APIRouter(prefix="/v1/matches", tags=["matches"])

JSON_TYPE: Final = "application/json"
LINES_TYPE: Final = "application/x-ndjson"
EVENTS_TYPE: Final = "text/event-stream"
_FORMS: Final = (EVENTS_TYPE, LINES_TYPE, JSON_TYPE)
_QUALITY: Final = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE)
_HEADERS: Final = {
    "Cache-Control": "private, no-store",
    "Vary": "Authorization, Accept",
    "X-Accel-Buffering": "no",
}


@feed.get(
    "/{match_id}/events",
    response_model=EventsAnswer,
    responses={
        200: {"content": {LINES_TYPE: {}, EVENTS_TYPE: {}}},
        204: {"description": "The match is over, and everything of it was told."},
        **problem_responses(406, 409),
    },
)
async def follow_match(
    request: Request,
    match: MatchPath,
    caller: OptionalCaller,
    after: Annotated[int, Query(ge=0, le=10**6)] = 0,
    eyes: ViewerQuery = None,
    accept: Annotated[str, Header(max_length=500, include_in_schema=False)] = "",
    last_event_id: Annotated[str | None, Header(alias="Last-Event-ID", max_length=100)] = None,
) -> Response:
    """Tell the commits after a version to the caller's eyes; lines and events go on live."""
    form = _form_of(accept)
    after = after if last_event_id is None else _version_of(last_event_id)
    account = account_of(caller)
    parts = parts_of(request)
    known = await parts.matches.find(match)
    viewer = viewer_for(known.match.started, account, eyes)
    newest = known.match.version
    if after > newest:
        raise NoSuchVersionError(newest, after)
    if form == JSON_TYPE:
        log = await parts.matches.log(known, after=after)
        return Response(await asyncio.to_thread(_page, log, viewer), 200, _HEADERS, JSON_TYPE)
    if form == EVENTS_TYPE and known.match.is_over and after == newest:
        return Response(status_code=204, headers=_HEADERS)  # which a browser takes for the end
    write = _event if form == EVENTS_TYPE else _line
    frames = _written(parts.feeds, known, viewer, after, write)
    await anext(frames)  # what can't be followed is refused while there still is another answer
    return StreamingResponse(frames, 200, _HEADERS, form)


async def _written(
    feeds: Feeds, known: Known, viewer: Viewer, after: int, write: Callable[[Frame], bytes]
) -> AsyncIterator[bytes]:
    """Yield nothing once the feed is open, and then what it tells."""
    async with feeds.watch(known, viewer, after) as frames:
        yield b""
        async for frame in frames:
            yield write(frame)


def _page(log: Log, viewer: Viewer) -> bytes:
    match = log.known.match
    lines = b",".join(line_of(log.known.told(commit, viewer)) for commit in log.commits)
    head = f'{{"match":"{match.id}","viewer":"{viewer_name(viewer)}","version":{match.version}'
    return head.encode() + b',"commits":[' + lines + b"]}"


def _event(frame: Frame) -> bytes:
    if frame.kind == "commit":
        return b"id: %d\nevent: commit\ndata: %b\n\n" % (frame.version, frame.line)
    return b'event: %b\ndata: {"version":%d}\n\n' % (frame.kind.encode(), frame.version)


def _line(frame: Frame) -> bytes:
    if frame.kind == "commit":
        return frame.line + b"\n"
    return b'{"%b":%d}\n' % (frame.kind.encode(), frame.version)


def _form_of(accept: str) -> str:
    """Return the form that *accept* prefers (RFC 9110, 12.5.1).

    Of equal ones that which is named, a feed before a page; who takes anything gets a page.
    """
    wanted = dict(map(_range, filter(str.strip, accept.split(",")))) or {"*/*": 1.0}

    def quality(form: str) -> float:
        kind = form.partition("/")[0]
        return wanted.get(form, wanted.get(f"{kind}/*", wanted.get("*/*", 0.0)))

    def preference(form: str) -> tuple[float, bool, bool]:
        return quality(form), form in wanted, form == JSON_TYPE and form not in wanted

    best = max(_FORMS, key=preference)
    if not quality(best):
        raise NotAcceptableError((JSON_TYPE, LINES_TYPE, EVENTS_TYPE), accept)
    return best


def _range(part: str) -> tuple[str, float]:
    media, *parameters = [each.strip() for each in part.split(";")]
    given = next(filter(None, map(_QUALITY.fullmatch, parameters)), None)
    return media.lower(), 1.0 if given is None else float(given[1])


def _version_of(event_id: str) -> int:
    if event_id.isascii() and event_id.isdecimal() and len(event_id) <= 7:  # noqa: PLR2004
        return int(event_id)
    raise MalformedError("Last-Event-ID", expected="a version", found=repr(event_id[:40]))
