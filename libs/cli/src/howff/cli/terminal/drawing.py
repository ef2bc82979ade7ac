"""Showing what was made from a text of somebody else's, be it a server's or a file's."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from rich.console import Console, RenderableType
from rich.segment import Segment, Segments

from howff.cli.errors import printable
from howff.cli.terminal.boards.catalogue import BOARDS
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame
from howff.match.match import MISFITS


def show(told: RenderableType, console: Console) -> None:
    """Show what is *told*, without anything that the terminal would take as a command."""
    console.print(Segments(map(_harmless, console.render(told))))


def show_board(game: AnyGame, view: Any, names: tuple[str, ...], console: Console) -> None:
    """Show the board of *game* as in *view*."""
    show(BOARDS[game.key](view, names), console)


@contextmanager
def nonsense_refused() -> Generator[None, None, None]:
    """Refuse a view that has its game's form, and that no state of the game looks like.

    Raises:
        MalformedError: drawing or telling it has met something strange.
    """
    try:
        yield
    except MISFITS as error:
        expected = "one that the game may come to"
        raise MalformedError("view", expected=expected, found=repr(error)) from error


def _harmless(segment: Segment) -> Segment:
    if segment.control:
        return segment
    return segment._replace(text="\n".join(map(printable, segment.text.split("\n"))))
