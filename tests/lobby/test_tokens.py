"""Tokens against the running lobby: what proves something, for how long, and what for."""

import base64
import hashlib
import hmac
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt import PyJWS

from howff.lobby.application.accounts.revocations import revoke_tokens
from howff.servicekit import clock
from howff.servicekit.ids import new_id
from howff.servicekit.web.signing import SigningKey, base64url
from howff.servicekit.web.tokens import Claims
from support.lobby import Lobby, Speaker
from support.lobby_people import personal, refresh, refused_soon, told
from support.nats import unique
from support.service import wait_until
from support.web import problem_of
from support.workers import worker_bearer

SCOPES: Final = ("play", "table", "bot", "read", "admin")
FOREIGN: Final = SigningKey(bytes(32))
Forge = Callable[["Forger"], str]


class Forger:
    """Makes tokens that are nearly good, for one account; it has even the key of the lobby."""

    def __init__(self, lobby: Lobby, good: str) -> None:
        self.good = good
        self.head: dict[str, Any] = part(good, 0)
        self.claims: dict[str, Any] = part(good, 1)
        self.key: SigningKey = lobby.app.state.parts.accounts.issuer._keys.signing()
        self.public = lobby.nobody.get("/.well-known/jwks.json").json()["keys"][0]

    def claiming(self, **changes: Any) -> str:
        """Return a token that is signed well; None takes a claim away."""
        claims = {**self.claims, **changes}
        told_claims = {name: each for name, each in claims.items() if each is not None}
        return self.signed(self.head, told_claims, self.key)

    def headed(self, **changes: Any) -> str:
        return self.signed({**self.head, **changes}, self.claims, self.key)

    def by_hmac(self, secret: bytes) -> str:
        text = parts({**self.head, "alg": "HS256"}, self.claims)
        return f"{text}.{base64url(hmac.digest(secret, text.encode(), hashlib.sha256))}"

    def signed(self, head: dict[str, Any], claims: dict[str, Any], key: SigningKey) -> str:
        private = Ed25519PrivateKey.from_private_bytes(key.secret)
        text = parts(head, claims)
        return f"{text}.{base64url(private.sign(text.encode()))}"


def part(token: str, number: int) -> dict[str, Any]:
    """Return what a part of a token tells."""
    found: dict[str, Any] = json.loads(base64.urlsafe_b64decode(token.split(".")[number] + "=="))
    return found


def parts(head: dict[str, Any], claims: dict[str, Any]) -> str:
    return ".".join(base64url(json.dumps(each).encode()) for each in (head, claims))


def flipped(token: str) -> str:
    """Return *token* with one bit of what it claims changed."""
    head, claims, signature = token.split(".")
    raw = bytearray(base64.urlsafe_b64decode(claims + "=="))
    raw[-3] ^= 1
    return f"{head}.{base64url(bytes(raw))}.{signature}"


BAD: Final[dict[str, Forge]] = {
    "expired": lambda forger: forger.claiming(iat=1, nbf=1, exp=2),
    "for later": lambda forger: forger.claiming(nbf=forger.claims["nbf"] + 60),
    "issued later": lambda forger: forger.claiming(iat=forger.claims["iat"] + 60),
    "another issuer": lambda forger: forger.claiming(iss="howff-development"),
    "another audience": lambda forger: forger.claiming(aud="else"),
    "no audience": lambda forger: forger.claiming(aud=None),
    "no end": lambda forger: forger.claiming(exp=None),
    "no account": lambda forger: forger.claiming(sub=None),
    "another type": lambda forger: forger.headed(typ="JWT"),
    "another key": lambda forger: forger.signed(
        {**forger.head, "kid": FOREIGN.id}, forger.claims, FOREIGN
    ),
    "another key under the name of the lobby's": lambda forger: forger.signed(
        forger.head, forger.claims, FOREIGN
    ),
    "another key within": lambda forger: forger.signed(
        {**forger.head, "jwk": FOREIGN.jwk}, forger.claims, FOREIGN
    ),
    "alg none": lambda forger: parts({**forger.head, "alg": "none"}, forger.claims) + ".",
    "HS256 by the public key": lambda forger: forger.by_hmac(
        base64.urlsafe_b64decode(forger.public["x"] + "==")
    ),
    "HS256 by the public key as it is told": lambda forger: forger.by_hmac(
        json.dumps(forger.public).encode()
    ),
    "HS256 by nothing": lambda forger: forger.by_hmac(b""),
    "a bit of it changed": lambda forger: flipped(forger.good),
    "cut off": lambda forger: forger.good[:-8],
    "without signature": lambda forger: forger.good.rpartition(".")[0] + ".",
    "too long": lambda forger: forger.claiming(note="a" * 4096),
    "signed by a word": lambda forger: PyJWS().encode(forger.good.encode(), b"k" * 32, "HS256"),
}


@pytest.fixture(scope="module")
def person(lobby: Lobby) -> Speaker:
    return lobby.person()


@pytest.mark.parametrize("name", BAD)
def test_a_token_that_is_not_the_lobbys_proves_nothing(
    lobby: Lobby, person: Speaker, name: str
) -> None:
    forger = Forger(lobby, person.token or "")
    told(lobby.speaker(forger.claiming()).get("/v1/me"))
    forged = lobby.speaker(BAD[name](forger))
    problem_of(forged.get("/v1/me"), 401, "invalid_token")
    problem_of(forged.delete("/v1/me", {"password": "another word"}), 401, "invalid_token")


@pytest.mark.parametrize(
    ("route", "content", "scope"),
    [
        ("GET /v1/me/export", None, "read"),
        ("GET /v1/me/tokens", None, "read"),
        ("POST /v1/accounts/bots", {"name": "nobodys"}, "bot"),
        ("PUT /v1/accounts/x/suspension", {"reason": "other"}, "admin"),
        ("DELETE /v1/accounts/x/suspension", None, "admin"),
    ],
)
def test_a_token_is_for_its_scopes_alone(
    lobby: Lobby, person: Speaker, route: str, content: Any, scope: str
) -> None:
    others = " ".join(each for each in SCOPES if each != scope)
    speaker = lobby.speaker(Forger(lobby, person.token or "").claiming(scope=others))
    method, path = route.split()
    problem_of(speaker.write(method, path, content, None), 403, "missing_scope")


def test_a_personal_token_speaks_for_its_account_and_is_told_once(lobby: Lobby) -> None:
    person = lobby.person()
    made = personal(person, "read", "play", days=366)
    kept = lobby.speaker(made.pop("token"))
    known = told(kept.get("/v1/me"))
    assert known["account"]["id"] == person.account
    assert known["scopes"] == made["scopes"] == ["play", "read"]
    assert told(person.get("/v1/me/tokens")) == {"items": [made]}
    assert part(kept.token or "", 1)["jti"] == made["id"]
    assert made["created_at"] < made["expires_at"]


def test_a_personal_token_that_was_taken_back_is_good_no_longer(lobby: Lobby) -> None:
    person = lobby.person()
    one, other = personal(person, "read"), personal(person, "read")
    assert person.delete(f"/v1/me/tokens/{one['id']}").status_code == 204
    refused_soon(lobby.speaker(one["token"]))
    told(lobby.speaker(other["token"]).get("/v1/me"))
    problem_of(person.delete(f"/v1/me/tokens/{one['id']}"), 404, "no_such_token")
    assert [each["id"] for each in told(person.get("/v1/me/tokens"))["items"]] == [other["id"]]


def test_nobody_takes_back_the_token_of_somebody_else(lobby: Lobby) -> None:
    made = personal(lobby.person(), "read")
    answer = lobby.person().delete(f"/v1/me/tokens/{made['id']}")
    problem_of(answer, 404, "no_such_token")
    told(lobby.speaker(made["token"]).get("/v1/me"))


def test_a_token_gives_no_scope_that_its_maker_has_not(lobby: Lobby) -> None:
    body = {"name": "more", "scopes": ["read", "admin"], "days": 1}
    problem_of(lobby.person().post("/v1/me/tokens", body), 403, "missing_scope")
    problem_of(
        lobby.guest().post("/v1/me/tokens", {**body, "scopes": ["bot"]}), 403, "missing_scope"
    )
    made = told(lobby.administrator().post("/v1/me/tokens", body), 201)
    assert made["scopes"] == ["admin", "read"]


def test_a_personal_token_makes_no_others(lobby: Lobby) -> None:
    kept = lobby.speaker(personal(lobby.person(), "read")["token"])
    body = {"name": "child", "scopes": ["read"], "days": 1}
    problem_of(kept.post("/v1/me/tokens", body), 403, "personal_token")


@pytest.mark.parametrize(
    "change", [{"days": 0}, {"days": 367}, {"scopes": []}, {"scopes": ["all"]}, {"name": ""}]
)
def test_a_personal_token_of_another_form_is_malformed(
    person: Speaker, change: dict[str, Any]
) -> None:
    body = {"name": "a program", "scopes": ["read"], "days": 1, **change}
    problem_of(person.post("/v1/me/tokens", body), 422, "malformed")


def test_nobody_has_more_personal_tokens_than_there_may_be(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("howff.lobby.application.accounts.issuing.MOST_PERSONAL", 3)
    guest = lobby.guest()
    for _ in range(3):
        personal(guest, "read")
    body = {"name": "one more", "scopes": ["read"], "days": 1}
    problem_of(guest.post("/v1/me/tokens", body), 409, "too_many_tokens")


def test_the_day_on_which_a_personal_token_was_used_is_told(lobby: Lobby) -> None:
    person = lobby.person()
    made, unused = personal(person, "read"), personal(person, "read")
    told(lobby.speaker(made["token"]).get("/v1/me"))
    lobby.call(lobby.app.state.parts.accounts.personal_tokens.store_uses())
    days = {each["id"]: each["last_used_on"] for each in told(person.get("/v1/me/tokens"))["items"]}
    assert days == {made["id"]: clock.now().date().isoformat(), unused["id"]: None}


@pytest.mark.parametrize("kind", ["access", "refresh", "personal"])
def test_a_token_is_taken_back_by_whoever_brings_it(lobby: Lobby, kind: str) -> None:
    name = unique("leaver-")
    person = lobby.person(name)
    login = told(
        lobby.nobody.form(
            "/v1/tokens",
            {"grant_type": "password", "username": name, "password": "a word for tests"},
        )
    )
    tokens = {
        "access": login["access_token"],
        "refresh": login["refresh_token"],
        "personal": personal(person, "read")["token"],
    }
    for _ in range(2):
        answer = lobby.nobody.form("/v1/tokens/revocation", {"token": tokens[kind]})
        assert (answer.status_code, answer.content) == (200, b"")
    ended = tokens["access"] if kind == "refresh" else tokens[kind]
    refused_soon(lobby.speaker(ended))
    told(person.get("/v1/me"))
    listed = told(person.get("/v1/me/tokens"))["items"]
    assert len(listed) == (0 if kind == "personal" else 1)


@pytest.mark.parametrize("token", ["nothing", "a.b.c", "x" * 5000])
def test_taking_back_what_is_no_token_changes_nothing(lobby: Lobby, token: str) -> None:
    assert lobby.nobody.form("/v1/tokens/revocation", {"token": token}).status_code == 200


def test_tokens_that_were_issued_after_all_were_revoked_are_good(lobby: Lobby) -> None:
    """Within the same second, too."""
    name, word = unique("quick-"), "a word for tests"
    person = lobby.person(name, word)
    for number in range(3):
        body = {"old": word, "new": f"another word {number}"}
        admission = told(person.put("/v1/me/password", body))
        refused_soon(person)
        person, word = lobby.speaker(admission["access_token"]), body["new"]
        told(person.get("/v1/me"))


def test_a_revocation_that_could_not_be_told_is_told_by_the_next_who_looks(lobby: Lobby) -> None:
    """As after a crash between the transaction and the bucket."""
    guest = lobby.guest()
    parts_of = lobby.app.state.parts.accounts
    records = parts_of.issuer._records

    async def revoke_and_die() -> None:
        async with records.writing() as rows:
            account = await rows.account(guest.account)
            await revoke_tokens(rows, account, int(clock.now().timestamp()))

    lobby.call(revoke_and_die())
    told(guest.get("/v1/me"))
    lobby.call(parts_of.issuer._revocations.tell())
    refused_soon(guest)


def test_what_has_expired_is_taken_out_of_the_bucket(lobby: Lobby) -> None:
    made = personal(lobby.person(), "read")
    assert lobby.nobody.form("/v1/tokens/revocation", {"token": made["token"]}).status_code == 200
    refused_soon(lobby.speaker(made["token"]))
    revocations = lobby.app.state.parts.accounts.issuer._revocations
    bucket = revocations._board
    entry = f"token_{made['id']}"
    value = lobby.call(bucket.get(entry))
    assert value is not None
    lobby.call(revocations.sweep(int(value) - 1))
    assert lobby.call(bucket.get(entry)) == value
    lobby.call(revocations.sweep(int(value)))
    assert lobby.call(bucket.get(entry)) is None


def test_claims_of_the_lobby_are_those_that_services_expect(lobby: Lobby) -> None:
    guest = lobby.guest()
    claims = Claims.model_validate(part(guest.token or "", 1))
    assert (claims.iss, claims.aud, claims.sub) == ("howff", "howff", guest.account)
    assert claims.exp - claims.iat == timedelta(hours=1).total_seconds()
    assert claims.scope == "play read table"
    wait_until(lambda: claims.iat <= clock.now().timestamp())


def test_an_account_without_a_password_is_not_taken_over_by_a_token_made_for_less(
    lobby: Lobby,
) -> None:
    admission = told(lobby.nobody.post("/v1/accounts/guests", {}), 201)
    guest = lobby.speaker(admission["access_token"])
    narrow = told(refresh(lobby, admission["refresh_token"], scope="read"))["access_token"]
    kept = personal(guest, "read")["token"]
    body = {"name": unique("thief-"), "password": "a word for tests"}
    for token, code in ((kept, "personal_token"), (narrow, "missing_scope")):
        problem_of(lobby.speaker(token).post("/v1/accounts", body), 403, "missing_scope")
        problem_of(lobby.speaker(token).delete("/v1/me", {"password": "guess"}), 403, code)
    told(guest.post("/v1/accounts", body), 201)


def test_a_guest_takes_a_name_by_the_token_that_its_machine_keeps(lobby: Lobby) -> None:
    guest = lobby.guest()
    kept = lobby.speaker(personal(guest, "play", "read", "table")["token"])
    body = {"name": unique("known-"), "password": "a word for tests"}
    assert told(kept.post("/v1/accounts", body), 201)["account"]["id"] == guest.account


def test_a_personal_token_ends_itself_and_no_other(lobby: Lobby) -> None:
    person = lobby.person()
    made, other = personal(person, "read"), personal(person, "play")
    program = lobby.speaker(made["token"])
    problem_of(program.delete(f"/v1/me/tokens/{other['id']}"), 403, "personal_token")
    told(lobby.speaker(other["token"]).get("/v1/me"))
    assert program.delete(f"/v1/me/tokens/{made['id']}").status_code == 204
    refused_soon(program)


def test_a_personal_token_neither_erases_a_person_nor_changes_its_password(lobby: Lobby) -> None:
    person = lobby.person()
    program = lobby.speaker(personal(person, "read", "play", "table")["token"])
    change = {"old": "a word for tests", "new": "another word"}
    problem_of(program.put("/v1/me/password", change), 403, "personal_token")
    erasing = program.delete("/v1/me", {"password": "a word for tests"})
    problem_of(erasing, 403, "personal_token")
    told(person.put("/v1/me/password", change))


def test_a_worker_of_bots_is_nobody_here(lobby: Lobby) -> None:
    worker = lobby.speaker(worker_bearer()["Authorization"].removeprefix("Bearer "))
    problem_of(worker.get("/v1/me"), 401, "invalid_token")
    table = {"game": "troedler", "seats": 2}
    problem_of(worker.post("/v1/tables", table, new_id()), 401, "invalid_token")
