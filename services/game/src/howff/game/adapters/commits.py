"""Commits of matches as bytes, and matches folded from them."""

from typing import Final

import orjson

from howff.engine.catalogue import game_of
from howff.engine.errors import RefusalError
from howff.match.canonical import canonical_bytes
from howff.match.commit import Commit, commit_from_json, commit_to_json
from howff.match.match import Match, evolve, match_of, started_by
from howff.servicekit.eventstore.errors import UnreadableCommitError
from howff.servicekit.eventstore.store import CommitForm


def fold_commit(match: Match | None, commit: Commit) -> Match:
    """Return the match after *commit*, which is the first where there is no match before it.

    Raises:
        UnreadableCommitError: it is not the next commit of the match, or none of a game as it is
            installed.
    """
    # What is wrong with our own log is nothing that a caller has asked for, or may be quoted.
    try:
        if match is None:
            return match_of(game_of(started_by(commit).game), [commit])
        return evolve(match, commit)
    except RefusalError as refusal:
        raise UnreadableCommitError(refusal.code) from None


def labels_of(match: Match) -> dict[str, str]:
    """Return by what the commands on *match* are counted."""
    return {"game": match.game.key}


def _encode(commit: Commit) -> bytes:
    return canonical_bytes(commit_to_json(commit))


def _decode(content: bytes) -> Commit:
    return commit_from_json(orjson.loads(content))


COMMIT_FORM: Final = CommitForm(_encode, _decode)
