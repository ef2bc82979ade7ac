"""Who asks a server: by a token, by a login that is kept here, or as a new guest."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from howff.cli.errors import CommandError
from howff.cli.server.addresses import account_in, this_machine
from howff.cli.server.callers import Caller
from howff.cli.server.logins import KeptLogin, keep_login, login_for
from howff.cli.server.profiles import Profile
from howff.cli.server.servers import AT_FIRST, Server, asking
from howff.engine.codec import JSON, picked

SCOPES: Final = ("play", "read", "table")
"""What the token is for that a guest keeps here."""
SCOPES_OF_PEOPLE: Final[tuple[str, ...]] = ("bot", *SCOPES)
DAYS: Final = 366
"""For how long a login is kept."""
_LONGEST_NAME: Final = 60


class NoLoginError(CommandError):
    """No login is kept for somebody who is named."""

    code = "no_login"

    def __init__(self, server: str, name: str | None) -> None:
        who = "an account" if name is None else repr(name)
        expected = f"a login of {who} for {server}, which `howff login` keeps"
        super().__init__("not logged in", expected=expected, found="none")


@dataclass(frozen=True, slots=True)
class Admitted:
    """What a server gives to somebody whom it lets in."""

    account: JSON
    access_token: str
    refresh_token: str

    @property
    def profile(self) -> Profile:
        return picked(Profile, self.account)


@dataclass(frozen=True, slots=True)
class _PersonalToken:
    token: str


@contextmanager
def calling(caller: Caller) -> Iterator[Server]:
    """Give the server that *caller* asks, by a token if there is any, while the context is open.

    Raises:
        ClientError: nobody answers there, or not as a server of Howff.
        NoLoginError: there is no login of the account that is named.
    """
    token = _admitted(caller)
    with asking(caller.server, token, caller.console) as server:
        yield server


def admitted_as(caller: Caller) -> tuple[str, str]:
    """Return the account by which *caller* does something at the server, and its token.

    Who names nobody, and for whom no login is kept, is a guest from now on.

    Raises:
        ClientError: nobody answers there, or not as a server of Howff.
        NoLoginError: there is no login of the account that is named.
        WrongChoiceError: what should be a token names no account.
    """
    _admitted(caller)
    if (token := caller.identity.token) is not None:
        return account_in(token), token
    login = _login_of(caller) or _new_guest(caller)
    return login.account, login.token


def _admitted(caller: Caller) -> str | None:
    """Return the token by which the server is asked, which has answered, if there is any."""
    login = _login_of(caller)
    token = caller.identity.token if login is None else login.token
    with asking(caller.server, token, caller.console, AT_FIRST) as server:
        server.ask(server.client.games())
    return token


def _login_of(caller: Caller) -> KeptLogin | None:
    """Return the login that is kept for whoever shows no token."""
    if caller.identity.token is not None:
        return None
    login = login_for(caller.server, caller.identity.account)
    if login is None and caller.identity.account is not None:
        raise NoLoginError(caller.server, caller.identity.account)
    return login


def keep(server: Server, address: str, admission: Admitted, scopes: tuple[str, ...]) -> KeptLogin:
    """Keep a token of its own for whoever was let in; *server* is asked in the name of it.

    Raises:
        ClientError: the server refuses, or does not answer.
        CommandError: it can't be kept.
    """
    client = server.client
    name = f"howff on {this_machine()}"[:_LONGEST_NAME]
    made = picked(_PersonalToken, server.ask(client.tokens.make_personal(name, scopes, DAYS)))
    login = KeptLogin(
        server=address,
        account=admission.profile.id,
        name=admission.profile.name,
        token=made.token,
    )
    keep_login(login)
    server.ask(client.tokens.revoke(admission.refresh_token))
    return login


def _new_guest(caller: Caller) -> KeptLogin:
    address, console = caller.server, caller.console
    with asking(address, None, console, AT_FIRST) as server:
        guest = picked(Admitted, server.ask(server.client.accounts.make_guest()))
    with asking(address, guest.access_token, console, AT_FIRST) as server:
        login = keep(server, address, guest, SCOPES)
    told = "You play as a guest, whom this machine remembers; `howff login --new` gives it a name"
    console.print(Text(told), soft_wrap=True)
    return login
