"""How an account stands, beside what only the accounts' table knows of it."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import assert_never

from howff.lobby.domain.accounts.events import (
    AccountErased,
    AccountEvent,
    AccountReinstated,
    AccountSuspended,
    AdministratorMade,
)
from howff.lobby.domain.errors import NothingChangesError
from howff.lobby.domain.reasons import Reason


@dataclass(frozen=True, slots=True)
class Standing:
    """How an account stands with the administrators."""

    is_administrator: bool = False
    is_suspended: bool = False
    is_erased: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MakeAdministrator:
    """Let the account do what administrators do; *by* is null for whoever has the host."""

    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspend:
    """Let nobody do anything in the account's name, as an administrator."""

    by: str
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinstate:
    """Take a suspension back, as an administrator."""

    by: str


@dataclass(frozen=True, slots=True)
class Erase:
    """Forget the person."""


AccountCommand = MakeAdministrator | Suspend | Reinstate | Erase


def evolve(standing: Standing | None, event: AccountEvent) -> Standing:
    """Return how the account stands after *event*."""
    known = standing or Standing()
    match event:
        case AdministratorMade():
            return replace(known, is_administrator=True)
        case AccountSuspended():
            return replace(known, is_suspended=True)
        case AccountReinstated():
            return replace(known, is_suspended=False)
        case AccountErased():
            return Standing(is_erased=True)
        case _:
            assert_never(event)


def decide(
    standing: Standing | None, command: AccountCommand, _: datetime
) -> tuple[AccountEvent, ...]:
    """Return what *command* causes.

    Raises:
        NothingChangesError: it is so already, or the account was erased.
    """
    known = standing or Standing()
    event = _caused(command)
    if known.is_erased or evolve(known, event) == known:
        raise NothingChangesError("an account that is so already, or erased")
    return (event,)


def _caused(command: AccountCommand) -> AccountEvent:
    match command:
        case MakeAdministrator(by=by):
            return AdministratorMade(by)
        case Suspend(by=by, reason=reason):
            return AccountSuspended(by, reason)
        case Reinstate(by=by):
            return AccountReinstated(by)
        case Erase():
            return AccountErased()
        case _:
            assert_never(command)
