"""All games, by key."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from howff.engine.errors import UnknownGameError
from howff.engine.game import AnyGame
from howff.engine.games.appenzell import GAME as APPENZELL
from howff.engine.games.dale_of_merchants import GAME as DALE_OF_MERCHANTS
from howff.engine.games.hellweg import GAME as HELLWEG
from howff.engine.games.highland_clans import GAME as HIGHLAND_CLANS
from howff.engine.games.troedler import GAME as TROEDLER

GAMES: Final[Mapping[str, AnyGame]] = MappingProxyType(
    {game.key: game for game in (TROEDLER, HELLWEG, HIGHLAND_CLANS, APPENZELL, DALE_OF_MERCHANTS)}
)
"""Every game that matches can be played of."""


def game_of(key: str) -> AnyGame:
    """Return the game called *key*.

    Raises:
        UnknownGameError: the catalogue has no such game.
    """
    if key not in GAMES:
        raise UnknownGameError(key, tuple(GAMES))
    return GAMES[key]
