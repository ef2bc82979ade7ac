"""What `python -m howff.lobby` does on the host besides serving."""

import os
import subprocess
import sys

import pytest

from conftest import IS_LONG
from howff.lobby.__main__ import rotate
from howff.lobby.app import make_administrator
from howff.lobby.domain.accounts.errors import NoSuchAccountError
from howff.servicekit.nats.errors import NotConnectedError
from support.lobby import Lobby, settings_for
from support.lobby_people import told
from support.nats import unique
from support.running import run
from support.service import wait_until


def run_lobby(lobby: Lobby, *arguments: str) -> tuple[int, str, str]:
    """Return how a process of the lobby ends, and what it says."""
    settings = settings_for(lobby.nats, lobby.folder).model_dump(exclude_none=True)
    environment = {f"HOWFF_{name}".upper(): str(each) for name, each in settings.items()}
    done = subprocess.run(  # noqa: S603 — the lobby that is tested
        [sys.executable, "-m", "howff.lobby", *arguments],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_whoever_has_the_host_makes_administrators(lobby: Lobby) -> None:
    name = unique("chosen-")
    lobby.person(name)
    assert run_lobby(lobby, "grant", name) == (0, f"{name} is an administrator\n", "")
    assert told(lobby.logged_in(name, scope="admin").get("/v1/me"))["is_administrator"]


@pytest.mark.skipif(not IS_LONG, reason="a process more, for a line that starting says of all")
def test_a_name_that_nobody_has_is_no_administrator(lobby: Lobby) -> None:
    expected = "no_such_account  no such account: expected an account, found none\n"
    assert run_lobby(lobby, "grant", unique("nobody-")) == (1, "", expected)


def test_somebody_becomes_an_administrator_as_often_as_it_is_asked_for(lobby: Lobby) -> None:
    name = unique("twice-")
    lobby.person(name)
    settings = settings_for(lobby.nats, lobby.folder)
    for _ in range(2):
        run(lambda: make_administrator(settings, name.upper()))
    with pytest.raises(NoSuchAccountError):
        run(lambda: make_administrator(settings, "bot"))


@pytest.mark.skipif(not IS_LONG, reason="it takes as long as NATS may be away")
def test_without_nats_nobody_becomes_an_administrator(lobby: Lobby) -> None:
    settings = settings_for(lobby.nats, lobby.folder, nats_url="nats://127.0.0.1:1")
    with pytest.raises(NotConnectedError):
        run(lambda: make_administrator(settings, "freya"))


def test_keys_are_rotated_by_whoever_has_the_host(
    lobby: Lobby, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = settings_for(lobby.nats, lobby.folder)
    run(lambda: rotate(settings))
    said = capsys.readouterr().out
    key = said.split()[0]
    assert said == f"{key} signs in a minute\n"

    def is_known() -> bool:
        keys = told(lobby.nobody.get("/.well-known/jwks.json"))["keys"]
        return key in [each["kid"] for each in keys]

    wait_until(is_known)
