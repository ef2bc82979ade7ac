"""Erasure: who wants to be forgotten is in no file any more, however often it is begun."""

import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from howff.lobby.domain.accounts.account import Erase
from support.lobby import Lobby, lobby_on
from support.lobby_people import log_in, personal, refresh, refused_soon, told
from support.nats import own_server, unique
from support.web import problem_of

NAME = "Planted-Name-4711"
PASSWORD = "a planted word 0815"  # noqa: S105 — of nobody but tests


@contextmanager
def lobby_in(folder: Path) -> Iterator[Lobby]:
    with own_server(folder / "nats") as nats, lobby_on(nats, folder) as lobby:
        yield lobby


def files_with(folder: Path, *texts: bytes) -> list[str]:
    """Return the files under *folder* that hold one of the *texts*, whatever its case."""
    return [
        path.name
        for path in folder.rglob("*")
        if path.is_file() and any(text.lower() in path.read_bytes().lower() for text in texts)
    ]


def test_who_is_erased_is_in_no_file_and_was_in_no_log(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)  # as services log
    with tempfile.TemporaryDirectory(prefix="howff-lobby-") as told_folder:
        folder = Path(told_folder)
        with lobby_in(folder) as lobby:
            person = lobby.person(NAME, PASSWORD)
            bot = lobby.bot(person, "Planted-Bot-4711")
            kept = personal(person, "read")
            problem_of(log_in(lobby, NAME, PASSWORD + "!"), 400, "invalid_grant")
            tokens = told(log_in(lobby, NAME, PASSWORD))
            assert files_with(folder, NAME.encode()) == ["lobby.db-wal"]
            secrets = (PASSWORD, kept["token"], tokens["refresh_token"], tokens["access_token"])
            planted = (b"Planted-", *(each.encode() for each in secrets))
            assert files_with(folder, *planted[1:]) == []
            assert person.delete("/v1/me", {"password": PASSWORD}).status_code == 204
            for speaker in (person, bot, lobby.speaker(kept["token"])):
                refused_soon(speaker)
            problem_of(refresh(lobby, tokens["refresh_token"]), 400, "invalid_grant")
            assert files_with(folder, *planted) == []
        assert files_with(folder, *planted) == []
    written = caplog.text + "".join(capfd.readouterr())
    assert [each for each in (NAME, *secrets) if each.lower() in written.lower()] == []


def test_the_name_of_somebody_who_was_erased_is_free_again(lobby: Lobby) -> None:
    name = unique("phoenix-")
    person = lobby.person(name)
    assert person.delete("/v1/me", {"password": "a word for tests"}).status_code == 204
    assert lobby.person(name).account != person.account


def test_a_guest_is_erased_without_a_password_and_a_person_is_not(lobby: Lobby) -> None:
    guest, person = lobby.guest(), lobby.person()
    assert guest.delete("/v1/me", {}).status_code == 204
    refused_soon(guest)
    problem_of(person.delete("/v1/me", {}), 403, "wrong_password")
    told(person.get("/v1/me"))


def test_an_erasure_that_broke_off_anywhere_is_ended_by_the_next_try(lobby: Lobby) -> None:
    """The outbox tries again with what the stream tells, however often it comes."""
    person = lobby.person()
    bot = lobby.bot(person)
    standings = lobby.app.state.parts.accounts.standings
    begun = standings._ledger.order(person.account, Erase(), by=person.account, key="erasure")
    lobby.call(begun)
    told(person.get("/v1/me"))
    for _ in range(2):
        lobby.call(standings.erase(person.account))
    for speaker in (person, bot):
        refused_soon(speaker)
        profile = told(lobby.nobody.get(f"/v1/accounts/{speaker.account}"))
        assert (profile["kind"], profile["name"]) == ("former", None)


def test_a_suspension_that_was_taken_back_ends_no_tokens_when_it_comes_again(lobby: Lobby) -> None:
    name, admin = unique("pardoned-"), lobby.administrator()
    person = lobby.person(name)
    path = f"/v1/accounts/{person.account}/suspension"
    assert admin.put(path, {"reason": "fault"}).status_code == 204
    assert admin.delete(path).status_code == 204
    again = lobby.logged_in(name)
    lobby.call(lobby.app.state.parts.accounts.standings.settle(person.account))
    lobby.call(lobby.app.state.parts.accounts.issuer._revocations.tell())
    told(again.get("/v1/me"))


def test_a_bot_may_be_erased_alone(lobby: Lobby) -> None:
    person = lobby.person()
    bot = lobby.bot(person)
    assert bot.delete("/v1/me", {}).status_code == 204
    refused_soon(bot)
    told(person.get("/v1/me"))
