"""Checks of what is stored: versions, hashes, signatures, decisions, exports, the stream."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from itertools import pairwise

from howff.engine.codec import from_tagged
from howff.engine.errors import RefusalError
from howff.match.commands import Command, ExpireDeadline, PlayDefault, PlayMove, StartMatch
from howff.match.commit import Commit, commit_to_json
from howff.match.decisions import DEFAULT_POLICY
from howff.match.export import read_export
from howff.match.match import Match
from howff.match.notary import Notary
from howff.match.play import play, start
from howff.match.signatures import PublicKey, Signer
from howff.match.verify import verify
from support.histories.course import Course
from support.histories.history import History


def versions_have_no_gap(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """The versions of a match go up by one from 1, and positions in the stream rise with them."""
    del history
    for match, course in logs.items():
        versions = [each.version for each in course.commits]
        if versions != list(range(1, len(versions) + 1)):
            yield f"{match}: versions {versions}"
        positions = [position for position, _ in course.record.messages]
        if any(after <= before for before, after in pairwise(positions)):
            yield f"{match}: positions {positions}"


def chain_is_right(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """Every commit names the one before by its hash, and is signed by the service's key."""
    key = _key(history)
    for match, course in logs.items():
        for before, after in pairwise(course.commits):
            if after.prev != before.hash:
                yield f"{match}: version {after.version} does not follow the one before"
        for each in course.commits:
            if not _is_signed(each, key):
                yield f"{match}: version {each.version} has a wrong signature"


def rules_decide_alike(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """Decided again with its seed and its time, each commit is the same, hash and all."""
    signer = Signer.of(history.signing_key)
    for match, course in logs.items():
        notary = Notary(course.record.seed, signer)
        before: Match | None = None
        for commit, state in zip(course.commits, course.states, strict=False):
            try:
                again = _decided(before, state, commit, notary)
            except RefusalError as error:
                yield f"{match}: version {commit.version} is refused: {error}"
                break
            if commit_to_json(again) != commit_to_json(commit):
                yield f"{match}: version {commit.version} would be decided in another way"
                break
            before = state


def exports_are_whole(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """The export of a match that is over verifies, and tells the log as it is stored."""
    for read in history.reads:
        if read.look.reading != "export" or not read.is_ok:
            continue
        export = read_export(read.body)
        course = logs[read.match]
        is_over = course.newest == read.version and course.state(read.version).is_over
        if export.is_whole != is_over:
            yield f"{read.match}: a whole export before the end, or none after it"
            continue
        failure = verify(export, course.state(1).game, [_key(history)]).failure
        if failure is not None:
            yield f"{read.match}: export to {read.look.viewer}: {failure}"
        if is_over and export.commits != course.commits:
            yield f"{read.match}: the export is not the log"


def stream_keeps_all(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """The stream is the same one from the start to the end, and never behind what was read."""
    for before, after in pairwise(history.marks):
        if before.created != after.created:
            yield f"the stream of {before.created} has become one of {after.created}"
        if after.last < max(before.last, before.floor):
            yield f"the stream has gone back from {before.last} to {after.last}"
    last = history.marks[-1].last
    for mark in history.marks:
        if mark.floor > last:
            yield f"what was worked off, {mark.floor}, is beyond the stream's end, {last}"
    for match, course in logs.items():
        if any(position > last for position, _ in course.record.messages):
            yield f"{match}: has messages beyond the stream's end, {last}"


def _decided(before: Match | None, state: Match, commit: Commit, notary: Notary) -> Commit:
    at = datetime.fromisoformat(commit.at)
    if before is None:
        opening = StartMatch(
            id=commit.command,
            match=commit.match,
            options=state.options,
            seats=state.started.seats,
            watch=state.started.watch,
            rated=state.started.rated,
            entropies=state.started.entropies,
            clock=state.started.clock,
        )
        return start(state.game, opening, at=at, notary=notary).commit
    return play(before, _command_of(commit, state), at=at, notary=notary).commit


def _command_of(commit: Commit, state: Match) -> Command:
    if commit.seat is None:
        return ExpireDeadline(id=commit.command)  # no administrator takes part
    if commit.bot == DEFAULT_POLICY:
        return PlayDefault(id=commit.command, seat=commit.seat)
    move = from_tagged(state.game.move, commit.move)
    return PlayMove(id=commit.command, seat=commit.seat, move=move, bot=commit.bot)


def _key(history: History) -> PublicKey:
    return Signer.of(history.signing_key).public_key


def _is_signed(commit: Commit, key: PublicKey) -> bool:
    return key.has_signed(
        commit.signature, match=commit.match, version=commit.version, commit_hash=commit.hash
    )
