"""How commits are written for those who are told of them."""

from howff.match.canonical import canonical_bytes
from howff.match.commit import Commit, commit_to_json


def line_of(told: Commit) -> bytes:
    """Return a redacted commit as JSON on one line, the same bytes whenever it is told alike."""
    return canonical_bytes(commit_to_json(told))
