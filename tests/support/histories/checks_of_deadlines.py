"""Checks of clocks: what is due by them happens once, in time, and never before."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from howff.match.clocks import SECOND, Milliseconds, milliseconds_of
from howff.match.commit import PLATFORM, Commit
from howff.match.match import Match
from support.histories.course import Course
from support.histories.history import History

LATE: Final[Milliseconds] = 5 * SECOND
"""After which what is due should have happened, if the service was there."""


def each_deadline_once(history: History, logs: Mapping[str, Course]) -> Iterator[str]:
    """Each deadline is met by one commit before it, or by the fall of its flag from then on."""
    for match, course in logs.items():
        numbered = list(zip(course.states, course.commits, strict=False))
        for (before, _), (_, commit) in pairwise(numbered):
            if wrong := _wrong(before, commit):
                yield f"{match}: version {commit.version} {wrong}"
        due = course.states[-1].due
        if due is not None and due + LATE < history.ended:
            yield f"{match}: nothing has happened {history.ended - due} ms after its deadline"


def _wrong(before: Match, commit: Commit) -> str | None:
    due, at = before.due, milliseconds_of(commit.at)
    is_due = due is not None and due <= at
    tells_it = any(each["type"] in {"FlagFallen", "ClockStarted"} for each in commit.events)
    if is_due and not tells_it:
        return f"does not tell what was due {at - (due or 0)} ms before"
    if tells_it and commit.actor == PLATFORM and not is_due:
        return "lets happen what was not due"
    return None
