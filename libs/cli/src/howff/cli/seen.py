"""A served match as it is seen here, where the rules of its game are installed too."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Final, TypeVar

from rich.console import RenderableType

from howff.cli.boards.catalogue import BOARDS
from howff.cli.errors import CommandError
from howff.cli.telling import lines_beside
from howff.engine.catalogue import game_of
from howff.engine.codec import JSON, from_json
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat
from howff.match.commit import Commit, actor_of

T = TypeVar("T")

_LONGEST_NAME: Final = 16
"""Boards have no room for more."""


class OtherRulesError(CommandError):
    """The server plays by another version of the rules than is installed here."""

    code = "other_rules"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A match as its viewer saw it at *version*."""

    match: str
    version: int
    game: AnyGame
    accounts: tuple[str | None, ...]
    """Who holds each seat; None stands for a bot."""
    to_act: tuple[Seat, ...]
    is_over: bool
    view: Any
    outcome: Outcome | None

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called."""
        seats = Counter(self.accounts)
        return tuple(
            _name(seat, account, is_alone=seats[account] == 1)
            for seat, account in enumerate(self.accounts)
        )

    @property
    def title(self) -> str:
        """What is played, and by whom."""
        named = (f"{actor_of(Seat(seat))} is {name}" for seat, name in enumerate(self.names))
        return f"{self.game.title}: {', '.join(named)}"

    @property
    def board(self) -> RenderableType:
        return BOARDS[self.game.key](self.view, self.names)

    def lines(self, commit: Commit) -> Iterator[str]:
        """Yield what *commit*, told to the same viewer, says."""
        return lines_beside(self.game, self.view, commit, self.names)


def seen(plain: JSON) -> Seen:
    """Return the match that a server tells of as *plain*.

    Raises:
        MalformedError: it is no match, or its view is none of the game's.
        UnknownGameError: its game is not installed here.
        OtherRulesError: its rules are not.
    """
    told = picked(_Told, plain)
    game = game_of(told.game)
    if told.rules_version != game.rules_version:
        expected, found = f"version {game.rules_version}", told.rules_version
        raise OtherRulesError(f"rules of {game.title}", expected=expected, found=found)
    return Seen(
        match=told.match,
        version=told.version,
        game=game,
        accounts=tuple(picked(_Holder, holder).account for holder in told.seats),
        to_act=told.to_act,
        is_over=told.is_over,
        view=from_json(game.view_type, told.view),
        outcome=told.outcome,
    )


def picked(kind: type[T], plain: JSON) -> T:
    """Return the dataclass *kind* from the part of *plain* that it knows.

    Raises:
        MalformedError: a field is missing, or has another form.
    """
    names = {field.name for field in fields(kind)}  # type: ignore[arg-type]
    if isinstance(plain, dict):
        plain = {name: value for name, value in plain.items() if name in names}
    return from_json(kind, plain)


@dataclass(frozen=True, slots=True)
class _Told:
    match: str
    version: int
    game: str
    rules_version: str
    seats: tuple[JSON, ...]
    to_act: tuple[Seat, ...]
    is_over: bool
    view: JSON
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class _Holder:
    account: str | None = None


def _name(seat: int, account: str | None, *, is_alone: bool) -> str:
    if account is None:
        return f"Bot {seat}"
    name = account[:_LONGEST_NAME]
    return name if is_alone else f"{name} {seat}"
