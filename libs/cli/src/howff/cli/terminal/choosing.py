"""How a person is asked for a move: the board, what has happened, and the legal moves."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from howff.cli.errors import printable
from howff.cli.terminal.drawing import show_board
from howff.cli.terminal.prompts import answer, cover, number
from howff.engine.game import AnyGame
from howff.engine.seats import Seat

HELP: Final = "/help"
"""What asks for a list of the commands."""


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
    beside: tuple[str, ...] = ()
    """How the seats stand beside the game, in lines."""
    commands: Mapping[str, str] = field(default_factory=dict[str, str])
    """What may be typed instead of a number, and what for; `/help` tells that."""


@dataclass(frozen=True, slots=True)
class Command:
    """One of the commands was typed instead of a number."""

    word: str


def choose(choice: Choice, console: Console) -> Any:
    """Return the move that is chosen, or a `Command`.

    Raises:
        CommandError: what is typed is no choice, or the input has ended.
    """
    if choice.is_shared:
        name = choice.names[choice.seat]
        answer(console, f"{name}, it is your turn: press Enter (q quits) ")
    show_board(choice.game, choice.view, choice.names, console)
    show_news(choice.news, console)
    show_beside(choice.beside, console)
    console.print()
    for at, move in enumerate(choice.moves, start=1):
        line = choice.game.explain(choice.view, choice.seat, move, choice.names)
        console.print(Text.assemble((f"{at:4}", "bold cyan"), f"  {printable(line)}"))
    chosen = _chosen(choice, console)
    if choice.is_shared:
        cover(console)
    return Command(chosen) if isinstance(chosen, str) else choice.moves[chosen - 1]


def _chosen(choice: Choice, console: Console) -> int | str:
    most = len(choice.moves)
    more = f", {HELP} tells more" if choice.commands else ""
    question = f"Your move, 1 to {most} (q quits{more}): "
    while (chosen := number(console, question, most, commands=choice.commands)) == HELP:
        show_commands(choice.commands, console)
    return chosen


def show_commands(commands: Mapping[str, str], console: Console) -> None:
    """Show what each of the *commands* is for."""
    for word, purpose in commands.items():
        console.print(Text.assemble((f"  {word:8}", "bold cyan"), purpose))


def show_news(news: list[str], console: Console) -> None:
    """Show the lines of what has happened."""
    for line in news:
        console.print(Text(f"  {line}", style="dim"))


def show_beside(lines: Iterable[str], console: Console) -> None:
    """Show the lines on how the seats stand beside the game."""
    for line in lines:
        console.print(Text(f"  {printable(line)}", style="cyan"))
