"""A match on a server as it is seen here, where the rules of its game are installed too."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from howff.cli.errors import CommandError
from howff.cli.terminal.names import names_of
from howff.cli.terminal.standings import Standing, Standings
from howff.engine.catalogue import game_of
from howff.engine.codec import JSON, from_json, picked, shown
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome
from howff.engine.seats import Seat
from howff.match.clocks import Milliseconds, milliseconds_of
from howff.match.commit import Commit, actor_of
from howff.match.texts import A_NAME, is_name
from howff.match.words import lines_beside


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
    """None too of a match that was aborted."""
    standings: Standings
    called: Mapping[str, str] = field(default_factory=dict[str, str])
    """What accounts are called, of those that the server knows."""

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called, each by a name of its own."""
        return names_of(self.accounts, self.called)

    @property
    def title(self) -> str:
        """What is played, and by whom."""
        named = (f"{actor_of(Seat(seat))} is {name}" for seat, name in enumerate(self.names))
        return f"{self.game.title}: {', '.join(named)}"

    def lines(self, commit: Commit) -> Iterator[str]:
        """Yield what *commit*, told to the same viewer, says."""
        return lines_beside(self.game, self.view, commit, self.names)


def seen(plain: JSON) -> Seen:
    """Return the match that a server tells of as *plain*.

    Raises:
        MalformedError: it is no match, or none that the game is for.
        UnknownGameError: its game is not installed here.
        OtherRulesError: its rules are not.
    """
    told = picked(_Told, plain)
    game = game_of(told.game)
    if told.rules_version != game.rules_version:
        expected, found = f"version {game.rules_version}", told.rules_version
        raise OtherRulesError(f"rules of {game.title}", expected=expected, found=found)
    _check(told, game)
    return Seen(
        match=told.match,
        version=told.version,
        game=game,
        accounts=tuple(picked(_Holder, holder).account for holder in told.seats),
        to_act=told.to_act,
        is_over=told.is_over,
        view=from_json(game.view_type, told.view),
        outcome=told.outcome,
        standings=_standings(told),
    )


@dataclass(frozen=True, slots=True)
class _Told:
    match: str
    version: int
    game: str
    rules_version: str
    seats: tuple[JSON, ...]
    to_act: tuple[Seat, ...]
    is_over: bool
    is_aborted: bool
    view: JSON
    outcome: Outcome | None
    standings: tuple[JSON, ...]
    clocks: JSON


@dataclass(frozen=True, slots=True)
class _Clocks:
    at: str
    is_paused: bool


@dataclass(frozen=True, slots=True)
class _Holder:
    account: str | None = None


def _check(told: _Told, game: AnyGame) -> None:
    """Refuse what the form alone does not tell from a match of *game*."""
    seats = len(told.seats)
    if not is_name(told.match):
        raise MalformedError("match", expected=A_NAME, found=shown(told.match))
    if seats not in game.seats:
        expected = f"{game.seats[0]} to {game.seats[-1]} seats"
        raise MalformedError("seats", expected=expected, found=str(seats))
    if len(told.standings) != seats:
        found = str(len(told.standings))
        raise MalformedError("standings", expected=f"{seats} of them", found=found)
    if told.is_aborted and not told.is_over:
        raise MalformedError("is_over", expected="true of what was aborted", found="false")
    if (told.is_over and not told.is_aborted) != (told.outcome is not None):
        expected = "one if the match has come to its end, else none"
        raise MalformedError("outcome", expected=expected, found="the other way round")
    if told.outcome and not len(told.outcome.places) == len(told.outcome.figures) == seats:
        raise MalformedError("outcome", expected=f"one of {seats} seats", found="another")


def _standings(told: _Told) -> Standings:
    seats = tuple(picked(Standing, each) for each in told.standings)
    has_clocks = told.clocks is not None
    if any((seat.milliseconds_left is not None) != has_clocks for seat in seats):
        expected = "the time of each seat if there are clocks, else of none"
        raise MalformedError("standings", expected=expected, found="another")
    if not has_clocks:
        return Standings(seats=seats)
    clocks = picked(_Clocks, told.clocks)
    return Standings(seats=seats, is_paused=clocks.is_paused, at=_moment(clocks.at))


def _moment(at: str) -> Milliseconds:
    try:
        return milliseconds_of(at)
    except (ValueError, TypeError, OverflowError) as error:  # a time without a zone is none
        expected = "a time in UTC with milliseconds"
        raise MalformedError("clocks.at", expected=expected, found=shown(at)) from error
