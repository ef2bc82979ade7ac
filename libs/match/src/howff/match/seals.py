"""Commitments to secret fields, which can be opened one by one without opening the rest."""

import hmac
from dataclasses import dataclass, field
from typing import cast

from howff.engine.codec import JSON
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

    def commitment(self, field: str, value: JSON) -> str:
        """Return the commitment to the *value* of *field*."""
        return _commitment(self._salt(field), value)

    def salt(self, field: str) -> str:
        """Return the salt that opens the commitment to *field*."""
        return self._salt(field).hex()

    def _salt(self, field: str) -> bytes:
        message = ["salt", self.match, self.version, self.event, field]
        return hmac.digest(self.seed, canonical_bytes(message), "sha256")[:SALT_BYTES]


def commitment_of(salt: str, value: JSON) -> str:
    """Return the commitment that *salt* (hex) opens to *value*."""
    return _commitment(bytes_of_hex(salt), value)


def is_sealed(value: JSON) -> bool:
    """Return whether *value* is exactly what stands in the place of a sealed one."""
    if not isinstance(value, dict):
        return False
    members = cast("dict[str, JSON]", value)
    return members.keys() == {"sealed"} and is_hash(members["sealed"])


def _commitment(salt: bytes, value: JSON) -> str:
    return sha256_hex(salt + canonical_bytes(value))
