"""The routes of feeds: the same commits once, as lines, or as Server-Sent Events; or in words."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Header, Query, Request, Response

from howff.contracts.feeds import MatchInWords
from howff.engine.errors import MalformedError
from howff.engine.seats import Viewer
from howff.game.api.deps import MatchPath, ViewerQuery, asker_of, parts_of
from howff.game.api.schemas import EventsAnswer
from howff.game.application.feeds import Frame
from howff.game.application.matches import Log
from howff.game.domain.errors import NoSuchVersionError
from howff.game.domain.seating import Worker, viewer_for
from howff.game.domain.telling import Voice, as_it_is, in_words
from howff.match.commit import MatchId
from howff.match.export import viewer_name
from howff.servicekit.web.auth import OptionalCaller, until_token_ends
from howff.servicekit.web.openapi import problem_responses
from howff.servicekit.web.sse import EVENTS_TYPE, FEED_HEADERS, event_frame, preferred, streamed
from howff.servicekit.web.tokens import Caller

feed = APIRouter(prefix="/v1/matches", tags=["matches"])

JSON_TYPE: Final = "application/json"
LINES_TYPE: Final = "application/x-ndjson"


After = Annotated[int, Query(ge=0, le=10**6, description="Commits after this version alone.")]
Accept = Annotated[str, Header(max_length=500, include_in_schema=False)]
LastEventId = Annotated[str | None, Header(alias="Last-Event-ID", max_length=100)]
_RESPONSES: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {LINES_TYPE: {}, EVENTS_TYPE: {}}},
    204: {"description": "The match is over, and everything of it was told."},
    **problem_responses(406, 409),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a client wants to be told: from where on, through whose eyes, in which form."""

    after: int
    eyes: str | None
    accept: str


async def _wanted(
    after: After = 0,
    eyes: ViewerQuery = None,
    accept: Accept = "",
    last_event_id: LastEventId = None,
) -> Wanted:
    """Return what the parameters of a request say; the id of an event goes before *after*."""
    return Wanted(after if last_event_id is None else _version_of(last_event_id), eyes, accept)


WantedHere = Annotated[Wanted, Depends(_wanted)]


@feed.get("/{match_id}/events", response_model=EventsAnswer, responses=_RESPONSES)
async def follow_match(
    request: Request, match: MatchPath, caller: OptionalCaller, wanted: WantedHere
) -> Response:
    """Tell the commits after a version to the caller's eyes; lines and events go on live.

    Workers get a page, whatever they accept: they keep nothing in mind, and are told all anew.
    """
    return await _told(request, match, caller, wanted, as_it_is)


@feed.get("/{match_id}/lines", response_model=MatchInWords, responses=_RESPONSES)
async def follow_match_in_words(
    request: Request, match: MatchPath, caller: OptionalCaller, wanted: WantedHere
) -> Response:
    """Tell the same in words: a line for each event, in which the seats go by their numbers."""
    return await _told(request, match, caller, wanted, in_words)


async def _told(
    request: Request, match: MatchId, caller: Caller | None, wanted: Wanted, voice: Voice
) -> Response:
    form = preferred(wanted.accept, (EVENTS_TYPE, LINES_TYPE), JSON_TYPE)
    after = wanted.after
    asker = asker_of(caller)
    parts = parts_of(request)
    known = await parts.matches.find(match)
    viewer = viewer_for(known.match, asker, wanted.eyes)
    newest = known.match.version
    if after > newest:
        raise NoSuchVersionError(newest, after)
    is_worker = isinstance(asker, Worker)
    if form == JSON_TYPE or is_worker:
        log = await parts.matches.log(known, after=after)
        page = await asyncio.to_thread(_page, log, viewer, voice, live=is_worker)
        return Response(page, 200, FEED_HEADERS, JSON_TYPE)
    if form == EVENTS_TYPE and known.match.is_over and after == newest:
        return Response(status_code=204, headers=FEED_HEADERS)  # which a browser takes for the end
    write = _event if form == EVENTS_TYPE else _line
    until = until_token_ends(request, caller)
    opened = parts.feeds.watch(known, viewer, after, until, voice)
    return await streamed(opened, write, form)


def _page(log: Log, viewer: Viewer, voice: Voice, *, live: bool) -> bytes:
    match = log.known.match
    told = (log.known.told(commit, viewer, live=live) for commit in log.commits)
    lines = b",".join(voice(match, each, viewer) for each in told)
    head = f'{{"match":"{match.id}","viewer":"{viewer_name(viewer)}","version":{match.version}'
    return head.encode() + b',"commits":[' + lines + b"]}"


def _event(frame: Frame) -> bytes:
    if frame.kind == "commit":
        return event_frame("commit", frame.line, str(frame.version))
    return event_frame(frame.kind, b'{"version":%d}' % frame.version)


def _line(frame: Frame) -> bytes:
    if frame.kind == "commit":
        return frame.line + b"\n"
    return b'{"%b":%d}\n' % (frame.kind.encode(), frame.version)


def _version_of(event_id: str) -> int:
    if event_id.isascii() and event_id.isdecimal() and len(event_id) <= 7:  # noqa: PLR2004
        return int(event_id)
    raise MalformedError("Last-Event-ID", expected="a version", found=repr(event_id[:40]))
