"""The acceptance scenarios of scoring a round."""

from collections.abc import Mapping, Sequence

import pytest

from howff.engine.games.highland_clans.events import FollowingAssigned, RoundScore, RoundScored
from howff.engine.games.highland_clans.state import State
from howff.engine.seats import Seat
from support.highland_clans import Fate, bag, cubes_drawn, given, texts, turn_of, when
from support.texts import of

WHOLE = {
    0: "W5 P3 M2 | E3: cattle 2, castle 1 | score 20",
    1: "W5 P1 M0 | E2: cattle 1, monastery 1 | score 18",
    2: "W4 P4 M1 | E2: castle 2 | score 22",
    3: "W3 P0 M4 | E2: cattle 2 | score 15",
}


def last_turn(boards: Mapping[int, str], marker: int | None = None, number: int = 2) -> State:
    """Return the end of a round of as many seats as there are *boards*."""
    seats = len(boards)
    return given(seats=seats, boards=boards, active=seats - 1, marker=marker, round=number)


def scored(boards: Mapping[int, str]) -> tuple[RoundScore, ...]:
    (event,) = of(when(last_turn(boards), "end_turn").events, RoundScored)
    return event.seats


def marker_after(boards: Mapping[int, str], marker: int | None) -> FollowingAssigned:
    draft = when(last_turn(boards, marker), "end_turn")
    (event,) = of(draft.events, FollowingAssigned)
    assert draft.state.marker == event.seat
    assert event.previous == marker
    return event


def test_scenario_29_the_example_of_the_rulebook_is_scored() -> None:
    found = scored(
        {
            0: "P3 M0 | E2: castle 2 | score 2",
            1: "P3 M0 | E3: cattle 3 | score 2",
            2: "P1 M0 | E2: cattle 2 | score 2",
        }
    )
    assert found == (
        RoundScore(green=0, cattle=0, cattle_bonus=0, blue=4, total=4, score=6),
        RoundScore(green=0, cattle=3, cattle_bonus=2, blue=1, total=6, score=8),
        RoundScore(green=0, cattle=2, cattle_bonus=0, blue=0, total=2, score=4),
    )


@pytest.mark.parametrize(
    ("cubes", "points"),
    [
        ((5, 3, 1, 0), (3, 2, 0, 0)),
        ((4, 4, 2, 0), (1, 1, 0, 0)),
        ((5, 2, 2, 1), (3, 1, 1, 0)),
        ((3, 3, 3, 3), (1, 1, 1, 1)),
        ((2, 0, 0, 0), (3, 0, 0, 0)),
        ((0, 0, 0, 0), (0, 0, 0, 0)),
        ((0, 1, 3, 5), (0, 0, 2, 3)),
        ((3, 3, 0, 3), (1, 1, 0, 1)),
        ((1, 1, 1, 6), (1, 1, 1, 3)),
    ],
)
def test_scenario_30_green_cubes_score_by_majority(
    cubes: Sequence[int], points: Sequence[int]
) -> None:
    found = scored({seat: f"M{count}" for seat, count in enumerate(cubes)})
    assert [each.green for each in found] == list(points)


def test_scenario_30_a_monastery_counts_three() -> None:
    found = scored({0: "M1 | E2: monastery 1", 1: "M3", 2: "M4", 3: "M2"})
    assert [each.green for each in found] == [1, 0, 1, 0]


@pytest.mark.parametrize(
    ("herds", "points", "bonus"),
    [
        ((3, 2, 2, 0), (5, 2, 2, 0), (2, 0, 0, 0)),
        ((3, 3, 1, 0), (3, 3, 1, 0), (0, 0, 0, 0)),
        ((1, 1, 1, 1), (1, 1, 1, 1), (0, 0, 0, 0)),
        ((0, 0, 0, 1), (0, 0, 0, 3), (0, 0, 0, 2)),
        ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0)),
    ],
)
def test_scenario_31_cattle_score_each_and_the_largest_herd_more(
    herds: Sequence[int], points: Sequence[int], bonus: Sequence[int]
) -> None:
    boards = {seat: f"P0 | E3: cattle {count}" for seat, count in enumerate(herds)}
    found = scored(boards)
    assert [each.cattle + each.cattle_bonus for each in found] == list(points)
    assert [each.cattle_bonus for each in found] == list(bonus)
    assert [each.total for each in found] == list(points)


def test_scenario_32_a_whole_round_is_scored() -> None:
    draft = when(last_turn(WHOLE, number=4), "end_turn")
    assert texts(of(draft.events, FollowingAssigned)) == ["FollowingAssigned 0 null"]
    (event,) = of(draft.events, RoundScored)
    assert event == RoundScored(
        4,
        (
            RoundScore(green=0, cattle=2, cattle_bonus=0, blue=3, total=5, score=25),
            RoundScore(green=2, cattle=1, cattle_bonus=0, blue=0, total=3, score=21),
            RoundScore(green=0, cattle=0, cattle_bonus=0, blue=6, total=6, score=28),
            RoundScore(green=3, cattle=2, cattle_bonus=0, blue=0, total=5, score=20),
        ),
    )
    assert draft.state.scores == (25, 21, 28, 20)
    assert "EstateRemoved null" in texts(draft.events)
    assert (draft.state.revealed, draft.state.marker) == ((), 0)


@pytest.mark.parametrize(
    ("courts", "holder", "marker"),
    [
        (("W5 P2 M1", "W5 P2 M0", "W4", "W4"), None, 0),
        (("W5 P2 M1", "W5 P3 M0", "W4", "W3"), 3, 3),
        (("W4", "W4", "W4", "W4"), None, None),
        (("W5 P2 M1", "W5 P3 M0", "W4", "W3"), None, None),
        (("W4 P1 M0", "W5 P0 M0", "W4 P4 M4", "W4"), 2, 1),
        (("W5", "W5", "W5 P2 M1", "W3"), 0, 2),
        (("W5 P0 | E2: castle 2", "W5 P1", "W4", "W4"), None, 1),
    ],
)
def test_scenario_33_the_marker_follows_warriors_then_courts(
    courts: Sequence[str], holder: int | None, marker: int | None
) -> None:
    assert marker_after(dict(enumerate(courts)), holder).seat == marker


def test_scenario_33_the_first_round_may_leave_the_marker_to_nobody() -> None:
    draft = when(given(round=1, active=3), "end_turn")
    assert texts(of(draft.events, FollowingAssigned)) == ["FollowingAssigned null null"]
    assert draft.state.marker is None


def test_scenario_47_one_commit_ends_a_round() -> None:
    state = last_turn(WHOLE, number=4)
    assert bag(state) == "Y8 B11 G10 R5"
    fate = Fate(cubes_drawn("Y2 B2 G1 R1", of="Y8 B11 G10 R5"))
    draft = when(state, "end_turn", rng=fate)
    found = texts(draft.events)
    assert found[2].startswith("RoundScored 4 ")
    assert [*found[:2], *found[3:]] == [
        "TurnEnded 3",
        "FollowingAssigned 0 null",
        "EstateRemoved null",
        "StartSeatPassed 1",
        "RoundStarted 5 1",
        "TurnStarted 1 5 1 2 false",
        "CubesDrawn 1 {Y2 B2 G1 R1}",
    ]
    assert draft.state.stage == "actions"


def test_scenario_47_the_holder_of_the_marker_may_redraw_as_the_last_seat() -> None:
    state = turn_of(when(last_turn(WHOLE, number=4), "end_turn").state, 0)
    assert state.turn is not None
    assert (state.round, state.turn.seat, state.turn.position) == (5, Seat(0), 4)
    assert (state.turn.action_limit, state.turn.may_redraw) == (1, True)
    assert state.stage == "redraw"
