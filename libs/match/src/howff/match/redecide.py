"""Deciding a recorded match again: do these rules make these commits of these moves?"""

from collections import Counter
from dataclasses import dataclass
from itertools import zip_longest
from typing import NoReturn, cast

from howff.engine.codec import JSON, from_tagged, to_json
from howff.engine.game import AnyGame
from howff.engine.outcome import Outcome
from howff.match.commands import PlayMove, StartMatch
from howff.match.commit import Commit
from howff.match.decisions import Decision, decide, decide_start
from howff.match.events import MatchEnded, RulesChanged, written
from howff.match.match import Match, advanced, before_start, evolve, misfits_refused
from howff.match.report import Code, Failure, FailureError, Place, differ, mismatch, refusals_fail


@dataclass(frozen=True, slots=True)
class Tally:
    """How many commits were decided again, and how many were not, by rules."""

    decided: int
    undecided: dict[RulesChanged, int]


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
    if not match.version:
        return _start_decision(match, commit, seed)
    if commit.seat is None:
        _fail(commit, "actor", "a seat", commit.actor)
    move = from_tagged(match.game.move, commit.move)
    command = PlayMove(id=commit.command, seat=commit.seat, move=move, bot=commit.bot)
    return decide(match, command, seed)


def _start_decision(match: Match, commit: Commit, seed: bytes) -> Decision:
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
    field = _first_difference(_data(wanted), _data(found))
    if field is None:
        return mismatch("unlawful_commit", Place(commit.version, at), wanted, found)
    is_outcome = _is_end(wanted) and field == "outcome"
    code: Code = "wrong_outcome" if is_outcome else "unlawful_commit"
    place = Place(commit.version, at, field)
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


def _fail(commit: Commit, field: str, expected: JSON, found: JSON) -> NoReturn:
    raise FailureError(
        mismatch("unlawful_commit", Place(commit.version, field=field), expected, found)
    )
