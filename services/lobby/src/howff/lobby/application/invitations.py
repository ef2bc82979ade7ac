"""Invitations as links carry them: signed, so that nobody can guess one."""

from dataclasses import dataclass
from typing import Final

import jwt
from jwt import PyJWTError

from howff.lobby.domain.errors import NotInvitedError

ALGORITHM: Final = "HS256"
AUDIENCE: Final = "howff-invitation"
MOST_CHARACTERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Invited:
    """The table that an invitation is for, and its id there."""

    table: str
    invitation: str


class Invitations:
    """Signs invitations with a *secret* of 32 bytes, and reads them again."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret

    def token(self, invited: Invited) -> str:
        """Return the text that stands in a link."""
        claims = {"aud": AUDIENCE, "sub": invited.table, "jti": invited.invitation}
        return jwt.encode(claims, self._secret, ALGORITHM)

    def read(self, token: str) -> Invited:
        """Return what *token* invites to; whether it is still good, the table knows.

        Raises:
            NotInvitedError: it was not signed here.
        """
        if len(token) > MOST_CHARACTERS:
            raise NotInvitedError
        try:
            claims = jwt.decode(token, self._secret, [ALGORITHM], audience=AUDIENCE)
            return Invited(claims["sub"], claims["jti"])
        except (PyJWTError, KeyError, ValueError) as error:
            raise NotInvitedError from error
