"""What the feed of a match tells everybody who may watch it."""

from howff.contracts.ids import MatchId, Message


class CommitInWords(Message):
    """A commit in words: what has happened, as one line each, with seats called `Seat N`."""

    version: int
    at: str
    """When, in UTC (RFC 3339)."""
    actor: str
    """`seat:N`, or `platform`."""
    lines: tuple[str, ...]


class MatchInWords(Message):
    """Commits of a match in words, up to its newest version."""

    match: MatchId
    viewer: str
    version: int
    commits: tuple[CommitInWords, ...]


class NewestVersion(Message):
    """The newest version of a match; what a feed tells every few seconds, and at the end."""

    version: int
