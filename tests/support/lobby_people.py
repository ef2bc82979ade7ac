"""What happens to people in the lobby, whichever database keeps them."""

from typing import Any

import httpx

from support.lobby import PASSWORD, Lobby, Speaker
from support.nats import unique
from support.service import wait_until
from support.web import problem_of


def refused_soon(speaker: Speaker, code: str = "token_revoked") -> None:
    """Wait until the token of *speaker* is refused everywhere, as it has to be at once."""
    wait_until(lambda: code_of(speaker.get("/v1/me")) == code)


def code_of(answer: httpx.Response) -> str:
    """Return the code of a refusal, empty for any other answer."""
    return str(answer.json().get("code", "")) if answer.status_code >= 400 else ""


def told(answer: httpx.Response, status: int = 200) -> Any:
    """Return the JSON of an answer that has to be of this *status*."""
    assert answer.status_code == status, answer.text
    return answer.json()


def grant(lobby: Lobby, **fields: str) -> httpx.Response:
    """Return what answers a request for a token."""
    return lobby.nobody.form("/v1/tokens", fields)


def log_in(lobby: Lobby, name: str, password: str = PASSWORD, **fields: str) -> httpx.Response:
    """Return what answers a login."""
    return grant(lobby, grant_type="password", username=name, password=password, **fields)


def refresh(lobby: Lobby, token: str, **fields: str) -> httpx.Response:
    """Return what answers a refresh token."""
    return grant(lobby, grant_type="refresh_token", refresh_token=token, **fields)


def personal(speaker: Speaker, *scopes: str, days: int = 1) -> dict[str, Any]:
    """Return a new personal token of *speaker*, with what it is itself."""
    body = {"name": "a program", "scopes": list(scopes), "days": days}
    answer: dict[str, Any] = told(speaker.post("/v1/me/tokens", body), 201)
    return answer


def check_life_of_a_person(lobby: Lobby) -> None:
    """Let somebody be a guest, a person with a bot, suspended, reinstated and erased."""
    name, admin = unique("Freya-"), lobby.administrator()
    guest = lobby.guest()
    admission = told(guest.post("/v1/accounts", {"name": name, "password": PASSWORD}), 201)
    person = lobby.speaker(admission["access_token"], guest.account)
    assert admission["account"] == {"id": guest.account, "name": name, "kind": "person"}
    problem_of(
        lobby.nobody.post("/v1/accounts", {"name": name.upper(), "password": PASSWORD}),
        409,
        "name_taken",
    )
    bot = lobby.bot(person)
    _check_refresh(lobby, name)
    _check_suspension(lobby, admin, person, name)
    _check_erasure(lobby, lobby.logged_in(name), bot)


def _check_refresh(lobby: Lobby, name: str) -> None:
    first = told(log_in(lobby, name))["refresh_token"]
    second = told(refresh(lobby, first))["refresh_token"]
    problem_of(refresh(lobby, first), 400, "invalid_grant")
    problem_of(refresh(lobby, second), 400, "invalid_grant")


def _check_suspension(lobby: Lobby, admin: Speaker, person: Speaker, name: str) -> None:
    path = f"/v1/accounts/{person.account}/suspension"
    assert admin.put(path, {"reason": "abuse"}).status_code == 204
    refused_soon(person)
    problem_of(log_in(lobby, name), 400, "suspended")
    assert admin.delete(path).status_code == 204
    told(log_in(lobby, name))


def _check_erasure(lobby: Lobby, person: Speaker, bot: Speaker) -> None:
    problem_of(person.delete("/v1/me", {"password": "another word"}), 403, "wrong_password")
    assert person.delete("/v1/me", {"password": PASSWORD}).status_code == 204
    refused_soon(person)
    for each in (person, bot):
        profile = told(lobby.nobody.get(f"/v1/accounts/{each.account}"))
        assert profile == {"id": each.account, "name": None, "kind": "former"}
