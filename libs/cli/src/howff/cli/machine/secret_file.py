"""`howff secrets`: what the containers of a server need and nobody else may know, at random."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from howff.cli.errors import CommandError
from howff.cli.files import unreadable
from howff.servicekit.web.parts import key_pair

PASSWORDS: Final = (
    "POSTGRES_PASSWORD",
    "HOWFF_LOBBY_DATABASE_PASSWORD",
    "HOWFF_SCORING_DATABASE_PASSWORD",
    "HOWFF_NATS_LOBBY_PASSWORD",
    "HOWFF_NATS_GAME_PASSWORD",
    "HOWFF_NATS_BOTS_PASSWORD",
    "HOWFF_NATS_SCORING_PASSWORD",
    "HOWFF_NATS_ROUTE_PASSWORD",
    "HOWFF_GRAFANA_PASSWORD",
)
KEYS: Final = ("BOT", "SCORING")
"""The parts that sign their tokens: each has a private key, and public ones for who trusts it."""
_TOLD: Final = """\
# Secrets of a server of Howff, which `docker compose` reads here. There is no second copy of them.
"""


class SecretsThereError(CommandError):
    """There are secrets already, and a server that would not start with others."""

    code = "secrets_there"

    def __init__(self, path: Path) -> None:
        super().__init__(f"file {str(path)!r}", expected="none yet", found="one with secrets")


def make_secrets(path: Path, new_secret: Callable[[], bytes]) -> None:
    """Write new secrets into the file *path*, which only its owner may read.

    Raises:
        SecretsThereError: there is such a file.
        UnreadableFileError: it can't be written.
    """
    content = secrets_from(new_secret)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(content)
    except FileExistsError as error:
        raise SecretsThereError(path) from error
    except OSError as error:
        raise unreadable(path, "a file that can be written", error) from error


def secrets_from(new_secret: Callable[[], bytes]) -> str:
    """Return a line a variable; each is made of 32 bytes of its own."""
    # No server takes a word that begins with a letter for a number.
    lines = [f"{name}=s{new_secret().hex()}" for name in PASSWORDS]
    for part in KEYS:
        pair = key_pair(new_secret())
        lines += [f"HOWFF_{part}_KEY={pair.private}", f"HOWFF_{part}_KEYS='{pair.public}'"]
    return _TOLD + "".join(f"{line}\n" for line in lines)
