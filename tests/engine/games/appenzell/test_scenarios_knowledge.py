"""The acceptance scenarios of what can be seen; what is read again is with the tests of matches."""

import pytest

from howff.engine.games.appenzell import GAME
from howff.engine.seats import Seat, Viewer
from support.appenzell import F1, Floor, costs, given, legal, seen, texts, when

VIEWERS: tuple[Viewer, ...] = (None, Seat(0), Seat(1))
F1_EXCHANGED: Floor = (*F1[:3], "B.GXCOR", *F1[4:])
"""F1 with the goat cheese of d4 and the trap of f4 in each other's place."""
NO_ROOM_FOR_A_LOOK = ("push nb", "enter a7 a7", "enter g1 g1", "uncover O")


@pytest.mark.parametrize("viewer", VIEWERS)
def test_scenario_33_what_was_seen_is_not_in_view_once_it_is_covered(viewer: Viewer) -> None:
    draft = when(given(mice={0: "a1", 1: "g7"}), "uncover O")
    assert texts(draft.events) == ["RoofRemoved 0 0 O 1 [b1 trap, b2 goat]"]
    found = seen(draft.state, viewer)
    assert [found[square].is_covered for square in ("b1", "b2")] == [False, False]
    assert [found[square].tile for square in ("b1", "b2")] == ["trap", "goat"]
    draft = when(draft.state, "end_turn")
    assert texts(draft.events)[0] == "RoofsReplaced 0 [O]"
    assert draft.state.turn == 1
    found = seen(draft.state, viewer)
    assert [found[square].is_covered for square in ("b1", "b2")] == [True, True]
    assert not any(each.tile for each in found.values())


@pytest.mark.parametrize("viewer", VIEWERS)
def test_scenario_34_covered_tiles_change_no_view(viewer: Viewer) -> None:
    one = given(mice={0: "a1", 1: "g7"})
    other = given(mice={0: "a1", 1: "g7"}, floor=F1_EXCHANGED)
    assert one != other
    assert GAME.view(one, viewer) == GAME.view(other, viewer)


def test_scenario_34_covered_tiles_change_no_legal_moves() -> None:
    one = given(mice={0: "a1", 1: "g7"})
    other = given(mice={0: "a1", 1: "g7"}, floor=F1_EXCHANGED)
    assert legal(one) == legal(other)
    assert costs(one) == costs(other)
    assert GAME.legal_moves(one, Seat(1)) == GAME.legal_moves(other, Seat(1)) == ()


def test_scenario_35_a_roof_taken_off_with_the_last_action_goes_back_at_once() -> None:
    draft = when(given(mice={0: "a1", 1: "g7"}), *NO_ROOM_FOR_A_LOOK)
    assert texts(draft.events) == [
        "RoofRemoved 0 0 O 1 [b1 goat, b2 slices]",
        "RoofsReplaced 0 [O]",
        "TurnEnded 0 0 0",
        "TurnStarted 1 1 0 4",
    ]
    assert draft.state.open_roofs == ()
    assert not any(each.tile for each in seen(draft.state, Seat(0)).values())
