"""How commits are written for those who are told of them."""

from collections.abc import Callable
from typing import Any

import orjson

from howff.engine.seats import Viewer
from howff.match.canonical import canonical_bytes
from howff.match.commit import Commit, commit_to_json
from howff.match.match import Match
from howff.match.words import lines_beside

Voice = Callable[[Match, Commit, Viewer], bytes]
"""Writes a redacted commit of a match for its viewer, as JSON on one line."""


def as_it_is(_: Match, told: Commit, __: Viewer) -> bytes:
    """Return a redacted commit as it is, the same bytes whenever it is told alike."""
    return canonical_bytes(commit_to_json(told))


def plain_of(told: Commit) -> dict[str, Any]:
    """Return a redacted commit for what is written around it: it makes the bytes of its line."""
    plain: dict[str, Any] = orjson.loads(canonical_bytes(commit_to_json(told)))
    return plain


def in_words(match: Match, told: Commit, viewer: Viewer) -> bytes:
    """Return what a redacted commit of *match* says to people."""
    view = match.game.view(match.state, viewer)
    lines = list(lines_beside(match.game, view, told, seat_names(match)))
    plain = {"version": told.version, "at": told.at, "actor": told.actor, "lines": lines}
    return canonical_bytes(plain)


def seat_names(match: Match) -> tuple[str, ...]:
    """Return how the seats are called to people: here nobody knows more of them than a number."""
    return tuple(f"Seat {seat}" for seat in range(len(match.started.seats)))
