"""The rulings on what the rulebook leaves open, as far as no scenario shows them."""

import pytest

from howff.engine.errors import WrongOptionError
from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.events import FloorLaid, GameSetUp, TilePushed
from howff.engine.games.appenzell.state import Options
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told
from support.appenzell import (
    F1,
    F1X,
    PUSHES,
    Floor,
    Laid,
    cheese,
    costs,
    fallen,
    floor,
    given,
    legal,
    mice,
    opening,
    seen,
    texts,
    when,
)
from support.playouts import told_live
from support.rng import LocalRng
from support.texts import of

EVERYBODY: tuple[Viewer, ...] = (None, Seat(0), Seat(1))
FIRST = Options(start_seat=Seat(0))
TRAP_ON_B2: Floor = (*F1[:5], "CX.BR.O", "#O#.#.#")
"""F1 with the trap of b1 and the goat cheese of b2 in each other's place."""


def test_ruling_02_no_column_goes_on_in_the_next_one() -> None:
    state = given(mice={0: "b7", 1: "e1"}, opened="P B")
    assert costs(state, "run") == {"run b7 c7": 1}
    state = when(state, "end_turn").state
    assert costs(state, "run") == {"run e1 f1": 1}


def test_ruling_03_any_seat_may_begin() -> None:
    found: set[int] = set()
    for seed in range(40):
        draft = GAME.start(Options(), 4, LocalRng(seed))
        (set_up,) = of(draft.events, GameSetUp)
        assert GAME.to_act(draft.state) == (set_up.start_seat,)
        found.add(set_up.start_seat)
    assert found == {0, 1, 2, 3}


@pytest.mark.parametrize("start_seat", range(3))
def test_ruling_03_first_mice_are_placed_clockwise(start_seat: int) -> None:
    state = opening(3, Options(start_seat=Seat(start_seat)))
    order: list[int] = []
    while state.stage == "placement":
        order += GAME.to_act(state)
        state = when(state, legal(state)[0]).state
    assert order == [(start_seat + later) % 3 for later in range(3)]
    assert GAME.to_act(state) == (start_seat,)


def test_ruling_03_a_start_seat_is_one_of_the_match() -> None:
    with pytest.raises(WrongOptionError):
        opening(3, Options(start_seat=Seat(3)))


@pytest.mark.parametrize(("laid", "spare"), [(F1, "."), (F1X, "X")])
def test_ruling_04_any_tile_may_remain_outside(laid: Floor, spare: str) -> None:
    state = opening(2, FIRST, laid, spare)
    assert floor(state) == laid
    assert state.spare == {".": "plain", "X": "trap"}[spare]


def test_ruling_04_a_plain_tile_may_be_set_aside_first() -> None:
    options = Options(spare_tile="plain")
    spares = {GAME.start(options, 2, LocalRng(seed)).state.spare for seed in range(20)}
    assert spares == {"plain"}
    state = opening(2, Options(start_seat=Seat(0), spare_tile="plain"))
    assert (floor(state), state.spare) == (F1, "plain")


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_ruling_05_nobody_sees_the_floor_while_it_is_laid(viewer: Viewer) -> None:
    (laid,) = of(told_live(tuple(GAME.start(FIRST, 2, Laid()).events), viewer), FloorLaid)
    assert laid.shown == ()
    assert told(laid.floor) is None


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_ruling_05_a_floor_laid_in_the_open_is_shown_and_covered(viewer: Viewer) -> None:
    options = Options(start_seat=Seat(0), open_setup=True)
    draft = GAME.start(options, 2, Laid())
    (laid,) = of(draft.events, FloorLaid)
    assert texts([laid]) == [f"FloorLaid -1 plain {'/'.join(F1)} {'/'.join(F1)}"]
    (found,) = of(told_live((laid,), viewer), FloorLaid)
    assert told(found.floor) is None
    assert found.shown == laid.shown
    assert not any(each.tile for each in seen(draft.state, viewer).values())


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_ruling_06_everybody_always_sees_the_tile_outside(viewer: Viewer) -> None:
    state = opening(2, FIRST, F1X, "X")
    assert GAME.view(state, viewer).spare == "trap"
    state = when(given(mice={0: "a1", 1: "g7"}), "push sf", "end_turn", "end_turn").state
    assert GAME.view(state, viewer).spare == "blue"


def test_ruling_09_a_tower_is_open_to_all_and_holds_one_mouse() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    assert costs(state, "enter") == {"enter a7 a7": 1, "enter g1 g1": 1}
    state = when(state, "enter a7 a7").state
    assert costs(state, "enter") == {"enter g1 g1": 1}
    state = when(state, "enter g1 g1").state
    assert mice(state) == ["a1 a7 g1", "g7"]
    assert legal(state, "enter") == []


def test_ruling_10_a_mouse_enters_over_one_of_its_own() -> None:
    state = given(mice={0: "a1", 1: "g7"}, opened="L")
    assert costs(state, "enter") == {"enter a1 a2": 2, "enter a7 a7": 1, "enter g1 g1": 1}


@pytest.mark.parametrize(("actions", "offered"), [(4, {"enter a1 a4": 4}), (3, {})])
def test_ruling_10_each_square_beyond_the_tower_costs_one_more(
    actions: int, offered: dict[str, int]
) -> None:
    parked = {0: "g1 g7", 1: "a1 a2 a7", 2: "a3"}
    state = given(mice=parked, opened="G", actions_left=actions)
    assert costs(state, "enter") == offered


def test_ruling_10_mice_parked_in_all_towers_do_not_shut_the_castle() -> None:
    state = given(mice={0: "a7", 1: "a1", 2: "g7", 3: "g1"}, active=2)
    state = when(state, "uncover F").state
    assert costs(state, "enter") == {"enter g7 g6": 2}


def test_ruling_10_without_mice_in_reserve_nobody_enters() -> None:
    state = given(mice={0: "a1 a2 a3", 1: "g7"}, trapped={0: 1})
    assert state.players[0].reserve == 0
    assert legal(state, "enter") == []


def test_ruling_11_of_two_ways_the_shorter_one_is_paid() -> None:
    # From a2 to c2 over b2, or round by a3, b3 and c3.
    state = given(mice={0: "a2", 1: "a3 b2 b3 c3"}, opened="P")
    assert costs(state, "run") == {"run a2 c2": 2}


def test_ruling_12_no_jump_ends_before_a_square_is_free() -> None:
    state = given(mice={0: "a2", 1: "b2 c2 c1", 2: "d2"})
    assert costs(state, "run") == {"run a2 a3": 1, "run a2 d1": 4}
    state = when(state, "uncover M").state
    assert costs(state, "run") == {"run a2 a3": 1, "run a2 b3": 2, "run a2 c3": 3}


def test_ruling_13_no_jump_goes_over_a_tower() -> None:
    # b1 lies behind the mouse in the tower, and the trap on b2 shuts the other way.
    state = given(floor=TRAP_ON_B2, mice={0: "a2", 1: "a1"}, opened="O")
    assert costs(state, "run") == {"run a2 a3": 1}
    assert "enter a1 b1" in legal(state, "enter")


def test_ruling_13_no_jump_goes_over_a_trap() -> None:
    # The mouse on f3 has the trap of f4 before it, and free squares behind that.
    state = given(mice={0: "f3", 1: "g7"}, opened="I")
    assert state.open_roofs == ("I", "K")
    assert costs(state, "run") == {"run f3 g3": 1}


def test_ruling_14_a_stop_between_two_steps_counts() -> None:
    state = given(mice={0: "a6 c7", 1: "g7"})
    assert state.open_roofs == ("A", "D")
    draft = when(state, "run c7 b7")
    assert texts(draft.events)[1:] == ["CheeseCollected 0 0 emmental [a6, b7]"]
    draft = when(draft.state, "run b7 b6")
    assert texts(draft.events) == ["MouseRan 0 0 b7 b6 1"]
    assert cheese(draft.state) == ["emmental", ""]


def test_ruling_15_the_floor_slides_under_the_mice() -> None:
    state = given(mice={0: "b5 b6", 1: "g7"})
    assert [seen(state)[square].tile for square in ("b5", "b6")] == ["plain", "slices"]
    state = when(state, "push nb").state
    assert mice(state) == ["b5 b6", "g7"]
    assert [seen(state)[square].tile for square in ("b5", "b6")] == ["slices", "emmental"]


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_ruling_16_a_push_under_roofs_shows_the_tile_that_comes_out(viewer: Viewer) -> None:
    state = given(mice={0: "a1", 1: "g7"})
    draft = when(state, "push nb")
    (pushed,) = of(told_live(tuple(draft.events), viewer), TilePushed)
    assert (told(pushed.inserted), told(pushed.ejected)) == ("plain", "trap")
    assert told(pushed.shown) == ()
    assert told(pushed.line) is None
    assert GAME.view(draft.state, viewer).spare == "trap"
    assert seen(draft.state, viewer) == seen(state, viewer)


@pytest.mark.parametrize("viewer", EVERYBODY)
def test_ruling_16_a_push_shows_the_open_squares_of_its_line(viewer: Viewer) -> None:
    draft = when(given(mice={0: "a2", 1: "g7"}, opened="D"), "push w2")
    (pushed,) = of(told_live(tuple(draft.events), viewer), TilePushed)
    assert texts([pushed])[0].endswith("plain goat [a2 plain]")
    found = seen(draft.state, viewer)
    tiles = {square: each.tile for square, each in found.items() if each.tile is not None}
    assert tiles == {"a2": "plain", "a6": "emmental", "b6": "slices"}


def test_ruling_18_two_mice_of_the_pushing_seat_fall() -> None:
    state = given(floor=F1X, spare="X", mice={0: "a4 g4", 1: "g7"})
    draft = when(state, "push w4")
    assert texts(draft.events)[1:] == ["MouseTrapped 0 0 1 a4", "MouseTrapped 0 0 2 g4"]
    assert (mice(draft.state), fallen(draft.state)) == (["", "g7"], [2, 0])
    assert draft.state.players[0].reserve == 2


def test_ruling_19_mice_beside_a_trap_are_safe() -> None:
    state = given(mice={0: "e4 e5", 1: "f6 g5"})
    draft = when(state, "push sf")
    assert seen(draft.state)["f5"].tile == "trap"
    assert len(draft.events) == 1
    assert (mice(draft.state), fallen(draft.state)) == (["e4 e5", "f6 g5"], [0, 0])


def test_ruling_19_a_mouse_is_safe_before_it_stands_over_the_trap() -> None:
    # Only the push brings a trap under a mouse: the one of f4 lies beside f3 until then.
    state = given(mice={0: "a1", 1: "b2 f3"}, opened="I")
    draft = when(state, "push nf")
    assert texts(draft.events)[1:] == ["MouseTrapped 0 1 1 f3"]
    assert mice(draft.state) == ["a1", "b2"]


def test_ruling_20_nobody_is_asked_whether_to_collect() -> None:
    draft = when(given(mice={0: "g7", 1: "a6 b6"}), "push nb")
    assert cheese(draft.state) == ["", "emmental"]
    assert GAME.to_act(draft.state) == (0,)
    assert GAME.legal_moves(draft.state, Seat(1)) == ()


def test_ruling_22_three_mice_on_a_kind_collect_one_cheese() -> None:
    draft = when(given(mice={0: "g7", 1: "b2 b5 f5"}), "push nb")
    assert texts(draft.events)[1:] == ["CheeseCollected 0 1 slices [b2, b5, f5]"]
    assert cheese(draft.state) == ["", "slices"]


def test_ruling_24_passing_goes_on_without_a_limit() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    for turn in range(100):
        assert (state.turn, state.round, state.active) == (turn, turn // 2, turn % 2)
        state = when(state, "end_turn").state
    assert state.ending is None


def test_ruling_30_a_room_left_in_a_turn_stays_open_to_its_end() -> None:
    state = when(given(mice={0: "a2", 1: "g7"}, opened="O"), "run a2 b2").state
    assert costs(state, "run") == {"run b2 a2": 1}
    draft = when(state, "end_turn")
    assert texts(draft.events)[0] == "RoofsReplaced 0 [L]"
    assert draft.state.open_roofs == ("O",)


def test_ruling_30_a_mouse_of_any_seat_keeps_a_room_open() -> None:
    state = given(mice={0: "a2 a4", 1: "a3"}, opened="M")
    draft = when(state, "run a2 b3", "end_turn")
    assert texts(draft.events)[0] == "TurnEnded 0 0 2"
    assert draft.state.open_roofs == ("G", "L", "M")


def test_ruling_31_a_mouse_in_a_tower_keeps_no_room_open() -> None:
    draft = when(given(mice={0: "a1", 1: "g7"}), "uncover L", "uncover O", "end_turn")
    assert texts(draft.events)[0] == "RoofsReplaced 0 [L, O]"
    assert draft.state.open_roofs == ()


def test_ruling_32_a_fallen_mouse_leaves_its_square_free() -> None:
    state = when(given(mice={0: "a1", 1: "e5 f5"}), "push sf").state
    assert seen(state)["f5"].mouse is None
    state = when(state, "end_turn", "push nf").state
    assert seen(state)["f5"].tile == "slices"
    assert costs(state, "run") == {"run e5 e4": 1, "run e5 f5": 1}


def test_ruling_33_a_seat_without_mice_in_play_may_act() -> None:
    state = given(mice={0: "", 1: "g7"}, trapped={0: 2})
    enter = ["enter a1 a1", "enter a7 a7", "enter g1 g1"]
    assert legal(state) == [*enter, *PUSHES, "end_turn"]
