"""Accounts: guests, people and bots, what they are called and what they may."""

import pytest

from howff.engine.codec import JSON
from support.lobby import PASSWORD, Lobby
from support.lobby_people import (
    check_life_of_a_person,
    code_of,
    log_in,
    personal,
    refresh,
    refused_soon,
    told,
)
from support.nats import unique
from support.web import problem_of


def test_a_guest_is_somebody_without_a_name(lobby: Lobby) -> None:
    guest = lobby.guest()
    assert told(guest.get("/v1/me")) == {
        "account": {"id": guest.account, "name": None, "kind": "guest"},
        "scopes": ["play", "read", "table"],
        "is_administrator": False,
        "owner": None,
    }


def test_a_person_lives_from_guest_to_former(lobby: Lobby) -> None:
    check_life_of_a_person(lobby)


def test_an_admission_is_kept_by_no_cache_and_tells_where_the_account_is(lobby: Lobby) -> None:
    answer = lobby.nobody.post("/v1/accounts/guests", {})
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["location"] == f"/v1/accounts/{answer.json()['account']['id']}"
    assert (answer.json()["token_type"], answer.json()["expires_in"]) == ("Bearer", 3600)


def test_a_guest_needs_no_body(lobby: Lobby) -> None:
    answer = lobby.nobody.post("/v1/accounts/guests")
    assert answer.request.content == b""
    assert answer.status_code == 201, answer.text
    assert answer.json()["account"]["kind"] == "guest"
    problem_of(lobby.nobody.post("/v1/accounts/guests", {"name": "freya"}), 422, "malformed")


@pytest.mark.parametrize("name", ["ab", "a" * 25, "_ab", "a b c", "fräulein", "a\u202eb", "", 7])
def test_a_name_of_another_form_is_malformed(lobby: Lobby, name: JSON) -> None:
    answer = lobby.nobody.post("/v1/accounts", {"name": name, "password": PASSWORD})
    problem_of(answer, 422, "malformed")


@pytest.mark.parametrize("name", ["admin", "Guest", "HOWFF", "form-er", "b_o_t"])
def test_nobody_is_called_what_the_platform_is(lobby: Lobby, name: str) -> None:
    answer = lobby.nobody.post("/v1/accounts", {"name": name, "password": PASSWORD})
    problem_of(answer, 409, "name_taken")


@pytest.mark.parametrize("password", ["seven77", "x" * 129, "Long-Name-1"])
def test_an_unfit_password_is_refused_and_not_repeated(lobby: Lobby, password: str) -> None:
    answer = lobby.nobody.post("/v1/accounts", {"name": "long-name-1", "password": password})
    problem_of(answer, 422, "password_form")
    assert answer.json()["found"] in {"7", "129", "the name"}
    assert password not in answer.text


def test_a_password_is_the_same_however_its_characters_were_typed(lobby: Lobby) -> None:
    name = unique("typist-")
    lobby.person(name, "f\u0075\u0308nf Finger")
    told(log_in(lobby, name, "f\u00fcnf Finger"))


def test_who_is_a_person_does_not_become_another(lobby: Lobby) -> None:
    body = {"name": unique("second-"), "password": PASSWORD}
    problem_of(lobby.person().post("/v1/accounts", body), 409, "wrong_kind")


def test_profiles_come_as_asked_for_and_unknown_ones_do_not(lobby: Lobby) -> None:
    one, two = lobby.guest().account, lobby.person().account
    answer = lobby.nobody.get(f"/v1/accounts?id={two}&id=unknown&id={one}&id={two}")
    found = told(answer)["items"]
    assert [each["id"] for each in found] == [two, one]


def test_nobody_asks_for_more_than_fifty_profiles(lobby: Lobby) -> None:
    answer = lobby.nobody.get("/v1/accounts?" + "&".join(f"id=a{n}" for n in range(51)))
    problem_of(answer, 422, "malformed")


@pytest.mark.parametrize("account", ["unknown", "a.b", "%3E", "a%20b", "x" * 65])
def test_an_account_that_is_none_is_not_found(lobby: Lobby, account: str) -> None:
    problem_of(lobby.nobody.get(f"/v1/accounts/{account}"), 404, "no_such_account")


def test_a_bot_has_an_owner_and_a_token_that_says_so(lobby: Lobby) -> None:
    person = lobby.person()
    bot = lobby.bot(person)
    known = told(bot.get("/v1/me"))
    assert (known["account"]["kind"], known["owner"]) == ("bot", person.account)
    assert lobby.app.state.tokens.verify(bot.token).is_bot
    assert not lobby.app.state.tokens.verify(person.token).is_bot


@pytest.mark.parametrize("kind", ["guest", "bot"])
def test_who_is_no_person_has_no_bots(lobby: Lobby, kind: str) -> None:
    speaker = lobby.guest() if kind == "guest" else lobby.bot(lobby.person())
    status, code = (403, "missing_scope") if kind == "guest" else (409, "wrong_kind")
    problem_of(speaker.post("/v1/accounts/bots", {"name": unique("bot-")}), status, code)


def test_a_bot_of_the_same_name_gets_a_new_token_and_loses_the_old(lobby: Lobby) -> None:
    person, name = lobby.person(), unique("bot-")
    first = lobby.bot(person, name)
    second = lobby.bot(person, name)
    assert second.account == first.account
    refused_soon(first)
    told(second.get("/v1/me"))
    others = lobby.person().post("/v1/accounts/bots", {"name": name})
    problem_of(others, 409, "name_taken")


def test_nobody_has_more_bots_than_there_may_be(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("howff.lobby.application.accounts.accounts.MOST_BOTS", 3)
    person = lobby.person()
    for _ in range(3):
        lobby.bot(person)
    answer = person.post("/v1/accounts/bots", {"name": unique("bot-")})
    problem_of(answer, 409, "too_many_bots")


def test_a_new_password_ends_whatever_was_issued_before(lobby: Lobby) -> None:
    name = unique("careful-")
    person = lobby.person(name)
    refresh_token = told(log_in(lobby, name))["refresh_token"]
    kept = lobby.speaker(personal(person, "read")["token"])
    body = {"old": PASSWORD, "new": "another word"}
    admission = told(person.put("/v1/me/password", body))
    for speaker in (person, kept):
        refused_soon(speaker)
    problem_of(refresh(lobby, refresh_token), 400, "invalid_grant")
    problem_of(log_in(lobby, name), 400, "invalid_grant")
    told(log_in(lobby, name, "another word"))
    assert told(lobby.speaker(admission["access_token"]).get("/v1/me"))


def test_a_password_is_not_changed_by_who_does_not_know_it(lobby: Lobby) -> None:
    body = {"old": "some other word", "new": "another word"}
    problem_of(lobby.person().put("/v1/me/password", body), 403, "wrong_password")
    refused = problem_of(lobby.guest().put("/v1/me/password", body), 409, "wrong_kind")
    assert (refused["expected"], refused["found"]) == ("a person", "a guest")


def test_an_export_tells_all_but_what_proves_who_one_is(lobby: Lobby) -> None:
    person = lobby.person()
    bot, token = lobby.bot(person), personal(person, "read")
    answer = person.get("/v1/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    content = told(answer)
    assert content["account"]["id"] == person.account
    assert [each["id"] for each in content["bots"]] == [bot.account]
    assert [each["id"] for each in content["personal_tokens"]] == [token["id"]]
    assert len(content["refresh_tokens"]) == 1
    for secret in (PASSWORD, token["token"], "argon2", person.token or "?"):
        assert secret not in answer.text


def test_an_export_tells_what_administrators_did(lobby: Lobby) -> None:
    name, admin = unique("tempted-"), lobby.administrator()
    path = f"/v1/accounts/{lobby.person(name).account}/suspension"
    assert admin.put(path, {"reason": "cheating"}).status_code == 204
    assert admin.delete(path).status_code == 204
    history = told(lobby.logged_in(name).get("/v1/me/export"))["history"]
    assert [each["type"] for each in history] == ["AccountSuspended", "AccountReinstated"]
    assert history[0]["data"] == {"by": admin.account, "reason": "cheating"}


def test_suspended_accounts_and_their_bots_have_no_tokens(lobby: Lobby) -> None:
    name, admin = unique("cheat-"), lobby.administrator()
    person = lobby.person(name)
    kept, bot = lobby.speaker(personal(person, "play")["token"]), lobby.bot(person)
    refresh_token = told(log_in(lobby, name))["refresh_token"]
    path = f"/v1/accounts/{person.account}/suspension"
    for _ in range(2):
        assert admin.put(path, {"reason": "cheating"}).status_code == 204
    for speaker in (person, kept, bot):
        refused_soon(speaker)
    problem_of(refresh(lobby, refresh_token), 400, "invalid_grant")
    refusal = problem_of(log_in(lobby, name), 400, "suspended")
    assert refusal["error"] == "invalid_grant"


def test_nobody_is_suspended_but_by_an_administrator(lobby: Lobby) -> None:
    victim, body = lobby.guest(), {"reason": "other"}
    path = f"/v1/accounts/{victim.account}/suspension"
    for speaker in (lobby.guest(), lobby.person(), victim):
        problem_of(speaker.put(path, body), 403, "missing_scope")
        problem_of(speaker.delete(path), 403, "missing_scope")
    problem_of(lobby.nobody.put(path, body), 401, "token_required")
    told(victim.get("/v1/me"))


def test_reasons_are_words_of_a_list_since_they_stand_for_ever(lobby: Lobby) -> None:
    path = f"/v1/accounts/{lobby.guest().account}/suspension"
    answer = lobby.administrator().put(path, {"reason": "is called Freya"})
    problem_of(answer, 422, "malformed")


def test_an_account_that_is_none_is_not_suspended(lobby: Lobby) -> None:
    admin = lobby.administrator()
    former = lobby.guest()
    assert former.delete("/v1/me", {}).status_code == 204
    for account in ("unknown", former.account):
        answer = admin.put(f"/v1/accounts/{account}/suspension", {"reason": "fault"})
        problem_of(answer, 404, "no_such_account")


def test_a_person_that_was_suspended_is_not_let_in_by_the_guest_it_was(lobby: Lobby) -> None:
    guest, admin = lobby.guest(), lobby.administrator()
    path = f"/v1/accounts/{guest.account}/suspension"
    assert admin.put(path, {"reason": "abuse"}).status_code == 204
    body = {"name": unique("washed-"), "password": PASSWORD}
    refused_soon(guest)
    assert code_of(guest.post("/v1/accounts", body)) == "token_revoked"


def test_routes_of_ones_own_account_are_for_nobody_else(lobby: Lobby) -> None:
    routes = (
        ("GET", "/v1/me"),
        ("GET", "/v1/me/export"),
        ("GET", "/v1/me/tokens"),
        ("DELETE", "/v1/me/tokens/unknown"),
    )
    for method, path in routes:
        problem_of(lobby.nobody.ask(method, path), 401, "token_required")
