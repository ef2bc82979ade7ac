"""How long what was seen in Burg Appenzell stays open to those who read the log again."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest

from howff.engine.codec import JSON
from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.state import Options, State
from howff.engine.seats import Seat, Viewer
from howff.match.commands import Origin
from howff.match.commit import Commit, MatchId, Version
from howff.match.match import Match
from howff.match.record import Recorder
from howff.match.redaction import redact_commit
from howff.match.seals import is_sealed
from support.appenzell import NOTATION, given, opening
from support.played import NOON, NOTARY, SEED, played, recorder, start_command

VIEWERS: tuple[Viewer, ...] = (None, Seat(0), Seat(1))
STRICT = Options(start_seat=Seat(0))
OPEN = Options(start_seat=Seat(0), memory="open")
PLACED = ("place_first_mouse a1", "place_first_mouse g7")
FOUR_ACTIONS = ("push nb", "enter a7 a7", "enter g1 g1", "uncover O")
HIDDEN = {"FloorLaid": {"floor"}, "TilePushed": {"line"}}
"""What nobody reads before the end."""
MOMENTARY = {
    "FloorLaid": {"shown"},
    "RoofRemoved": {"shown"},
    "TilePushed": {"inserted", "ejected", "shown"},
    "MouseTrapped": {"square"},
    "CheeseCollected": {"squares"},
}
"""What closes after a while."""


@dataclass(frozen=True)
class Log:
    """A match after each of its commits, and these."""

    matches: tuple[Match, ...]
    commits: tuple[Commit, ...]

    def told(self, version: int, viewer: Viewer, *, now: int, live: bool = False) -> Commit:
        """Return a commit as *viewer* is told of it when *now* is the newest version."""
        match, commit = self.matches[now - 1], self.commits[version - 1]
        return redact_commit(match, commit, viewer, SEED, told_live=live)


def log(record: Recorder, *moves: str) -> Log:
    """Return the log of a match in which the active seats make these *moves*."""
    matches = [record.match]
    for each in moves:
        (seat,) = record.match.to_act
        at = NOON + timedelta(seconds=record.match.version)
        record.play(seat, NOTATION.move(each), at=at)
        matches.append(record.match)
    return Log(tuple(matches), tuple(record.commits))


def begun_as(state: State) -> Recorder:
    """Return a recorder of a match that begins with *state*."""
    origin = Origin(MatchId("parent"), Version(1), state)
    command = replace(start_command(state.options, state.seats), origin=origin)
    return Recorder(GAME, command, at=NOON, notary=NOTARY)


def a_look(options: Options) -> Log:
    """Return the log in which seat 0 takes off a roof, in version 4; then three turns end."""
    moves = (*PLACED, "uncover O", "end_turn", "end_turn", "end_turn")
    return log(begun_as(opening(2, options)), *moves)


def a_last_look(options: Options) -> Log:
    """Return the log in which it does so with its fourth action, in version 7."""
    moves = (*PLACED, *FOUR_ACTIONS, "end_turn", "end_turn")
    return log(begun_as(opening(2, options)), *moves)


def a_push(options: Options) -> Log:
    """Return the log of a push, in version 2, by which a mouse falls and cheese is collected."""
    state = given(mice={0: "b6 f6", 1: "f5"}, options=options)
    return log(begun_as(state), "push sf", "end_turn", "end_turn", "end_turn")


def assert_told(told: Commit, stored: Commit, *, closed: bool) -> None:
    """Assert that of *stored* all is told but what is hidden and, once *closed*, momentary."""
    for event, whole in zip(told.events, stored.events, strict=True):
        kind, data = event["type"], event["data"]
        sealed = HIDDEN.get(kind, set()) | (MOMENTARY.get(kind, set()) if closed else set())
        assert {name for name, value in data.items() if is_sealed(value)} == sealed
        assert without(data, sealed) == without(whole["data"], sealed)


def without(data: JSON, names: set[str]) -> JSON:
    return {name: value for name, value in data.items() if name not in names}


def assert_open_until(found: Log, version: int, viewer: Viewer, closing: int) -> None:
    """Assert that *viewer* reads a commit before the version *closing*, and not from it on."""
    assert len(found.commits) >= closing
    for now in range(version, len(found.commits) + 1):
        told = found.told(version, viewer, now=now)
        assert_told(told, found.commits[version - 1], closed=now >= closing)


def kinds_of(commit: Commit) -> list[str]:
    return [event["type"] for event in commit.events]


def turns_ended(found: Log) -> dict[int, int]:
    """Return the turns that have ended, by the versions in which they did."""
    return {
        commit.version: event["data"]["turn"]
        for commit in found.commits
        for event in commit.events
        if event["type"] == "TurnEnded"
    }


@pytest.mark.parametrize("viewer", VIEWERS)
def test_scenario_33_a_look_is_told_to_everybody(viewer: Viewer) -> None:
    told = a_look(STRICT).told(4, viewer, now=4, live=True)
    shown = [{"square": "b1", "tile": "trap"}, {"square": "b2", "tile": "goat"}]
    (event,) = told.events
    assert event["data"] == {"turn": 0, "seat": 0, "roof": "O", "cost": 1, "shown": shown}


@pytest.mark.parametrize(("viewer", "closing"), [(None, 5), (Seat(1), 6), (Seat(0), 7)])
def test_scenario_33_a_look_closes_when_an_own_later_turn_has_ended(
    viewer: Viewer, closing: int
) -> None:
    found = a_look(STRICT)
    assert turns_ended(found) == {5: 0, 6: 1, 7: 2}
    assert_open_until(found, 4, viewer, closing)


@pytest.mark.parametrize("viewer", VIEWERS)
@pytest.mark.parametrize("story", [a_look, a_last_look, a_push])
def test_scenario_33_open_memory_closes_nothing(
    story: Callable[[Options], Log], viewer: Viewer
) -> None:
    found = story(OPEN)
    for commit in found.commits[1:]:
        told = found.told(commit.version, viewer, now=len(found.commits))
        assert_told(told, commit, closed=False)


def test_scenario_35_the_last_commit_of_the_turn_holds_the_look_and_the_roof() -> None:
    found = a_last_look(STRICT)
    commit = found.commits[6]
    assert kinds_of(commit) == ["RoofRemoved", "RoofsReplaced", "TurnEnded", "TurnStarted"]
    assert commit.events[0]["data"]["shown"] == [
        {"square": "b1", "tile": "goat"},
        {"square": "b2", "tile": "slices"},
    ]
    assert found.matches[6].to_act == (1,)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_scenario_35_a_look_that_ends_the_turn_is_told_to_everybody(viewer: Viewer) -> None:
    found = a_last_look(STRICT)
    assert_told(found.told(7, viewer, now=7, live=True), found.commits[6], closed=False)


@pytest.mark.parametrize(("viewer", "closing"), [(None, 7), (Seat(1), 8), (Seat(0), 9)])
def test_scenario_35_seats_still_have_the_look_in_the_next_turn(
    viewer: Viewer, closing: int
) -> None:
    found = a_last_look(STRICT)
    assert turns_ended(found) == {7: 0, 8: 1, 9: 2}
    assert_open_until(found, 7, viewer, closing)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_a_push_is_told_to_everybody_but_for_the_covered_floor(viewer: Viewer) -> None:
    found = a_push(STRICT)
    assert kinds_of(found.commits[1]) == ["TilePushed", "MouseTrapped", "CheeseCollected"]
    assert_told(found.told(2, viewer, now=2, live=True), found.commits[1], closed=False)


@pytest.mark.parametrize(("viewer", "closing"), [(None, 3), (Seat(1), 4), (Seat(0), 5)])
def test_what_a_push_showed_closes_when_an_own_later_turn_has_ended(
    viewer: Viewer, closing: int
) -> None:
    found = a_push(STRICT)
    assert turns_ended(found) == {3: 0, 4: 1, 5: 2}
    assert_open_until(found, 2, viewer, closing)


@pytest.mark.parametrize(("viewer", "closing"), [(None, 3), (Seat(0), 4), (Seat(1), 5)])
def test_a_floor_laid_in_the_open_closes_when_the_first_own_turn_has_ended(
    viewer: Viewer, closing: int
) -> None:
    options = replace(STRICT, open_setup=True)
    found = log(recorder(GAME, options, 2), *PLACED, "end_turn", "end_turn")
    assert turns_ended(found) == {4: 0, 5: 1}
    laid = found.commits[0].events[-1]["data"]
    assert len(laid["shown"]) == 33
    assert laid["shown"] == laid["floor"]
    assert_open_until(found, 1, viewer, closing)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_nobody_reads_the_floor_under_the_roofs(viewer: Viewer) -> None:
    found = log(recorder(GAME, OPEN, 2), *PLACED)
    told = found.told(1, viewer, now=1, live=True)
    assert told.events[-1]["data"]["shown"] == []
    assert_told(told, found.commits[0], closed=False)
    assert_told(found.told(1, viewer, now=3), found.commits[0], closed=False)


def test_after_the_end_everybody_reads_everything() -> None:
    record = played(GAME, STRICT, 2)
    assert record.match.is_over
    for viewer in VIEWERS:
        for commit in record.commits:
            assert redact_commit(record.match, commit, viewer, SEED) == commit
