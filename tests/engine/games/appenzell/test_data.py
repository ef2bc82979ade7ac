"""The tables meet the constraints that the rules set on them."""

from collections import Counter
from itertools import permutations
from typing import Final

import pytest

from howff.engine.games.appenzell.data import (
    ACTIONS,
    BESIDE,
    CHEESES,
    CHEESES_OF_KIND,
    COLOURS,
    COLUMNS,
    LAYING_ORDER,
    LINES,
    LONGEST_LIMIT,
    LOST_MICE,
    MICE,
    RAISED,
    ROOFS,
    ROOMS,
    ROWS,
    SIDES,
    SLIDING,
    SQUARES,
    TILES,
    TOWERS,
    Roof,
    Side,
    Square,
    Squares,
)

Place = tuple[int, int]
FORMS: Final[dict[str, set[tuple[Place, ...]]]] = {
    "domino": {((0, 0), (0, 1)), ((0, 0), (1, 0))},
    "corner piece": {
        ((0, 0), (0, 1), (1, 0)),
        ((0, 0), (0, 1), (1, 1)),
        ((0, 0), (1, 0), (1, 1)),
        ((0, 1), (1, 0), (1, 1)),
    },
    "block": {((0, 0), (0, 1), (1, 0), (1, 1))},
}
"""What rooms look like, moved into the corner; all these forms hang together."""
SCHEMES: Final[dict[Side, str]] = {
    "a": "#AABBC# DDEEBCF GHHEIIF GGHJIIK LMMJNKK LOPPNQQ #OPPRR#",
    "b": "#AABCC# DDEBFGG HDEIFGG HJIIKKL MJNNKOL MPPQQOO #PPQRR#",
}


def place_of(square: Square) -> Place:
    return "abcdefg".index(square[0]), int(square[1]) - 1


def shape_of(squares: Squares) -> tuple[Place, ...]:
    """Return the form of a room, moved into the corner."""
    places = [place_of(square) for square in squares]
    west, south = (min(place[axis] for place in places) for axis in (0, 1))
    return tuple(sorted((column - west, row - south) for column, row in places))


def distance(one: Square, other: Square) -> tuple[int, int]:
    """Return how many columns and rows apart two squares are, the smaller number first."""
    (column, row), (other_column, other_row) = place_of(one), place_of(other)
    near, far = sorted((abs(column - other_column), abs(row - other_row)))
    return near, far


def roofs_at(side: Side, square: Square, reach: set[tuple[int, int]]) -> set[Roof]:
    """Return the roofs of other squares at such distances."""
    roof_of = ROOMS[side].roof_of
    near = {other for other in SQUARES if distance(square, other) in reach}
    return {roof_of[other] for other in near if other in roof_of} - {roof_of.get(square)}


def test_constraint_01_there_are_34_tiles_of_the_floor() -> None:
    counts = Counter(TILES)
    assert {counts.pop(kind) for kind in CHEESES} == {3}
    assert counts == {"plain": 10, "trap": 3}
    assert len(TILES) == 3 * 7 + 10 + 3 == 34


def test_constraint_02_all_tiles_but_one_lie_in_the_castle() -> None:
    assert len(SLIDING) == len(set(SLIDING)) == len(TILES) - 1 == 33


def test_constraint_03_there_are_three_slots_on_each_side() -> None:
    assert Counter(slot[0] for slot in LINES) == dict.fromkeys("nswe", 3)
    assert " ".join(LINES) == "nb nd nf sb sd sf w2 w4 w6 e2 e4 e6"


def test_constraint_04_a_line_slides_as_a_whole() -> None:
    for slot, line in LINES.items():
        assert len(line) == 7
        assert set(line) <= set(SLIDING)
        assert [distance(line[0], square) for square in line] == [(0, at) for at in range(7)]
        assert slot[1] in line[0]
    assert {square for line in LINES.values() for square in line} == set(SLIDING)


@pytest.mark.parametrize(
    ("side", "axis", "entry"), [("n", 1, 6), ("s", 1, 0), ("w", 0, 0), ("e", 0, 6)]
)
def test_constraint_04_a_tile_goes_in_on_the_side_of_its_slot(
    side: str, axis: int, entry: int
) -> None:
    lines = [line for slot, line in LINES.items() if slot[0] == side]
    assert {place_of(line[0])[axis] for line in lines} == {entry}
    assert {place_of(line[-1])[axis] for line in lines} == {6 - entry}
    assert [place_of(line[0])[1 - axis] for line in lines] == [1, 3, 5]


def test_constraint_05_only_a_castle_of_seven_by_seven_has_33_holes() -> None:
    assert [size for size in range(100) if 6 * size - 9 == len(SLIDING)] == [7]
    assert "".join(COLUMNS) == "abcdefg"
    assert ROWS == (1, 2, 3, 4, 5, 6, 7)
    assert len(SQUARES) == len(set(SQUARES)) == 49
    slides = {square for square in SQUARES if square[0] in "bdf" or square[1] in "246"}
    assert slides == set(SLIDING)


def test_constraint_06_four_towers_and_twelve_raised_squares_stay() -> None:
    assert set(TOWERS) == {"a1", "g1", "a7", "g7"}
    assert " ".join(RAISED) == "a3 a5 c1 c3 c5 c7 e1 e3 e5 e7 g3 g5"
    assert len(RAISED) == 12
    assert {*TOWERS, *RAISED, *SLIDING} == set(SQUARES)
    assert len(TOWERS) + len(RAISED) + len(SLIDING) == len(SQUARES)


@pytest.mark.parametrize("side", SIDES)
def test_constraint_07_there_are_18_roofs_of_three_sizes(side: Side) -> None:
    sizes = Counter(len(squares) for squares in ROOMS[side].squares_of.values())
    assert sizes == {2: 11, 3: 5, 4: 2}
    assert tuple(ROOMS[side].squares_of) == ROOFS == tuple("ABCDEFGHIJKLMNOPQR")


@pytest.mark.parametrize("side", SIDES)
def test_constraint_08_the_roofs_cover_all_but_the_towers_once(side: Side) -> None:
    rooms = ROOMS[side]
    covered = [square for squares in rooms.squares_of.values() for square in squares]
    assert sorted(covered) == sorted({*SQUARES} - {*TOWERS})
    assert rooms.roof_of == {
        square: roof for roof, squares in rooms.squares_of.items() for square in squares
    }


def test_constraint_08_only_these_sizes_of_the_three_sorts_cover_45_squares() -> None:
    fitting = [
        (tile, straw, copper)
        for tile, straw, copper in permutations((2, 3, 4))
        if 11 * tile + 5 * straw + 2 * copper == 45
    ]
    assert fitting == [(2, 3, 4)]


def test_constraint_09_both_sides_have_the_same_roofs_in_another_scheme() -> None:
    assert SIDES == ("a", "b")
    forms = [Counter(map(room_form, ROOMS[side].squares_of.values())) for side in SIDES]
    assert forms[0] == forms[1] == {"domino": 11, "corner piece": 5, "block": 2}
    assert ROOMS["a"].roof_of != ROOMS["b"].roof_of


def room_form(squares: Squares) -> str:
    (form,) = (name for name, shapes in FORMS.items() if shape_of(squares) in shapes)
    return form


@pytest.mark.parametrize("side", SIDES)
def test_constraint_09_the_schemes_are_those_of_the_rules(side: Side) -> None:
    roof_of = ROOMS[side].roof_of
    rows = [
        "".join(roof_of.get(Square(f"{column}{row}"), "#") for column in COLUMNS)
        for row in reversed(ROWS)
    ]
    assert " ".join(rows) == SCHEMES[side]


def test_constraint_10_every_seat_can_have_a_cheese_of_every_kind() -> None:
    assert len(CHEESES) == 7
    assert CHEESES_OF_KIND == 4
    assert len(CHEESES) * CHEESES_OF_KIND == 28


def test_constraint_11_four_colours_have_four_mice_each() -> None:
    assert COLOURS == ("red", "green", "blue", "yellow")
    assert len(COLOURS) * MICE == 16


@pytest.mark.parametrize(("side", "sliding", "sizes"), [("a", 3, {4}), ("b", 4, {5, 6})])
def test_constraint_12_no_tower_is_a_better_start(
    side: Side, sliding: int, sizes: set[int]
) -> None:
    for tower in TOWERS:
        roofs = roofs_at(side, tower, {(0, 1), (1, 1)})
        assert len(roofs) == 2
        assert roofs_at(side, tower, {(0, 1)}) == roofs
        squares = {
            each for roof, room in ROOMS[side].squares_of.items() if roof in roofs for each in room
        }
        assert len(squares & set(SLIDING)) == sliding
        assert len(squares) in sizes


@pytest.mark.parametrize(("side", "towers"), [("a", set[str]()), ("b", {"a1", "g7"})])
def test_constraint_12_blocks_lie_at_towers_on_side_b_only(side: Side, towers: set[str]) -> None:
    blocks = {roof for roof, room in ROOMS[side].squares_of.items() if len(room) == 4}
    at_towers = {tower: roofs_at(side, tower, {(0, 1), (1, 1)}) & blocks for tower in TOWERS}
    assert {tower for tower, roofs in at_towers.items() if roofs} == towers
    assert sum(map(len, at_towers.values())) == len(towers)


@pytest.mark.parametrize("side", SIDES)
def test_constraint_12_a_mouse_in_the_castle_can_be_beside_three_roofs(side: Side) -> None:
    found = [len(roofs_at(side, square, {(0, 1), (1, 1)})) for square in ROOMS[side].roof_of]
    assert max(found) >= 3
    assert min(found) >= 1


@pytest.mark.parametrize("side", SIDES)
def test_a_square_touches_the_roofs_at_its_edges_and_corners(side: Side) -> None:
    for square in SQUARES:
        beside = ROOMS[side].beside[square]
        assert list(beside) == sorted(roofs_at(side, square, {(0, 1), (1, 1)}))


def test_a_square_lies_beside_those_that_share_an_edge_with_it() -> None:
    for square in SQUARES:
        assert BESIDE[square] == {each for each in SQUARES if distance(square, each) == (0, 1)}


def test_everything_is_listed_in_its_order() -> None:
    for squares in (SQUARES, TOWERS, RAISED, SLIDING):
        assert list(squares) == sorted(squares)
    for side in SIDES:
        for room in ROOMS[side].squares_of.values():
            assert list(room) == sorted(room)
    assert " ".join(CHEESES) == "emmental blue slices gouda brie camembert goat"
    assert "".join(record.letter for record in CHEESES.values()) == "EBSGRCO"


def test_the_floor_is_laid_row_by_row_from_the_south() -> None:
    assert len(LAYING_ORDER) == 33
    assert set(LAYING_ORDER) == set(SLIDING)
    places = [place_of(square)[::-1] for square in LAYING_ORDER]
    assert places == sorted(places)


def test_the_other_figures_are_those_of_the_rules() -> None:
    assert (ACTIONS, LOST_MICE, LONGEST_LIMIT) == (4, 3, 500)
