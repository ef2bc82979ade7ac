"""Asking the person at the terminal."""

from rich.console import Console
from rich.text import Text

from howff.cli.errors import NoAnswerError


def answer(console: Console, question: str) -> str:
    """Return what is typed as the answer to *question*.

    Raises:
        NoAnswerError: the input has ended.
    """
    try:
        return console.input(Text(question, style="bold"))
    except EOFError as error:
        raise NoAnswerError from error
