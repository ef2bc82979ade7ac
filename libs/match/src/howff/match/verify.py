"""Checking an export from the file alone: anyone can do it, years later and without a server."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from howff.engine.codec import JSON, to_json
from howff.engine.errors import EngineError
from howff.engine.game import AnyGame
from howff.engine.visibility import Sealed, is_visible, visibilities
from howff.match.canonical import bytes_of_hex, sha256_hex
from howff.match.chain import hash_of_redacted, hash_of_whole
from howff.match.commit import NO_HASH, Commit
from howff.match.events import covered_fields
from howff.match.export import Export, Header, viewer_of
from howff.match.match import events_of, started_by
from howff.match.redaction import command_of
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
)
from howff.match.signatures import PublicKey


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
    try:
        started = to_json(type(started_by(first)), started_by(first))
    except EngineError as error:
        failure = Failure("wrong_header", Place(1, 0), error.expected, error.found)
        raise FailureError(failure) from error
    header = to_json(Header, case.header)
    _compare_header("match", first.match, header)
    for field in sorted(started.keys() & header.keys()):
        _compare_header(field, started[field], header)
    _compare_header("game", case.game.key, header)
    for commit in case.commits:
        if commit.is_whole != case.export.is_whole:
            _fail_viewer(case, Place(commit.version, field="move"))
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


def _check_signatures(name: str, case: Case) -> Check:
    for commit in case.commits:
        key = case.keys.get(commit.key)
        if key is None:
            expected = "one of " + ", ".join(case.keys)
            place = Place(commit.version, field="key")
            raise FailureError(Failure("unknown_key", place, expected, commit.key))
        if not key.has_signed(
            commit.signature, match=commit.match, version=commit.version, commit_hash=commit.hash
        ):
            place = Place(commit.version, field="signature")
            expected = f"one by the key {commit.key}"
            raise FailureError(Failure("bad_signature", place, expected, commit.signature))
    return passed(name, f"{len(case.commits)} commits")


def _check_viewer(name: str, case: Case) -> Check:
    if case.export.is_whole:
        return passed(name, "the whole match")
    for commit in case.commits:
        _check_told(case, commit, command_of(commit), None)
        for at, event in enumerate(_events(case, commit)):
            _check_told(case, commit, event, at)
    return passed(name, f"everything that {case.header.viewer} may know, and nothing else")


def _check_told(case: Case, commit: Commit, event: object, at: int | None) -> None:
    """Fail if a field is sealed that the viewer may know, or the other way round.

    What is momentary may be sealed for a viewer who may know it: it was read again later.
    """
    for field, visibility in visibilities(type(event)).items():
        is_known = is_visible(event, visibility, viewer_of(case.header), told_live=True)
        is_told = not isinstance(getattr(event, field), Sealed)
        if is_told != is_known and not (is_known and visibility.momentary):
            _fail_viewer(case, Place(commit.version, at, field))


def _fail_viewer(case: Case, place: Place) -> None:
    expected = f"what the viewer {case.header.viewer} may know"
    raise FailureError(Failure("wrong_header", place, expected, "more or less than that"))


def _events(case: Case, commit: Commit) -> tuple[Any, ...]:
    try:
        return events_of(case.game, commit)
    except EngineError as error:
        place = Place(commit.version)
        failure = Failure("unlawful_commit", place, error.expected, error.found)
        raise FailureError(failure) from error


def _check_decisions(name: str, case: Case) -> Check:
    if not case.export.is_whole:
        return not_checked(name, "secrets are sealed")
    tally = decide_again(case.game, case.commits, _seed_of(case))
    if not tally.folded_by_rules:
        return passed(name, f"{tally.decided} commits decided again alike, outcome included")
    rules = ", ".join(tally.folded_by_rules)
    detail = f"commits of the rules {rules} only folded, {tally.decided} others decided again"
    return not_checked(name, detail)


def _seed_of(case: Case) -> bytes:
    last = case.commits[-1]
    event: dict[str, JSON] = last.events[-1] if last.events else {}
    try:
        if event["type"] == "SeedRevealed":
            return bytes_of_hex(event["data"]["seed"])
    except (KeyError, TypeError, ValueError):
        pass
    place = Place(last.version, field="seed")
    raise FailureError(Failure("wrong_seed", place, "a seed revealed at the end", "none"))


_CHECKS: dict[str, Callable[[str, Case], Check]] = {
    "header": _check_header,
    "seed": _check_seed,
    "chain": _check_chain,
    "signatures": _check_signatures,
    "viewer": _check_viewer,
    "decisions": _check_decisions,
}
