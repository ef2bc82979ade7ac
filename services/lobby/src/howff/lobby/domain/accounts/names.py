"""What accounts may be called, and what their passwords may be."""

import unicodedata
from typing import Final

from howff.lobby.domain.accounts.errors import NameTakenError, PasswordFormError

NAME_FORM: Final = r"^[A-Za-z0-9][A-Za-z0-9_-]{2,23}$"
FEWEST_CHARACTERS: Final = 8
MOST_CHARACTERS: Final = 128
"""Of a password."""
RESERVED: Final = frozenset(
    {
        "account",
        "admin",
        "administrator",
        "anonymous",
        "bot",
        "bots",
        "everybody",
        "former",
        "formerplayer",
        "guest",
        "howff",
        "lobby",
        "moderator",
        "nobody",
        "null",
        "official",
        "platform",
        "player",
        "root",
        "somebody",
        "spectator",
        "staff",
        "support",
        "system",
        "undefined",
    }
)
"""Names that would be taken for the platform's own, or for nobody's."""


def name_key(name: str) -> str:
    """Return what two names have in common that are taken for the same."""
    return name.lower()


def check_name(name: str) -> None:
    """Refuse a *name* that nobody may have.

    Raises:
        NameTakenError: it is reserved.
    """
    if name_key(name).replace("_", "").replace("-", "") in RESERVED:
        raise NameTakenError


def checked_password(password: str, name: str) -> str:
    """Return the *password* of the account called *name*, alike however it was typed in.

    Raises:
        PasswordFormError: it is too short, too long, or the name.
    """
    typed = normal(password)
    if not FEWEST_CHARACTERS <= len(typed) <= MOST_CHARACTERS:
        expected = f"{FEWEST_CHARACTERS} to {MOST_CHARACTERS} characters"
        raise PasswordFormError(expected, str(len(typed)))
    if name_key(typed) == name_key(name):
        raise PasswordFormError("something else than the name", "the name")
    return typed


def normal(password: str) -> str:
    """Return *password* with one form for each character: keyboards differ in that (RFC 8265)."""
    return unicodedata.normalize("NFKC", password)
