"""Refusals of the command line, and how any refusal ends a command."""

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.text import Text

from howff.client.errors import ClientError
from howff.engine.errors import RefusalError


class CommandError(RefusalError):
    """The base of the command line's refusals."""


class UnreadableFileError(CommandError):
    """A file is not there, or may not be read or written."""

    code = "unreadable_file"


class WrongChoiceError(CommandError):
    """What was typed is not one of the choices."""

    code = "wrong_choice"


class NoAnswerError(CommandError):
    """A question was put and the input has ended."""

    code = "no_answer"

    def __init__(self) -> None:
        super().__init__("no answer", expected="a line and Enter", found="the end of the input")


class MatchNotOverError(CommandError):
    """Somebody wants the whole of a match that has secrets still."""

    code = "match_not_over"

    def __init__(self) -> None:
        expected = "a match that is over"
        found = "one that goes on, which `howff watch` tells"
        super().__init__("the match is not over", expected=expected, found=found)


def printable(text: str) -> str:
    """Return *text* without what a terminal would take as a command; files may hold anything."""
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)


@contextmanager
def refusals_shown(console: Console) -> Iterator[None]:
    """End the command with status 1 on a refusal, from here or from a server; say what it was."""
    try:
        yield
    except (RefusalError, ClientError) as error:
        message = Text.assemble((error.code, "bold red"), f"  {printable(str(error))}")
        console.print(message, soft_wrap=True)
        raise typer.Exit(1) from error
