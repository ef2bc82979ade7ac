"""The hash of a commit, the same for the whole commit and for every redacted form of it."""

from collections.abc import Mapping
from dataclasses import replace

from howff.engine.codec import JSON
from howff.match.canonical import canonical_bytes, sha256_hex
from howff.match.commit import Commit, commit_to_json
from howff.match.seals import SeedSeal, commitment_of, sealed

Covered = Mapping[str, tuple[str, ...]]
"""The fields that are not public, by the name of the event's class."""


def hash_of_whole(commit: Commit, covered: Covered, seed: bytes) -> str:
    """Return the hash of a commit as it was stored, its secrets sealed by salts from *seed*."""
    seal = SeedSeal(seed, commit.match, commit.version, None)
    events = tuple(
        _sealed_event(event, covered, replace(seal, event=at))
        for at, event in enumerate(commit.events)
    )
    own = {"move": commit.move, "bot": commit.bot}
    return _hash_of_sealed(commit, _with_seals(own, tuple(own), seal), events)


def hash_of_redacted(commit: Commit) -> str:
    """Return the hash of a redacted commit, from its commitments and the salts beside them."""
    own = {"move": commit.move, "bot": commit.bot}
    events = tuple(
        {"type": event["type"], "data": _with_salts(event["data"], event.get("salts", {}))}
        for event in commit.events
    )
    return _hash_of_sealed(commit, _with_salts(own, commit.salts or {}), events)


def _hash_of_sealed(commit: Commit, own: dict[str, JSON], events: tuple[JSON, ...]) -> str:
    plain = commit_to_json(replace(commit, events=events, salts=None)) | own
    for unhashed in ("hash", "key", "signature"):
        del plain[unhashed]
    return sha256_hex(canonical_bytes(plain))


def _sealed_event(event: JSON, covered: Covered, seal: SeedSeal) -> JSON:
    fields = covered.get(event["type"], ())
    return {"type": event["type"], "data": _with_seals(event["data"], fields, seal)}


def _with_seals(
    values: dict[str, JSON], fields: tuple[str, ...], seal: SeedSeal
) -> dict[str, JSON]:
    # A field that younger rules have added does not stand in older events.
    there = (field for field in fields if field in values)
    return values | {field: sealed(seal(field, values[field]).commitment) for field in there}


def _with_salts(values: dict[str, JSON], salts: dict[str, str]) -> dict[str, JSON]:
    opened = {field: commitment_of(salt, values[field]) for field, salt in salts.items()}
    return values | {field: sealed(commitment) for field, commitment in opened.items()}
