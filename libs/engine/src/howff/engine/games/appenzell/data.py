"""The tables of Burg Appenzell as constants; `data.toml` says where each figure comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NewType

from howff.engine.tables import hash_of_tables, read_tables

Square = NewType("Square", str)
"""A square of the castle: column a to g from west to east, row 1 to 7 from south to north."""
Roof = NewType("Roof", str)
"""A room, and the roof that covers it."""
Slot = NewType("Slot", str)
"""Where a tile can be pushed in: the side that it comes from, and the line."""
Tile = NewType("Tile", str)
"""What a tile of the floor shows: a kind of cheese, nothing, or a trap."""
Cheese = NewType("Cheese", Tile)
"""A kind of cheese, such as `gouda`."""
Side = Literal["a", "b"]
"""A side of the board, with its own scheme of rooms."""
Colour = Literal["red", "green", "blue", "yellow"]
Squares = tuple[Square, ...]
Roofs = tuple[Roof, ...]


@dataclass(frozen=True, slots=True)
class CheeseRecord:
    """How a kind of cheese is called, in full and on a small map."""

    name: str
    letter: str


@dataclass(frozen=True, slots=True)
class Rooms:
    """The scheme of a side: the roof over each square, and the squares under each roof."""

    roof_of: Mapping[Square, Roof]
    """Towers have none."""
    squares_of: Mapping[Roof, Squares]
    beside: Mapping[Square, Roofs]
    """The roofs that a square touches, at an edge or a corner, without its own."""


_TABLES: Final = read_tables("howff.engine.games.appenzell")
_GRID: Final = _TABLES["grid"]
_PLAYERS: Final = _TABLES["players"]

DATA_HASH: Final = hash_of_tables(_TABLES)

COLUMNS: Final[tuple[str, ...]] = tuple(_GRID["columns"])
ROWS: Final[tuple[int, ...]] = tuple(_GRID["rows"])
SQUARES: Final[Squares] = tuple(Square(f"{column}{row}") for column in COLUMNS for row in ROWS)
"""All squares in the order of their names; everything is listed in it."""
TOWERS: Final[Squares] = tuple(map(Square, _GRID["towers"]))
SLIDING: Final[Squares] = tuple(
    square
    for square in SQUARES
    if square[0] in _GRID["sliding_columns"] or int(square[1]) in _GRID["sliding_rows"]
)
"""The squares whose floor is a tile."""
RAISED: Final[Squares] = tuple(each for each in SQUARES if each not in (*SLIDING, *TOWERS))
"""Squares of stone: no cheese lies there, and no trap opens."""
LAYING_ORDER: Final[Squares] = tuple(sorted(SLIDING, key=lambda square: (square[1], square[0])))
"""The order in which the floor is laid: row by row from the south."""


def _line(entry: str, end: str) -> Squares:
    """Return the squares in a straight line from *entry* to *end*."""
    at = 0 if entry[0] == end[0] else 1
    squares = [square for square in SQUARES if square[at] == entry[at]]
    return tuple(squares if squares[0] == entry else reversed(squares))


LINES: Final[Mapping[Slot, Squares]] = {
    Slot(row["id"]): _line(row["entry"], row["exit"]) for row in _TABLES["slot"]
}
"""The squares that a push moves, from where a tile goes in to where one comes out."""

CHEESES: Final[Mapping[Cheese, CheeseRecord]] = {
    Cheese(Tile(row["id"])): CheeseRecord(row["name"], row["letter"]) for row in _TABLES["cheese"]
}
PLAIN: Final = Tile("plain")
TRAP: Final = Tile("trap")
_FLOOR_TILES: Final[Mapping[str, int]] = _TABLES["floor_tiles"]
_COUNTS: Final[Mapping[Tile, int]] = {
    **dict.fromkeys(CHEESES, _FLOOR_TILES["each_cheese"]),
    PLAIN: _FLOOR_TILES["plain"],
    TRAP: _FLOOR_TILES["trap"],
}
TILES: Final[tuple[Tile, ...]] = tuple(tile for tile in _COUNTS for _ in range(_COUNTS[tile]))
"""All tiles of the floor, the one outside included."""

MICE: Final[int] = _PLAYERS["mice"]
ACTIONS: Final[int] = _PLAYERS["actions"]
CHEESES_OF_KIND: Final[int] = _PLAYERS["cheeses_of_kind"]
LOST_MICE: Final[int] = _PLAYERS["lost_mice"]
COLOURS: Final[tuple[Colour, ...]] = tuple(_PLAYERS["colours"])
LONGEST_LIMIT: Final[int] = _TABLES["options"]["longest_limit"]
SIDES: Final[tuple[Side, ...]] = tuple(sorted(_TABLES["sides"]))
"""In the order of their names, whatever the order of the table, which is in no hash."""


def _around(square: Square, *, corners: bool) -> frozenset[Square]:
    """Return the squares that share an edge, or with *corners* at least a corner, with *square*."""
    column, row = COLUMNS.index(square[0]), int(square[1])
    away = {
        each: (abs(COLUMNS.index(each[0]) - column), abs(int(each[1]) - row)) for each in SQUARES
    }
    return frozenset(
        each
        for each, (east, north) in away.items()
        if east + north == 1 or (corners and east == north == 1)
    )


BESIDE: Final[Mapping[Square, frozenset[Square]]] = {
    square: _around(square, corners=False) for square in SQUARES
}
"""The squares that share an edge with each."""


def _rooms(scheme: list[str]) -> Rooms:
    roof_of = {
        Square(f"{column}{row}"): Roof(letter)
        for row, letters in zip(reversed(ROWS), scheme, strict=True)
        for column, letter in zip(COLUMNS, letters, strict=True)
        if letter != "#"
    }
    roofs = sorted(set(roof_of.values()))
    beside = {
        square: {roof_of.get(other) for other in _around(square, corners=True)}
        - {roof_of.get(square)}
        for square in SQUARES
    }
    return Rooms(
        roof_of=roof_of,
        squares_of={
            roof: tuple(square for square in SQUARES if roof_of.get(square) == roof)
            for roof in roofs
        },
        beside={square: tuple(r for r in roofs if r in near) for square, near in beside.items()},
    )


ROOMS: Final[Mapping[Side, Rooms]] = {
    side: _rooms(scheme) for side, scheme in _TABLES["sides"].items()
}
ROOFS: Final[Roofs] = tuple(ROOMS["a"].squares_of)
"""All roofs; both sides of the board have the same."""
