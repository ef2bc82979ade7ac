"""Commitments to secret fields, which can be opened one by one without opening the rest."""

import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from howff.engine.codec import JSON
from howff.engine.redact import Sealing
from howff.match.canonical import bytes_of_hex, canonical_bytes, sha256_hex
from howff.match.texts import is_hash

SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class SeedSeal:
    """Seals the fields of one event of a match; *event* is null for the commit's own fields."""

    seed: bytes = field(repr=False)
    match: str
    version: int
    event: int | None

    def __call__(self, field: str, value: JSON) -> Sealing:
        """Return the commitment to the *value* of *field*, and its salt."""
        message = ["salt", self.match, self.version, self.event, field]
        digest = hmac.digest(self.seed, canonical_bytes(message), "sha256")
        salt = digest[:SALT_BYTES].hex()
        return Sealing(commitment_of(salt, value), salt)


@dataclass(frozen=True, slots=True)
class StoredSeal:
    """Seals the fields of an event as they are *stored*, whatever a reader makes of them today.

    Rules that have grown since read more into an old value than was committed to.
    """

    seal: SeedSeal
    stored: Mapping[str, JSON] = field(repr=False)

    def __call__(self, field: str, value: JSON) -> Sealing:  # noqa: ARG002 — read by today's rules
        """Return the commitment to the stored value of *field*, and its salt."""
        return self.seal(field, self.stored.get(field))


def commitment_of(salt: str, value: JSON) -> str:
    """Return the commitment that *salt* (hex) opens to *value*."""
    return sha256_hex(bytes_of_hex(salt) + canonical_bytes(value))


def sealed(commitment: str) -> JSON:
    """Return what stands in the place of a sealed value."""
    return {"sealed": commitment}


def is_sealed(value: JSON) -> bool:
    """Return whether *value* is exactly what stands in the place of a sealed one."""
    if not isinstance(value, dict):
        return False
    members = cast("dict[str, JSON]", value)
    return members.keys() == {"sealed"} and is_hash(members["sealed"])
