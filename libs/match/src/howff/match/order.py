"""What holds of the commits of every match, whatever the rules of its game.

Nothing here needs a seed or the rules. So it is checked of every record: of the parts that other
rules have decided, and of what a viewer was told while the match ran.
"""

from itertools import pairwise
from typing import NoReturn, cast

from howff.engine.codec import JSON, from_tagged, shown
from howff.engine.outcome import Outcome, places_by
from howff.match.commit import PLATFORM, Commit, Version
from howff.match.events import MatchEnded
from howff.match.match import started_by
from howff.match.report import Failure, FailureError, Place, refusals_fail
from howff.match.seals import is_sealed
from howff.match.terms import check_entropies

_ENDINGS = ("MatchEnded", "MatchAborted")
"""What tells that a match is over; the seed is revealed right after it."""
_WITHOUT_MOVE = frozenset({"SeatResigned", "WishTold", "SeatGivenBack"})
"""What a seat may do without a move."""


def check_order(commits: tuple[Commit, ...], *, is_whole: bool) -> None:
    """Refuse *commits* that no match has; *is_whole* says that it has ended and all is told.

    Raises:
        FailureError: a commit is not in order.
    """
    with refusals_fail(Place(1, 0)):
        started = started_by(commits[0])
        seats = len(started.seats)
        check_entropies(started.entropies, seats)
    for commit in commits:
        _check_actor(commit, seats)
        _check_move(commit, is_whole=is_whole)
        _check_places(commit, is_last=is_whole and commit is commits[-1])
        if is_whole and commit.has_salts:
            _fail(commit, "salts", "none, since nothing is sealed", "some")
    _check_sequence(commits)
    if is_whole:
        _check_end(commits[-1], seats)


def _check_actor(commit: Commit, seats: int) -> None:
    expected = PLATFORM if commit.version == 1 else f"{PLATFORM} or one of {seats} seats"
    is_platform = commit.actor == PLATFORM
    is_seat = commit.version > 1 and commit.seat in range(seats)
    if not is_platform and not is_seat:
        _fail(commit, "actor", expected, commit.actor)


def _check_move(commit: Commit, *, is_whole: bool) -> None:
    if is_sealed(commit.move) and not is_whole:
        return
    if commit.seat is None and commit.move is not None:
        _fail(commit, "move", "null, since no seat has moved", shown(commit.move))
    is_other = any(event["type"] in _WITHOUT_MOVE for event in commit.events)
    if is_other and commit.move is not None:
        _fail(commit, "move", "null, since the seat has done something else", shown(commit.move))
    if commit.seat is not None and not is_other and not _is_tagged(commit.move):
        _fail(commit, "move", "an object of type and data", shown(commit.move))


def _is_tagged(move: JSON) -> bool:
    if not isinstance(move, dict):
        return False
    members = cast("dict[str, JSON]", move)
    return (
        members.keys() == {"type", "data"}
        and isinstance(members["type"], str)
        and isinstance(members["data"], dict)
    )


def _check_places(commit: Commit, *, is_last: bool) -> None:
    """Refuse an event of the platform where it can't stand."""
    for at, event in enumerate(commit.events):
        if not _is_in_place(commit, at, event["type"], is_last=is_last):
            place = Place(commit.version, at)
            raise FailureError(
                Failure("unlawful_commit", place, "this event elsewhere or never", event["type"])
            )


def _is_in_place(commit: Commit, at: int, kind: str, *, is_last: bool) -> bool:
    match kind:
        case "MatchStarted":
            return (commit.version, at) == (1, 0)
        case "RulesChanged":
            return commit.version > 1 and at == 0
        case "MatchBranched":
            return (commit.version, at) == (1, 1)
        case "MatchEnded" | "MatchAborted":
            return is_last and at == len(commit.events) - 2
        case "SeedRevealed":
            return is_last and at == len(commit.events) - 1
        case _:
            return True


def _check_sequence(commits: tuple[Commit, ...]) -> None:
    """Refuse time that goes back, and a command that was recorded twice."""
    known: dict[tuple[str, str], Version] = {}
    for commit in commits:
        command = (commit.actor, commit.command)
        if command in known:
            found = f"that of version {known[command]}"
            _fail(commit, "command", "an id that is new", found)
        known[command] = commit.version
    for before, after in pairwise(commits):
        if after.at < before.at:
            _fail(after, "at", f"{before.at} or later", after.at)


def _check_end(last: Commit, seats: int) -> None:
    kinds = [event["type"] for event in last.events[-2:]]
    if kinds not in [[ending, "SeedRevealed"] for ending in _ENDINGS]:
        expected = f"{' or '.join(_ENDINGS)} and SeedRevealed as the last"
        _fail(last, "events", expected, shown(kinds))
    if kinds[0] == "MatchAborted":
        return
    place = Place(last.version, len(last.events) - 2, "outcome")
    with refusals_fail(place):
        outcome = cast("MatchEnded", from_tagged(MatchEnded, last.events[-2])).outcome
    if not _is_of_seats(outcome, seats):
        expected = f"places and the same figures of {seats} seats"
        raise FailureError(Failure("wrong_outcome", place, expected, "others"))


def _is_of_seats(outcome: Outcome, seats: int) -> bool:
    names = {tuple(figure.name for figure in figures) for figures in outcome.figures}
    return (
        len(outcome.places) == len(outcome.figures) == seats
        and outcome.places == places_by(outcome.places)
        and len(names) == 1
    )


def _fail(commit: Commit, field: str, expected: str, found: str) -> NoReturn:
    place = Place(commit.version, field=field)
    raise FailureError(Failure("unlawful_commit", place, expected, found))
