"""Asking the people at the terminal, and covering what the last one has seen."""

import getpass
import sys
from collections.abc import Collection, Generator
from contextlib import contextmanager
from typing import Final

import typer
from rich.console import Console
from rich.text import Text

from howff.cli.errors import NoAnswerError, WrongChoiceError

LEFT: Final = "Left before the end; nothing was written"
_LONGEST_NUMBER = 6
_ERASE_SCROLLBACK = "\x1b[3J"


def typed(console: Console, question: str) -> str:
    """Return the line that is typed as the answer to *question*.

    Raises:
        NoAnswerError: the input has ended.
    """
    with _left_on_a_line_of_its_own(console):
        console.print(Text(question, style="bold"), end="")
        with _answered():
            return input().strip()


def password(console: Console, question: str) -> str:
    """Return the password that is typed as the answer to *question*; a terminal does not show it.

    Raises:
        NoAnswerError: the input has ended.
    """
    if not _is_terminal():
        return typed(console, "")
    with _left_on_a_line_of_its_own(console), _answered():
        return getpass.getpass(question)


def new_password(console: Console) -> str:
    """Return a password that is typed, at a terminal twice, where nobody can see what it is.

    Raises:
        NoAnswerError: the input has ended.
    """
    while True:
        chosen = password(console, "Password: ")
        if not _is_terminal() or chosen == password(console, "The same again: "):
            return chosen
        console.print("The two are not the same: type it twice again", style="red")


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()  # it is None where it is closed


@contextmanager
def _answered() -> Generator[None, None, None]:
    """Refuse an input that has ended."""
    try:
        yield
    except (EOFError, OSError, RuntimeError, UnicodeDecodeError) as error:  # or closed at all
        raise NoAnswerError from error


@contextmanager
def _left_on_a_line_of_its_own(console: Console) -> Generator[None, None, None]:
    """At Ctrl-C end the line of the question, so that what comes next does not stand behind it."""
    try:
        yield
    except KeyboardInterrupt:
        console.print()
        raise


def answer(console: Console, question: str) -> str:
    """Return what is typed as the answer to *question*; `q` leaves the command.

    Raises:
        NoAnswerError: the input has ended.
    """
    line = typed(console, question)
    if line == "q":
        console.print(LEFT)
        raise typer.Exit
    return line


def number(
    console: Console, question: str, most: int, *, commands: Collection[str] = ()
) -> int | str:
    """Return a number from 1 to *most*, or one of the *commands*.

    At a terminal a wrong answer may be corrected.

    Raises:
        WrongChoiceError: something else was typed, and nobody is there to correct it.
        NoAnswerError: the input has ended.
    """
    expected = f"1 to {most}"
    if commands:
        expected += f" or {', '.join(commands)}"
    while True:
        line = answer(console, question)
        if line in commands:
            return line
        if (chosen := natural(line)) in range(1, most + 1):
            return chosen
        mistaken(console, "move", expected=expected, found=line)


def natural(line: str) -> int:
    """Return the number that *line* is in plain digits, or -1."""
    is_number = line.isascii() and line.isdecimal() and len(line) <= _LONGEST_NUMBER
    return int(line) if is_number else -1


def mistaken(console: Console, what: str, *, expected: str, found: str) -> None:
    """Tell at a terminal, where it may be corrected, that an answer is none.

    Raises:
        WrongChoiceError: nobody is there to correct it.
    """
    error = WrongChoiceError(what, expected=expected, found=repr(found[:20]))
    if not console.is_terminal:
        raise error
    console.print(Text(str(error), style="red"))


def cover(console: Console) -> None:
    """Erase the screen, and what has scrolled off it, so that the next person sees nothing."""
    console.clear()
    if console.is_terminal:
        console.file.write(_ERASE_SCROLLBACK)
        console.file.flush()
