"""What may be typed beside a move when a match is played on a server."""

from collections.abc import Callable
from functools import partial
from typing import Final

from rich.console import Console

from howff.cli.errors import printable
from howff.cli.server.followed import Followed
from howff.cli.server.matches import Seen
from howff.cli.terminal.choosing import HELP, show_commands
from howff.cli.terminal.prompts import answer
from howff.client.errors import ProblemError
from howff.engine.seats import Seat
from howff.match.presence import Wish

CONFLICT: Final = 409
"""The status of what the rules, or the state of a match, do not allow."""

COMMANDS: Final = {
    "/resign": "leave the match for good",
    "/pause": "want the clocks to stand, which they do when all want it",
    "/abort": "want the match to end without a result, which it does when all want it",
    "/go-on": "want neither any more",
    "/back": "take your seat back from the bot that plays for you",
    HELP: "tell these commands",
}
"""What may be typed, and what for."""


def obey(word: str, followed: Followed, now: Seen, seat: Seat, console: Console) -> str | None:
    """Do for *seat* what the command *word* wants in a match that stands as *now*.

    Return why it was not done, if it was not.

    Raises:
        ClientError: the server does not answer, or refuses for other reasons than the match.
        NoAnswerError: the input has ended where something is asked.
    """
    match word:
        case "/resign":
            return _resign(followed, now, seat, console)
        case "/pause":
            return refusal_of(partial(followed.wish, seat, "pause", wanted=True))
        case "/abort":
            return refusal_of(partial(followed.wish, seat, "abort", wanted=True))
        case "/go-on":
            return refusal_of(partial(_go_on, followed, now, seat))
        case "/back":
            return refusal_of(partial(followed.take_back, seat))
        case _:
            show_commands(COMMANDS, console)
            return None


def refusal_of(act: Callable[[], None]) -> str | None:
    """Do *act*; where the match does not allow it, return why."""
    try:
        act()
    except ProblemError as error:
        if error.status != CONFLICT:
            raise
        if error.code == "stale_version":
            return "Something has happened meanwhile"
        return printable(f"Not done: {error} ({error.code})")
    return None


def _resign(followed: Followed, now: Seen, seat: Seat, console: Console) -> str | None:
    question = f"{now.names[seat]} leaves the match for good: type yes to confirm "
    if answer(console, question) == "yes":
        return refusal_of(partial(followed.resign, seat))
    return "Nobody has left"


def _go_on(followed: Followed, now: Seen, seat: Seat) -> None:
    # Who wants nothing is told so by the server.
    wishes: tuple[Wish, ...] = now.standings.seats[seat].wants or ("pause",)
    for wish in wishes:
        followed.wish(seat, wish, wanted=False)
