"""What a viewer is told of a commit, in lines."""

from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.text import Text

from howff.cli.errors import printable
from howff.cli.happening import platform_line
from howff.engine.game import AnyGame
from howff.engine.seats import Viewer
from howff.match.commit import Commit
from howff.match.events import PlatformEvent
from howff.match.match import Match, events_of


def lines_of(match: Match, told: Commit, viewer: Viewer, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a line for each event of the commit *told*, as it was redacted for *viewer*.

    *match* stands as after the commit.
    """
    return lines_beside(match.game, match.game.view(match.state, viewer), told, names)


def lines_beside(game: AnyGame, view: Any, told: Commit, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a line for each event of the commit *told* to somebody whose *view* is this now."""
    for event in events_of(game, told):
        if isinstance(event, PlatformEvent):
            yield platform_line(event, game.title, names)
        else:
            yield game.explain(view, None, event, names)


def show_commit(
    commit: Commit, lines: Iterable[str], names: tuple[str, ...], console: Console
) -> None:
    """Show the *lines* of *commit*, under its version, its time and who has moved."""
    actor = commit.actor if commit.seat is None else names[commit.seat]
    console.print(Text(f"{commit.version:4}  {commit.at}  {actor}", style="bold"))
    for line in lines:
        console.print(Text(f"      {printable(line)}"))
