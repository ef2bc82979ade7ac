"""Ends of whole matches, scored by hand."""

from dataclasses import astuple, dataclass

import pytest

from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.events import RoundScored
from support.highland_clans import Fate, given, number_drawn, texts, when
from support.texts import of

Row = tuple[int, int, int, int, int, int]
"""Green, cattle, the bonus for the largest herd, blue, total, and the score then."""


@dataclass(frozen=True)
class End:
    """The last scoring of a match: each board, what it gets, and its place."""

    table: tuple[tuple[str, Row, int], ...]
    holder: int | None
    marker: int
    number: int | None
    """The number of the last tile; without one the supply is empty."""


END_OF_THREE = End(
    table=(
        ("W5 P3 M4 | E4: cattle 2, castle 1 | score 27", (1, 2, 0, 3, 6, 33), 2),
        ("W6 P2 M1 | E4: cattle 1, castle 1, monastery 1 | score 29", (1, 1, 0, 2, 4, 33), 2),
        ("W4 P4 M2 | E3: cattle 2 | score 31", (0, 2, 0, 2, 4, 35), 1),
    ),
    holder=None,
    marker=1,
    number=35,
)
END_OF_FOUR = End(
    table=(
        ("W4 P5 M0 | E5: cattle 1, castle 3 | score 26", (0, 1, 0, 7, 8, 34), 1),
        ("W3 P0 M6 | E3: cattle 2, monastery 1 | score 28", (3, 2, 0, 0, 5, 33), 2),
        ("W7 P1 M2 | E6: cattle 4 | score 24", (0, 4, 2, 0, 6, 30), 4),
        ("W7 P2 M1 | E4: castle 1, monastery 1 | score 30", (2, 0, 0, 0, 2, 32), 3),
    ),
    holder=0,
    marker=0,
    number=31,
)
END_OF_FIVE = End(
    table=(
        ("W5 P2 M3 | E6: cattle 3, castle 1 | score 29", (1, 3, 0, 1, 5, 34), 2),
        ("W5 P2 M2 | E5: cattle 3 | score 31", (0, 3, 0, 0, 3, 34), 2),
        ("W3 P6 M0 | E6: castle 2, monastery 1 | score 25", (1, 0, 0, 7, 8, 33), 4),
        ("W6 P0 M1 | E4: monastery 1 | score 30", (3, 0, 0, 0, 3, 33), 4),
        ("W4 P3 M0 | E4: cattle 2 | score 33", (0, 2, 0, 0, 2, 35), 1),
    ),
    holder=2,
    marker=3,
    number=None,
)


@pytest.mark.parametrize("end", [END_OF_THREE, END_OF_FOUR, END_OF_FIVE])
def test_a_match_ends_as_worked_by_hand(end: End) -> None:
    seats = len(end.table)
    state = given(
        seats=seats,
        boards={seat: board for seat, (board, _, _) in enumerate(end.table)},
        round=9,
        active=seats - 1,
        marker=end.holder,
        supply=0 if end.number is None else 1,
    )
    fate = Fate(*(() if end.number is None else (number_drawn(end.number),)))
    draft = when(state, "end_turn", rng=fate)
    (scored,) = of(draft.events, RoundScored)
    assert [astuple(each) for each in scored.seats] == [row for _, row, _ in end.table]
    assert draft.state.scores == tuple(row[-1] for _, row, _ in end.table)
    assert draft.state.marker == end.marker
    places = tuple(place for _, _, place in end.table)
    reason = "supply_exhausted" if end.number is None else "estate_number"
    assert texts(draft.events)[-1] == f"GameEnded {reason} {list(places)}"
    outcome = GAME.outcome(draft.state)
    assert outcome is not None
    assert outcome.places == places
    assert [figures[0].value for figures in outcome.figures] == list(draft.state.scores)


@pytest.mark.parametrize(("end", "number"), [(END_OF_THREE, 36), (END_OF_FOUR, 35)])
def test_a_number_just_above_the_leader_lets_play_go_on(end: End, number: int) -> None:
    seats = len(end.table)
    boards = {seat: board for seat, (board, _, _) in enumerate(end.table)}
    state = given(seats=seats, boards=boards, active=seats - 1, marker=end.holder)
    draft = when(state, "end_turn", rng=Fate(number_drawn(number)))
    assert f"EstateRemoved {number}" in texts(draft.events)
    assert GAME.outcome(draft.state) is None
    assert GAME.to_act(draft.state) == (1,)
