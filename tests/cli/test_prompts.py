from io import StringIO

import pytest
from rich.console import Console

from howff.cli.errors import NoAnswerError, printable
from howff.cli.terminal.prompts import answer, cover


def test_what_one_person_has_seen_is_erased_before_the_next_comes() -> None:
    screen = StringIO()
    console = Console(file=screen, force_terminal=True)
    console.print("Your hand   three bridges")
    cover(console)
    erased = screen.getvalue().partition("three bridges")[2]
    assert "\x1b[2J" in erased
    assert "\x1b[3J" in erased


def test_commands_to_the_terminal_are_not_passed_on() -> None:
    assert (
        printable("seat:1\x1b[31m\n")
        == "seat:1\N{REPLACEMENT CHARACTER}[31m\N{REPLACEMENT CHARACTER}"
    )


def test_an_input_that_is_closed_is_one_that_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(NoAnswerError):
        answer(Console(file=StringIO()), "Your move: ")
