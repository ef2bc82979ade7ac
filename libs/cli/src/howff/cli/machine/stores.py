"""The streams that a server keeps in its folder, and under which account."""

from pathlib import Path
from typing import Final

from howff.cli.errors import CommandError
from howff.cli.files import unreadable
from howff.servicekit.nats.accounts import STREAMS

_NOBODYS: Final = "$G"
"""The account of whoever connected before there were users."""


class TwoStoresError(CommandError):
    """A folder has streams of the time before users, and of the time since."""

    code = "two_stores"

    def __init__(self, old: Path, new: Path) -> None:
        expected = f"streams either in {str(old)!r} or in {str(new)!r}"
        found = "both, of which a server would find the newer ones alone"
        super().__init__("streams of NATS", expected=expected, found=found)


def adopt_streams(nats: Path) -> None:
    """Let the server on the folder *nats* find the streams that stand there from before users.

    The folder has to be locked.

    Raises:
        TwoStoresError: there are newer ones as well.
        UnreadableFileError: they can't be moved.
    """
    old, new = (nats / "store" / "jetstream" / account for account in (_NOBODYS, STREAMS))
    try:
        if not _has_streams(old):
            return
        if _has_streams(new):
            raise TwoStoresError(old, new)
        _clear(new)
        old.rename(new)
    except OSError as error:
        raise unreadable(old, "a folder that can be moved", error) from error


def _has_streams(account: Path) -> bool:
    streams = account / "streams"
    return streams.is_dir() and any(streams.iterdir())


def _clear(account: Path) -> None:
    """Remove the folder of an *account* that has nothing in it."""
    for folder in (account / "streams", account):
        if folder.is_dir():
            folder.rmdir()
