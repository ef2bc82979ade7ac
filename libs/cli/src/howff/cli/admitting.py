"""Who asks a server: by a token, by a login that is kept here, or as a new guest."""

from dataclasses import dataclass
from typing import Final

from rich.console import Console
from rich.text import Text

from howff.cli.addresses import Credentials, account_in, this_machine
from howff.cli.errors import CommandError
from howff.cli.logins import KeptLogin, keep_login, login_for
from howff.cli.profiles import Profile
from howff.cli.seen import picked
from howff.cli.served import AT_FIRST, Server, asking
from howff.engine.codec import JSON

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


def admitted(address: str, credentials: Credentials, console: Console) -> str | None:
    """Return the token by which the server at this *address* is asked, if there is any.

    Raises:
        ClientError: nobody answers there, or not as a server of Howff.
        NoLoginError: there is no login of the account that is named.
    """
    login = _login_of(address, credentials)
    token = credentials.token if login is None else login.token
    with asking(address, token, console, AT_FIRST) as server:
        server.ask(server.client.games())
    return token


def admitted_as(address: str, credentials: Credentials, console: Console) -> tuple[str, str]:
    """Return the account that does something at the server with this *address*, and its token.

    Who names nobody, and for whom no login is kept, is a guest from now on.

    Raises:
        ClientError: nobody answers there, or not as a server of Howff.
        NoLoginError: there is no login of the account that is named.
        WrongChoiceError: what should be a token names no account.
    """
    admitted(address, credentials, console)
    if credentials.token is not None:
        return account_in(credentials.token), credentials.token
    login = _login_of(address, credentials)
    if login is None:
        login = _new_guest(address, console)
    return login.account, login.token


def _login_of(address: str, credentials: Credentials) -> KeptLogin | None:
    """Return the login that is kept for whoever shows no token."""
    if credentials.token is not None:
        return None
    login = login_for(address, credentials.account)
    if login is None and credentials.account is not None:
        raise NoLoginError(address, credentials.account)
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


def _new_guest(address: str, console: Console) -> KeptLogin:
    with asking(address, None, console, AT_FIRST) as server:
        guest = picked(Admitted, server.ask(server.client.accounts.make_guest()))
    with asking(address, guest.access_token, console, AT_FIRST) as server:
        login = keep(server, address, guest, SCOPES)
    told = "You play as a guest, whom this machine remembers; `howff login --new` gives it a name"
    console.print(Text(told), soft_wrap=True)
    return login
