"""Checking an export from the file alone: anyone can do it, years later and without a server."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import NoReturn

from howff.engine.codec import JSON, to_json
from howff.engine.game import AnyGame
from howff.engine.visibility import Sealed, is_visible, visibilities
from howff.match.canonical import sha256_hex
from howff.match.chain import hash_of_redacted, hash_of_whole
from howff.match.commit import NO_HASH, Commit, seat_of
from howff.match.events import (
    MatchBranched,
    MatchStarted,
    RulesChanged,
    covered_fields,
    seed_revealed_by,
)
from howff.match.export import SPECTATOR, WHOLE, Export, Header, viewer_of
from howff.match.match import events_of, started_by
from howff.match.order import check_order
from howff.match.redaction import command_told
from howff.match.redecide import decide_again
from howff.match.report import (
    Check,
    Failure,
    FailureError,
    Place,
    Report,
    differ,
    failed,
    mismatch,
    not_checked,
    passed,
    refusals_fail,
)
from howff.match.seals import is_sealed
from howff.match.signatures import PublicKey
from howff.match.texts import is_hash


@dataclass(frozen=True, slots=True)
class Case:
    """What is to be checked, and with what."""

    export: Export
    game: AnyGame
    keys: dict[str, PublicKey]

    @property
    def header(self) -> Header:
        return self.export.header

    @property
    def commits(self) -> tuple[Commit, ...]:
        return self.export.commits


def verify(export: Export, game: AnyGame, pinned_keys: Iterable[PublicKey] | None = None) -> Report:
    """Return what checking *export*, a match of *game*, has found.

    Signatures count only if they are of *pinned_keys*; without any the export's own keys do,
    which proves no more than that one holder of those keys has signed everything.
    """
    trusted = export.header.keys if pinned_keys is None else pinned_keys
    case = Case(export, game, {key.id: key for key in trusted})
    checks: list[Check] = []
    for name, check in _CHECKS.items():
        if any(each.failure for each in checks):
            checks.append(not_checked(name, "an earlier check has failed"))
        else:
            checks.append(_answer(name, check, case))
    return Report(tuple(checks), tuple(case.keys))


def _answer(name: str, check: Callable[[str, Case], Check], case: Case) -> Check:
    try:
        return check(name, case)
    except FailureError as error:
        return failed(name, error.failure)


def _check_header(name: str, case: Case) -> Check:
    first = case.commits[0]
    with refusals_fail(Place(1, 0), "wrong_header"):
        started = to_json(MatchStarted, started_by(first))
    header = to_json(Header, case.header)
    _compare_header("match", first.match, header)
    for field in sorted(started.keys() & header.keys()):
        _compare_header(field, started[field], header)
    _compare_header("game", case.game.key, header)
    _check_viewer(case)
    return passed(name, "agrees with the first commit")


def _compare_header(field: str, expected: JSON, header: dict[str, JSON]) -> None:
    if differ(header[field], expected):
        raise FailureError(mismatch("wrong_header", Place(field=field), expected, header[field]))


def _check_seed(name: str, case: Case) -> Check:
    if not case.export.is_whole:
        return not_checked(name, "the match had not ended")
    commitment = sha256_hex(_seed_of(case))
    if commitment != case.header.seed_commitment:
        place = Place(case.commits[-1].version, field="seed")
        expected = f"a seed with the commitment {case.header.seed_commitment}"
        raise FailureError(Failure("wrong_seed", place, expected, commitment))
    return passed(name, "is the one committed to before the match")


def _check_chain(name: str, case: Case) -> Check:
    covered = covered_fields(case.game.event)
    seed = _seed_of(case) if case.export.is_whole else None
    prev = NO_HASH
    for version, commit in enumerate(case.commits, start=1):
        _compare_link(version, "version", version, commit.version)
        _compare_link(version, "match", case.header.match, commit.match)
        _compare_link(version, "prev", prev, commit.prev)
        prev = hash_of_redacted(commit) if seed is None else hash_of_whole(commit, covered, seed)
        _compare_link(version, "hash", prev, commit.hash)
    return passed(name, f"{len(case.commits)} commits")


def _compare_link(version: int, field: str, expected: JSON, found: JSON) -> None:
    if found != expected:
        place = Place(version, field=field)
        raise FailureError(mismatch("broken_chain", place, expected, found))


def _check_viewer(case: Case) -> None:
    """Fail if the header names a viewer that is none, or one that could not know so much."""
    if case.export.is_whole:
        return
    viewer = case.header.viewer
    seats = len(case.header.seats)
    if viewer != SPECTATOR and seat_of(viewer) not in range(seats):
        expected = f"{WHOLE}, {SPECTATOR} or one of {seats} seats"
        raise FailureError(Failure("wrong_header", Place(field="viewer"), expected, viewer))
    for commit in case.commits:
        if not is_sealed(commit.bot):
            _fail_told(case, Place(commit.version, field="bot"))


def _check_signatures(name: str, case: Case) -> Check:
    for commit in case.commits:
        key = case.keys.get(commit.key)
        if key is None:
            expected = f"one of {', '.join(case.keys)}" if case.keys else _NO_KEYS
            place = Place(commit.version, field="key")
            raise FailureError(Failure("unknown_key", place, expected, commit.key))
        if not key.has_signed(
            commit.signature, match=commit.match, version=commit.version, commit_hash=commit.hash
        ):
            place = Place(commit.version, field="signature")
            expected = f"one by the key {commit.key}"
            raise FailureError(Failure("bad_signature", place, expected, commit.signature))
    return passed(name, f"{len(case.commits)} commits")


_NO_KEYS = "a trusted key, but none was given"


def _check_record(name: str, case: Case) -> Check:
    check_order(case.commits, is_whole=case.export.is_whole)
    if case.export.is_whole:
        return passed(name, "in order, and the whole match")
    for commit in case.commits:
        own = {"move": commit.move, "bot": commit.bot}
        _check_told(case, Place(commit.version), command_told(commit), own, commit.salts or {})
        with refusals_fail(Place(commit.version)):
            events = events_of(case.game, commit)
        for at, event in enumerate(events):
            stored = commit.events[at]
            place = Place(commit.version, at)
            _check_told(case, place, event, stored["data"], stored.get("salts", {}))
    return passed(name, f"in order, and what {case.header.viewer} may know")


def _check_told(
    case: Case, place: Place, event: object, stored: dict[str, JSON], salts: dict[str, str]
) -> None:
    """Fail if the viewer is told more or less of *event* than it may know, or salts are amiss."""
    declared = visibilities(type(event))
    for field in salts.keys() - declared.keys():
        _fail_told(case, replace(place, field=field))
    for field in declared.keys() & stored.keys():
        is_known = is_visible(event, declared[field], viewer_of(case.header), told_live=True)
        told = getattr(event, field)
        if isinstance(told, Sealed):
            # What is momentary may be sealed for who may know it: it was read again later.
            is_right = is_hash(told.commitment) and field not in salts
            is_right = is_right and (not is_known or declared[field].momentary)
        else:
            is_right = is_known and field in salts
        if not is_right:
            _fail_told(case, replace(place, field=field))


def _fail_told(case: Case, place: Place) -> NoReturn:
    expected = f"exactly what the viewer {case.header.viewer} may know, and its salts"
    raise FailureError(Failure("wrong_header", place, expected, "something else"))


def _check_decisions(name: str, case: Case) -> Check:
    if not case.export.is_whole:
        return not_checked(name, "secrets are sealed")
    tally = decide_again(case.game, case.commits, _seed_of(case))
    origin = _origin_shown(case)
    if not tally.undecided:
        detail = f"{tally.decided} commits decided again alike, outcome included"
        return passed(name, detail + origin)
    number = sum(tally.undecided.values())
    rules = " and ".join(map(_rules_shown, tally.undecided.items()))
    detail = f"{number} of {len(case.commits)} commits NOT decided again, only folded: {rules}"
    return not_checked(name, f"{detail}; {tally.decided} decided again alike{origin}")


def _origin_shown(case: Case) -> str:
    """Return what a branch does not prove by itself."""
    events = events_of(case.game, case.commits[0])
    origin = next((each for each in events if isinstance(each, MatchBranched)), None)
    if origin is None:
        return ""
    return f"; that it began as match {origin.parent} stood at version {origin.version} is its word"


def _rules_shown(rules_and_number: tuple[RulesChanged, int]) -> str:
    rules, number = rules_and_number
    return f"{number} by rules {rules.rules_version} (data {rules.data_hash[:8]})"


def _seed_of(case: Case) -> bytes:
    last = case.commits[-1]
    seed = seed_revealed_by(last)
    if seed is not None:
        return seed
    place = Place(last.version, field="seed")
    raise FailureError(Failure("wrong_seed", place, "a seed revealed at the end", "none"))


_CHECKS: dict[str, Callable[[str, Case], Check]] = {
    "header": _check_header,
    "seed": _check_seed,
    "chain": _check_chain,
    "signatures": _check_signatures,
    "record": _check_record,
    "decisions": _check_decisions,
}
