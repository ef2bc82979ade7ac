"""Who plays on a server without saying so."""

import pytest

from howff.cli.addresses import own_account


@pytest.mark.parametrize(
    ("user", "account"),
    [("freya", "freya"), ("Jörg B.", "JrgB"), ("a" * 80, "a" * 64), ("æøå", "guest")],
)
def test_a_person_without_an_account_plays_as_the_user_of_the_machine(
    user: str, account: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", user)
    assert own_account() == account
