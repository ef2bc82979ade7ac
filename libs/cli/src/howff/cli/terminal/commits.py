"""What a viewer is told of a commit, in lines."""

from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.text import Text

from howff.cli.errors import printable
from howff.engine.seats import Viewer
from howff.match.commit import Commit
from howff.match.match import Match
from howff.match.words import lines_beside


def lines_of(match: Match, told: Commit, viewer: Viewer, names: tuple[str, ...]) -> Iterator[str]:
    """Yield a line for each event of the commit *told*, as it was redacted for *viewer*.

    *match* stands as after the commit.
    """
    return lines_beside(match.game, match.game.view(match.state, viewer), told, names)


def show_commit(
    commit: Commit, lines: Iterable[str], names: tuple[str, ...], console: Console
) -> None:
    """Show the *lines* of *commit*, under its version, its time and who has moved."""
    actor = commit.actor if commit.seat is None else names[commit.seat]
    console.print(Text(f"{commit.version:4}  {commit.at}  {actor}", style="bold"))
    for line in lines:
        console.print(Text(f"      {printable(line)}"))
