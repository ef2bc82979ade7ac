"""Commitments to secret fields, which can be opened one by one without opening the rest."""

import hmac
from dataclasses import dataclass

from howff.engine.codec import JSON
from howff.engine.redact import Sealing
from howff.match.canonical import bytes_of_hex, canonical_bytes, sha256_hex

SALT_BYTES = 16
"""All salts are equally long: else a byte could wander between a salt and its value."""


@dataclass(frozen=True, slots=True)
class SeedSeal:
    """Seals the fields of one event of a match; *event* is null for the commit's own fields."""

    seed: bytes
    match: str
    version: int
    event: int | None

    def __call__(self, field: str, value: JSON) -> Sealing:
        """Return the commitment to the *value* of *field*, and its salt."""
        message = ["salt", self.match, self.version, self.event, field]
        digest = hmac.digest(self.seed, canonical_bytes(message), "sha256")
        salt = digest[:SALT_BYTES].hex()
        return Sealing(commitment_of(salt, value), salt)


def commitment_of(salt: str, value: JSON) -> str:
    """Return the commitment that *salt* (hex) opens to *value*."""
    return sha256_hex(bytes_of_hex(salt) + canonical_bytes(value))


def sealed(commitment: str) -> JSON:
    """Return what stands in the place of a sealed value."""
    return {"sealed": commitment}


def is_sealed(value: JSON) -> bool:
    """Return whether *value* stands for one that was sealed."""
    return isinstance(value, dict) and value.keys() == {"sealed"}


def is_salt(text: JSON) -> bool:
    """Return whether *text* is a salt as it stands in JSON."""
    if not isinstance(text, str):
        return False
    try:
        return len(bytes_of_hex(text)) == SALT_BYTES
    except ValueError:
        return False
