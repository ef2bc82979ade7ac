"""Where a match is, and who asks for it."""

import base64
import getpass
import json
import re
from dataclasses import dataclass, field
from typing import Final

from howff.cli.errors import WrongChoiceError

_MATCH: Final = re.compile(r"(?P<server>.+)/v1/matches/(?P<match>[A-Za-z0-9_.-]+)/?", re.ASCII)

_LONGEST_ACCOUNT: Final = 64


@dataclass(frozen=True, slots=True)
class MatchAddress:
    """A match on a server."""

    server: str
    match: str

    def __str__(self) -> str:
        return f"{self.server}/v1/matches/{self.match}"


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a caller shows: a *token*, or an *account* for which a server may give one."""

    token: str | None = field(repr=False)
    account: str | None


def match_address(url: str) -> MatchAddress:
    """Return where the match with this *url* is.

    Raises:
        WrongChoiceError: it is not the address of a match.
    """
    found = _MATCH.fullmatch(url)
    if found is None:
        expected = "an address such as http://localhost:8000/v1/matches/ID"
        raise WrongChoiceError("match", expected=expected, found=repr(url))
    return MatchAddress(found["server"], found["match"])


def own_account() -> str:
    """Return the account of somebody who names none: called as this machine calls its user."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        user = ""
    name = re.sub(r"[^A-Za-z0-9_-]", "", user)
    return name[:_LONGEST_ACCOUNT] or "guest"


def account_in(token: str) -> str:
    """Return the account that *token* names; whether it is genuine, the server will say.

    Raises:
        WrongChoiceError: it is not a token that names one.
    """
    try:
        _, claims, _ = token.split(".")
        plain = json.loads(base64.urlsafe_b64decode(claims + "=="))
        return str(plain["sub"])
    except (ValueError, KeyError, TypeError) as error:
        expected = "a JSON Web Token that names an account"
        raise WrongChoiceError("token", expected=expected, found="something else") from error
