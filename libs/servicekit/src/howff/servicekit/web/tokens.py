"""Access tokens: JWTs signed with Ed25519, verified offline by the keys of their issuer."""

import asyncio
import base64
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Final, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from jwt import PyJWS, PyJWTError
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from howff.engine.codec import JSON
from howff.servicekit.web.errors import InvalidTokenError, RevokedTokenError, WrongKeysError

ALGORITHM: Final = "EdDSA"
TOKEN_TYPE: Final = "at+jwt"  # noqa: S105 — the media type of access tokens, RFC 9068
AUDIENCE: Final = "howff"
"""Whom all tokens of the platform are for."""
LOBBY_ISSUER: Final = "howff"
"""Who issues the tokens of people and bots; the keys come by `howff.servicekit.web.trust`."""
MOST_CHARACTERS: Final = 4096
MOST_KEPT: Final = 4096
CLOCK_SKEW: Final = 5
"""Seconds by which an issuer's clock may be ahead."""

AccountId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
"""Ids of accounts become parts of subjects, so they hold nothing that means something there."""
TokenId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Seconds = Annotated[int, Field(ge=0, le=253_402_300_799)]
"""Seconds since 1970 in UTC, up to the last year that a date can tell."""
Scopes = Annotated[str, StringConstraints(pattern=r"^([a-z_:]+( [a-z_:]+)*)?$")]
"""Words with a space between each two."""

Until = Callable[[Callable[[], None]], AbstractContextManager[None]]
"""Calls what it is given once a token holds no more, while the context that it gives is open."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the platform that signs its tokens by a key of its own."""

    issuer: str
    account: str
    """As whom it asks; nobody else is called so, since ids of accounts are longer."""
    scope: str
    """All that its tokens are ever good for: the same word in another's token is not that."""
    is_bot: bool = False


WORKERS: Final = Part("howff-bots", "bots", "bot", is_bot=True)
"""The workers that play for bots."""
SCORING: Final = Part("howff-scoring", "scoring", "archive")
"""What reads the logs of all matches that are over."""
PARTS: Final = {part.issuer: part for part in (WORKERS, SCORING)}


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request, and what for; and the token that says so."""

    account: str
    scopes: frozenset[str]
    is_bot: bool
    token: str
    """The id of the token; empty for tokens that are not told apart."""
    issued_at: datetime
    expires_at: datetime
    key_id: str
    """By which key it is signed."""
    issuer: str
    """Who has issued it, and so has said all this."""

    @property
    def part(self) -> Part | None:
        """The part of the platform that it is; None for people, and bots from outside."""
        part = PARTS.get(self.issuer)
        return part if part is not None and part.scope in self.scopes else None

    @property
    def is_worker(self) -> bool:
        """Whether it plays for the bots of the platform, whose seats no account holds."""
        return self.part is WORKERS


class Claims(BaseModel):
    """What a token says. Further claims are not looked at."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore")

    iss: str
    aud: str
    sub: AccountId
    iat: Seconds
    nbf: Seconds
    exp: Seconds
    jti: TokenId = ""
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


class Revocations(Protocol):
    """Whoever knows which tokens were taken back before they expire."""

    def is_revoked(self, token: str, account: str, issued_at: datetime) -> bool:
        """Tell whether the *token* of this id was revoked, alone or with all of its *account*."""
        ...

    def tell(self, changed: Callable[[], None]) -> None:
        """Call *changed* from now on when something was revoked, or a key is none any more."""
        ...


class NoRevocations:
    """Nothing is ever revoked."""

    def is_revoked(self, token: str, account: str, issued_at: datetime) -> bool:  # noqa: ARG002
        return False

    def tell(self, changed: Callable[[], None]) -> None:
        """Do nothing: there will be nothing to tell."""


class Tokens:
    """Verifies tokens for one *audience* by the keys of their *issuers*; keeps the verified ones.

    *issuers* gives by name who may issue tokens: each by its own keys and none of another's.
    """

    def __init__(
        self,
        issuers: Mapping[str, KeySource],
        *,
        audience: str,
        now: Callable[[], datetime],
        revocations: Revocations | None = None,
        most_kept: int = MOST_KEPT,
    ) -> None:
        self._issuers = issuers
        self._audience = audience
        self._now = now
        self._revocations = revocations or NoRevocations()
        self._most_kept = most_kept
        self._kept: OrderedDict[bytes, _Verified] = OrderedDict()
        self._ending: dict[object, tuple[Caller, Callable[[], None]]] = {}
        self._revocations.tell(self._end_what_is_revoked)

    def verify(self, token: str) -> Caller:
        """Return whom *token* names.

        Raises:
            InvalidTokenError: it is malformed, not signed by a key of its issuer, or not for this
                audience and this time.
            RevokedTokenError: it was revoked.
            TrustNotReadyError: the keys of its issuer are not known yet.
        """
        if len(token) > MOST_CHARACTERS or not token.isascii():
            expected = f"at most {MOST_CHARACTERS} characters of ASCII"
            raise InvalidTokenError(expected=expected, found="another token")
        digest = hashlib.sha256(token.encode()).digest()
        verified = self._kept.pop(digest, None)
        if verified is None or not self._is_signed_still(verified):
            verified = self._verified(token)
        self._check_time(verified.claims)
        caller = verified.caller
        if self._revocations.is_revoked(caller.token, caller.account, caller.issued_at):
            raise RevokedTokenError
        self._kept[digest] = verified
        if len(self._kept) > self._most_kept:
            self._kept.popitem(last=False)
        return caller

    @contextmanager
    def ending(self, caller: Caller, end: Callable[[], None]) -> Iterator[None]:
        """Call *end* when the token of *caller* holds no more, as long as the context is open.

        It may be called more than once, and at once if it does not hold even now.
        """
        seconds = (caller.expires_at - self._now()).total_seconds()
        timer = asyncio.get_running_loop().call_later(max(0.0, seconds), end)
        place = object()
        self._ending[place] = caller, end
        try:
            if not self._holds(caller):
                end()
            yield
        finally:
            timer.cancel()
            del self._ending[place]

    def _end_what_is_revoked(self) -> None:
        for caller, end in tuple(self._ending.values()):
            if not self._holds(caller):
                end()

    def _holds(self, caller: Caller) -> bool:
        """Tell whether the token of *caller* still is signed by a known key, and not revoked."""
        is_signed = any(caller.key_id in keys.current() for keys in self._issuers.values())
        return is_signed and not self._revocations.is_revoked(
            caller.token, caller.account, caller.issued_at
        )

    def _is_signed_still(self, verified: "_Verified") -> bool:
        return self._key_of(verified.claims.iss, verified.caller.key_id) == verified.key

    def _key_of(self, issuer: str, key_id: str) -> Ed25519PublicKey | None:
        keys = self._issuers.get(issuer)
        if keys is None:
            raise InvalidTokenError(expected="a token of a known issuer", found="another")
        return keys.current().get(key_id)

    def _verified(self, token: str) -> "_Verified":
        try:
            told = _JWS.decode_complete(token, options=_UNVERIFIED)
            header, issuer = told["header"], _Issued.model_validate_json(told["payload"]).iss
            key_id = header.get("kid", "")
            key = self._key_of(issuer, key_id)
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
        # Its issuer is the one whose key has signed it: the same bytes were read.
        if claims.aud != self._audience:
            raise InvalidTokenError(expected=f"audience {self._audience!r}", found="another")
        return _Verified(key, claims, _caller(claims, key_id))

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


def _caller(claims: Claims, key_id: str) -> Caller:
    account, scopes = claims.sub, frozenset(claims.scope.split())
    if (part := PARTS.get(claims.iss)) is not None:
        # Whoever gets hold of its key is no administrator by it, and nobody else.
        account, scopes = part.account, scopes & {part.scope}
    return Caller(
        account=account,
        scopes=scopes,
        is_bot=claims.bot,
        token=claims.jti,
        issued_at=datetime.fromtimestamp(claims.iat, UTC),
        expires_at=datetime.fromtimestamp(claims.exp, UTC),
        key_id=key_id,
        issuer=claims.iss,
    )


class _Issued(BaseModel):
    """What a token says before anything of it is believed: whose keys to try."""

    iss: str


@dataclass(frozen=True, slots=True)
class _Verified:
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
_UNVERIFIED: Final[Any] = {"verify_signature": False}
