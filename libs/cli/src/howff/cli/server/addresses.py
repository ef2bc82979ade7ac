"""Where a match is, and who asks for it."""

import base64
import json
import platform
import re
from dataclasses import dataclass, field
from typing import Final

from howff.cli.errors import WrongChoiceError, printable

_TABLE: Final = re.compile(
    r"(?P<server>.+)/v1/tables/(?P<table>[A-Za-z0-9_-]+)(\?invitation=(?P<invitation>[\w.~-]+))?",
    re.ASCII,
)
_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_MATCH: Final = re.compile(
    r"(?P<server>.+)(/v1/matches/|/watch\?match=)(?P<match>[A-Za-z0-9_.-]+)/?", re.ASCII
)
"""By the API, or as the page that shows the match."""


@dataclass(frozen=True, slots=True)
class MatchAddress:
    """A match on a server."""

    server: str
    match: str

    def __str__(self) -> str:
        return f"{self.server}/v1/matches/{self.match}"


@dataclass(frozen=True, slots=True)
class TableAddress:
    """A table on a server, and an invitation to it."""

    server: str
    table: str
    invitation: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.server}/v1/tables/{self.table}"


def match_address(place: str, server: str | None = None) -> MatchAddress:
    """Return where the match is that *place* names: an address, or an id on *server*.

    Raises:
        WrongChoiceError: it is neither, or an id where no server is named.
    """
    if found := _MATCH.fullmatch(place):
        return MatchAddress(found["server"], found["match"])
    if server is not None and "/" not in place:
        return MatchAddress(server.rstrip("/"), place)
    expected = "an address such as http://localhost:8000/v1/matches/ID"
    raise WrongChoiceError("match", expected=expected, found=repr(place))


def table_address(place: str, server: str) -> TableAddress:
    """Return where the table is that *place* names: an address, or an id on *server*.

    Raises:
        WrongChoiceError: it is neither.
    """
    if found := _TABLE.fullmatch(place):
        return TableAddress(found["server"], found["table"], found["invitation"])
    if _ID.fullmatch(place):
        return TableAddress(server, place)
    expected = "an id, or an address such as http://localhost:8000/v1/tables/ID"
    raise WrongChoiceError("table", expected=expected, found=repr(place[:80]))


def this_machine() -> str:
    """Return what this machine is called, in signs that can be printed."""
    return printable(platform.node()) or "some machine"


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
