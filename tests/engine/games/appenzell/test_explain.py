import re
from typing import Final

import pytest

from howff.engine.codec import classes_of
from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.data import PLAIN, TRAP, Cheese, Roof, Slot, Square, Tile
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    Event,
    FirstMousePlaced,
    FloorLaid,
    GameEnded,
    GameSetUp,
    MouseEntered,
    MouseRan,
    MouseTrapped,
    RoofRemoved,
    RoofsReplaced,
    TilePushed,
    Tiles,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.appenzell.explain import explain
from howff.engine.games.appenzell.moves import Move
from howff.engine.games.appenzell.state import Options, State, TileAt
from howff.engine.seats import Seat
from support.appenzell import F1, F1X, NOTATION, given, opening
from support.playouts import Playout, play_out
from support.seals import redacted

NAMES: Final = ("Ivy", "Freya", "Jack", "Scott")
IVY, FREYA, JACK = Seat(0), Seat(1), Seat(2)
GOUDA: Final = Tile("gouda")
SLICES: Final = Tile("slices")

PLACEMENT: Final = opening(2, Options(start_seat=IVY))
TOWERS: Final = given(mice={0: "a1", 1: "g7"})
CROWD: Final = given(mice={0: "a2 c7", 1: "b2 c2", 2: "a1"})
FULL: Final = given(mice={0: "g7", 1: "a1 a2"})
TRAP_OUTSIDE: Final = given(mice={0: "a1"}, seats=2, floor=F1X, spare="X", actions_left=1)
CHEESE_OUTSIDE: Final = given(mice={0: "a1"}, seats=2, floor=("#.#.#B#", *F1[1:]), spare="E")

MOVES: Final[tuple[tuple[State, str, str], ...]] = (
    (PLACEMENT, "place_first_mouse g1", "puts the first mouse on tower g1"),
    (TOWERS, "uncover L", "takes off roof L, over a2 and a3"),
    (CROWD, "uncover E", "takes off roof E, over c6, d5 and d6"),
    (CROWD, "run a2 a3", "runs from a2 to a3"),
    (CROWD, "run c7 b7", "runs from c7 to b7 (Emmental)"),
    (CROWD, "run a2 d2", "runs from a2 over 2 mice to d2 (blue cheese), for 3 actions"),
    (CROWD, "run a2 c1", "runs from a2 over 2 mice to c1, for 3 actions"),
    (
        given(mice={0: "a2", 1: "a3"}, opened="G", actions_left=2),
        "run a2 a4",
        "runs from a2 over a mouse to a4 (blue cheese), for 2 actions",
    ),
    (given(mice={0: "a4"}, seats=2), "run a4 b4", "runs from a4 to b4 (plain)"),
    (FULL, "enter a7 a7", "enters by tower a7"),
    (FULL, "enter a1 a3", "enters by tower a1 over 2 mice to a3, for 3 actions"),
    (
        given(mice={0: "g7", 1: "a1"}, opened="L"),
        "enter a1 a2",
        "enters by tower a1 over a mouse to a2 (Camembert), for 2 actions",
    ),
    (TOWERS, "push nb", "pushes a plain tile in at nb: column b moves south"),
    (TOWERS, "push sf", "pushes a plain tile in at sf: column f moves north"),
    (TRAP_OUTSIDE, "push w4", "pushes a trap in at w4: row 4 moves east"),
    (CHEESE_OUTSIDE, "push e6", "pushes Emmental in at e6: row 6 moves west"),
    (TOWERS, "end_turn", "ends the turn with 4 actions unused"),
    (TRAP_OUTSIDE, "end_turn", "ends the turn with 1 action unused"),
)


def tiles(text: str) -> Tiles:
    """Return tiles that are written as `b5 gouda, b6 trap`."""
    pairs = (each.split() for each in text.split(", "))
    return tuple(TileAt(Square(square), Tile(tile)) for square, tile in pairs)


def pushed(slot: str, inserted: Tile, ejected: Tile, shown: Tiles = ()) -> TilePushed:
    line = tiles("b1 gouda, b2 plain")
    return TilePushed(3, IVY, Slot(slot), 1, line, inserted, ejected, shown)


FLOOR: Final = PLACEMENT.tiles_on(each.square for each in GAME.view(PLACEMENT, None).squares)

EVENTS: Final[tuple[tuple[Event, str], ...]] = (
    (
        GameSetUp(-1, Options(cheese_target=5), 3, "b", FREYA),
        "The match begins with 3 seats on side b: Freya is first, 5 kinds of cheese win",
    ),
    (FloorLaid(-1, SLICES, FLOOR, ()), "The floor is laid, with cheese slices left outside"),
    (
        FloorLaid(-1, PLAIN, FLOOR, FLOOR),
        "The floor is laid, with a plain tile left outside: "
        "Emmental on a6, b7 and d5; blue cheese on a4, d2 and f7; "
        "cheese slices on b3, b6 and f5; Gouda on c4, d6 and f3; Brie on e2, f6 and g4; "
        "Camembert on a2, e4 and g6; goat cheese on b2, d4 and g2; traps on b1, c6 and f4; "
        "the rest is plain",
    ),
    (FirstMousePlaced(-1, IVY, Square("a7")), "Ivy puts the first mouse on tower a7"),
    (TurnStarted(5, FREYA, 2, 4), "Round 3: Freya begins a turn with 4 actions"),
    (
        RoofRemoved(3, IVY, Roof("O"), 1, tiles("b1 trap, b2 goat")),
        "Ivy takes off roof O: b1 trap, b2 goat cheese",
    ),
    (MouseRan(3, IVY, Square("a1"), Square("a2"), 1), "Ivy runs from a1 to a2"),
    (
        MouseRan(3, IVY, Square("a2"), Square("a4"), 2),
        "Ivy runs from a2 over a mouse to a4, for 2 actions",
    ),
    (MouseEntered(3, IVY, Square("a1"), Square("a1"), 1), "Ivy enters by tower a1"),
    (
        MouseEntered(3, IVY, Square("a1"), Square("b3"), 4),
        "Ivy enters by tower a1 over 3 mice to b3, for 4 actions",
    ),
    (
        pushed("nb", GOUDA, TRAP, tiles("b5 plain, b6 emmental")),
        "Ivy pushes Gouda in at nb and a trap out at b1: "
        "column b moves south and shows b5 plain, b6 Emmental",
    ),
    (
        pushed("e2", PLAIN, SLICES),
        "Ivy pushes a plain tile in at e2 and cheese slices out at a2: row 2 moves west",
    ),
    (
        MouseTrapped(3, FREYA, 2, Square("f5")),
        "A trap on f5 swallows a mouse of Freya, 2 lost now",
    ),
    (
        CheeseCollected(3, FREYA, Cheese(GOUDA), (Square("b5"), Square("f5"))),
        "Freya collects Gouda with mice on b5 and f5",
    ),
    (RoofsReplaced(3, (Roof("L"),)), "Roof L goes back"),
    (RoofsReplaced(3, (Roof("G"), Roof("K"))), "Roofs G and K go back"),
    (TurnEnded(3, IVY, 0), "Ivy ends the turn"),
    (TurnEnded(3, IVY, 1), "Ivy ends the turn with 1 action unused"),
    (
        GameEnded(9, ("third_mouse",), (FREYA, IVY), FLOOR, PLAIN),
        "The match is over, as somebody has lost a third mouse: Freya wins, before Ivy",
    ),
    (
        GameEnded(9, ("cheese_target", "third_mouse"), (IVY, JACK, FREYA), FLOOR, PLAIN),
        "The match is over, as somebody has enough kinds of cheese and somebody has lost "
        "a third mouse: Ivy wins, before Jack and Freya",
    ),
    (
        GameEnded(9, ("round_limit",), (FREYA, IVY), FLOOR, PLAIN),
        "The match is over, as the last round has been played: Freya wins, before Ivy",
    ),
)

READ_AGAIN: Final[tuple[tuple[Event, str], ...]] = (
    (
        FloorLaid(-1, PLAIN, FLOOR, FLOOR),
        "The floor is laid, with a plain tile left outside",
    ),
    (RoofRemoved(3, IVY, Roof("O"), 1, tiles("b1 trap, b2 goat")), "Ivy takes off roof O"),
    (
        pushed("nb", GOUDA, TRAP, tiles("b5 plain, b6 emmental")),
        "Ivy pushes a tile in at nb and another out at b1: column b moves south",
    ),
    (
        MouseTrapped(3, FREYA, 1, Square("f5")),
        "A trap swallows a mouse of Freya, 1 lost now",
    ),
    (
        CheeseCollected(3, FREYA, Cheese(GOUDA), (Square("b5"), Square("f5"))),
        "Freya collects Gouda",
    ),
)

MATCHES: Final = (
    (2, Options()),
    (3, Options(board_side="b", cheese_target=6)),
    (4, Options(board_side="random", spare_tile="plain", open_setup=True, memory="open")),
)


def line(event: Event, *, told_live: bool) -> str:
    told = redacted(event, IVY, told_live=told_live)
    return explain(GAME.view(TOWERS, IVY), None, told, NAMES)


def lines_of_moves(state: State) -> dict[Move, str]:
    view = GAME.view(state, None)
    return {
        move: explain(view, seat, move, NAMES)
        for seat in GAME.to_act(state)
        for move in GAME.legal_moves(state, seat)
    }


def played(seats: int, options: Options) -> Playout:
    return play_out(GAME, options, seats, seed=1)


@pytest.mark.parametrize(("state", "move", "expected"), MOVES)
def test_a_move_has_a_line(state: State, move: str, expected: str) -> None:
    assert lines_of_moves(state)[NOTATION.move(move)] == f"Ivy {expected}"


def test_every_kind_of_move_was_tried() -> None:
    assert {type(NOTATION.move(move)) for _, move, _ in MOVES} == set(classes_of(Move))


@pytest.mark.parametrize(("event", "expected"), EVENTS)
def test_an_event_has_a_line_when_it_happens(event: Event, expected: str) -> None:
    assert line(event, told_live=True) == expected


def test_every_kind_of_event_was_tried() -> None:
    assert {type(event) for event, _ in EVENTS} == set(classes_of(Event))


@pytest.mark.parametrize(("event", "expected"), READ_AGAIN)
def test_a_line_that_is_read_again_keeps_what_was_shown_to_itself(
    event: Event, expected: str
) -> None:
    assert line(event, told_live=False) == expected


def test_all_other_events_are_read_again_as_they_were() -> None:
    closing = {type(event) for event, _ in READ_AGAIN}
    for event, expected in EVENTS:
        if type(event) not in closing:
            assert line(event, told_live=False) == expected


@pytest.mark.parametrize(("seats", "options"), MATCHES)
def test_no_two_moves_have_the_same_line_in_a_match(seats: int, options: Options) -> None:
    for step in played(seats, options).steps:
        lines = lines_of_moves(step.after)
        assert len(set(lines.values())) == len(lines)


@pytest.mark.parametrize(("seats", "options"), MATCHES)
def test_a_move_that_takes_several_actions_says_how_many(seats: int, options: Options) -> None:
    jumps = 0
    for step in played(seats, options).steps[1:]:
        told = lines_of_moves(step.before)[step.move]
        costs = [each.cost for each in step.events if isinstance(each, MouseRan | MouseEntered)]
        for cost in costs:
            assert told.endswith(f", for {cost} actions") == (cost > 1)
            jumps += cost > 1
    assert jumps


@pytest.mark.parametrize(("seats", "options"), MATCHES)
@pytest.mark.parametrize("told_live", [True, False])
def test_no_line_of_a_match_has_a_word_of_the_code(
    seats: int, options: Options, *, told_live: bool
) -> None:
    for step in played(seats, options).steps:
        lines = [line(event, told_live=told_live) for event in step.events]
        for each in (*lines, *lines_of_moves(step.after).values()):
            assert not re.search(r"_|None|True|False|Sealed|\[|  |1 actions|1 mice", each), each
