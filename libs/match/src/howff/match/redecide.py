"""Deciding a recorded match again: do these rules make these commits of these moves?"""

from dataclasses import dataclass
from itertools import zip_longest
from typing import NoReturn, cast

from howff.engine.codec import JSON, from_tagged, to_json
from howff.engine.errors import RefusalError
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome
from howff.match.commands import PlayMove, StartMatch
from howff.match.commit import PLATFORM, Commit
from howff.match.decisions import Decision, decide, decide_start
from howff.match.events import MatchEnded, RulesChanged, written
from howff.match.match import Match, advanced, before_start, evolve_unproven
from howff.match.report import Code, Failure, FailureError, Place, differ, mismatch


@dataclass(frozen=True, slots=True)
class Tally:
    """How many commits were decided again, and by which rules those were that only folded."""

    decided: int
    folded_by_rules: tuple[str, ...]


def decide_again(game: AnyGame, commits: tuple[Commit, ...], seed: bytes) -> Tally:
    """Return how many of *commits* were decided again; the others are of other rules.

    Raises:
        FailureError: a commit is not what the rules make of its command.
    """
    version = 1
    others: list[str] = []
    try:
        match = before_start(game, commits[0])
        for commit in commits:
            version = commit.version
            _check_command(match, commit)
            rules = _rules_of(match, commit)
            if rules == RulesChanged(game.rules_version, game.data_hash):
                match = _decided(match, commit, seed)
            else:
                match = _folded(match, commit)
                others.append(rules.rules_version)
    except RefusalError as error:
        failure = Failure("unlawful_commit", Place(version), error.expected, error.found)
        raise FailureError(failure) from error
    return Tally(len(commits) - len(others), tuple(dict.fromkeys(others)))


def _check_command(match: Match, commit: Commit) -> None:
    """Fail if the match was over, time went back, or a command was recorded twice."""
    if match.is_over:
        _fail(commit, "version", "no commit after the end", commit.version)
    if match.commits and commit.at < match.commits[-1].at:
        _fail(commit, "at", f"{match.commits[-1].at} or later", commit.at)
    if (commit.actor, commit.command) in match.commands:
        _fail(commit, "command", "an id that is new", commit.command)


def _rules_of(match: Match, commit: Commit) -> RulesChanged:
    if commit.events and commit.events[0]["type"] == RulesChanged.__name__:
        return cast("RulesChanged", from_tagged(RulesChanged, commit.events[0]))
    return match.rules


def _folded(match: Match, commit: Commit) -> Match:
    match = evolve_unproven(match, commit)
    outcome = match.game.outcome(match.state)
    if match.outcome != outcome:
        at = next((at for at, each in enumerate(commit.events) if _is_end(each)), None)
        place = Place(commit.version, at, "outcome")
        expected, found = (to_json(Outcome | None, each) for each in (outcome, match.outcome))
        raise FailureError(mismatch("wrong_outcome", place, expected, found))
    return match


def _decided(match: Match, commit: Commit, seed: bytes) -> Match:
    decision = _decision(match, commit, seed)
    expected = written(match.game.event, decision.events)
    if differ(expected, commit.events):
        raise FailureError(_difference(commit, expected))
    if decision.draws != commit.draws:
        _fail(commit, "draws", decision.draws, commit.draws)
    return advanced(match, commit, decision.events, decision.state)


def _decision(match: Match, commit: Commit, seed: bytes) -> Decision:
    if not match.commits:
        return _start_decision(match, commit, seed)
    if commit.seat is None:
        _fail(commit, "actor", "a seat", commit.actor)
    move = from_tagged(match.game.move, commit.move)
    command = PlayMove(id=commit.command, seat=commit.seat, move=move, bot=commit.bot)
    return decide(match, command, seed)


def _start_decision(match: Match, commit: Commit, seed: bytes) -> Decision:
    if commit.actor != PLATFORM:
        _fail(commit, "actor", PLATFORM, commit.actor)
    if commit.move is not None:
        _fail(commit, "move", None, commit.move)
    started = match.started
    command = StartMatch(
        id=commit.command,
        match=commit.match,
        options=match.options,
        seats=started.seats,
        watch=started.watch,
        rated=started.rated,
        entropies=started.entropies,
    )
    return decide_start(match.game, command, seed)


def _difference(commit: Commit, expected: tuple[JSON, ...]) -> Failure:
    """Return the first event and field in which *commit* differs from what was *expected*."""
    pairs = enumerate(zip_longest(expected, commit.events))
    at, (wanted, found) = next((at, pair) for at, pair in pairs if differ(*pair))
    if wanted is None or found is None or wanted["type"] != found["type"]:
        place = Place(commit.version, at)
        return mismatch("unlawful_commit", place, _name(wanted), _name(found))
    right, wrong = _data(wanted), _data(found)
    names = sorted(right.keys() | wrong.keys())
    field = next(name for name in names if differ(right.get(name), wrong.get(name)))
    is_outcome = _is_end(wanted) and field == "outcome"
    code: Code = "wrong_outcome" if is_outcome else "unlawful_commit"
    place = Place(commit.version, at, field)
    return mismatch(code, place, right.get(field), wrong.get(field))


def _name(event: JSON) -> JSON:
    return "no more events" if event is None else event["type"]


def _data(event: JSON) -> dict[str, JSON]:
    return cast("dict[str, JSON]", event["data"])


def _is_end(event: JSON) -> bool:
    return bool(event["type"] == MatchEnded.__name__)


def _fail(commit: Commit, field: str, expected: JSON, found: JSON) -> NoReturn:
    raise FailureError(
        mismatch("unlawful_commit", Place(commit.version, field=field), expected, found)
    )
