"""The export of a match: `match.jsonl`, a header and one commit a line, in canonical JSON.

Reading is strict: there is one file for one export, so that no byte can change unnoticed.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from howff.engine.codec import JSON, from_json, shown, to_json
from howff.engine.errors import MalformedError
from howff.engine.seats import Viewer
from howff.match.canonical import canonical_line
from howff.match.commit import Commit, actor_of, commit_from_json, commit_to_json, seat_of
from howff.match.errors import (
    MalformedExportError,
    MatchGoesOnError,
    TruncatedExportError,
    UnrecordableError,
)
from howff.match.events import Account, Bot, check_term_texts
from howff.match.match import Match
from howff.match.redaction import redact_commit
from howff.match.signatures import PublicKey, public_key_from_jwk
from howff.match.texts import A_NAME, is_name

FORMAT: Final = 1
WHOLE: Final = "all"
SPECTATOR = "spectator"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line of an export."""

    format: Literal[1]
    match: str
    game: str
    rules_version: str
    data_hash: str
    options: JSON
    seats: tuple[Account | Bot, ...]
    seed_commitment: str
    keys: tuple[PublicKey, ...]
    viewer: str
    """`all` for the whole match; else whose eyes have seen it: `spectator` or `seat:N`."""
    commits: int
    """How many commits follow."""


@dataclass(frozen=True, slots=True)
class Export:
    """A match as a file tells it."""

    header: Header
    commits: tuple[Commit, ...]

    @property
    def is_whole(self) -> bool:
        return self.header.viewer == WHOLE


def export_whole(match: Match, commits: Sequence[Commit], keys: tuple[PublicKey, ...]) -> Export:
    """Return the whole of a finished match, all its *commits*; *keys* check their signatures.

    Raises:
        MatchGoesOnError: the match has secrets still.
    """
    if not match.is_over:
        raise MatchGoesOnError("a whole export")
    return _export(match, commits, keys, WHOLE)


def export_for(
    match: Match,
    commits: Sequence[Commit],
    viewer: Viewer,
    seed: bytes,
    keys: tuple[PublicKey, ...],
) -> Export:
    """Return *match*, which has these *commits*, as *viewer* may read it again.

    Of a finished match that is all.

    Raises:
        NoSuchSeatError: the match has no seat *viewer*.
    """
    if match.is_over:
        return export_whole(match, commits, keys)
    told = [redact_commit(match, commit, viewer, seed) for commit in commits]
    return _export(match, told, keys, viewer_name(viewer))


def viewer_name(viewer: Viewer) -> str:
    """Return how *viewer* is named."""
    return SPECTATOR if viewer is None else actor_of(viewer)


def viewer_of(header: Header) -> Viewer:
    """Return whose eyes have seen a redacted export."""
    return seat_of(header.viewer)


def write_export(export: Export) -> bytes:
    """Return *export* as the bytes of its file.

    Raises:
        UnrecordableError: it holds what could not be read again.
    """
    plain = [to_json(Header, export.header), *map(commit_to_json, export.commits)]
    return b"".join(canonical_line(line) + b"\n" for line in plain)


def read_export(content: bytes) -> Export:
    """Return the export whose file has this *content*.

    Raises:
        TruncatedExportError: a line breaks off, or there are fewer or more commits than told.
        MalformedExportError: a line is not what should stand there.
    """
    if not content:
        raise TruncatedExportError(1, expected="a header", found="an empty file")
    lines = content.split(b"\n")
    if lines.pop() or not lines:
        raise TruncatedExportError(len(lines) + 1, expected="a whole line", found="its beginning")
    header = _read_header(lines[0])
    commits = len(lines) - 1
    if commits != header.commits or not commits:
        expected = f"{header.commits or 'at least 1'} commits"
        raise TruncatedExportError(len(lines), expected=expected, found=str(commits))
    return Export(header, tuple(_read_commits(lines)))


def _export(
    match: Match, commits: Sequence[Commit], keys: tuple[PublicKey, ...], viewer: str
) -> Export:
    started = match.started
    header = Header(
        format=FORMAT,
        match=match.id,
        game=started.game,
        rules_version=started.rules_version,
        data_hash=started.data_hash,
        options=started.options,
        seats=started.seats,
        seed_commitment=started.seed_commitment,
        keys=keys,
        viewer=viewer,
        commits=len(commits),
    )
    return Export(header, tuple(commits))


def _read_header(line: bytes) -> Header:
    try:
        header = from_json(Header, _read_line(line, 1))
        _check_header(header)
    except MalformedError as error:
        raise _malformed(1, error) from error
    return header


def _check_header(header: Header) -> None:
    if not is_name(header.match):
        raise MalformedError("match", expected=A_NAME, found=shown(header.match))
    check_term_texts(header, "")
    for key in header.keys:
        public_key_from_jwk(to_json(PublicKey, key))
    if header.viewer not in {WHOLE, SPECTATOR} and seat_of(header.viewer) is None:
        expected = "all, spectator or seat:N"
        raise MalformedError("viewer", expected=expected, found=repr(header.viewer))


def _read_commits(lines: list[bytes]) -> Iterator[Commit]:
    for number, line in enumerate(lines[1:], start=2):
        try:
            yield commit_from_json(_read_line(line, number))
        except MalformedError as error:
            raise _malformed(number, error) from error


def _read_line(line: bytes, number: int) -> JSON:
    try:
        plain = json.loads(line.decode())
        canonical = canonical_line(plain)
    except json.JSONDecodeError as error:
        found = f"{shown(error.doc[error.pos :])} at character {error.pos + 1}"
        raise MalformedExportError(number, expected="JSON in UTF-8", found=found) from error
    except (ValueError, RecursionError) as error:
        raise MalformedExportError(number, expected="JSON in UTF-8", found=str(error)) from error
    except UnrecordableError as error:
        raise MalformedExportError(number, expected=error.expected, found=error.found) from error
    if canonical != line:
        found = shown(line.decode())
        raise MalformedExportError(number, expected="canonical JSON, each key once", found=found)
    return plain


def _malformed(line: int, error: MalformedError) -> MalformedExportError:
    expected = f"{error.path or 'the line'}: {error.expected}"
    return MalformedExportError(line, expected=expected, found=error.found)
