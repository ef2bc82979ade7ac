"""A match: what its commits have led to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from howff.engine.codec import from_tagged
from howff.engine.errors import MalformedError, WrongSeatCountError
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome
from howff.engine.play import fold
from howff.engine.seats import Seat
from howff.match.commit import CommandId, Commit, MatchId, Version
from howff.match.errors import NotFoldableError
from howff.match.events import (
    MatchEnded,
    MatchStarted,
    PlatformEvent,
    RulesChanged,
    SeedRevealed,
    event_form,
)
from howff.match.turns import NO_TURNS, Turns


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match, folded from its commits."""

    game: AnyGame
    id: MatchId
    started: MatchStarted
    options: Any
    rules: RulesChanged
    """The rules that decided last."""
    state: Any
    """The state of the game."""
    commits: tuple[Commit, ...] = ()
    draws: Mapping[str, int]
    """How many draws of each name were made so far."""
    commands: Mapping[tuple[str, CommandId], Version]
    """Which commit answers the command of an actor with this id."""
    turns: Turns = NO_TURNS
    outcome: Outcome | None = None
    is_over: bool = False

    @property
    def version(self) -> Version:
        return Version(len(self.commits))

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe a decision now; nobody when the match is over."""
        return () if self.is_over else self.game.to_act(self.state)


def match_of(game: AnyGame, commits: Iterable[Commit]) -> Match:
    """Return the match that has these *commits*, the first of them among them."""
    first, *others = commits
    return fold(evolve, before_start(game, first), (first, *others))


def before_start(game: AnyGame, first: Commit) -> Match:
    """Return the match as it is before its *first* commit is folded.

    Raises:
        MalformedError: the commit does not tell of the start of a match.
        EngineError: the game is not for these seats or options.
    """
    started = started_by(first)
    if len(started.seats) not in game.seats:
        raise WrongSeatCountError(game.seats, len(started.seats))
    options = game.read_options(started.options)
    return Match(
        game=game,
        id=first.match,
        started=started,
        options=options,
        rules=RulesChanged(started.rules_version, started.data_hash),
        state=game.initial(options, len(started.seats)),
        draws={},
        commands={},
    )


def evolve(match: Match, commit: Commit) -> Match:
    """Return the match after *commit*."""
    events = events_of(match.game, commit)
    played = (event for event in events if not isinstance(event, PlatformEvent))
    return advanced(match, commit, events, fold(match.game.evolve, match.state, played))


def evolve_unproven(match: Match, commit: Commit) -> Match:
    """Return the match after a *commit* that comes from outside and that no decision confirms.

    Raises:
        MalformedError: an event has not the form of any of the game's.
        NotFoldableError: the events do not fit the state.
    """
    try:
        return evolve(match, commit)
    except _MISFITS as error:
        raise NotFoldableError(commit.version, found=repr(error)) from error


def advanced(match: Match, commit: Commit, events: tuple[Any, ...], state: Any) -> Match:
    """Return the match after *commit*, whose *events* have led the game to *state*."""
    turns = match.turns
    for at, event in enumerate(events):
        turns = turns.after(event, (commit.version, at))
    match = replace(
        match,
        state=state,
        commits=(*match.commits, commit),
        draws=_added(match.draws, commit.draws),
        commands={**match.commands, (commit.actor, commit.command): commit.version},
        turns=turns,
    )
    return fold(_after_event, match, events)


def started_by(first: Commit) -> MatchStarted:
    """Return the event that has started the match.

    Raises:
        MalformedError: *first* begins otherwise.
    """
    if not first.events:
        raise MalformedError("events", expected="MatchStarted", found="nothing")
    event = first.events[0]
    return cast("MatchStarted", from_tagged(MatchStarted, event))


def events_of(game: AnyGame, commit: Commit) -> tuple[Any, ...]:
    """Return the events of a whole or redacted commit, the platform's among them.

    Raises:
        MalformedError: there is no such event, or not in this form.
    """
    decode = event_form(game.event).decode
    plain = ({"type": event["type"], "data": event["data"]} for event in commit.events)
    return tuple(decode(event, f"events[{at}]") for at, event in enumerate(plain))


_MISFITS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What evolving may meet when an event does not fit the state: it checks nothing by itself."""


def _after_event(match: Match, event: object) -> Match:
    match event:
        case RulesChanged():
            return replace(match, rules=event)
        case MatchEnded(_, outcome):
            return replace(match, outcome=outcome)
        case SeedRevealed():
            return replace(match, is_over=True)
        case _:
            return match


def _added(draws: Mapping[str, int], more: Mapping[str, int]) -> Mapping[str, int]:
    if not more:
        return draws
    return {**draws, **{name: draws.get(name, 0) + count for name, count in more.items()}}
