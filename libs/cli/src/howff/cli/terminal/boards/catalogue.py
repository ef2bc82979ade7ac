"""How each game looks in the terminal."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from rich.console import RenderableType

from howff.cli.terminal.boards import (
    appenzell,
    dale_of_merchants,
    hellweg,
    highland_clans,
    troedler,
)

Board = Callable[[Any, tuple[str, ...]], RenderableType]
"""Draws a view for people with these names."""

BOARDS: Final[Mapping[str, Board]] = MappingProxyType(
    {
        "troedler": troedler.board,
        "hellweg": hellweg.board,
        "highland_clans": highland_clans.board,
        "dale_of_merchants": dale_of_merchants.board,
        "appenzell": appenzell.board,
    }
)
"""A board for every game of the catalogue, by its key."""
