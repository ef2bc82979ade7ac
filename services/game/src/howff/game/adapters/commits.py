"""Commits of matches as bytes, and matches folded from them."""

from typing import Final

from howff.engine.catalogue import game_of
from howff.engine.errors import RefusalError
from howff.match.commit import Commit
from howff.match.journal import commit_bytes, commit_of_bytes
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


COMMIT_FORM: Final = CommitForm(commit_bytes, commit_of_bytes)
