"""The format of a server's folder, so that no older Howff writes into what a newer one has made."""

from pathlib import Path
from typing import Final

from howff.cli.errors import CommandError
from howff.cli.files import read_file, save

FORMAT: Final = 2
"""Goes up with any form of what the folder keeps: tables of databases, commits, messages."""
_FILE: Final = "format"
_MOST_DIGITS: Final = 9


class OtherFormatError(CommandError):
    """What a folder keeps is of a newer Howff, or of something else."""

    code = "other_format"

    def __init__(self, folder: Path, found: str) -> None:
        expected = f"one that Howff keeps in format {FORMAT} or an older one"
        super().__init__(f"folder {str(folder)!r}", expected=expected, found=found)


def check_format(folder: Path) -> None:
    """Refuse a *folder* of a newer Howff; one that is new, or older, will be of this one's format.

    Raises:
        OtherFormatError: it is of a newer one.
        UnreadableFileError: it can't be read or written.
    """
    file = folder / _FILE
    if file.exists():
        told = read_file(file).decode("ascii", "replace").strip()
        if not (told.isdecimal() and len(told) <= _MOST_DIGITS):
            raise OtherFormatError(folder, "something else")
        if int(told) > FORMAT:
            raise OtherFormatError(folder, f"format {told}: start it by the Howff that has made it")
        if int(told) == FORMAT:
            return
    save(f"{FORMAT}\n".encode(), file)
