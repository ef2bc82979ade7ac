"""Matches that go on from where another one stood."""

from dataclasses import replace
from typing import Any

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON, canonical, to_json
from howff.engine.game import AnyGame
from howff.engine.seats import Seat, Viewer
from howff.match.clocks import PerMove
from howff.match.commands import Origin, StartMatch
from howff.match.commit import MatchId, Version
from howff.match.errors import NothingToPlayError, UnrecordableError
from howff.match.events import MatchBranched, MatchStarted
from howff.match.match import events_of, match_of
from howff.match.notary import Notary
from howff.match.play import start
from howff.match.verify import verify
from support.forging import changed, failure, rechained, with_event
from support.played import (
    NOON,
    NOTARY,
    SIGNER,
    Record,
    exported,
    exported_to,
    played,
)
from support.timed import TimedMatch, start_timed
from support.toy_game import TOY
from support.toy_types import Options

AT = Version(4)
TROEDLER = GAMES["troedler"]
PARENT = MatchId("parent")


def parent(game: AnyGame = TOY, seats: int = 3) -> Record:
    """Return a match as it stood at version `AT`."""
    return played(game, game.options(), seats, most=AT - 1)


def branching(record: Record, **terms: Any) -> StartMatch:
    """Return the command that starts a branch of the match of *record*, as it stands."""
    match = record.match
    origin = Origin(PARENT, match.version, match.state)
    return start_timed(match.options, len(match.started.seats), origin=origin, **terms)


def branch(record: Record, **terms: Any) -> TimedMatch:
    return TimedMatch(branching(record, **terms), record.match.game)


@pytest.mark.parametrize("game", [TOY, *GAMES.values()], ids=lambda game: game.key)
def test_a_branch_begins_with_the_state_of_its_parent(game: AnyGame) -> None:
    before = parent(game, game.seats[-1]).match
    match = branch(parent(game, game.seats[-1])).match
    first = match.started

    assert (before.version, match.version) == (AT, 1)
    assert match.state == before.state
    assert match.to_act == before.to_act
    assert isinstance(first, MatchStarted)
    assert match.draws == {}


@pytest.mark.parametrize("game", [TOY, *GAMES.values()], ids=lambda game: game.key)
def test_a_branch_is_played_to_its_end_and_decided_again(game: AnyGame) -> None:
    match = branch(parent(game, game.seats[0])).plays_to_the_end()
    report = match.verified()

    assert match.match.outcome is not None
    assert match_of(game, match.commits) == match.match
    word = f"that it began as match {PARENT} stood at version {AT} is its word"
    assert word in report.checks[-1].detail
    by_others = verify(exported(match.record), replace(game, rules_version="later"))
    assert by_others.failure is None
    assert word in by_others.checks[-1].detail


@pytest.mark.parametrize(
    "changes", [{"players": []}, {"deck": [7]}, {"stage": "finished"}, {"x": 1}]
)
def test_a_state_that_the_game_does_not_know_is_found(changes: dict[str, JSON]) -> None:
    export = exported(branch(parent()).plays_to_the_end().record)
    state = export.commits[0].events[1]["data"]["state"]
    forged = rechained(changed(export, 1, with_event(1, state=state | changes)))

    assert failure(verify(forged, TOY)).code == "unlawful_commit"


@pytest.mark.parametrize("changes", [{"parent": ""}, {"version": 0}, {"version": "4"}])
def test_an_origin_that_is_none_is_found(changes: dict[str, JSON]) -> None:
    export = exported(branch(parent()).plays_to_the_end().record)
    found = failure(verify(rechained(changed(export, 1, with_event(1, **changes))), TOY))

    assert (found.code, found.place.version) == ("unlawful_commit", 1)


def test_the_first_commit_of_a_branch_has_no_opening_and_no_draws() -> None:
    match = branch(parent())
    _, branched, *others = events_of(TOY, match.commits[0])

    assert branched == MatchBranched(PARENT, AT, to_json(TOY.state, match.match.state))
    assert not others
    assert match.commits[0].draws == {}


def test_the_clocks_of_a_branch_begin_with_it() -> None:
    match = branch(parent(), clock=PerMove(60))
    owing = match.match.to_act

    assert match.match.clocks is not None
    assert match.match.clocks.owing == owing
    match.waits_until_due().expires()
    assert match.match.presence.resigned.keys() == set(owing)


@pytest.mark.parametrize("viewer", [None, Seat(0), Seat(1), Seat(2)])
def test_the_state_of_a_branch_is_hidden_until_its_end(viewer: Viewer) -> None:
    match = branch(parent())
    export = exported_to(match.record, viewer)
    told = export.commits[0].events[1]

    assert told["data"].keys() == {"parent", "version", "state"}
    assert told["data"]["state"].keys() == {"sealed"}
    assert "salts" not in told
    assert verify(export, TOY).failure is None
    match.aborts()
    assert exported(match.record).commits[0].events[1]["data"]["state"]["deck"]


def test_a_branch_draws_from_its_own_seed() -> None:
    record = parent(TROEDLER, 2)
    drawn = {
        canonical([list(commit.events) for commit in match.commits[1:]])
        for match in (
            TimedMatch(branching(record), TROEDLER, Notary(seed, SIGNER)).plays_to_the_end()
            for seed in (bytes(32), bytes(range(32)))
        )
    }

    assert len(drawn) == 2


def test_nobody_branches_off_where_nothing_is_left_to_play() -> None:
    finished = played(TOY, Options(), 3)
    with pytest.raises(NothingToPlayError) as refusal:
        branch(finished)
    assert refusal.value.code == "nothing_to_play"


@pytest.mark.parametrize("name", ["", "x" * 300, "a\nb", "\ud800"])
def test_a_parent_that_could_not_be_read_again_is_refused(name: str) -> None:
    match = parent().match
    origin = Origin(MatchId(name), AT, match.state)
    command = start_timed(match.options, 3, origin=origin)
    with pytest.raises(UnrecordableError):
        start(TOY, command, at=NOON, notary=NOTARY)


@pytest.mark.parametrize("version", [0, -1, True, 2.0])
def test_a_branch_begins_after_a_version_of_its_parent(version: Any) -> None:
    match = parent().match
    origin = Origin(PARENT, version, match.state)
    command = start_timed(match.options, 3, origin=origin)
    with pytest.raises(UnrecordableError):
        start(TOY, command, at=NOON, notary=NOTARY)
