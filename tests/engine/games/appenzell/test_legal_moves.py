"""Which moves are legal, in which order, and how many there are."""

from collections import Counter
from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import given as given_any

from howff.engine.codec import classes_of
from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.data import SQUARES, TOWERS, Slot, Square
from howff.engine.games.appenzell.moves import (
    EndTurn,
    Enter,
    Move,
    PlaceFirstMouse,
    Push,
    Run,
    Uncover,
)
from howff.engine.games.appenzell.state import Options, State
from howff.engine.seats import Seat
from support.appenzell import given, legal, opening, when
from support.appenzell_castle import ways_from, ways_through
from support.appenzell_playouts import Playout, all_playouts, playouts

SLOTS: Final = ("nb", "nd", "nf", "sb", "sd", "sf", "w2", "w4", "w6", "e2", "e4", "e6")
PUSHES: Final = [f"push {slot}" for slot in SLOTS]
MOST: Final = {Uncover: 18, Push: 12, EndTurn: 1, PlaceFirstMouse: 4}
MOST_AT_RANDOM: Final = 60


def touches(one: Square, other: Square) -> bool:
    """Return whether two squares share an edge or a corner."""
    return abs(ord(one[0]) - ord(other[0])) <= 1 and abs(int(one[1]) - int(other[1])) <= 1


def offered(state: State, seat: Seat) -> Iterator[Move]:
    """Yield what *seat* may do in its turn, as the table of the rules has it."""
    player, actions = state.players[seat], state.actions_left
    for roof, room in state.rooms.squares_of.items():
        near = any(touches(mouse, square) for mouse in player.mice for square in room)
        if near and roof not in state.open_roofs:
            yield Uncover(roof)
    for start in player.mice:
        ways = ways_from(state, start)
        yield from (Run(start, target) for target in sorted(ways) if ways[target] <= actions)
    for tower in TOWERS if player.reserve else ():
        ways = ways_through(state, tower)
        yield from (Enter(tower, target) for target in sorted(ways) if ways[target] <= actions)
    if not state.has_pushed:
        yield from (Push(Slot(slot)) for slot in SLOTS)
    yield EndTurn()


@given_any(match=playouts)
def test_exactly_the_moves_of_the_table_are_legal_in_its_order(match: Playout) -> None:
    for step in match.steps[match.seats :: 3]:
        assert GAME.legal_moves(step.before, step.seat) == tuple(offered(step.before, step.seat))


@given_any(match=playouts)
def test_first_mice_go_to_any_free_tower(match: Playout) -> None:
    for number, step in enumerate(match.steps[: match.seats]):
        free = [tower for tower in TOWERS if tower not in step.before.mice]
        moves = GAME.legal_moves(step.before, step.seat)
        assert moves == tuple(map(PlaceFirstMouse, free))
        assert len(moves) == 4 - number


def test_every_move_stands_in_the_table() -> None:
    kinds = [kind.__name__ for kind in classes_of(Move)]
    assert kinds == ["PlaceFirstMouse", "Uncover", "Run", "Enter", "Push", "EndTurn"]


def test_lists_of_random_matches_keep_their_sizes() -> None:
    for match in all_playouts():
        for step in match.steps:
            moves = GAME.legal_moves(step.before, step.seat)
            assert len(set(moves)) == len(moves) <= MOST_AT_RANDOM
            counts = Counter(map(type, moves))
            assert all(counts[kind] <= most for kind, most in MOST.items())


@given_any(match=playouts)
def test_nobody_else_has_a_move(match: Playout) -> None:
    for step in match.steps:
        others = {*map(Seat, range(match.seats))} - {step.seat}
        assert not any(GAME.legal_moves(step.before, seat) for seat in others)
    assert not any(GAME.legal_moves(match.final, Seat(seat)) for seat in range(match.seats))


def test_a_seat_with_all_kinds_of_moves_has_them_in_their_order() -> None:
    state = given(mice={0: "a1 a2 c2", 1: "g7"}, opened="O")
    assert legal(state) == [
        *("uncover J", "uncover M"),
        *(
            "run a1 a3",
            "run a1 b2",
            "run a2 a3",
            "run a2 b2",
            "run c2 b2",
            "run c2 c1",
            "run c2 d2",
        ),
        *("enter a1 a3", "enter a1 b2", "enter a7 a7", "enter g1 g1"),
        *PUSHES,
        "end_turn",
    ]


@pytest.mark.parametrize(
    ("actions", "over_others"),
    [
        (1, []),
        (2, ["run a1 a3", "run a1 b2"]),
        (3, ["run a1 a3", "run a1 b2", "enter a1 a3", "enter a1 b2"]),
        (4, ["run a1 a3", "run a1 b2", "enter a1 a3", "enter a1 b2"]),
    ],
)
def test_what_cannot_be_paid_is_not_offered(actions: int, over_others: list[str]) -> None:
    state = given(mice={0: "a1 a2 c2", 1: "g7"}, opened="O", actions_left=actions)
    moves = legal(state)
    assert [each for each in moves if each.split()[1:2] == ["a1"]] == over_others
    assert len(moves) == 2 + 5 + 2 + 12 + 1 + len(over_others)


def test_after_a_push_there_is_none_left() -> None:
    state = given(mice={0: "a1", 1: "g7"})
    before = legal(state)
    assert legal(when(state, "push w4").state) == [each for each in before if each not in PUSHES]


@pytest.mark.parametrize("seats", GAME.seats)
def test_towers_are_offered_in_the_order_of_their_names(seats: int) -> None:
    state = opening(seats, Options(start_seat=Seat(0)))
    assert legal(state) == [f"place_first_mouse {tower}" for tower in ("a1", "a7", "g1", "g7")]
    placed = when(state, "place_first_mouse a7").state
    assert legal(placed) == [f"place_first_mouse {tower}" for tower in ("a1", "g1", "g7")]


def test_squares_are_named_column_first() -> None:
    assert list(SQUARES) == [f"{column}{row}" for column in "abcdefg" for row in range(1, 8)]
