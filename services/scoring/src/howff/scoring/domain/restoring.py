"""Whether a match that was put into another server is the one of the archive."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import zip_longest
from typing import Literal

from howff.engine.catalogue import game_of
from howff.engine.codec import shown
from howff.engine.errors import RefusalError
from howff.match.commit import Commit
from howff.match.errors import MalformedExportError
from howff.match.export import Export, export_whole, read_export, write_export
from howff.match.journal import commit_bytes
from howff.match.match import match_of
from howff.match.verify import verify
from howff.scoring.domain.errors import DamagedError
from howff.scoring.domain.verifying import content_of

Side = Literal["archive", "server"]


@dataclass(frozen=True, slots=True)
class Shelved:
    """An entry of the archive, as far as a match can be restored from it."""

    match: str
    head_hash: str
    content: bytes
    """The file of its export, compressed."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a match is not what it should be."""

    match: str
    side: Side
    """Who has something else: the archive than it claims, or the server than the archive."""
    version: int | None
    """The first that differs; None for what is no matter of one commit."""
    expected: str
    found: str


@dataclass(frozen=True, slots=True)
class Sound:
    """A match of the archive whose file is what it claims to be."""

    match: str
    head_hash: str
    content: bytes
    """The file of its export."""
    export: Export

    @property
    def commits(self) -> tuple[Commit, ...]:
        return self.export.commits


def sound(entry: Shelved) -> Sound:
    """Return what is to be restored of *entry*, once its file is verified.

    Its signatures count by the keys that the file names: whose these are was checked when it came
    into the archive.

    Raises:
        DamagedError: it is not what was archived.
    """
    content, export = _read(entry)
    _check_entry(entry, export)
    try:
        game = game_of(export.header.game)
    except RefusalError as error:
        raise DamagedError(entry.match, None, error.expected, error.found) from error
    failure = verify(export, game).failure
    if failure is not None:
        place = failure.place
        raise DamagedError(entry.match, place.version, failure.expected, failure.found)
    return Sound(entry.match, entry.head_hash, content, export)


def difference(archived: Sound, commits: Sequence[Commit]) -> Difference | None:
    """Return where *commits*, as a server has them, are not those that were archived.

    They are the same if each is, byte by byte, the hash of the last is that of the archive's row,
    and the export that is made of them is the archived file.
    """
    for version, (want, have) in enumerate(zip_longest(archived.commits, commits), start=1):
        told = _told_apart(want, have)
        if told is not None:
            return Difference(archived.match, "server", version, *told)
    if commits[-1].hash != archived.head_hash:
        last = commits[-1]
        return Difference(archived.match, "server", last.version, archived.head_hash, last.hash)
    return _difference_of_files(archived, commits)


def _read(entry: Shelved) -> tuple[bytes, Export]:
    try:
        content = content_of(entry.content)
        return content, read_export(content)
    except zlib.error as error:
        raise DamagedError(entry.match, None, "a compressed file", "another") from error
    except MalformedExportError as error:
        version = error.line - 1 or None  # the header comes before the first commit
        raise DamagedError(entry.match, version, error.expected, error.found) from error


def _check_entry(entry: Shelved, export: Export) -> None:
    if (export.header.match, export.is_whole) != (entry.match, True):
        found = f"match {export.header.match}, as {export.header.viewer}"
        raise DamagedError(entry.match, None, f"match {entry.match}, whole", found)
    last = export.commits[-1]
    if last.hash != entry.head_hash:
        raise DamagedError(entry.match, last.version, f"hash {entry.head_hash}", last.hash)


def _told_apart(want: Commit | None, have: Commit | None) -> tuple[str, str] | None:
    """Return what was expected and what was found, unless both commits are the same bytes."""
    if want is None or have is None:
        return ("no commit" if want is None else "a commit", "one" if have else "none")
    if commit_bytes(want) == commit_bytes(have):
        return None
    for name in (each.name for each in fields(Commit)):
        expected, found = getattr(want, name), getattr(have, name)
        if expected != found:
            return f"{name} {shown(expected)}", shown(found)
    return "the same bytes", "others"  # such as 1 for true


def _difference_of_files(archived: Sound, commits: Sequence[Commit]) -> Difference | None:
    header = archived.export.header
    try:
        match = match_of(game_of(header.game), commits)
        written = write_export(export_whole(match, commits, header.keys))
    except RefusalError as error:
        return Difference(archived.match, "server", None, error.expected, error.found)
    if written != archived.content:
        return Difference(archived.match, "server", None, "the archived file", "another")
    return None
