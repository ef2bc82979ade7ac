"""The acceptance scenarios of the opening: the first mice, and what the first turn offers."""

import pytest

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.state import Options
from howff.engine.seats import Seat
from support.appenzell import PUSHES, legal, mice, opening, seen, texts, when

FOUR_PLACED = tuple(f"place_first_mouse {tower}" for tower in ("a1", "g7", "a7", "g1"))


@pytest.mark.parametrize(
    ("placed", "seat", "towers"),
    [
        (0, 2, ["a1", "a7", "g1", "g7"]),
        (1, 3, ["a7", "g1", "g7"]),
        (2, 0, ["a7", "g1"]),
        (3, 1, ["g1"]),
    ],
)
def test_scenario_01_each_seat_chooses_among_the_towers_that_are_left(
    placed: int, seat: int, towers: list[str]
) -> None:
    state = when(opening(4, Options(start_seat=Seat(2))), *FOUR_PLACED[:placed]).state
    assert (state.stage, state.turn, state.round) == ("placement", -1, -1)
    assert GAME.to_act(state) == (seat,)
    assert legal(state) == [f"place_first_mouse {tower}" for tower in towers]
    assert not any(GAME.legal_moves(state, Seat(other)) for other in range(4) if other != seat)


def test_scenario_01_after_the_last_placement_the_start_seat_begins() -> None:
    state = opening(4, Options(start_seat=Seat(2)))
    assert texts(when(state, *FOUR_PLACED[:3]).events) == ["FirstMousePlaced -1 0 a7"]
    draft = when(state, *FOUR_PLACED)
    assert texts(draft.events) == ["FirstMousePlaced -1 1 g1", "TurnStarted 0 2 0 4"]
    state = draft.state
    assert mice(state) == ["a7", "g1", "a1", "g7"]
    assert (state.stage, state.turn, state.round, state.active) == ("turn", 0, 0, 2)
    assert (state.actions_left, state.has_pushed) == (4, False)
    assert [player.reserve for player in state.players] == [3, 3, 3, 3]


def test_scenario_01_all_roofs_are_on() -> None:
    state = when(opening(4, Options(start_seat=Seat(2))), *FOUR_PLACED).state
    assert state.open_roofs == ()
    found = seen(state)
    assert len(found) == 49
    assert [name for name in found if not found[name].is_covered] == ["a1", "a7", "g1", "g7"]
    assert len({each.roof for each in found.values() if each.is_covered}) == 18
    assert not any(each.tile for each in found.values())


def test_scenario_01_with_all_towers_taken_nobody_enters() -> None:
    state = when(opening(4, Options(start_seat=Seat(2))), *FOUR_PLACED).state
    assert legal(state) == ["uncover L", "uncover O", *PUSHES, "end_turn"]
    assert len(legal(state)) == 15
    assert not any(GAME.legal_moves(state, Seat(other)) for other in (0, 1, 3))


def test_scenario_02_two_seats_may_enter_the_towers_that_are_left() -> None:
    state = opening(2, Options(start_seat=Seat(0)))
    state = when(state, "place_first_mouse a1", "place_first_mouse g7").state
    assert mice(state) == ["a1", "g7"]
    found = legal(state)
    assert found == [
        "uncover L",
        "uncover O",
        "enter a7 a7",
        "enter g1 g1",
        *PUSHES,
        "end_turn",
    ]
    assert len(found) == 17
    assert GAME.legal_moves(state, Seat(1)) == ()
