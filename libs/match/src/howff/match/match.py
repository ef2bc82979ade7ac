"""A match: what its commits have led to."""

from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from howff.engine.codec import from_json, from_tagged
from howff.engine.errors import MalformedError
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome
from howff.engine.play import fold
from howff.engine.seats import Seat
from howff.engine.values import replace
from howff.engine.visibility import Sealed, visibilities
from howff.match.answered import AnsweredCommands
from howff.match.clocks import Clocks, Milliseconds, milliseconds_of, wound_up
from howff.match.commit import NO_HASH, Commit, MatchId, Version
from howff.match.effects import clocks_after, is_move, presence_after
from howff.match.errors import NotFoldableError, NotFollowingError, NotReplayableError
from howff.match.events import (
    Account,
    Bot,
    MatchAborted,
    MatchBranched,
    MatchEnded,
    MatchStarted,
    PlatformEvent,
    RulesChanged,
    SeedRevealed,
    check_texts,
    event_form,
)
from howff.match.presence import EVERYBODY, Presence
from howff.match.turns import NO_TURNS, Turns


@dataclass(frozen=True, kw_only=True)
class Match:
    """A match, folded from its commits, which it does not keep."""

    game: AnyGame
    id: MatchId
    started: MatchStarted
    options: Any
    rules: RulesChanged
    """The rules that decided last."""
    state: Any = field(repr=False)
    """The state of the game."""
    version: Version
    """That of the last commit; 0 before the first."""
    hash: str
    """That of the last commit."""
    at: str
    """The time of the last commit; empty before the first."""
    draws: Mapping[str, int]
    """How many draws of each name were made so far."""
    commands: AnsweredCommands
    """Which commands were answered, by what version."""
    turns: Turns = NO_TURNS
    presence: Presence = EVERYBODY
    clocks: Clocks | None = None
    parent: tuple[MatchId, Version] | None = None
    """The match that it is a branch of, and the version of that at which it begins."""
    outcome: Outcome | None = None
    """How it has ended; None also for a match that was aborted."""
    is_over: bool = False
    is_aborted: bool = False

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that owe a decision now; nobody when the match is over."""
        return () if self.is_over else self.game.to_act(self.state)

    @property
    def is_paused(self) -> bool:
        """Whether nobody may move, since all agreed to stop the clocks."""
        return self.clocks is not None and self.clocks.paused_at is not None

    @property
    def due(self) -> Milliseconds | None:
        """When a flag falls or a pause ends unless a command comes before, None if nothing does."""
        return None if self.clocks is None or self.is_over else self.clocks.due

    @property
    def voters(self) -> frozenset[Seat]:
        """The seats whose agreement counts: those that people hold and have not left."""
        holders = enumerate(self.started.seats)
        people = {Seat(seat) for seat, holder in holders if isinstance(holder, Account)}
        return frozenset(people - self.presence.resigned.keys() - self.presence.stand_ins.keys())

    def decider_of(self, seat: Seat) -> Account | Bot | None:
        """Return who takes the decisions of *seat*; None where the rules do, by a default."""
        if seat in self.presence.resigned:
            stand_in = self.started.stand_in if self.started.on_leave == "bot" else None
            return None if stand_in is None else Bot(stand_in)
        stand_in = self.presence.stand_ins.get(seat)
        return self.started.seats[seat] if stand_in is None else Bot(stand_in)


@dataclass(frozen=True, slots=True)
class Step:
    """A commit, its events, and the match after it."""

    commit: Commit
    events: tuple[Any, ...]
    match: Match


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
    options = game.read_options(started.options)
    return Match(
        game=game,
        id=first.match,
        started=started,
        options=options,
        rules=RulesChanged(started.rules_version, started.data_hash),
        state=game.opening(options, len(started.seats)),
        version=Version(0),
        hash=NO_HASH,
        at="",
        draws={},
        commands=AnsweredCommands(),
    )


def evolve(match: Match, commit: Commit) -> Match:
    """Return the match after *commit*.

    Raises:
        NotFollowingError: it is not the next commit of this match.
        NotReplayableError: it holds sealed fields.
    """
    return folded(match, commit, whole_events_of(match.game, commit))


def folded(match: Match, commit: Commit, events: tuple[Any, ...]) -> Match:
    """Return the match after *commit*, which has these *events*.

    Raises:
        NotFollowingError: it is not the next commit of this match.
    """
    _check_follows(match, commit)
    state = match.state
    for event in events:
        if isinstance(event, MatchBranched):
            state = from_json(match.game.state, event.state)
        elif not isinstance(event, PlatformEvent):
            state = match.game.evolve(state, event)
    return advanced(match, commit, events, state)


MISFITS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    MemoryError,
    StopIteration,
    TypeError,
    ValueError,
)
"""What a game may meet in a state that its rules have not made: it checks nothing by itself."""


@contextmanager
def misfits_refused(commit: Commit) -> Generator[None, None, None]:
    """Refuse what comes from outside and that no decision confirms, where it fits no state.

    Raises:
        NotFoldableError: evolving *commit*, or deciding after it, has met something strange.
    """
    try:
        yield
    except MISFITS as error:
        raise NotFoldableError(commit.version, found=repr(error)) from error


def advanced(match: Match, commit: Commit, events: tuple[Any, ...], state: Any) -> Match:
    """Return the match after *commit*, whose *events* have led the game to *state*."""
    turns = match.turns
    for at, event in enumerate(events):
        turns = turns.after(event, (commit.version, at))
    match = replace(
        match,
        state=state,
        version=commit.version,
        hash=commit.hash,
        at=commit.at,
        draws=_added(match.draws, commit.draws),
        commands=match.commands.after(commit.actor, commit.command),
        turns=turns,
    )
    if is_move(commit.seat, events):
        match = replace(match, presence=match.presence.after_move())
    return _with_clocks(fold(_after_event, match, events), commit, events)


def started_by(first: Commit) -> MatchStarted:
    """Return the event that has started the match.

    Raises:
        MalformedError: *first* begins otherwise.
    """
    if not first.events:
        raise MalformedError("events", expected="MatchStarted", found="nothing")
    event = cast("MatchStarted", from_tagged(MatchStarted, first.events[0]))
    check_texts(event, "events[0]")
    return event


def events_of(game: AnyGame, commit: Commit) -> tuple[Any, ...]:
    """Return the events of a whole or told commit, the platform's among them.

    Raises:
        MalformedError: there is no such event, or not in this form.
    """
    return tuple(_event_of(game, commit, at) for at in range(len(commit.events)))


def _event_of(game: AnyGame, commit: Commit, at: int) -> Any:
    stored, path = commit.events[at], f"events[{at}]"
    plain = {"type": stored["type"], "data": stored["data"]}
    event = event_form(game.event).decode(plain, path)
    check_texts(event, path)
    return event


def whole_events_of(game: AnyGame, commit: Commit) -> tuple[Any, ...]:
    """Return the events of a whole commit, the platform's among them.

    Raises:
        MalformedError: there is no such event, or not in this form.
        NotReplayableError: an event has sealed fields.
    """
    events = events_of(game, commit)
    if any(_has_seals(event) for event in events):
        raise NotReplayableError(commit.version)
    return events


def _check_follows(match: Match, commit: Commit) -> None:
    right = {"match": match.id, "version": match.version + 1, "prev": match.hash}
    for name, expected in right.items():
        found = getattr(commit, name)
        if found != expected:
            raise NotFollowingError(name, expected=repr(expected), found=repr(found))


def _has_seals(event: object) -> bool:
    declared = visibilities(type(event))
    return any(isinstance(getattr(event, name), Sealed) for name in declared)


def _after_event(match: Match, event: object) -> Match:
    match event:
        case RulesChanged():
            return replace(match, rules=event)
        case MatchEnded(_, outcome):
            return replace(match, outcome=outcome)
        case MatchBranched(parent, version):
            return replace(match, parent=(MatchId(parent), Version(version)))
        case MatchAborted():
            return replace(match, is_aborted=True)
        case SeedRevealed():
            return replace(match, is_over=True)
        case _:
            presence = presence_after(match.presence, event)
            return match if presence is match.presence else replace(match, presence=presence)


def _with_clocks(match: Match, commit: Commit, events: tuple[Any, ...]) -> Match:
    """Return *match*, to which everything else has happened, with its clocks after *commit*."""
    kind = match.started.clock
    if kind is None:
        return match
    at = milliseconds_of(commit.at)
    if match.clocks is None:
        clocks = wound_up(kind, len(match.started.seats), at)
    else:
        clocks = match.clocks.after(at)
        if commit.seat is not None and is_move(commit.seat, events):
            clocks = clocks.moved(commit.seat)
    clocks = fold(clocks_after, clocks, events)
    if match.is_over:
        clocks = clocks.going_on()  # for nobody, so that no end of a pause is due
    owing = [seat for seat in match.to_act if seat not in match.presence.resigned]
    return replace(match, clocks=clocks.running_for(owing))


def _added(draws: Mapping[str, int], more: Mapping[str, int]) -> Mapping[str, int]:
    if not more:
        return draws
    return {**draws, **{name: draws.get(name, 0) + count for name, count in more.items()}}
