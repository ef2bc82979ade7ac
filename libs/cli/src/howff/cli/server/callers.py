"""Who asks a server, and at which terminal."""

from dataclasses import dataclass, field

from rich.console import Console

from howff.cli.terminal.console import terminal


@dataclass(frozen=True, slots=True)
class Identity:
    """Who somebody is: a *token* says so, or the name of an *account* whose login is kept."""

    token: str | None = field(repr=False)
    account: str | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who asks a *server*, and the terminal at which that is told."""

    server: str
    identity: Identity
    console: Console


def caller_of(server: str, token: str | None, account: str | None) -> Caller:
    """Return who asks the *server* that the options of a command tell."""
    return Caller(server.rstrip("/"), Identity(token, account), terminal())
