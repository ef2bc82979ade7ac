"""How a person is asked for a move: the board, what has happened, and the legal moves."""

from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text

from howff.cli.asking import answer, cover, number
from howff.cli.drawing import show_board
from howff.cli.errors import printable
from howff.engine.game import AnyGame
from howff.engine.seats import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What the person in *seat* sees, and the *moves* to choose from."""

    game: AnyGame
    seat: Seat
    view: Any
    moves: tuple[Any, ...]
    names: tuple[str, ...]
    news: list[str]
    """What has happened since somebody was asked before, in lines."""
    is_shared: bool
    """Whether others use the same screen, and must not see what this person sees."""


def choose(choice: Choice, console: Console) -> Any:
    """Return the move that is chosen.

    Raises:
        CommandError: what is typed is no choice, or the input has ended.
    """
    if choice.is_shared:
        name = choice.names[choice.seat]
        answer(console, f"{name}, it is your turn: press Enter (q quits) ")
    show_board(choice.game, choice.view, choice.names, console)
    show_news(choice.news, console)
    console.print()
    for at, move in enumerate(choice.moves, start=1):
        line = choice.game.explain(choice.view, choice.seat, move, choice.names)
        console.print(Text.assemble((f"{at:4}", "bold cyan"), f"  {printable(line)}"))
    most = len(choice.moves)
    chosen = number(console, f"Your move, 1 to {most} (q quits): ", most)
    if choice.is_shared:
        cover(console)
    return choice.moves[chosen - 1]


def show_news(news: list[str], console: Console) -> None:
    """Show the lines of what has happened."""
    for line in news:
        console.print(Text(f"  {line}", style="dim"))
