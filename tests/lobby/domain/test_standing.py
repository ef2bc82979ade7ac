"""How accounts stand with the administrators."""

import pytest

from howff.lobby.domain.accounts.account import (
    AccountCommand,
    Erase,
    MakeAdministrator,
    Reinstate,
    Standing,
    Suspend,
)
from howff.lobby.domain.accounts.events import (
    AccountErased,
    AccountEvent,
    AccountReinstated,
    AccountSuspended,
    AdministratorMade,
)
from howff.lobby.domain.errors import NothingChangesError
from support.lobby_domain import standing

SUSPENDED = AccountSuspended("ada", "abuse")
SO_ALREADY = NothingChangesError("an account that is so already, or erased")


def test_an_administrator_is_made_by_another_or_by_the_host_of_the_service() -> None:
    for by in (None, "ada"):
        after = standing().when(MakeAdministrator(by=by)).then(AdministratorMade(by))
        assert after == Standing(is_administrator=True)


def test_an_account_is_suspended_and_reinstated() -> None:
    after = standing().when(Suspend(by="ada", reason="abuse")).then(SUSPENDED)
    assert after == Standing(is_suspended=True)
    after = standing(SUSPENDED).when(Reinstate(by="ada")).then(AccountReinstated("ada"))
    assert after == Standing()


def test_a_suspended_administrator_is_one_again_later() -> None:
    after = standing(AdministratorMade(None), SUSPENDED).after(Reinstate(by="ada")).state
    assert after == Standing(is_administrator=True)


def test_an_account_is_erased_whatever_it_was() -> None:
    for events in ((), (AdministratorMade(None),), (SUSPENDED,)):
        assert standing(*events).when(Erase()).then(AccountErased()) == Standing(is_erased=True)


@pytest.mark.parametrize(
    ("event", "command"),
    [
        (AdministratorMade(None), MakeAdministrator(by="ada")),
        (SUSPENDED, Suspend(by="bea", reason="cheating")),
        (AccountReinstated("ada"), Reinstate(by="ada")),
        (AccountErased(), Erase()),
    ],
)
def test_nothing_is_done_twice(event: AccountEvent, command: AccountCommand) -> None:
    standing(event).when(command).then(SO_ALREADY)


@pytest.mark.parametrize(
    "command",
    [MakeAdministrator(by="ada"), Suspend(by="ada", reason="other"), Reinstate(by="ada"), Erase()],
)
def test_nothing_happens_to_an_account_that_was_erased(command: AccountCommand) -> None:
    standing(AccountErased()).when(command).then(SO_ALREADY)
