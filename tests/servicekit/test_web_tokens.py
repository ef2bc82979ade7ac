import base64
import hashlib
import hmac
import json
import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

import httpx
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt import PyJWS

from howff.servicekit.web import tokens as tokens_module
from howff.servicekit.web.auth import require_scope
from howff.servicekit.web.errors import InvalidTokenError, MissingScopeError, WrongKeysError
from howff.servicekit.web.issuer import ISSUER, DevelopmentIssuer
from howff.servicekit.web.tokens import AUDIENCE, Caller, FixedKeys, Tokens, keys_of
from support.running import run
from support.web import START, Shop, problem_of

KEY: Final = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
FOREIGN: Final = ed25519.Ed25519PrivateKey.from_private_bytes(bytes(32))
RSA: Final = rsa.generate_private_key(65537, 2048)
SHOP: Final = Shop()
KEY_ID: Final[str] = SHOP.issuer.jwks()["keys"][0]["kid"]
NOW: Final = int(START.timestamp())
CLAIMS: Final[dict[str, Any]] = {
    "iss": ISSUER,
    "aud": AUDIENCE,
    "sub": "freya",
    "iat": NOW,
    "nbf": NOW,
    "exp": NOW + 60,
    "scope": "play",
}
HEAD: Final[dict[str, Any]] = {"alg": "EdDSA", "typ": "at+jwt", "kid": KEY_ID}


def part(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def signed(head: Mapping[str, Any], claims: Any, key: ed25519.Ed25519PrivateKey = KEY) -> str:
    text = ".".join(part(json.dumps(each).encode()) for each in (head, claims))
    return f"{text}.{part(key.sign(text.encode()))}"


def token(**claims: Any) -> str:
    """Return a token that is signed well; None takes a claim away."""
    told = {name: each for name, each in {**CLAIMS, **claims}.items() if each is not None}
    return signed(HEAD, told)


def headed(**parts: Any) -> str:
    """Return a good token but for its header; None takes a part away."""
    head = {name: each for name, each in {**HEAD, **parts}.items() if each is not None}
    return signed(head, CLAIMS)


def unsigned(algorithm: str) -> str:
    return ".".join(
        part(json.dumps(each).encode()) for each in ({**HEAD, "alg": algorithm}, CLAIMS)
    )


def by_hmac(secret: bytes) -> str:
    text = unsigned("HS256")
    return f"{text}.{part(hmac.digest(secret, text.encode(), hashlib.sha256))}"


def by_rsa() -> str:
    payload = json.dumps(CLAIMS).encode()
    return PyJWS().encode(payload, RSA, "RS256", {"typ": "at+jwt", "kid": KEY_ID})


def flipped(good: str) -> str:
    """Return *good* with one bit of its signature changed."""
    text, _, signature = good.rpartition(".")
    raw = bytearray(base64.urlsafe_b64decode(signature + "=="))
    raw[7] ^= 1
    return f"{text}.{part(bytes(raw))}"


PUBLIC: Final = KEY.public_key()
FOREIGN_KEY: Final = {
    "kty": "OKP",
    "crv": "Ed25519",
    "x": part(FOREIGN.public_key().public_bytes_raw()),
}
GOOD: Final = token()

BAD_TOKENS: Final[dict[str, str]] = {
    "alg none": unsigned("none") + ".",
    "alg None": unsigned("None") + ".",
    "alg none with a signature": headed(alg="none"),
    "no alg": headed(alg=None),
    "HS256 by the public key": by_hmac(PUBLIC.public_bytes_raw()),
    "HS256 by the public key as PEM": by_hmac(
        PUBLIC.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    ),
    "HS256 by nothing": by_hmac(b""),
    "RS256": by_rsa(),
    "ES256 in name": headed(alg="ES256"),
    "another audience": token(aud="else"),
    "several audiences": token(aud=[AUDIENCE, "else"]),
    "no audience": token(aud=None),
    "another issuer": token(iss="else"),
    "no issuer": token(iss=None),
    "expired": token(exp=NOW),
    "expired long ago": token(iat=0, nbf=0, exp=1),
    "no exp": token(exp=None),
    "exp as text": token(exp=str(NOW + 60)),
    "exp as a fraction": token(exp=NOW + 60.5),
    "exp true": token(exp=True),
    "nbf in the future": token(nbf=NOW + 30),
    "no nbf": token(nbf=None),
    "iat in the future": token(iat=NOW + 30),
    "no iat": token(iat=None),
    "exp after all dates": token(exp=253_402_300_800),
    "exp without end": token(exp=10**30),
    "iat before all dates": token(iat=-(10**12)),
    "empty jti": token(jti=""),
    "jti of two tokens of a subject": token(jti="a.b"),
    "jti too long": token(jti="a" * 65),
    "jti as a number": token(jti=1),
    "no sub": token(sub=None),
    "empty sub": token(sub=""),
    "sub as a wildcard": token(sub="*"),
    "sub of two tokens of a subject": token(sub="freya.loki"),
    "sub with a newline behind": token(sub="freya\n"),
    "sub too long": token(sub="a" * 65),
    "sub as a number": token(sub=1),
    "no scope": token(scope=None),
    "scopes as a list": token(scope=["play"]),
    "bot as text": token(bot="true"),
    "kid unknown": headed(kid="unknown"),
    "kid up a folder": headed(kid="../"),
    "kid far up": headed(kid="../../../../dev/null"),
    "kid as SQL": headed(kid="' OR 1=1 --"),
    "kid as a number": headed(kid=1),
    "kid as a list": headed(kid=[KEY_ID]),
    "kid missing": headed(kid=None),
    "foreign key": signed(HEAD, CLAIMS, FOREIGN),
    "foreign key in jwk": signed({**HEAD, "jwk": FOREIGN_KEY}, CLAIMS, FOREIGN),
    "foreign key in jku": signed({**HEAD, "jku": "http://127.0.0.1:1/jwks"}, CLAIMS, FOREIGN),
    "foreign key in x5u": signed({**HEAD, "x5u": "http://127.0.0.1:1/crt"}, CLAIMS, FOREIGN),
    "foreign key in jwk without kid": signed(
        {"alg": "EdDSA", "typ": "at+jwt", "jwk": FOREIGN_KEY}, CLAIMS, FOREIGN
    ),
    "unknown crit": headed(crit=["exp"], exp=1),
    "b64 false": headed(crit=["b64"], b64=False),
    "another type": headed(typ="JWT"),
    "no type": headed(typ=None),
    "bit flipped": flipped(GOOD),
    "truncated": GOOD[:-10],
    "without signature": GOOD.rpartition(".")[0] + ".",
    "two parts": GOOD.rpartition(".")[0],
    "four parts": GOOD + ".e30",
    "header alone": GOOD.partition(".")[0],
    "dots": "..",
    "not base64": "!!!.???.###",
    "not JSON": ".".join([part(b"x")] * 3),
    "claims are a list": signed(HEAD, [CLAIMS]),
    "claims are null": signed(HEAD, None),
    "claims are deep": signed(HEAD, json.loads("[" * 900 + "]" * 900)),
    "4 KiB and more": token(note="a" * 4096),
    "1 MB": "a" * 1_000_000,
    "letters past ASCII": GOOD + "é",
    "two tokens": f"{GOOD} {GOOD}",
    "key for token": PUBLIC.public_bytes_raw().hex(),
}

BAD_HEADERS: Final[dict[str, list[str]]] = {
    "empty": [""],
    "scheme alone": ["Bearer"],
    "scheme and a space": ["Bearer "],
    "token alone": [GOOD],
    "Basic": ["Basic ZnJleWE6cGFzcw=="],
    "another scheme": [f"Token {GOOD}"],
    "comma": [f"Bearer, {GOOD}"],
    "two headers": [f"Bearer {GOOD}", f"Bearer {GOOD}"],
    "two headers, one wrong": [f"Bearer {GOOD}", "Basic ZnJleWE6cGFzcw=="],
}


async def looked(client: httpx.AsyncClient, *headers: str) -> httpx.Response:
    told = [(b"Authorization", each.encode("latin-1")) for each in headers]
    return await client.get("/things/hat", headers=told)


def test_the_corpus_of_bad_tokens_is_large() -> None:
    assert len(BAD_TOKENS) >= 25


def test_a_good_token_tells_who_calls() -> None:
    caller = SHOP.tokens.verify(token(scope="play read", bot=True, jti="1", note="a"))
    assert caller == Caller(
        account="freya",
        scopes=frozenset({"play", "read"}),
        is_bot=True,
        token="1",  # noqa: S106 — an id
        issued_at=START,
        expires_at=START + timedelta(seconds=60),
        key_id=KEY_ID,
        issuer=ISSUER,
    )
    plain = SHOP.tokens.verify(GOOD)
    assert (plain.scopes, plain.is_bot, plain.token) == (frozenset({"play"}), False, "")
    assert SHOP.tokens.verify(token(scope="")).scopes == frozenset()


@pytest.mark.parametrize("name", BAD_TOKENS)
def test_a_bad_token_proves_nothing(name: str) -> None:
    with pytest.raises(InvalidTokenError):
        Shop().tokens.verify(BAD_TOKENS[name])


def test_a_bad_token_is_answered_401_even_where_none_is_needed() -> None:
    async def story() -> None:
        async with Shop().client() as client:
            for bad in BAD_TOKENS.values():
                response = await looked(client, f"Bearer {bad}")
                problem_of(response, 401, "invalid_token")
                assert response.headers["www-authenticate"] == 'Bearer error="invalid_token"'

    run(story)


@pytest.mark.parametrize("name", BAD_HEADERS)
def test_a_header_that_is_not_one_bearer_token_is_refused(name: str) -> None:
    async def story() -> None:
        async with Shop().client() as client:
            response = await looked(client, *BAD_HEADERS[name])
            problem_of(response, 401, "invalid_token")

    run(story)


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_scheme_may_be_written_in_any_case(scheme: str) -> None:
    async def story() -> None:
        async with Shop().client() as client:
            assert (await looked(client, f"{scheme} {GOOD}")).json()["account"] == "freya"

    run(story)


def test_nobody_may_look_but_not_buy() -> None:
    async def story() -> None:
        async with Shop().client() as client:
            assert (await looked(client)).json()["account"] is None
            response = await client.post("/things/hat", json={"amounts": [1]})
            problem_of(response, 401, "token_required")
            assert response.headers["www-authenticate"] == "Bearer"

    run(story)


def test_a_token_without_the_scope_is_forbidden_what_needs_it() -> None:
    shop = Shop()

    async def story() -> None:
        async with shop.client() as client:
            headers = shop.bearer(scopes="read")
            response = await client.post("/things/hat", json={"amounts": [1]}, headers=headers)
            document = problem_of(response, 403, "missing_scope")
            assert (document["expected"], document["found"]) == ("scope 'play'", "read")
            challenge = 'Bearer error="insufficient_scope", scope="play"'
            assert response.headers["www-authenticate"] == challenge

    run(story)


def test_scopes_are_whole_words() -> None:
    with pytest.raises(MissingScopeError):
        require_scope(SHOP.tokens.verify(token(scope="playing pla")), "play")


def test_a_verified_token_is_not_verified_again(monkeypatch: pytest.MonkeyPatch) -> None:
    shop = Shop()
    first = shop.tokens.verify(GOOD)
    monkeypatch.setattr(tokens_module, "_JWS", None)
    assert shop.tokens.verify(GOOD) is first


def test_a_token_that_was_verified_before_is_refused_once_it_expires() -> None:
    shop = Shop()
    shop.tokens.verify(GOOD)
    shop.clock.go(timedelta(seconds=59))
    shop.tokens.verify(GOOD)
    shop.clock.go(timedelta(seconds=1))
    with pytest.raises(InvalidTokenError, match="expired"):
        shop.tokens.verify(GOOD)


def test_a_token_of_a_clock_that_is_a_little_ahead_is_good() -> None:
    Shop().tokens.verify(token(iat=NOW + 5, nbf=NOW + 5))


def test_no_more_tokens_are_kept_than_asked_for() -> None:
    keys = {ISSUER: FixedKeys(keys_of(SHOP.issuer.jwks()))}
    tokens = Tokens(keys, audience=AUDIENCE, now=SHOP.clock.now, most_kept=2)
    for account in ("freya", "loki", "thor", "freya", "odin"):
        assert tokens.verify(token(sub=account)).account == account
    assert [each.caller.account for each in tokens._kept.values()] == ["freya", "odin"]


def test_a_token_is_refused_once_its_key_is_withdrawn() -> None:
    later = DevelopmentIssuer(bytes(32), mode="test")
    keys = keys_of(SHOP.issuer.jwks())
    tokens = Tokens({ISSUER: FixedKeys(keys)}, audience=AUDIENCE, now=SHOP.clock.now)
    tokens.verify(GOOD)
    keys.update(keys_of(later.jwks()))
    tokens.verify(later.issue("loki", frozenset(), START))
    del keys[KEY_ID]
    with pytest.raises(InvalidTokenError):
        tokens.verify(GOOD)


def test_keys_of_other_kinds_are_left_out() -> None:
    others = [{"kty": "RSA", "kid": "a", "n": "AQAB", "e": "AQAB"}, {"kty": "OKP", "crv": "X25519"}]
    assert keys_of({"keys": others}) == {}
    assert keys_of({"keys": [*others, *SHOP.issuer.jwks()["keys"]]}) == {KEY_ID: PUBLIC}


@pytest.mark.parametrize(
    "key_set",
    [
        None,
        [],
        {},
        {"keys": [1]},
        {"keys": [FOREIGN_KEY]},
        {"keys": [{**FOREIGN_KEY, "kid": "a", "x": "AAAA"}]},
        {"keys": [{**FOREIGN_KEY, "kid": "a", "kty": "EC"}]},
    ],
    ids=repr,
)
def test_a_malformed_set_of_keys_is_refused(key_set: Any) -> None:
    with pytest.raises(WrongKeysError):
        keys_of(key_set)


def test_no_token_stands_in_a_log_or_an_answer(caplog: pytest.LogCaptureFixture) -> None:
    bad = [each for each in BAD_TOKENS.values() if len(each) > 40]
    answers: list[str] = []

    async def story() -> None:
        async with Shop().client() as client:
            given = [await looked(client, f"Bearer {each}") for each in (GOOD, *bad)]
            answers.extend(each.text for each in given)
            await client.get("/bug", headers={"Authorization": f"Bearer {GOOD}"})

    with caplog.at_level(logging.DEBUG):
        run(story)
    logs = caplog.text + "".join(str(each.__dict__) for each in caplog.records)
    assert "internal error" in logs
    assert "invalid_token" in logs
    told = logs + "".join(answers)
    parts = [part for each in (GOOD, *bad) for part in each.split(".") if len(part) > 20]
    assert not [each for each in parts if each in told]
