"""Ids and secrets: the one place of the services where they are made."""

import secrets
from typing import Final
from uuid import UUID, uuid4, uuid5

_NAMES: Final = UUID("c9d7c8f2-3f6b-4a55-9d0a-6a7e0c1b2d43")


def new_id() -> str:
    """Return an id that nobody has used."""
    return str(uuid4())


def new_secret() -> bytes:
    """Return 32 random bytes, for a seed or a key."""
    return secrets.token_bytes(32)


def id_from(name: str) -> str:
    """Return the id that follows from *name*: the same one for the same."""
    return str(uuid5(_NAMES, name))
