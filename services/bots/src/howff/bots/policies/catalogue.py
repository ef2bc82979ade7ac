"""How bots play each game of the catalogue."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from howff.bots.policies.errors import NotInstalledError
from howff.bots.policies.games.appenzell import PLAY as APPENZELL
from howff.bots.policies.games.dale_of_merchants import PLAY as DALE_OF_MERCHANTS
from howff.bots.policies.games.hellweg import PLAY as HELLWEG
from howff.bots.policies.games.highland_clans import PLAY as HIGHLAND_CLANS
from howff.bots.policies.games.troedler import PLAY as TROEDLER
from howff.bots.policies.settings import Play

PLAYS: Final[Mapping[str, Play]] = MappingProxyType(
    {
        "troedler": TROEDLER,
        "hellweg": HELLWEG,
        "highland_clans": HIGHLAND_CLANS,
        "appenzell": APPENZELL,
        "dale_of_merchants": DALE_OF_MERCHANTS,
    }
)


def play_of(game: str) -> Play:
    """Return how bots play the game called *game*.

    Raises:
        NotInstalledError: none of them can.
    """
    if game not in PLAYS:
        raise NotInstalledError("game", expected=", ".join(PLAYS), found=repr(game))
    return PLAYS[game]
