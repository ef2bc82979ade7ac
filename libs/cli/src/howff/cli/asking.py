"""Asking the people at the terminal, and covering what the last one has seen."""

import typer
from rich.console import Console
from rich.text import Text

from howff.cli.errors import NoAnswerError, WrongChoiceError

_LONGEST_NUMBER = 6
_ERASE_SCROLLBACK = "\x1b[3J"


def answer(console: Console, question: str) -> str:
    """Return what is typed as the answer to *question*; `q` leaves the command.

    Raises:
        NoAnswerError: the input has ended.
    """
    console.print(Text(question, style="bold"), end="")
    try:
        typed = input().strip()
    except (EOFError, OSError, RuntimeError, UnicodeDecodeError) as error:  # or closed at all
        raise NoAnswerError from error
    if typed == "q":
        console.print("Left before the end; nothing was written")
        raise typer.Exit
    return typed


def number(console: Console, question: str, most: int) -> int:
    """Return a number from 1 to *most*; at a terminal a wrong one may be corrected.

    Raises:
        WrongChoiceError: something else was typed, and nobody is there to correct it.
        NoAnswerError: the input has ended.
    """
    while True:
        typed = answer(console, question)
        is_number = typed.isascii() and typed.isdecimal() and len(typed) <= _LONGEST_NUMBER
        if is_number and 1 <= int(typed) <= most:
            return int(typed)
        error = WrongChoiceError("move", expected=f"1 to {most}", found=repr(typed[:20]))
        if not console.is_terminal:
            raise error
        console.print(Text(str(error), style="red"))


def cover(console: Console) -> None:
    """Erase the screen, and what has scrolled off it, so that the next person sees nothing."""
    console.clear()
    if console.is_terminal:
        console.file.write(_ERASE_SCROLLBACK)
        console.file.flush()
