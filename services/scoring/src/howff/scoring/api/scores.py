"""Routes of leaderboards and players."""

import re
from collections.abc import Sequence
from typing import Annotated, Final, TypeVar

from fastapi import APIRouter, Query, Request, Response

from howff.contracts.ids import ID_FORM
from howff.scoring.api.answers import TABLE, answered, check_game
from howff.scoring.api.deps import Cursor, GamePath, Kind, KindQuery, Limit, PlayerPath, parts_of
from howff.scoring.application.answers import (
    HeadToHead,
    Page,
    PlayedMatch,
    Player,
    RankedPlayer,
    RatingStep,
)
from howff.scoring.application.naming import named
from howff.scoring.domain.standings import BOT
from howff.servicekit.web.auth import OptionalCaller
from howff.servicekit.web.cursors import WrongCursorError, cursor_of, place_of
from howff.servicekit.web.tokens import Caller

Item = TypeVar("Item")

scores = APIRouter(prefix="/v1", tags=["scores"])

Around = Annotated[
    str | None,
    Query(pattern=ID_FORM, description="Show this player in the middle, instead of the best."),
]
_NUMBER: Final = re.compile(r"-?[0-9]{1,18}")
"""What fits into 64 bits, and so into a query."""
_NAME: Final = re.compile(rf"^({BOT})?{ID_FORM.removeprefix('^')}")
"""An account, or a level of bots; what else a text may hold is not fit for every database."""


@scores.get("/leaderboards/{game}", response_model=Page[RankedPlayer], responses=TABLE)
async def show_leaderboard(
    request: Request,
    game: GamePath,
    kind: KindQuery = "live",
    limit: Limit = 50,
    cursor: Cursor = None,
    around: Around = None,
) -> Response:
    """Show who is best at a game: those first who surely are."""
    listed = f"leaderboard\n{game}\n{kind}"
    known = parts_of(request).scores
    if around is not None:
        page = Page(items=tuple(await known.around(game, kind, around, limit)), next=None)
    else:
        after = None
        if cursor is not None:
            points, player = place_of(listed, cursor)
            after = _number(points), _name(player)
        found = await known.leaders(game, kind, limit + 1, after)
        page = _page(listed, limit, [((each.sure_rating, each.player), each) for each in found])
    check_game(game, page.items)
    if kind != "bots":  # levels have no names
        page = await named(page, parts_of(request).names)
    return answered(request, page, page.items)


@scores.get("/players/{player_id}", response_model=Player)
async def show_player(request: Request, player: PlayerPath, caller: OptionalCaller) -> Response:
    """Show the ratings and streaks of an account, and how it has done in each game.

    Matches that only their seats may watch are in its records for that account alone.
    """
    is_own = _is_own(caller, player)
    parts = parts_of(request)
    found = await named(await parts.scores.player(player, is_own=is_own), parts.names)
    return answered(request, found, is_private=is_own)


@scores.get("/players/{player_id}/head-to-head", response_model=Page[HeadToHead], responses=TABLE)
async def list_opponents_of_player(
    request: Request,
    player: PlayerPath,
    caller: OptionalCaller,
    game: Annotated[
        str | None, Query(pattern=ID_FORM, description="Of this game alone, not of all.")
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """List whom an account has met, the most frequent first, and how it has done against each.

    Matches that only their seats may watch are counted for that account alone.
    """
    is_own = _is_own(caller, player)
    listed = f"head-to-head\n{player}\n{game or ''}\n{is_own}"
    after = None
    if cursor is not None:
        matches, opponent = place_of(listed, cursor)
        after = _number(matches), _name(opponent)
    parts = parts_of(request)
    found = await parts.scores.opponents_of(player, game, limit + 1, after, is_own=is_own)
    page = _page(listed, limit, found)
    check_game(game, page.items)
    page = await named(page, parts.names)
    return answered(request, page, page.items, is_private=is_own)


@scores.get("/players/{player_id}/matches", response_model=Page[PlayedMatch], responses=TABLE)
async def list_matches_of_player(
    request: Request,
    player: PlayerPath,
    caller: OptionalCaller,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response:
    """List the matches of an account that are over, the newest first.

    Those that only their seats may watch are told to that account alone.
    """
    is_own = _is_own(caller, player)
    listed = f"matches\n{player}\n{is_own}"
    after = None
    if cursor is not None:
        position, seat = place_of(listed, cursor)
        after = _number(position), _number(seat)
    found = await parts_of(request).scores.matches_of(player, limit + 1, after, is_own=is_own)
    page = await named(_page(listed, limit, found), parts_of(request).names)
    return answered(request, page, page.items, is_private=is_own)


@scores.get("/players/{player_id}/rating-history", response_model=Page[RatingStep], responses=TABLE)
async def show_rating_history(
    request: Request,
    player: PlayerPath,
    caller: OptionalCaller,
    game: Annotated[str, Query(pattern=ID_FORM, description="The key of a game.")],
    kind: Annotated[Kind, Query(description="Matches in one sitting, or over days.")] = "live",
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """Show what each match has made of a rating, the newest first.

    Which match that was, if its seats alone may watch it, is told to that account alone.
    """
    listed = f"history\n{player}\n{game}\n{kind}"
    before = None if cursor is None else _number(place_of(listed, cursor)[0])
    is_own = _is_own(caller, player)
    scores_known = parts_of(request).scores
    found = await scores_known.steps_of(player, game, kind, limit + 1, before, is_own=is_own)
    page = _page(listed, limit, [((position, ""), each) for position, each in found])
    check_game(game, page.items)
    return answered(request, page, page.items, is_private=is_own)


def _is_own(caller: Caller | None, player: str) -> bool:
    return caller is not None and caller.account == player and "read" in caller.scopes


def _page(
    listed: str, limit: int, found: Sequence[tuple[tuple[int, int | str], Item]]
) -> Page[Item]:
    """Return the first *limit* of what was *found*, one more if there are more, by its place."""
    following = None
    if len(found) > limit:
        order, item = found[limit - 1][0]
        following = cursor_of(listed, (str(order), str(item)))
    return Page(items=tuple(each for _, each in found[:limit]), next=following)


def _number(text: str) -> int:
    # Whoever makes up a cursor can also make up its check.
    if _NUMBER.fullmatch(text) is None:
        raise WrongCursorError
    return int(text)


def _name(text: str) -> str:
    if _NAME.fullmatch(text) is None:
        raise WrongCursorError
    return text
