"""Tokens of parts of the platform, such as workers: each signs them by a key that only it has.

The key stands in a file for that part, its public half in another for the services that trust it.
"""

import base64
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from howff.servicekit.web.errors import WrongKeyError, WrongKeysError
from howff.servicekit.web.signing import SigningKey, base64url
from howff.servicekit.web.tokens import (
    AUDIENCE,
    Claims,
    FixedKeys,
    KeySource,
    Part,
    keys_of,
)

LIFETIME: Final = timedelta(minutes=5)
RENEWED_BEFORE: Final = timedelta(minutes=1)
"""How long before its end a token is used no more."""
_KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class KeyPair:
    """A key as the contents of two files."""

    private: str = field(repr=False)
    """The 32 bytes of an Ed25519 key in base64url, for `private_key_in`."""
    public: str
    """A JSON Web Key Set, for `public_keys_in`."""


def key_pair(secret: bytes) -> KeyPair:
    """Return the pair that is made of 32 bytes."""
    key_set = json.dumps({"keys": [SigningKey(secret).jwk]})
    return KeyPair(base64url(secret), key_set)


def private_key_in(path: Path) -> SigningKey:
    """Return the private key that a file holds.

    Raises:
        WrongKeyError: it can't be read, or holds none.
    """
    try:
        secret = base64.urlsafe_b64decode(path.read_text("ascii").strip() + "=")
    except (OSError, ValueError) as error:
        raise WrongKeyError(type(error).__name__) from error
    if len(secret) != _KEY_BYTES:
        raise WrongKeyError(f"{len(secret)} bytes")
    return SigningKey(secret)


def public_keys_in(path: Path) -> dict[str, Ed25519PublicKey]:
    """Return the public keys that a file holds, by their ids.

    Raises:
        WrongKeysError: it can't be read, or holds no key set.
    """
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise WrongKeysError(type(error).__name__) from error
    return keys_of(content)


def parts_trusted(files: Mapping[Part, Path | None]) -> dict[str, KeySource]:
    """Return by their issuers the keys of those parts for which there is a file.

    Raises:
        WrongKeysError: one can't be read, or holds no key set.
    """
    return {
        part.issuer: FixedKeys(public_keys_in(file))
        for part, file in files.items()
        if file is not None
    }


class PartTokens:
    """The tokens of one process of a *part*, each for a few minutes."""

    def __init__(
        self, part: Part, key: SigningKey, *, now: Callable[[], datetime], new_id: Callable[[], str]
    ) -> None:
        self._part = part
        self._key = key
        self._now = now
        self._new_id = new_id
        self._token = ""
        self._good_until: datetime | None = None

    def current(self) -> str:
        """Return a token that is good for another minute at least."""
        now = self._now()
        if self._good_until is None or now >= self._good_until:
            self._token = self._key.sign(self._claims(int(now.timestamp())))
            self._good_until = now + LIFETIME - RENEWED_BEFORE
        return self._token

    def _claims(self, second: int) -> Claims:
        return Claims(
            iss=self._part.issuer,
            aud=AUDIENCE,
            sub=self._part.account,
            iat=second,
            nbf=second,
            exp=second + int(LIFETIME.total_seconds()),
            jti=self._new_id(),
            scope=self._part.scope,
            bot=self._part.is_bot,
        )
