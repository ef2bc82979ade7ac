"""Accounts at the command line, on a real server."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from howff.cli.server.logins import KeptLogin, keep_login, login_for
from howff.client.client import HowffClient
from howff.client.errors import ProblemError
from support.cli import howff
from support.howff_up import WITHIN, Up
from support.online import FREYA, PASSWORD, SHORT, asking_as, login_of, play, refused, url_in
from support.terminals import at_a_terminal


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let the commands of a test find no logins."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    return tmp_path


def me_by(server: Up, login: KeptLogin) -> Any:
    """Return who asks with a login."""

    async def ask() -> Any:
        async with HowffClient(server.url, login.token, ids=str) as client:
            return await client.accounts.me()

    return asyncio.run(ask())


@pytest.mark.usefixtures("elsewhere")
def test_whoever_names_nobody_is_a_guest_and_can_come_back_to_the_match(server: Up) -> None:
    first = howff("play", *SHORT, "--server", server.url, typed="q\n")
    assert first.exit_code == 0, first.output
    assert "You play as a guest" in first.stdout
    assert "seat:0 is guest, seat:1 is Bot 1" in first.stdout
    match = url_in(first.stdout).rpartition("/")[2]
    on = ("play", "troedler", "--server", server.url, "--match", match)
    again = howff(*on, typed="1\n" * 60)
    assert again.exit_code == 0, again.output
    assert "You play as a guest" not in again.stdout
    assert "Ranking" in again.stdout


@pytest.mark.usefixtures("elsewhere")
def test_a_new_password_is_typed_until_it_is_the_same_twice(server: Up) -> None:
    command = ("login", "--new", "--name", "rowan", "--server", server.url)
    with at_a_terminal(*command) as terminal:
        for again in ("one for test", "one for tests"):
            terminal.read_until("Password: ")
            terminal.type("one for tests\n")
            terminal.read_until("The same again: ")
            terminal.type(f"{again}\n")
        terminal.read_until("You are rowan")
        assert terminal.process.wait(WITHIN) == 0
    assert terminal.shown.count("The two are not the same") == 1
    assert "one for" not in terminal.shown


@pytest.mark.usefixtures("elsewhere")
def test_a_login_of_another_server_at_the_same_address_is_told_apart(server: Up) -> None:
    other = KeptLogin(server=server.url, account="a", name=None, token="a.b.c")  # noqa: S106
    keep_login(other)
    forgets = f"`howff logout --server {server.url}` forgets the login"
    for command in (("play", *SHORT), ("login", "--new", "--name", "hazel")):
        ended = howff(*command, "--server", server.url, typed=PASSWORD)
        assert refused(ended, "login_ended")
        assert forgets in ended.stderr
    assert howff("logout", "--server", server.url, typed="yes\n").exit_code == 0
    assert login_for(server.url) is None


@pytest.mark.usefixtures("elsewhere")
def test_a_guest_that_takes_a_name_keeps_its_matches(server: Up) -> None:
    left = howff("play", *SHORT, "--server", server.url, typed="q\n")
    guest = login_for(server.url)
    assert guest is not None
    named = howff("login", "--new", "--server", server.url, typed=f"isla\n{PASSWORD}")
    assert named.exit_code == 0, named.output
    assert f"You are isla at {server.url}" in named.stdout
    login = login_of(server, "isla")
    assert login.account == guest.account
    match = url_in(left.stdout).rpartition("/")[2]
    on = howff("play", "troedler", "--server", server.url, "--match", match, typed="q\n")
    assert "seat:0 is isla" in on.stdout
    me = me_by(server, login)
    assert me["account"]["name"] == "isla"
    assert sorted(me["scopes"]) == ["bot", "play", "read", "table"]


def test_a_login_is_a_token_of_its_own_that_ends_with_it(server: Up, elsewhere: Path) -> None:
    login = howff("login", "--name", "freya", "--server", server.url, typed=PASSWORD)
    assert login.exit_code == 0, login.output
    assert PASSWORD.strip() not in (elsewhere / "howff" / "logins.json").read_text()
    kept = login_of(server, "freya")
    assert me_by(server, kept)["account"]["name"] == "freya"
    assert "freya is logged out" in howff("logout", "--server", server.url).stdout
    assert login_for(server.url) is None
    with pytest.raises(ProblemError) as refusal:
        me_by(server, kept)
    assert refusal.value.code == "token_revoked"
    assert refused(howff("logout", "--server", server.url), "no_login")
    keep_login(kept)
    used = howff("play", *SHORT, "--server", server.url, typed="q\n")
    assert refused(used, "login_ended")
    assert f"`howff logout --server {server.url} --name freya` forgets the login" in used.stderr


@pytest.mark.usefixtures("elsewhere")
def test_a_guest_is_lost_by_logging_out_and_so_has_to_confirm_it(server: Up) -> None:
    howff("play", *SHORT, "--server", server.url, typed="q\n")
    assert refused(howff("logout", "--server", server.url, typed="no\n"), "wrong_choice")
    assert login_for(server.url) is not None
    assert howff("logout", "--server", server.url, typed="yes\n").exit_code == 0
    assert login_for(server.url) is None


@pytest.mark.usefixtures("elsewhere")
@pytest.mark.parametrize(
    ("arguments", "typed", "code"),
    [
        (("--name", "freya"), "another word\n", "invalid_grant"),
        (("--name", "nobody-here"), PASSWORD, "invalid_grant"),
        (("--new", "--name", "freya"), PASSWORD, "name_taken"),
        (("--new", "--name", "f"), PASSWORD, "malformed"),
        (("--new", "--name", "fern"), "short\n", "password_form"),
        (("--name", "freya"), "", "no_answer"),
        ((), "", "no_answer"),
    ],
)
def test_a_login_that_is_refused_keeps_nothing(
    server: Up, arguments: tuple[str, ...], typed: str, code: str
) -> None:
    ended = howff("login", *arguments, "--server", server.url, typed=typed)
    assert refused(ended, code)
    assert login_for(server.url) is None


def test_a_server_that_is_away_ends_no_login(elsewhere: Path) -> None:
    nowhere = "http://localhost:1"
    kept = KeptLogin(server=nowhere, account="a", name="freya", token="a.b.c")  # noqa: S106
    keep_login(kept)
    assert refused(howff("logout", "--server", nowhere), "unreachable")
    assert login_for(nowhere) == kept
    assert elsewhere.exists()


def test_an_administrator_is_made_on_the_machine_of_the_server(
    server: Up, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert howff("admin", "grant", "jack", "--data", str(server.data)).exit_code == 0
    assert "jack is an administrator" in capfd.readouterr().out

    async def is_administrator() -> bool:
        async with asking_as(server, "jack") as jack:
            me = await jack.accounts.me()
            return bool(me["is_administrator"])

    assert asyncio.run(is_administrator())
    assert refused(howff("admin", "grant", "jack", "--data", str(tmp_path)), "no_server")


def test_matches_are_those_of_the_account_that_is_named(server: Up) -> None:
    left = play(server, *SHORT, typed="q\n")
    assert "seat:0 is freya" in left.stdout
    match = url_in(left.stdout).rpartition("/")[2]
    on = ("play", "troedler", "--server", server.url, "--match", match)
    assert refused(howff(*on, "--account", "jack"), "wrong_choice")
    assert howff(*on, *FREYA, typed="q\n").exit_code == 0


def test_a_server_on_one_machine_hands_out_no_tokens_for_accounts_of_others(server: Up) -> None:
    async def ask() -> None:
        async with HowffClient(server.url, ids=str) as nobody:
            await nobody.development_token("freya")

    with pytest.raises(ProblemError) as refusal:
        asyncio.run(ask())
    assert refusal.value.code == "no_such_route"
