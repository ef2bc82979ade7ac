"""Verifying a match that is over, before anything is made of it."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from howff.engine.catalogue import game_of
from howff.engine.codec import JSON, to_json
from howff.match.export import Export, read_export
from howff.match.signatures import PublicKey
from howff.match.verify import verify
from howff.scoring.domain.errors import UnverifiedError
from howff.scoring.domain.results import MatchResult, result_of

RESULTS_VERSION: Final = 1
"""Goes up with every change by which results would tell something else: then all that is made of
them is made anew."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What was told of a match when it had ended."""

    match: str
    version: int
    """How many commits it has."""
    outcome: JSON
    """Null for one that was aborted."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A match as the archive keeps it."""

    match: str
    game: str
    head_hash: str
    content: bytes
    """The file of its export, compressed by zlib."""
    unchecked: tuple[str, ...]
    """The checks that could not be made here."""
    result: JSON


def entry_of(content: bytes, claim: Claim, keys: Sequence[PublicKey]) -> Entry:
    """Return the entry of a match whose whole export has this *content*, once it is verified.

    Signatures count if they are by one of *keys*.

    Raises:
        UnverifiedError: a check has failed, or the match is not the one that was claimed.
        MalformedExportError, TruncatedExportError: *content* is no export.
        UnknownGameError: its game is not installed here.
    """
    export = read_export(content)
    _check_claim(export, claim)
    report = verify(export, game_of(export.header.game), keys)
    if report.failure is not None:
        failure = report.failure
        where = f" at {failure.place}" if str(failure.place) else ""
        found = f"{failure.code}{where}: {failure.found}"
        raise UnverifiedError(claim.match, expected=failure.expected, found=found)
    return Entry(
        match=claim.match,
        game=export.header.game,
        head_hash=export.commits[-1].hash,
        content=zlib.compress(content),
        unchecked=tuple(each.name for each in report.checks if each.result == "not checked"),
        result=to_json(MatchResult, _result(export, claim)),
    )


def content_of(entry_content: bytes) -> bytes:
    """Return the file of an export as it was archived."""
    return zlib.decompress(entry_content)


def result_again(entry_content: bytes) -> MatchResult:
    """Return what an archived match, which was verified when it came, tells of its seats now."""
    return result_of(read_export(content_of(entry_content)))


def _check_claim(export: Export, claim: Claim) -> None:
    told = claim.match, claim.version
    found = export.header.match, len(export.commits)
    if found != told or not export.is_whole:
        what = "match {} with {} commits, whole"
        seen = "match {} with {} commits, as {}"
        raise UnverifiedError(
            claim.match,
            expected=what.format(*told),
            found=seen.format(*found, export.header.viewer),
        )


def _result(export: Export, claim: Claim) -> MatchResult:
    result = result_of(export)
    told = claim.outcome["places"] if claim.outcome is not None else None
    places = [seat.place for seat in result.seats]
    if (told or [None] * len(places)) != places:
        raise UnverifiedError(claim.match, expected=f"places {told}", found=f"places {places}")
    return result
