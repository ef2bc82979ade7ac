"""What an account adds to the luck of a match, and by what it is fixed before it is told."""

import hashlib
import secrets


def new_entropy() -> str:
    """Return a text that nobody can guess."""
    return secrets.token_urlsafe(24)


def hash_of(entropy: str) -> str:
    """Return by what *entropy* is fixed before it is told."""
    return hashlib.sha256(entropy.encode()).hexdigest()
