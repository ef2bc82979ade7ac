"""Step by step through an export."""

from collections.abc import Iterator

from howff.engine.game import AnyGame
from howff.match.errors import DisorderError
from howff.match.export import Export
from howff.match.match import Step, before_start, folded, misfits_refused, whole_events_of
from howff.match.order import check_order
from howff.match.report import FailureError


def replay(export: Export, game: AnyGame) -> Iterator[Step]:
    """Return each commit of *export* with what it has led to; its moves may be sealed.

    Raises:
        DisorderError: the commits are not what any game's would be.
        EngineError: the match is not one of this game, or an event is none of its.
        NotFollowingError: a commit is not the next one.
        NotReplayableError: an event has sealed fields.
        NotFoldableError: the events do not fit the state before them.
    """
    _check_order(export)
    match = before_start(game, export.commits[0])
    for commit in export.commits:
        events = whole_events_of(game, commit)
        with misfits_refused(commit):
            match = folded(match, commit, events)
        yield Step(commit, events, match)


def _check_order(export: Export) -> None:
    try:
        check_order(export.commits, is_whole=export.is_whole)
    except FailureError as error:
        found = error.failure
        raise DisorderError(str(found.place), expected=found.expected, found=found.found) from error
