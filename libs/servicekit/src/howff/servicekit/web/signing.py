"""Keys that sign tokens, and the tokens that they sign."""

import base64
import hashlib
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from jwt import PyJWS

from howff.engine.codec import canonical
from howff.servicekit.web.tokens import ALGORITHM, TOKEN_TYPE, Claims


@dataclass(frozen=True, slots=True)
class SigningKey:
    """An Ed25519 key, made of 32 bytes; two processes with the same ones sign alike."""

    secret: bytes = field(repr=False)

    @property
    def jwk(self) -> dict[str, str]:
        """Its public part as JSON Web Key (RFC 7517)."""
        return _jwk(self._private)

    @property
    def id(self) -> str:
        """The thumbprint of its public part (RFC 7638)."""
        return self.jwk["kid"]

    def sign(self, claims: Claims) -> str:
        """Return the token that makes these *claims*."""
        headers = {"typ": TOKEN_TYPE, "kid": self.id}
        content = claims.model_dump_json(exclude_unset=True).encode()
        return PyJWS().encode(content, self._private, ALGORITHM, headers)

    @property
    def _private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(self.secret)


def _jwk(key: Ed25519PrivateKey) -> dict[str, str]:
    public = base64url(key.public_key().public_bytes_raw())
    required = {"crv": "Ed25519", "kty": "OKP", "x": public}
    thumbprint = hashlib.sha256(canonical(required).encode()).digest()
    return {**required, "kid": base64url(thumbprint), "use": "sig", "alg": ALGORITHM}


def base64url(raw: bytes) -> str:
    """Return *raw* in base64url without padding."""
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
