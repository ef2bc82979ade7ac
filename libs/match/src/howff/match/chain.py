"""The hash of a commit, the same for the whole commit and for every redacted form of it."""

from collections.abc import Mapping
from dataclasses import fields

from howff.engine.codec import JSON
from howff.engine.redact import sealed
from howff.match.canonical import canonical_bytes, sha256_hex
from howff.match.commit import Commit
from howff.match.seals import SeedSeal, commitment_of

Covered = Mapping[str, tuple[str, ...]]
"""The fields that are not public, by the name of the event's class."""


def hash_of_whole(commit: Commit, covered: Covered, seed: bytes) -> str:
    """Return the hash of a commit as it was stored, its secrets sealed by salts from *seed*."""
    events: list[JSON] = []
    for at, event in enumerate(commit.events):
        seal = SeedSeal(seed, commit.match, commit.version, at)
        data = _with_seals(event["data"], covered.get(event["type"], ()), seal)
        events.append({"type": event["type"], "data": data})
    own = {"move": commit.move, "bot": commit.bot}
    seal = SeedSeal(seed, commit.match, commit.version, None)
    return _hash_of_sealed(commit, _with_seals(own, tuple(own), seal), events)


def hash_of_redacted(commit: Commit) -> str:
    """Return the hash of a redacted commit, from its commitments and the salts beside them."""
    own = {"move": commit.move, "bot": commit.bot}
    events: list[JSON] = [
        {"type": event["type"], "data": _with_salts(event["data"], event.get("salts", {}))}
        for event in commit.events
    ]
    return _hash_of_sealed(commit, _with_salts(own, commit.salts or {}), events)


def _hash_of_sealed(commit: Commit, own: dict[str, JSON], events: list[JSON]) -> str:
    public = {name: getattr(commit, name) for name in _PUBLIC}
    return sha256_hex(canonical_bytes({**public, **own, "events": events}))


_UNHASHED = {"hash", "key", "signature"}
_COVERED = {"move", "bot", "events", "salts"}
"""What is hashed in another form than it has in the commit, or by way of it."""
_PUBLIC = tuple(field.name for field in fields(Commit) if field.name not in _UNHASHED | _COVERED)


def _with_seals(
    values: dict[str, JSON], covered: tuple[str, ...], seal: SeedSeal
) -> dict[str, JSON]:
    # A field that younger rules have added does not stand in older events.
    there = (field for field in covered if field in values)
    return values | {field: sealed(seal.commitment(field, values[field])) for field in there}


def _with_salts(values: dict[str, JSON], salts: dict[str, str]) -> dict[str, JSON]:
    opened = {field: commitment_of(salt, values[field]) for field, salt in salts.items()}
    return values | {field: sealed(commitment) for field, commitment in opened.items()}
