"""The export of a match: `match.jsonl`, a header and one commit a line, in canonical JSON.

Reading is strict: there is one file for one export, so that no byte can change unnoticed.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal, NoReturn

from howff.engine.codec import JSON, from_json, shown, to_json
from howff.engine.errors import MalformedError
from howff.engine.seats import Viewer
from howff.match.canonical import canonical_bytes, is_nested_deeper
from howff.match.commit import Commit, actor_of, commit_from_json, commit_to_json, seat_of
from howff.match.errors import MalformedExportError, MatchGoesOnError, TruncatedExportError
from howff.match.events import Account, Bot
from howff.match.match import Match
from howff.match.redaction import redact_commit
from howff.match.signatures import PublicKey

FORMAT: Final = 1
WHOLE = "all"
SPECTATOR = "spectator"
DEEPEST = 32
"""How deep values may be nested; no game comes near."""


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


def export_whole(match: Match, keys: tuple[PublicKey, ...]) -> Export:
    """Return the whole of a finished match; *keys* check its signatures.

    Raises:
        MatchGoesOnError: the match has secrets still.
    """
    if not match.is_over:
        raise MatchGoesOnError("a whole export")
    return Export(_header(match, keys, WHOLE), match.commits)


def export_for(match: Match, viewer: Viewer, seed: bytes, keys: tuple[PublicKey, ...]) -> Export:
    """Return *match* as *viewer* may read it again; of a finished match that is all."""
    if match.is_over:
        return export_whole(match, keys)
    name = SPECTATOR if viewer is None else actor_of(viewer)
    commits = (redact_commit(match, commit, viewer, seed) for commit in match.commits)
    return Export(_header(match, keys, name), tuple(commits))


def viewer_of(header: Header) -> Viewer:
    """Return whose eyes have seen a redacted export."""
    return seat_of(header.viewer)


def write_export(export: Export) -> bytes:
    """Return *export* as the bytes of its file."""
    plain = [to_json(Header, export.header), *map(commit_to_json, export.commits)]
    return b"".join(canonical_bytes(line) + b"\n" for line in plain)


def read_export(content: bytes) -> Export:
    """Return the export whose file has this *content*.

    Raises:
        TruncatedExportError: a line breaks off, or there are fewer or more commits than told.
        MalformedExportError: a line is not what should stand there.
    """
    lines = content.split(b"\n")
    if lines.pop() or not lines:
        raise TruncatedExportError(len(lines) + 1, expected="a whole line", found="its beginning")
    header = _read_header(lines[0])
    commits = len(lines) - 1
    if commits != header.commits or not commits:
        expected = f"{header.commits or 'at least 1'} commits"
        raise TruncatedExportError(len(lines), expected=expected, found=str(commits))
    return Export(header, tuple(_read_commits(lines)))


def _header(match: Match, keys: tuple[PublicKey, ...], viewer: str) -> Header:
    started = match.started
    return Header(
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
        commits=len(match.commits),
    )


def _read_header(line: bytes) -> Header:
    try:
        header = from_json(Header, _read_line(line, 1))
    except MalformedError as error:
        raise _malformed(1, error) from error
    if header.viewer not in {WHOLE, SPECTATOR} and seat_of(header.viewer) is None:
        expected = "viewer: all, spectator or seat:N"
        raise MalformedExportError(1, expected=expected, found=repr(header.viewer))
    return header


def _read_commits(lines: list[bytes]) -> Iterator[Commit]:
    for number, line in enumerate(lines[1:], start=2):
        try:
            yield commit_from_json(_read_line(line, number))
        except MalformedError as error:
            raise _malformed(number, error) from error


def _read_line(line: bytes, number: int) -> JSON:
    try:
        plain = json.loads(line.decode(), parse_float=_no_number, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise MalformedExportError(number, expected="JSON in UTF-8", found=str(error)) from error
    if is_nested_deeper(plain, DEEPEST):
        expected = f"values nested at most {DEEPEST} deep"
        raise MalformedExportError(number, expected=expected, found="deeper ones")
    if not _is_canonical(plain, line):
        found = shown(line.decode())
        raise MalformedExportError(number, expected="canonical JSON, each key once", found=found)
    return plain


def _is_canonical(plain: JSON, line: bytes) -> bool:
    try:
        return canonical_bytes(plain) == line
    except ValueError:
        return False


def _malformed(line: int, error: MalformedError) -> MalformedExportError:
    expected = f"{error.path or 'the line'}: {error.expected}"
    return MalformedExportError(line, expected=expected, found=error.found)


def _no_number(text: str) -> NoReturn:
    message = f"{text} is no integer"
    raise ValueError(message)
