"""Routes of feeds: what is new in the lobby, and for an account, as Server-Sent Events."""

import re
from typing import Annotated, Final

from fastapi import APIRouter, Header, Request, Response

from howff.lobby.api.deps import parts_of
from howff.lobby.application.feeds import Frame, Mark
from howff.servicekit.web.auth import (
    OptionalCaller,
    RequiredCaller,
    require_scope,
    until_token_ends,
)
from howff.servicekit.web.openapi import problem_responses
from howff.servicekit.web.sse import EVENTS_TYPE, event_frame, preferred, streamed
from howff.servicekit.web.tokens import Caller

lobby_feeds = APIRouter(prefix="/v1", tags=["feeds"])

_EVENT_ID: Final = re.compile(r"([A-Za-z0-9_-]{1,64})\.(0|[1-9][0-9]{0,14})")

Accept = Annotated[str, Header(max_length=500, include_in_schema=False)]
LastEventId = Annotated[
    str | None,
    Header(
        alias="Last-Event-ID",
        max_length=100,
        description="The id of the last event; without one, or with one of long ago, the feed "
        "begins with a snapshot.",
    ),
]
_RESPONSES: Final = {200: {"content": {EVENTS_TYPE: {}}}, **problem_responses(406)}


@lobby_feeds.get("/lobby/feed", response_class=Response, responses=_RESPONSES)
async def follow_lobby(
    request: Request, caller: OptionalCaller, accept: Accept = "", last_event_id: LastEventId = None
) -> Response:
    """Tell which tables are open and which matches may be watched, and go on as that changes."""
    return await _followed(request, "lobby", caller, accept, last_event_id)


@lobby_feeds.get("/me/feed", response_class=Response, responses=_RESPONSES)
async def follow_account(
    request: Request, caller: RequiredCaller, accept: Accept = "", last_event_id: LastEventId = None
) -> Response:
    """Tell the caller of its tickets, tables, matches and turns, and go on as they change."""
    require_scope(caller, "read")
    audience = f"account.{caller.account}"
    return await _followed(request, audience, caller, accept, last_event_id)


async def _followed(
    request: Request, audience: str, caller: Caller | None, accept: str, event_id: str | None
) -> Response:
    form = preferred(accept, (EVENTS_TYPE,))
    feeds = parts_of(request).feeds
    until = until_token_ends(request, caller)
    return await streamed(feeds.watch(audience, _mark(event_id), until), _event, form)


def _event(frame: Frame) -> bytes:
    mark = frame.mark
    event_id = None if mark is None else f"{mark.epoch}.{mark.number}"
    return event_frame(frame.kind, frame.data, event_id)


def _mark(event_id: str | None) -> Mark | None:
    """Return the mark that an event's id tells; None for what is no id of ours."""
    found = _EVENT_ID.fullmatch(event_id or "")
    return None if found is None else Mark(found[1], int(found[2]))
