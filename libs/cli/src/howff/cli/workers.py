"""The key by which the workers of a server on one machine sign, kept in its folder."""

from dataclasses import dataclass
from pathlib import Path

from howff.cli.files import unreadable
from howff.servicekit import ids


@dataclass(frozen=True, slots=True)
class WorkerKeys:
    """The files of a key: the *private* one for workers, the *public* one for who trusts them."""

    private: Path
    public: Path


def worker_keys_on(folder: Path) -> WorkerKeys:
    """Return the key of the workers on *folder*, which is made if there is none.

    Raises:
        UnreadableFileError: it can't be written.
    """
    keys = WorkerKeys(folder / "bots.key", folder / "bots.jwks.json")
    if not (keys.private.exists() and keys.public.exists()):
        # Reading tokens takes a third of a second to load, for this once.
        from howff.servicekit.web.workers import key_pair  # noqa: PLC0415

        pair = key_pair(ids.new_secret())
        try:
            keys.private.touch(mode=0o600)
            keys.private.write_text(pair.private)
            keys.public.write_text(pair.public)
        except OSError as error:
            raise unreadable(keys.private, "a file that can be written", error) from error
    return keys
