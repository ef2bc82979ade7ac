"""Routes of lists: a page at a time, the newest first."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from pydantic import BaseModel

from howff.lobby.api.deps import parts_of
from howff.lobby.api.table_schemas import GameKey
from howff.lobby.application.lists import Lists, Page, Span
from howff.lobby.application.summaries import (
    MatchState,
    MatchSummary,
    MyMatchSummary,
    TableSummary,
)
from howff.servicekit.web.answers import private_json
from howff.servicekit.web.auth import RequiredCaller, require_scope
from howff.servicekit.web.cursors import MOST_CHARACTERS, cursor_of, place_of

lists = APIRouter(prefix="/v1", tags=["lists"])

Limit = Annotated[int, Query(ge=1, le=100, description="The most items of a page.")]
Cursor = Annotated[
    str | None,
    Query(max_length=MOST_CHARACTERS, description="`next` of the page before, of the same list."),
]
GameQuery = Annotated[GameKey | None, Query(description="Of this game alone.")]
StateQuery = Annotated[
    MatchState | None,
    Query(description="In this state alone; `ended`: those first that have ended last."),
]


class TablesPage(BaseModel):
    """Tables, the newest first."""

    items: tuple[TableSummary, ...]
    next: str | None


class MatchesPage(BaseModel):
    """Matches, the newest first."""

    items: tuple[MatchSummary, ...]
    next: str | None


class MyMatchesPage(BaseModel):
    """Matches of an account, the newest first."""

    items: tuple[MyMatchSummary, ...]
    next: str | None


@lists.get("/lobby/tables", response_model=TablesPage)
async def list_open_tables(
    request: Request, game: GameQuery = None, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """List the open tables where anybody may sit down."""
    listed = _named("tables", game)
    page = await _lists_of(request).open_tables(_span(listed, limit, cursor), game)
    return private_json(TablesPage(items=page.items, next=_next(listed, page)))


@lists.get("/lobby/matches", response_model=MatchesPage)
async def list_matches(
    request: Request,
    game: GameQuery = None,
    state: StateQuery = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """List the matches that everybody may watch."""
    listed = _named("matches", game, state)
    page = await _lists_of(request).watchable_matches(_span(listed, limit, cursor), game, state)
    return private_json(MatchesPage(items=page.items, next=_next(listed, page)))


@lists.get("/me/tables", response_model=TablesPage)
async def list_my_tables(
    request: Request, caller: RequiredCaller, limit: Limit = 50, cursor: Cursor = None
) -> Response:
    """List the tables that are not over where the caller sits, is host, or has a seat reserved."""
    require_scope(caller, "read")
    listed = _named("my_tables", caller.account)
    page = await _lists_of(request).tables_of(caller.account, _span(listed, limit, cursor))
    return private_json(TablesPage(items=page.items, next=_next(listed, page)))


@lists.get("/me/matches", response_model=MyMatchesPage)
async def list_my_matches(
    request: Request,
    caller: RequiredCaller,
    state: StateQuery = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """List the matches of the caller, and which of them wait for it."""
    require_scope(caller, "read")
    listed = _named("my_matches", caller.account, state)
    span = _span(listed, limit, cursor)
    page = await _lists_of(request).matches_of(caller.account, span, state)
    return private_json(MyMatchesPage(items=page.items, next=_next(listed, page)))


def _lists_of(request: Request) -> Lists:
    return parts_of(request).lists


def _named(*parts: str | None) -> str:
    """Return the name of a list with its filters."""
    return "\n".join(each or "" for each in parts)


def _span(listed: str, limit: int, cursor: str | None) -> Span:
    if cursor is None:
        return Span(limit)
    return Span(limit, place_of(listed, cursor))


def _next(
    listed: str, page: Page[TableSummary] | Page[MatchSummary] | Page[MyMatchSummary]
) -> str | None:
    return None if page.next is None else cursor_of(listed, page.next)
