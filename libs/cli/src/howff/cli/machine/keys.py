"""The keys by which parts of a server on one machine sign, kept in its folder."""

from dataclasses import dataclass
from pathlib import Path

from howff.cli.files import unreadable
from howff.servicekit import ids
from howff.servicekit.private import write_private


@dataclass(frozen=True, slots=True)
class PartKeys:
    """The files of a key: the *private* one for a part, the *public* one for who trusts it."""

    private: Path
    public: Path


def keys_on(folder: Path, part: str) -> PartKeys:
    """Return the key of a *part* on *folder*, which is made if there is none.

    Raises:
        UnreadableFileError: it can't be written.
    """
    keys = PartKeys(folder / f"{part}.key", folder / f"{part}.jwks.json")
    if not (keys.private.exists() and keys.public.exists()):
        # Reading tokens takes a third of a second to load, for this once.
        from howff.servicekit.web.parts import key_pair  # noqa: PLC0415

        pair = key_pair(ids.new_secret())
        try:
            write_private(keys.private, pair.private)
            keys.public.write_text(pair.public)
        except OSError as error:
            raise unreadable(keys.private, "a file that can be written", error) from error
    return keys
