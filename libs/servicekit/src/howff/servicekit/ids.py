"""Ids and secrets: the one place of the services where they are made."""

import secrets
from uuid import uuid4


def new_id() -> str:
    """Return an id that nobody has used."""
    return str(uuid4())


def new_secret() -> bytes:
    """Return 32 random bytes, for a seed or a key."""
    return secrets.token_bytes(32)
