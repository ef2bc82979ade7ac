"""Access tokens: JWTs signed with Ed25519, verified offline by the keys of their issuer."""

import base64
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from jwt import PyJWS, PyJWTError
from pydantic import BaseModel, ConfigDict, StringConstraints, ValidationError

from howff.engine.codec import JSON
from howff.servicekit.web.errors import InvalidTokenError, WrongKeysError

ALGORITHM: Final = "EdDSA"
TOKEN_TYPE: Final = "at+jwt"  # noqa: S105 — the media type of access tokens, RFC 9068
MOST_CHARACTERS: Final = 4096
MOST_KEPT: Final = 4096
CLOCK_SKEW: Final = 5
"""Seconds by which an issuer's clock may be ahead."""

AccountId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""Ids of accounts become parts of subjects, so they hold nothing that means something there."""
Scopes = Annotated[str, StringConstraints(pattern=r"^([a-z_:]+( [a-z_:]+)*)?$")]
"""Words with a space between each two."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request, and what for."""

    account: str
    scopes: frozenset[str]
    is_bot: bool


class Claims(BaseModel):
    """What a token says; times are seconds since 1970 in UTC. Further claims are not looked at."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    iss: str
    aud: str
    sub: AccountId
    iat: int
    nbf: int
    exp: int
    scope: Scopes
    bot: bool = False


class KeySource(Protocol):
    """Whoever knows the keys by which tokens may be signed now."""

    def current(self) -> Mapping[str, Ed25519PublicKey]:
        """Return the keys by their ids."""
        ...


@dataclass(frozen=True, slots=True)
class FixedKeys:
    """Keys that never change."""

    keys: Mapping[str, Ed25519PublicKey]

    def current(self) -> Mapping[str, Ed25519PublicKey]:
        return self.keys


class Tokens:
    """Verifies the tokens of one *issuer* for one *audience*, and keeps what it has verified."""

    def __init__(
        self,
        keys: KeySource,
        *,
        issuer: str,
        audience: str,
        now: Callable[[], datetime],
        most_kept: int = MOST_KEPT,
    ) -> None:
        self._keys = keys
        self._issuer = issuer
        self._audience = audience
        self._now = now
        self._most_kept = most_kept
        self._kept: OrderedDict[bytes, _Verified] = OrderedDict()

    def verify(self, token: str) -> Caller:
        """Return whom *token* names.

        Raises:
            InvalidTokenError: it is malformed, not signed by a key of the issuer, or not for this
                audience and this time.
        """
        if len(token) > MOST_CHARACTERS or not token.isascii():
            expected = f"at most {MOST_CHARACTERS} characters of ASCII"
            raise InvalidTokenError(expected=expected, found="another token")
        digest = hashlib.sha256(token.encode()).digest()
        verified = self._kept.pop(digest, None)
        if verified is None or self._keys.current().get(verified.key_id) != verified.key:
            verified = self._verified(token)
        self._check_time(verified.claims)
        self._kept[digest] = verified
        if len(self._kept) > self._most_kept:
            self._kept.popitem(last=False)
        return verified.caller

    def _verified(self, token: str) -> "_Verified":
        try:
            header = _JWS.get_unverified_header(token)
            key_id = header.get("kid", "")
            key = self._keys.current().get(key_id)
            if key is None or header.get("typ") != TOKEN_TYPE:
                expected = f"a token of type {TOKEN_TYPE} by a known key"
                raise InvalidTokenError(expected=expected, found="another")
            claims = Claims.model_validate_json(_JWS.decode(token, key, algorithms=[ALGORITHM]))
        except PyJWTError as error:
            raise InvalidTokenError(expected="a signed token", found=str(error).lower()) from error
        except ValidationError as error:
            found = ", ".join(str(each["loc"][0]) for each in error.errors() if each["loc"])
            raise InvalidTokenError(
                expected="claims of the right form", found=f"wrong: {found}"
            ) from error
        self._check_parties(claims)
        caller = Caller(claims.sub, frozenset(claims.scope.split()), claims.bot)
        return _Verified(key_id, key, claims, caller)

    def _check_parties(self, claims: Claims) -> None:
        for claim, expected, found in (
            ("issuer", self._issuer, claims.iss),
            ("audience", self._audience, claims.aud),
        ):
            if found != expected:
                raise InvalidTokenError(expected=f"{claim} {expected!r}", found="another")

    def _check_time(self, claims: Claims) -> None:
        now = self._now().timestamp()
        if claims.exp <= now:
            raise InvalidTokenError(expected="a token of now", found="one that has expired")
        if max(claims.iat, claims.nbf) > now + CLOCK_SKEW:
            raise InvalidTokenError(expected="a token of now", found="one for later")


def keys_of(key_set: JSON) -> dict[str, Ed25519PublicKey]:
    """Return the Ed25519 keys of a JSON Web Key Set by their ids; other keys are left out.

    Raises:
        WrongKeysError: *key_set* is malformed.
    """
    try:
        keys = [each for each in _KeySet.model_validate(key_set).keys if each.crv == "Ed25519"]
        return {each.kid: each.public_key() for each in keys}
    except ValueError as error:
        raise WrongKeysError(type(error).__name__) from error


@dataclass(frozen=True, slots=True)
class _Verified:
    key_id: str
    key: Ed25519PublicKey
    claims: Claims
    caller: Caller


class _Key(BaseModel):
    kty: str
    crv: str = ""
    kid: str = ""
    x: str = ""

    def public_key(self) -> Ed25519PublicKey:
        if self.kty != "OKP" or not self.kid:
            message = "a key without an id, or of another kind"
            raise ValueError(message)
        return Ed25519PublicKey.from_public_bytes(base64.urlsafe_b64decode(self.x + "=="))


class _KeySet(BaseModel):
    keys: list[_Key]


_JWS: Final = PyJWS(algorithms=[ALGORITHM])
