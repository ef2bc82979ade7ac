"""Reading and writing the files that a user names."""

import os
from pathlib import Path

from howff.cli.errors import UnreadableFileError
from howff.engine.catalogue import game_of
from howff.engine.game import AnyGame
from howff.match.export import Export, read_export, write_export


def load_export(path: Path) -> tuple[Export, AnyGame]:
    """Return the export in the file *path*, and its game.

    Raises:
        UnreadableFileError: the file can't be read.
        MatchError: it is not an export.
        UnknownGameError: its game is not installed.
    """
    export = read_export(read_file(path))
    return export, game_of(export.header.game)


def save_export(export: Export, path: Path) -> None:
    """Write *export* to the file *path*, as `save` does.

    Raises:
        UnreadableFileError: the file can't be written.
    """
    save(write_export(export), path)


def save(content: bytes, path: Path) -> None:
    """Write *content* to the file *path*, which holds the old content or the whole new one.

    Raises:
        UnreadableFileError: the file can't be written.
    """
    written = path.resolve()
    unfinished = written.with_name(f"{written.name}.unfinished")
    try:
        unfinished.write_bytes(content)
        unfinished.replace(written)
    except OSError as error:
        raise unreadable(path, "a file that can be written", error) from error


def check_writable(path: Path) -> None:
    """Refuse now what `save` would refuse after a match.

    Raises:
        UnreadableFileError: no file can be written there.
    """
    expected = "a place where a file can be written"
    try:
        is_taken = path.exists() and not path.is_file()
        folder = path.resolve().parent
        is_writable = folder.is_dir() and os.access(folder, os.W_OK)
    except OSError as error:
        raise unreadable(path, expected, error) from error
    if is_taken or not is_writable:
        raise UnreadableFileError(f"file {str(path)!r}", expected=expected, found="none")


def read_file(path: Path) -> bytes:
    """Return the content of the file *path*.

    Raises:
        UnreadableFileError: the file can't be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise unreadable(path, "a file that can be read", error) from error


def unreadable(path: Path, expected: str, error: OSError) -> UnreadableFileError:
    """Return the refusal that an *error* around the file or folder *path* stands for."""
    found = (error.strerror or str(error)).lower()
    return UnreadableFileError(f"file {str(path)!r}", expected=expected, found=found)
