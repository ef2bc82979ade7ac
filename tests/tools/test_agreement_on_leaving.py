"""Our own `verify` and the program without rules agree on clocks, leaving, aborts and branches."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from conftest import IS_LONG
from howff.engine.catalogue import GAMES
from howff.engine.game import AnyGame
from howff.engine.seats import Seat, Viewer
from howff.match.clocks import PerMove
from howff.match.commands import Origin
from howff.match.commit import MatchId
from howff.match.export import Export, export_for, write_export
from support.played import KEYS, SEED
from support.timed import TimedMatch, start_timed
from support.verifier import disagreement, our_answer, told_by_node

SHORT: Final = ("troedler", "highland_clans")
"""The games whose matches are short."""


def of(game: AnyGame, seats: int, **terms: object) -> TimedMatch:
    return TimedMatch(start_timed(game.options(), seats, **terms), game)  # type: ignore[arg-type]


def after(match: TimedMatch, moves: int) -> TimedMatch:
    """Return *match* after some first moves."""
    for _ in range(moves):
        match.moves(match.match.to_act[0])
    return match


def with_flags(game: AnyGame, seats: int) -> TimedMatch:
    """Return a match in which a bot takes over, somebody comes back, and somebody resigns."""
    match = after(of(game, seats, clock=PerMove(60), on_flag="bot"), 2)
    late = match.match.to_act[0]
    match.waits_until_due().expires()
    match.moves(late, bot="chance")
    match.takes_back(late)
    match.wants("pause", *range(seats))
    match.wants_no_longer("pause", *range(seats))
    match.credits(match.match.to_act[0], 60)
    match.resigns(seats - 1)
    return match


def aborted(game: AnyGame, seats: int) -> TimedMatch:
    match = after(of(game, seats), 3)
    match.wants("abort", *range(seats))
    return match


def branched(game: AnyGame, seats: int) -> TimedMatch:
    parent = after(of(game, seats), 4).match
    origin = Origin(MatchId("parent"), parent.version, parent.state)
    return after(of(game, seats, origin=origin), 6)


def told(match: TimedMatch) -> Iterator[Export]:
    """Yield the export for every viewer; of a match that is over there is one."""
    viewers: tuple[Viewer, ...] = (None, *map(Seat, range(match.seats)))
    for viewer in viewers[:1] if match.match.is_over else viewers:
        yield export_for(match.match, match.commits, viewer, SEED, KEYS)


def exports() -> Iterator[Export]:
    for key in GAMES if IS_LONG else SHORT:
        game = GAMES[key]
        seats = game.seats[1]
        flags, branch = with_flags(game, seats), branched(game, seats)
        yield from told(flags)
        yield from told(branch)
        yield from told(flags.plays_to_the_end())
        yield from told(branch.plays_to_the_end())
        yield from told(aborted(game, seats))


def forged(export: Export) -> Iterator[Export]:
    """Yield *export* with an event of the platform where none can stand, and with one changed."""
    first, *others = export.commits
    for at, commit in enumerate(others):
        if commit.seat is not None and commit.events[0]["type"] == "SeatResigned":
            moved = replace(commit, move={"type": "Pass", "data": {}})
            yield replace(export, commits=(first, *others[:at], moved, *others[at + 1 :]))
    started = first.events[0]
    changed = {**started, "data": {**started["data"], "on_leave": "bot", "stand_in": "\n"}}
    yield replace(
        export, commits=(replace(first, events=(changed, *first.events[1:])), *export.commits[1:])
    )


def test_both_accept_what_happened_beside_the_games(tmp_path: Path) -> None:
    contents = [write_export(export) for export in exports()]
    for content, theirs in zip(contents, told_by_node(contents, tmp_path), strict=True):
        assert disagreement(our_answer(content), theirs) is None
        assert theirs["failure"] is None


def test_both_reject_what_could_not_have_happened_beside_the_games(tmp_path: Path) -> None:
    contents = [write_export(each) for export in exports() for each in forged(export)]
    for content, theirs in zip(contents, told_by_node(contents, tmp_path), strict=True):
        assert disagreement(our_answer(content), theirs) is None
        assert theirs["failure"] is not None
