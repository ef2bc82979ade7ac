"""Deciding a recorded match again: do these rules make these commits of these moves?"""

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, cast

from howff.engine.codec import JSON, from_json, from_tagged, to_json, to_tagged
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome
from howff.match.clocks import SECOND, milliseconds_of
from howff.match.commands import (
    AbortMatch,
    Command,
    CreditTime,
    ExpireDeadline,
    Origin,
    PlayDefault,
    PlayMove,
    Resign,
    StartMatch,
    TakeBack,
    TellWish,
)
from howff.match.commit import Commit, MatchId, Version
from howff.match.decisions import Decision, decide, decide_start
from howff.match.events import (
    ClockStarted,
    FlagFallen,
    MatchAborted,
    MatchBranched,
    MatchEnded,
    MatchStarted,
    RulesChanged,
    SeatGivenBack,
    SeatResigned,
    TimeCredited,
    WishTold,
    written,
)
from howff.match.match import (
    Match,
    advanced,
    before_start,
    evolve,
    misfits_refused,
    whole_events_of,
)
from howff.match.presence import final_outcome
from howff.match.report import Code, Failure, FailureError, Place, differ, mismatch, refusals_fail


@dataclass(frozen=True, slots=True)
class Tally:
    """How many commits were decided again, and how many were not, by rules."""

    decided: int
    undecided: dict[RulesChanged, int]


_GROWN: Final = {kind.__name__: kind for kind in (MatchStarted, MatchAborted)}
"""The events that have got fields since the first matches, which may tell less."""


def decide_again(game: AnyGame, commits: tuple[Commit, ...], seed: bytes) -> Tally:
    """Return how many of *commits* were decided again; the others are of other rules.

    They are in order (see `howff.match.order`) and their hashes are right.

    Raises:
        FailureError: a commit is not what the rules make of its command.
    """
    undecided: Counter[RulesChanged] = Counter()
    with refusals_fail(Place(1)):
        match = before_start(game, commits[0])
    for commit in commits:
        with refusals_fail(Place(commit.version)), misfits_refused(commit):
            rules = _rules_of(match, commit)
            if rules == RulesChanged(game.rules_version, game.data_hash):
                match = _decided(match, commit, seed)
            else:
                match = _folded(match, commit)
                undecided[rules] += 1
    return Tally(len(commits) - undecided.total(), dict(undecided))


def _rules_of(match: Match, commit: Commit) -> RulesChanged:
    if commit.events and commit.events[0]["type"] == RulesChanged.__name__:
        return cast("RulesChanged", from_tagged(RulesChanged, commit.events[0]))
    return match.rules


def _folded(match: Match, commit: Commit) -> Match:
    match = evolve(match, commit)
    of_game = match.game.outcome(match.state)
    outcome = final_outcome(of_game, match.presence, len(match.started.seats))
    if match.outcome != outcome:
        at = next((at for at, each in enumerate(commit.events) if _is_end(each)), None)
        place = Place(commit.version, at, "outcome")
        expected, found = (to_json(Outcome | None, each) for each in (outcome, match.outcome))
        raise FailureError(mismatch("wrong_outcome", place, expected, found))
    return match


def _decided(match: Match, commit: Commit, seed: bytes) -> Match:
    decision = _decision(match, commit, seed)
    expected = written(match.game.event, decision.events)
    recorded = _recorded(commit)
    if differ(expected, recorded):
        raise FailureError(_difference(commit.version, expected, recorded))
    for field in ("draws", "move", "bot"):
        right, wrong = getattr(decision, field), getattr(commit, field)
        if differ(right, wrong):
            raise _unlawful(commit, field, right, wrong)
    return advanced(match, commit, decision.events, decision.state)


def _recorded(commit: Commit) -> tuple[JSON, ...]:
    """Return the events of *commit*; fields that are younger than it have their defaults."""
    return tuple(map(_as_written_now, commit.events))


def _as_written_now(event: dict[str, JSON]) -> JSON:
    kind = _GROWN.get(event["type"])
    return event if kind is None else to_tagged(from_tagged(kind, event))


def _decision(match: Match, commit: Commit, seed: bytes) -> Decision:
    if not match.version:
        return decide_start(match.game, _start_command(match, commit), seed)
    return decide(match, _command(match, commit), at=milliseconds_of(commit.at), seed=seed)


def _start_command(match: Match, commit: Commit) -> StartMatch:
    started = match.started
    return StartMatch(
        id=commit.command,
        match=commit.match,
        options=match.options,
        seats=started.seats,
        watch=started.watch,
        rated=started.rated,
        entropies=started.entropies,
        clock=started.clock,
        on_flag=started.on_flag,
        on_leave=started.on_leave,
        stand_in=started.stand_in,
        origin=_origin(match.game, commit),
    )


def _origin(game: AnyGame, commit: Commit) -> Origin | None:
    """Return where a branch says that it begins: what of that is true, its parent tells."""
    event = next(
        (each for each in whole_events_of(game, commit) if isinstance(each, MatchBranched)), None
    )
    if event is None:
        return None
    state = from_json(game.state, event.state)
    return Origin(MatchId(event.parent), Version(event.version), state)


def _command(match: Match, commit: Commit) -> Command:
    """Return the command that *commit* says it answers."""
    seat, command = commit.seat, commit.command
    if seat is None:
        return _platform_command(match, commit)
    if commit.move is not None:
        resigned = seat in match.presence.resigned
        if resigned and match.started.on_leave == "default_moves":
            return PlayDefault(id=command, seat=seat)
        move = from_tagged(match.game.move, commit.move)
        return PlayMove(id=command, seat=seat, move=move, bot=commit.bot)
    match _telling(match, commit):
        case SeatResigned():
            return Resign(id=command, seat=seat)
        case WishTold(_, wish, is_wanted):
            return TellWish(id=command, seat=seat, wish=wish, is_wanted=is_wanted)
        case SeatGivenBack():
            return TakeBack(id=command, seat=seat)
        case event:
            raise _unlawful(
                commit, "events", "what a seat may do without a move", type(event).__name__
            )


def _platform_command(match: Match, commit: Commit) -> Command:
    match _telling(match, commit):
        case FlagFallen() | ClockStarted():
            return ExpireDeadline(id=commit.command)
        case TimeCredited(seat, milliseconds):
            return CreditTime(id=commit.command, seat=seat, seconds=milliseconds // SECOND)
        case MatchAborted(_, reason):
            return AbortMatch(id=commit.command, reason=reason)
        case event:
            raise _unlawful(commit, "events", "what the platform may do", type(event).__name__)


def _telling(match: Match, commit: Commit) -> object:
    """Return the first event that tells what *commit* was for."""
    events = whole_events_of(match.game, commit)
    return next((each for each in events if not isinstance(each, RulesChanged)), None)


def _difference(
    version: Version, expected: tuple[JSON, ...], recorded: tuple[JSON, ...]
) -> Failure:
    """Return the first event and field in which what was *recorded* differs from the *expected*."""
    pairs = enumerate(zip_longest(expected, recorded))
    at, (wanted, found) = next((at, pair) for at, pair in pairs if differ(*pair))
    if wanted is None or found is None or wanted["type"] != found["type"]:
        place = Place(version, at)
        return mismatch("unlawful_commit", place, _name(wanted), _name(found))
    field = _first_difference(_data(wanted), _data(found))
    if field is None:
        return mismatch("unlawful_commit", Place(version, at), wanted, found)
    is_outcome = _is_end(wanted) and field == "outcome"
    code: Code = "wrong_outcome" if is_outcome else "unlawful_commit"
    place = Place(version, at, field)
    right, wrong = (_data(each).get(field, "no such field") for each in (wanted, found))
    return mismatch(code, place, right, wrong)


def _first_difference(right: dict[str, JSON], wrong: dict[str, JSON]) -> str | None:
    """Return the first field that only one of both has, or that has another value."""
    for name in sorted(right.keys() | wrong.keys()):
        is_in_both = name in right and name in wrong
        if not is_in_both or differ(right[name], wrong[name]):
            return name
    return None


def _name(event: JSON) -> JSON:
    return "no more events" if event is None else event["type"]


def _data(event: JSON) -> dict[str, JSON]:
    return cast("dict[str, JSON]", event["data"])


def _is_end(event: JSON) -> bool:
    return bool(event["type"] == MatchEnded.__name__)


def _unlawful(commit: Commit, field: str, expected: JSON, found: JSON) -> FailureError:
    return FailureError(
        mismatch("unlawful_commit", Place(commit.version, field=field), expected, found)
    )
