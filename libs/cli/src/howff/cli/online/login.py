"""`howff login` and `howff logout`: the accounts by which this machine asks a server."""

from rich.console import Console
from rich.text import Text

from howff.cli.errors import WrongChoiceError
from howff.cli.server.admitting import SCOPES_OF_PEOPLE, Admitted, NoLoginError, keep
from howff.cli.server.logins import drop_login, login_for
from howff.cli.server.servers import AT_FIRST, asking
from howff.cli.terminal.prompts import new_password, password, typed
from howff.client.admission import Login
from howff.engine.codec import picked


def log_in(
    address: str,
    name: str | None,
    console: Console,
    *,
    is_new: bool = False,
    is_admin: bool = False,
) -> None:
    """Keep a login of the account called *name* for the server at *address*.

    One that *is_new* is made first; a guest that this machine plays as there becomes it. The login
    of an administrator is good for what those may do only if *is_admin* says so.

    Raises:
        ClientError: the server refuses, or does not answer.
        NoAnswerError: the input has ended where something is asked.
        CommandError: the login can't be kept.
    """
    scopes = (*SCOPES_OF_PEOPLE, "admin") if is_admin else SCOPES_OF_PEOPLE
    name = name or typed(console, "Name: ")
    if is_new:
        secret = new_password(console)
        with asking(address, _guest_token(address), console, AT_FIRST) as server:
            made = server.ask(server.client.accounts.make(name, secret))
        admission = picked(Admitted, made)
    else:
        secret = password(console, "Password: ")
        with asking(address, None, console, AT_FIRST) as server:
            asked = server.client.tokens.log_in(name, secret, scope=" ".join(scopes))
            tokens = server.ask(asked)
        admission = _admission_of(address, tokens, console)
    with asking(address, admission.access_token, console, AT_FIRST) as server:
        login = keep(server, address, admission, scopes)
    console.print(Text(f"You are {login.name} at {address}"), soft_wrap=True)


def log_out(address: str, name: str | None, console: Console) -> None:
    """End the login of the account called *name*, or the newest, for the server at *address*.

    Raises:
        ClientError: the server does not answer, so that the token would still be good.
        NoLoginError: there is none.
        WrongChoiceError: a guest is not to be lost after all.
    """
    login = login_for(address, name)
    if login is None:
        raise NoLoginError(address, name)
    if login.name is None:
        _confirm_loss(console)
    with asking(address, login.token, console, AT_FIRST) as server:
        server.ask(server.client.tokens.revoke(login.token))
    drop_login(login)
    console.print(Text(f"{login.name or 'The guest'} is logged out at {address}"), soft_wrap=True)


def _admission_of(address: str, tokens: Login, console: Console) -> Admitted:
    with asking(address, tokens.access_token, console, AT_FIRST) as server:
        me = server.ask(server.client.accounts.me())
    plain = {
        "account": me.get("account") if isinstance(me, dict) else None,
        "access_token": tokens.access_token,
        "refresh_token": tokens.refresh_token or "",
    }
    return picked(Admitted, plain)


def _guest_token(address: str) -> str | None:
    login = login_for(address)
    return login.token if login is not None and login.name is None else None


def _confirm_loss(console: Console) -> None:
    question = "Nobody can come back as this guest: type yes to confirm "
    found = typed(console, question)
    if found != "yes":
        raise WrongChoiceError("answer", expected="yes", found=repr(found[:20]))
