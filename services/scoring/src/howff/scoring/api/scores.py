"""Routes of leaderboards and players."""

from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request, Response

from howff.contracts.ids import ID_FORM
from howff.scoring.api.answers import answered
from howff.scoring.api.deps import Cursor, GamePath, Kind, KindQuery, Limit, PlayerPath, parts_of
from howff.scoring.application.answers import Page, PlayedMatch, Player, RankedPlayer, RatingStep
from howff.servicekit.web.auth import OptionalCaller
from howff.servicekit.web.cursors import WrongCursorError, cursor_of, place_of

scores = APIRouter(prefix="/v1", tags=["scores"])

Around = Annotated[
    str | None,
    Query(pattern=ID_FORM, description="Show this player in the middle, instead of the best."),
]
TABLE: Final[dict[int | str, dict[str, Any]]] = {200: {"content": {"text/csv": {}}}}


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
        items = await known.around(game, kind, around, limit)
        return answered(request, Page(items=tuple(items), next=None), items)
    after = None
    if cursor is not None:
        points, player = place_of(listed, cursor)
        after = _number(points), player
    items = await known.leaders(game, kind, limit + 1, after)
    shown, last = items[:limit], items[limit - 1 : limit]
    following = None
    if len(items) > limit:
        following = cursor_of(listed, (str(last[0].sure_rating), last[0].player))
    return answered(request, Page(items=tuple(shown), next=following), shown)


@scores.get("/players/{player_id}", response_model=Player)
async def show_player(request: Request, player: PlayerPath) -> Response:
    """Show the ratings of an account, and how it has done in each game."""
    return answered(request, await parts_of(request).scores.player(player))


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
    is_own = caller is not None and caller.account == player and "read" in caller.scopes
    listed = f"matches\n{player}\n{is_own}"
    after = None
    if cursor is not None:
        position, seat = place_of(listed, cursor)
        after = _number(position), _number(seat)
    found = await parts_of(request).scores.matches_of(player, limit + 1, after, is_own=is_own)
    shown = [each for _, each in found[:limit]]
    following = None
    if len(found) > limit:
        position_of_last, seat_of_last = found[limit - 1][0]
        following = cursor_of(listed, (str(position_of_last), str(seat_of_last)))
    page = Page(items=tuple(shown), next=following)
    return answered(request, page, shown, is_private=is_own)


@scores.get("/players/{player_id}/rating-history", response_model=Page[RatingStep], responses=TABLE)
async def show_rating_history(
    request: Request,
    player: PlayerPath,
    game: Annotated[str, Query(pattern=ID_FORM, description="The key of a game.")],
    kind: Annotated[Kind, Query(description="Matches in one sitting, or over days.")] = "live",
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """Show what each match has made of a rating, the newest first."""
    listed = f"history\n{player}\n{game}\n{kind}"
    before = None if cursor is None else _number(place_of(listed, cursor)[0])
    found = await parts_of(request).scores.steps_of(player, game, kind, limit + 1, before)
    shown = [each for _, each in found[:limit]]
    following = None
    if len(found) > limit:
        following = cursor_of(listed, (str(found[limit - 1][0]), ""))
    return answered(request, Page(items=tuple(shown), next=following), shown)


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError as error:  # whoever makes up a cursor can also make up its check
        raise WrongCursorError from error
