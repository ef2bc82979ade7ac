"""How matches are stored: a subject for each in one stream, a commit a message."""

from typing import Final

import orjson

from howff.match.canonical import canonical_bytes
from howff.match.commit import Commit, MatchId, commit_from_json, commit_to_json

MATCHES: Final = "MATCHES"
"""The stream of all commits of all matches; day by day the match service alone reads it."""
SUBJECTS: Final = "match.*"
"""The subjects of that stream."""
COMMITTED: Final = "committed"
"""Under which subjects commits are told again once they are stored."""


def subject_of(match: MatchId) -> str:
    """Return the subject that keeps the commits of *match*."""
    return f"match.{match}"


def commit_bytes(commit: Commit) -> bytes:
    """Return *commit* as it is stored."""
    return canonical_bytes(commit_to_json(commit))


def commit_of_bytes(content: bytes) -> Commit:
    """Return the commit that is stored as *content*.

    Raises:
        ValueError: that is no JSON.
        MalformedError: it tells no commit.
    """
    return commit_from_json(orjson.loads(content))
