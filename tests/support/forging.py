"""Forgeries: exports that were changed, and made to look right again as far as a forger can."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from howff.engine.codec import JSON
from howff.engine.game import AnyGame
from howff.engine.seats import Seat, Viewer
from howff.match.chain import hash_of_redacted, hash_of_whole
from howff.match.commit import NO_HASH, Commit
from howff.match.events import covered_fields
from howff.match.export import Export
from howff.match.report import Failure, Report
from howff.match.signatures import Signer
from support.played import SEED, SIGNER, Record, exported, exported_to, played
from support.toy_game import TOY
from support.toy_types import Options

VIEWERS: tuple[Viewer, ...] = (None, Seat(0), Seat(1), Seat(2))
NEWER = replace(TOY, rules_version="2")
Change = Callable[[Commit], Commit]


@cache
def finished() -> Record:
    """Return a match of the toy game that was played to its end."""
    return played(TOY, Options(), 3)


@cache
def running() -> Record:
    """Return the same match before its last move."""
    return finished().before_the_last()


@cache
def whole() -> Export:
    """Return the match that was played to its end, as anybody may export it."""
    return exported(finished())


@cache
def told_to(viewer: Viewer) -> Export:
    """Return the match before its last move, as *viewer* may export it."""
    return exported_to(running(), viewer)


def changed(export: Export, version: int, change: Change) -> Export:
    """Return *export* with the *change* to one of its commits."""
    commits = list(export.commits)
    commits[version - 1] = change(commits[version - 1])
    return replace(export, commits=tuple(commits))


def rechained(
    export: Export, signer: Signer | None = SIGNER, seed: bytes = SEED, game: AnyGame = TOY
) -> Export:
    """Return *export* with right hashes again, signed anew if there is a *signer*."""
    commits: list[Commit] = []
    for commit in export.commits:
        linked = replace(commit, prev=commits[-1].hash if commits else NO_HASH)
        right = (
            hash_of_whole(linked, covered_fields(game.event), seed)
            if export.is_whole
            else hash_of_redacted(linked)
        )
        linked = replace(linked, hash=right)
        if signer:
            signature = signer.sign(match=linked.match, version=linked.version, commit_hash=right)
            linked = replace(linked, key=signer.id, signature=signature)
        commits.append(linked)
    return replace(export, commits=tuple(commits))


def with_event(at: int, **data: JSON) -> Change:
    """Return the change that sets *data* in the event at place *at*."""

    def change(commit: Commit) -> Commit:
        events = list(commit.events)
        events[at] = events[at] | {"data": events[at]["data"] | data}
        return replace(commit, events=tuple(events))

    return change


def with_header(export: Export, **changes: Any) -> Export:
    """Return *export* with *changes* to its header."""
    return replace(export, header=replace(export.header, **changes))


def failure(report: Report) -> Failure:
    """Return what the *report* says is wrong."""
    assert report.failure is not None
    return report.failure


def results(report: Report) -> dict[str, str]:
    """Return the result of each check, by its name."""
    return {check.name: check.result for check in report.checks}
