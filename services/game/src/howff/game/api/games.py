"""Routes that tell of the games."""

from functools import cache

from fastapi import APIRouter, Response

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON
from howff.engine.game import AnyGame
from howff.engine.schema import schema_of, tagged_schema_of
from howff.game.api.schemas import GameAnswer, GameLine, GamesAnswer, Schemas
from howff.game.domain.errors import NoSuchGameError
from howff.match.events import PlatformEvent

games = APIRouter(prefix="/v1/games", tags=["games"])
_CACHED = "public, max-age=60"


@games.get("")
async def list_games(response: Response) -> GamesAnswer:
    """List all games."""
    response.headers["Cache-Control"] = _CACHED
    return GamesAnswer(games=[_line(game) for game in GAMES.values()])


@games.get("/{game}")
async def describe_game(game: str, response: Response) -> GameAnswer:
    """Describe one game: its options, and the forms of its moves, events and views."""
    if game not in GAMES:
        raise NoSuchGameError(tuple(GAMES))
    response.headers["Cache-Control"] = _CACHED
    return _described(game)


@cache
def _described(key: str) -> GameAnswer:
    game = GAMES[key]
    schemas = Schemas(
        options=schema_of(game.options),
        move=tagged_schema_of(game.move),
        event=_told(tagged_schema_of(game.event | PlatformEvent)),
        view=schema_of(game.view_type),
    )
    return GameAnswer(**_line(game).model_dump(), schemas=schemas)


def _line(game: AnyGame) -> GameLine:
    return GameLine(
        key=game.key,
        title=game.title,
        authors=game.authors,
        summary=game.summary,
        seats=list(game.seats),
        rules_version=game.rules_version,
        data_hash=game.data_hash,
    )


def _told(events: JSON) -> JSON:
    """Return the schema of *events* as viewers are told of them: with salts of what is shown."""
    salts = {"type": "object", "additionalProperties": {"type": "string"}}
    for event in events["oneOf"]:
        event["properties"]["salts"] = salts
    return events
