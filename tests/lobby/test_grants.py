"""Logging in and going on, in the forms of RFC 6749."""

from dataclasses import replace
from typing import get_args

import pytest
from argon2 import PasswordHasher

from howff.lobby.domain.accounts.scopes import most_scopes
from howff.servicekit.web.scopes import ADMIN, TokenScope
from support.lobby import PASSWORD, Lobby
from support.lobby_people import grant, log_in, refresh, refused_soon, told
from support.nats import unique
from support.web import problem_of


@pytest.fixture
def verified(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Give the hashes by which passwords were verified."""
    known: list[str] = []
    verify = PasswordHasher.verify

    def counted(self: PasswordHasher, hash: str | bytes, password: str | bytes) -> bool:  # noqa: A002
        known.append(str(hash))
        return verify(self, hash, password)

    monkeypatch.setattr(PasswordHasher, "verify", counted)
    return known


def test_a_login_gives_tokens_that_no_cache_keeps(lobby: Lobby) -> None:
    name = unique("known-")
    person = lobby.person(name)
    answer = log_in(lobby, name.upper())
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["pragma"] == "no-cache"
    tokens = told(answer)
    assert tokens.keys() == {
        "access_token",
        "token_type",
        "expires_in",
        "refresh_token",
        "scope",
    }
    assert tokens["scope"] == "bot play read table"
    known = told(lobby.speaker(tokens["access_token"]).get("/v1/me"))
    assert known["account"]["id"] == person.account


def test_an_unknown_name_and_a_wrong_password_are_answered_alike(
    lobby: Lobby, verified: list[str]
) -> None:
    name = unique("secret-")
    lobby.person(name)
    wrong = log_in(lobby, name, "some other word")
    unknown = log_in(lobby, unique("unknown-"), "some other word")
    impossible = log_in(lobby, "no name at all!", "some other word")
    refusal = problem_of(wrong, 400, "invalid_grant")
    assert refusal["error"] == "invalid_grant"
    assert wrong.content == unknown.content == impossible.content
    assert dict(wrong.headers) | {"date": ""} == dict(unknown.headers) | {"date": ""}
    assert len(verified) == 3
    costs = {each.split("$")[3] for each in verified}
    assert len(costs) == 1, "the same work for each"


@pytest.mark.parametrize("kind", ["guest", "bot"])
def test_who_has_no_password_does_not_log_in(lobby: Lobby, kind: str) -> None:
    name = unique("wordless-")
    if kind == "bot":
        lobby.bot(lobby.person(), name)
    for password in ("", "nobody's password", PASSWORD):
        answer = log_in(lobby, name, password)
        code = "invalid_request" if not password else "invalid_grant"
        problem_of(answer, 400, code)


def test_a_refresh_token_is_good_once_and_ends_its_login_when_it_comes_again(lobby: Lobby) -> None:
    name = unique("robbed-")
    lobby.person(name)
    first, elsewhere = told(log_in(lobby, name)), told(log_in(lobby, name))
    second = told(refresh(lobby, first["refresh_token"]))
    third = told(refresh(lobby, second["refresh_token"]))
    problem_of(refresh(lobby, first["refresh_token"]), 400, "invalid_grant")
    problem_of(refresh(lobby, third["refresh_token"]), 400, "invalid_grant")
    for each in (first, second, third):
        refused_soon(lobby.speaker(each["access_token"]))
    told(refresh(lobby, elsewhere["refresh_token"]))


def test_administrators_alone_may_have_all_that_tokens_may_be_for() -> None:
    assert most_scopes("person", is_administrator=True) == set(get_args(TokenScope))
    assert most_scopes("person", is_administrator=False) == {*get_args(TokenScope)} - {ADMIN}


def test_scopes_are_those_asked_for_and_no_more_than_one_has(lobby: Lobby) -> None:
    name = unique("modest-")
    lobby.person(name)
    narrow = told(log_in(lobby, name, scope="read play"))
    assert narrow["scope"] == "play read"
    assert told(refresh(lobby, narrow["refresh_token"]))["scope"] == "play read"
    for scope in ("admin", "read admin", "all", "read  play", " "):
        refusal = problem_of(log_in(lobby, name, scope=scope), 400, "invalid_scope")
        assert refusal["error"] == "invalid_scope"


def test_a_narrower_access_token_leaves_the_login_as_wide_as_it_was(lobby: Lobby) -> None:
    name = unique("careful-")
    lobby.person(name)
    wide = told(log_in(lobby, name, scope="read play"))
    narrow = told(refresh(lobby, wide["refresh_token"], scope="read"))
    assert narrow["scope"] == "read"
    problem_of(refresh(lobby, narrow["refresh_token"], scope="read table"), 400, "invalid_scope")
    assert told(refresh(lobby, narrow["refresh_token"]))["scope"] == "play read"


def test_an_administrator_has_that_scope_where_it_is_asked_for(lobby: Lobby) -> None:
    admin = lobby.administrator()
    name = told(admin.get("/v1/me"))["account"]["name"]
    assert "admin" in told(admin.get("/v1/me"))["scopes"]
    assert told(log_in(lobby, name))["scope"] == "bot play read table"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, "invalid_request"),
        ({"grant_type": ""}, "invalid_request"),
        ({"grant_type": "password"}, "invalid_request"),
        ({"grant_type": "password", "username": "freya"}, "invalid_request"),
        ({"grant_type": "refresh_token"}, "invalid_request"),
        ({"grant_type": "client_credentials"}, "unsupported_grant_type"),
        ({"grant_type": "authorization_code", "code": "x"}, "unsupported_grant_type"),
        ({"grant_type": "refresh_token", "refresh_token": "unknown"}, "invalid_grant"),
    ],
)
def test_a_grant_that_there_is_not_is_refused_as_the_rfc_says(
    lobby: Lobby, fields: dict[str, str], code: str
) -> None:
    refusal = problem_of(grant(lobby, **fields), 400, code)
    assert refusal["error"] == code
    assert refusal["error_description"].isascii()
    assert '"' not in refusal["error_description"]


@pytest.mark.parametrize(
    "content",
    [
        b"grant_type=password&grant_type=password",
        b"grant_type=%ff",
        b"grant_type=pass%00word",
        b"grant_type",
        b"grant_type=a b",
        b"&".join(b"f%d=1" % n for n in range(21)),
    ],
)
def test_a_form_that_two_readers_understand_in_two_ways_is_refused(
    lobby: Lobby, content: bytes
) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = lobby.http.post("/v1/tokens", content=content, headers=headers)
    assert problem_of(answer, 400, "invalid_request")["found"] != "none"


def test_forms_are_for_the_routes_of_tokens_alone(lobby: Lobby) -> None:
    fields = {"name": "freya", "password": PASSWORD}
    problem_of(lobby.nobody.form("/v1/accounts", fields), 415, "wrong_media_type")
    problem_of(lobby.nobody.post("/v1/tokens", fields), 415, "wrong_media_type")


def test_a_hash_that_was_made_in_another_way_is_made_anew_at_the_next_login(lobby: Lobby) -> None:
    name = unique("old-")
    person = lobby.person(name)
    records = lobby.app.state.parts.accounts.all._records
    older = PasswordHasher(time_cost=1, memory_cost=1024).hash(PASSWORD)

    async def password_hash(changed: str | None = None) -> str:
        async with records.writing() as rows:
            known = await rows.account(person.account)
            if changed is not None:
                await rows.put_account(replace(known, password_hash=changed))
            return str(known.password_hash)

    lobby.call(password_hash(older))
    told(log_in(lobby, name))
    renewed = lobby.call(password_hash())
    assert renewed != older
    assert "t=3" in renewed
    told(log_in(lobby, name))
    assert lobby.call(password_hash()) == renewed
