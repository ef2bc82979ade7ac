"""Time and ids for the commands that play: the one place where this package asks for either."""

import secrets
from datetime import UTC, datetime
from uuid import uuid4


def now() -> datetime:
    """Return the time in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return an id that nobody has used."""
    return str(uuid4())


def new_secret() -> bytes:
    """Return 32 random bytes, for a seed or a key."""
    return secrets.token_bytes(32)


def new_entropy() -> str:
    """Return a text that nobody can guess, to be added to the luck of a match."""
    return secrets.token_urlsafe(24)
