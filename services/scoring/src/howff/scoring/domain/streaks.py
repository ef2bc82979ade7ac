"""Streaks: how often an account has won in a row, of the matches that count for its rating.

Who is first in the contest has won, alone or not. Levels of bots have none.
"""

from dataclasses import dataclass

from howff.scoring.domain.ratings import Pool, contests_of
from howff.scoring.domain.results import MatchResult


@dataclass(frozen=True, slots=True)
class Streak:
    """Matches of a pool in a row that were all won, or all not."""

    is_won: bool
    length: int
    since: str
    """The end of the first of them, in UTC (RFC 3339)."""
    longest: int
    """The most matches in a row that were won, ever."""
    longest_since: str | None
    """The end of the first of those; of several that are as long, of the first."""


def wins_of(result: MatchResult) -> dict[Pool, dict[str, bool]]:
    """Return by pool which of the accounts in it have won; one of several seats is enough."""
    found: dict[Pool, dict[str, bool]] = {}
    for contest in contests_of(result):
        if contest.pool.kind != "bots":
            wins = found.setdefault(contest.pool, {})
            for player, rank in contest.seats:
                wins[player] = wins.get(player, False) or rank == 1
    return found


def streak_after(before: Streak | None, *, is_won: bool, at: str) -> Streak:
    """Return the streak after a match that ended at *at*, and was won or not."""
    length, since, longest, longest_since = 1, at, 0, None
    if before is not None:
        longest, longest_since = before.longest, before.longest_since
        if before.is_won == is_won:
            length, since = before.length + 1, before.since
    if is_won and length > longest:
        longest, longest_since = length, since
    return Streak(is_won, length, since, longest, longest_since)
