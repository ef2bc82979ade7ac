"""Step by step through an export."""

from collections.abc import Iterator
from dataclasses import dataclass

from howff.engine.game import AnyGame
from howff.engine.visibility import Sealed, visibilities
from howff.match.commit import Commit
from howff.match.errors import NotReplayableError
from howff.match.export import Export
from howff.match.match import Match, before_start, events_of, evolve_unproven


@dataclass(frozen=True, slots=True)
class Step:
    """A commit, its events, and the match after it."""

    commit: Commit
    events: tuple[object, ...]
    match: Match


def replay(export: Export, game: AnyGame) -> Iterator[Step]:
    """Return each commit of *export* with what it has led to; its moves may be sealed.

    Raises:
        NotReplayableError: an event has sealed fields.
        MalformedError: an event has not the form of any of the game's.
        NotFoldableError: the events do not fit the state before them.
    """
    match = before_start(game, export.commits[0])
    for commit in export.commits:
        events = events_of(game, commit)
        if any(_has_seals(event) for event in events):
            raise NotReplayableError(commit.version)
        match = evolve_unproven(match, commit)
        yield Step(commit, events, match)


def _has_seals(event: object) -> bool:
    declared = visibilities(type(event))
    return any(isinstance(getattr(event, name), Sealed) for name in declared)
