"""A commit: everything that one command has caused, as it is stored and hashed.

Its move and its events stay plain JSON as they were written, so that a commit of any age keeps
its hash. The same class holds a commit as told to a viewer, in which commitments stand in the place
of what the viewer may not know, and salts open the commitments of what it may. A commit does not
say which of the two it is: who hands it on does, and `howff.match.order` checks it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, Literal, NewType, cast

from howff.engine.codec import JSON, from_json, shown
from howff.engine.errors import MalformedError
from howff.engine.seats import Seat
from howff.match.texts import (
    A_HASH,
    A_KEY_ID,
    A_NAME,
    A_SIGNATURE,
    is_hash,
    is_key_id,
    is_name,
    is_salt,
    is_signature,
)

MatchId = NewType("MatchId", str)
CommandId = NewType("CommandId", str)
Version = NewType("Version", int)
"""The number of a commit in its match, from 1."""

PLATFORM = "platform"
"""The actor of commands that no seat gives."""
NO_HASH = "0" * 64
"""What stands for the hash before the first commit."""

_AT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_SEAT = re.compile(r"seat:(0|[1-9]\d?)", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class Commit:
    """One command of a match and what it caused; printed without its secrets."""

    match: MatchId
    version: Version
    command: CommandId
    actor: str
    """`seat:N` or `platform`."""
    at: str
    """The time in UTC with milliseconds, such as `2026-11-27T21:14:03.120Z`."""
    schema: Literal[1] = 1
    move: JSON = field(repr=False)
    """The move as type and data; null for what is no move."""
    bot: JSON = field(repr=False)
    """How a bot came to the move; null for people."""
    draws: JSON
    """How many draws of each name were made."""
    events: tuple[JSON, ...] = field(repr=False)
    """Each an object of type and data; in a redacted commit also of salts, by field."""
    prev: str
    """The hash of the commit before."""
    hash: str = ""
    key: str = ""
    signature: str = ""
    salts: JSON = field(default=None, repr=False)
    """In a redacted commit the salts of *move* and *bot*, as far as they are shown."""

    @property
    def has_salts(self) -> bool:
        """Whether salts stand in it anywhere, as they only do in what was told to a viewer."""
        return self.salts is not None or any("salts" in event for event in self.events)

    @property
    def seat(self) -> Seat | None:
        """The seat that gave the command."""
        return seat_of(self.actor)


def actor_of(seat: Seat) -> str:
    """Return how *seat* is named as the actor of a command."""
    return f"seat:{seat}"


def seat_of(actor: str) -> Seat | None:
    """Return the seat that *actor* names, or None if it is no seat."""
    found = _SEAT.fullmatch(actor)
    return None if found is None else Seat(int(found[1]))


def time_text(at: datetime) -> str:
    """Return *at* as it stands in a commit."""
    return at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def commit_to_json(commit: Commit) -> dict[str, JSON]:
    """Return *commit* as plain JSON."""
    plain = {name: getattr(commit, name) for name in _FIELDS}
    plain["events"] = list(commit.events)
    if commit.salts is None:
        del plain["salts"]
    return plain


def commit_from_json(plain: JSON) -> Commit:
    """Return the commit that *plain* tells.

    Raises:
        MalformedError: a key is missing or unknown, or a value has another type or form.
    """
    commit = unsigned_from_json(plain)
    _check(is_hash(commit.hash), "hash", A_HASH, commit.hash)
    _check(is_key_id(commit.key), "key", A_KEY_ID, commit.key)
    _check(is_signature(commit.signature), "signature", A_SIGNATURE, commit.signature)
    return commit


def unsigned_from_json(plain: JSON) -> Commit:
    """Return the commit that *plain* tells; its hash and its signature may be missing still.

    Raises:
        MalformedError: a key is missing or unknown, or a value has another type or form.
    """
    commit = from_json(Commit, plain)
    for name in commit_to_json(commit).keys() - plain.keys():
        raise MalformedError(name, expected="a value", found="nothing")
    _check(is_name(commit.match), "match", A_NAME, commit.match)
    check_sender(commit.command, commit.actor)
    _check(_is_time(commit.at), "at", "a time in UTC with milliseconds", commit.at)
    _check(_is_counts(commit.draws), "draws", "positive integers by name", commit.draws)
    _check(is_hash(commit.prev), "prev", A_HASH, commit.prev)
    if "salts" in plain:
        _check(_has_salts(commit.salts, {"move", "bot"}), "salts", _SALTS, commit.salts)
    for at, event in enumerate(commit.events):
        _check(_is_event(event), f"events[{at}]", "an object of type, data and salts", event)
    return commit


def check_sender(command: CommandId, actor: str) -> None:
    """Refuse the id of a command, or the actor that has sent it, without its form.

    Raises:
        MalformedError: one has not its form.
    """
    _check(is_name(command), "command", A_NAME, command)
    _check(_is_actor(actor), "actor", "platform or seat:N", actor)


_FIELDS = tuple(field.name for field in fields(Commit))
_SALTS = "salts of 32 hex digits for fields that are there"


def _is_actor(actor: str) -> bool:
    return actor == PLATFORM or seat_of(actor) is not None


def _check(is_right: bool, path: str, expected: str, found: JSON) -> None:  # noqa: FBT001
    if not is_right:
        raise MalformedError(path, expected=expected, found=shown(found))


def _is_time(text: str) -> bool:
    if not _AT.fullmatch(text):
        return False
    try:
        return time_text(datetime.fromisoformat(text)) == text
    except ValueError:
        return False


def _is_counts(plain: JSON) -> bool:
    if not isinstance(plain, dict):
        return False
    counts = cast("dict[str, JSON]", plain).values()
    return all(type(count) is int and count > 0 for count in counts)


def _is_event(plain: JSON) -> bool:
    if not isinstance(plain, dict):
        return False
    event = cast("dict[str, JSON]", plain)
    if not {"type", "data"} <= event.keys() <= {"type", "data", "salts"}:
        return False
    if not isinstance(event["type"], str) or not isinstance(event["data"], dict):
        return False
    fields_there = cast("dict[str, JSON]", event["data"])
    return "salts" not in event or _has_salts(event["salts"], fields_there)


def _has_salts(plain: JSON, fields_there: Mapping[str, Any] | set[str]) -> bool:
    """Return whether *plain* holds salts; an empty object would be another form of none."""
    if not isinstance(plain, dict) or not plain:
        return False
    salts = cast("dict[str, JSON]", plain)
    return all(field in fields_there and is_salt(salt) for field, salt in salts.items())
