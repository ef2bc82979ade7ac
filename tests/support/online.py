"""The commands that work with a server, as freya types them."""

import re
from typing import Final

from typer.testing import Result

from howff.cli.server.logins import KeptLogin, login_for
from howff.client.client import HowffClient
from howff.servicekit import ids
from support.cli import howff
from support.howff_up import Up

SHORT: Final = ("troedler", "--seats", "2", "-o", "round_limit=1", "-o", "dealing=auto")
FREYA: Final = ("--account", "freya")
PASSWORD: Final = "one for tests\n"  # noqa: S105 — of nobody but tests


def play(server: Up, *arguments: str, typed: str) -> Result:
    return howff("play", *arguments, "--server", server.url, *FREYA, typed=typed)


def log_in(server: Up, *names: str) -> None:
    """Make accounts with these names, whose logins are kept."""
    for name in names:
        made = howff("login", "--new", "--name", name, "--server", server.url, typed=PASSWORD)
        assert made.exit_code == 0, made.output


def login_of(server: Up, name: str) -> KeptLogin:
    """Return the login of the account called *name*, which has been kept."""
    login = login_for(server.url, name)
    assert login is not None
    return login


def asking_as(server: Up, name: str) -> HowffClient:
    """Return a client that asks in the name of somebody who is logged in."""
    return HowffClient(server.url, login_of(server, name).token, ids=ids.new_id)


def url_in(output: str) -> str:
    found = re.search(r"http://localhost:\d+/v1/matches/[0-9a-f-]+", output)
    assert found is not None, output
    return found[0]


def refused(result: Result, code: str) -> bool:
    return (
        result.exit_code == 1
        and result.stderr.startswith(code)
        and isinstance(result.exception, SystemExit)
    )
