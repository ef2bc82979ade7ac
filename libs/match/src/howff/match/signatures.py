"""Ed25519 signatures of commits, and the keys that make and check them."""

import hashlib
from base64 import b64decode, urlsafe_b64encode
from dataclasses import dataclass
from typing import Final, Literal, cast

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from howff.engine.codec import JSON, to_json
from howff.engine.errors import MalformedError
from howff.match.canonical import canonical_bytes

KEY_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class PublicKey:
    """A public key, with the members of its JWK (RFC 8037)."""

    crv: Literal["Ed25519"]
    kty: Literal["OKP"]
    x: str

    @property
    def id(self) -> str:
        """The thumbprint of the key (RFC 7638)."""
        jwk = canonical_bytes(to_json(PublicKey, self))
        return _base64url(hashlib.sha256(jwk).digest())

    def has_signed(self, signature: str, *, match: str, version: int, commit_hash: str) -> bool:
        """Return whether *signature* was made over these with the private key of this one."""
        try:
            key = Ed25519PublicKey.from_public_bytes(_bytes_of_base64url(self.x))
            key.verify(_bytes_of_base64url(signature), _signed_bytes(match, version, commit_hash))
        except (ValueError, InvalidSignature):
            return False
        return True


def public_key_from_jwk(plain: JSON) -> PublicKey:
    """Return the key that a JWK tells; what else stands in it (`kid`, `use`) is left out.

    Raises:
        MalformedError: it is no Ed25519 key.
    """
    members = cast("dict[str, JSON]", plain) if isinstance(plain, dict) else {}
    x = members.get("x")
    is_ed25519 = members.get("crv") == "Ed25519" and members.get("kty") == "OKP"
    if is_ed25519 and isinstance(x, str) and _is_key(x):
        return PublicKey("Ed25519", "OKP", x)
    found = ", ".join(f"{name} {_shown(members.get(name))}" for name in ("crv", "kty", "x"))
    raise MalformedError("key", expected="an Ed25519 key as JWK (RFC 8037)", found=found)


class Signer:
    """A private key, with the public one and its id at hand."""

    def __init__(self, private_key: Ed25519PrivateKey) -> None:
        self._private_key = private_key
        public = private_key.public_key().public_bytes_raw()
        self.public_key = PublicKey("Ed25519", "OKP", _base64url(public))
        self.id = self.public_key.id

    @classmethod
    def of(cls, private_bytes: bytes) -> "Signer":
        """Return the signer whose private key has these 32 bytes."""
        return cls(Ed25519PrivateKey.from_private_bytes(private_bytes))

    def sign(self, *, match: str, version: int, commit_hash: str) -> str:
        """Return the signature of a commit."""
        return _base64url(self._private_key.sign(_signed_bytes(match, version, commit_hash)))


def _is_key(x: str) -> bool:
    try:
        return len(_bytes_of_base64url(x)) == KEY_BYTES
    except ValueError:
        return False


def _shown(member: JSON) -> str:
    # In ASCII, since whatever was typed into a file of keys may be unfit for a screen.
    return ascii(member)[:60] if isinstance(member, str) else type(member).__name__


def _signed_bytes(match: str, version: int, commit_hash: str) -> bytes:
    return canonical_bytes([match, version, commit_hash])


def _base64url(content: bytes) -> str:
    return urlsafe_b64encode(content).rstrip(b"=").decode()


def _bytes_of_base64url(text: str) -> bytes:
    padding = "=" * (-len(text) % 4)
    content = b64decode(text + padding, altchars=b"-_", validate=True)
    # The last character has bits to spare, so several texts would tell the same bytes.
    if _base64url(content) != text:
        message = f"not base64url without padding: {text!r}"
        raise ValueError(message)
    return content
