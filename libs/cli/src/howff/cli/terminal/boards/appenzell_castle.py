"""The castle of Burg Appenzell, drawn for the terminal, and the signs on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from howff.cli.terminal.boards.canvas import Canvas, Point
from howff.engine.games.appenzell.data import (
    CHEESES,
    COLOURS,
    COLUMNS,
    LINES,
    ROOMS,
    ROWS,
    TOWERS,
    TRAP,
    Cheese,
    Colour,
    Side,
    Square,
    Tile,
)
from howff.engine.games.appenzell.view import SquareView, View
from howff.engine.seats import Seat

Part = tuple[str, str]
"""A text and its style."""


@dataclass(frozen=True, slots=True)
class RoofSort:
    """A sort of roof; all that cover so many squares are of one."""

    name: str
    texture: str
    style: str


ROOF_SORTS: Final = {
    2: RoofSort("tile", ":", "white on grey35"),
    3: RoofSort("straw", "/", "black on navajo_white3"),
    4: RoofSort("copper", "=", "black on dark_orange3"),
}
TOWER: Final = "#"
STONE: Final = "^"

_GROUNDS: Final[dict[Colour, str]] = {
    "red": "white on red",
    "green": "black on green",
    "blue": "white on blue",
    "yellow": "black on yellow",
}
"""Letters have a ground of their own, so that both light and dark terminals show them."""
_ARROWS: Final = {"n": "{} ↓", "s": "{} ↑", "w": "{} →", "e": "← {}"}
_WALLS: Final = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""What is drawn where walls meet that go up (1), right (2), down (4) and left (8)."""
_CELL: Final = 5
"""How wide a square is between its walls."""
_MARGIN: Final = 7
"""Columns on the left of the castle, for slots and the numbers of rows."""
_WIDTH: Final = _MARGIN + (_CELL + 1) * len(COLUMNS) + 6
_HEIGHT: Final = 2 * len(ROWS) + 4


def castle(view: View) -> Text:
    """Return the map of the castle, with the slots around it."""
    canvas = Canvas(_WIDTH, _HEIGHT)
    for each in view.squares:
        if _is_covered(view, each):
            _draw_roof(canvas, view.side, each)
    _draw_walls(canvas, view.side)
    for each in view.squares:
        canvas.label(_middle(_place(each.square)), *_content(view, each))
    _draw_names(canvas, "dim" if view.has_pushed else "bold")
    return canvas.text()


def mouse(seat: Seat) -> Part:
    """Return the sign of a seat's mice."""
    return f"({seat + 1})", _GROUNDS[COLOURS[seat]]


def tile_sign(tile: Tile) -> Part:
    """Return the sign of a tile of the floor."""
    if tile in CHEESES:
        return CHEESES[Cheese(tile)].letter, "bold"
    return ("X", "reverse") if tile == TRAP else (".", "")


def _is_covered(view: View, square: SquareView) -> bool:
    """Return whether *square* lies under a roof; at the end all are lifted."""
    return square.is_covered and view.ending is None


def _place(square: Square) -> Point:
    """Return in which column from the west, and row from the north, *square* lies."""
    return COLUMNS.index(square[0]), len(ROWS) - int(square[1])


def _corner(place: Point) -> Point:
    """Return where the north-western corner of *place* is drawn."""
    return _MARGIN + (_CELL + 1) * place[0], 1 + 2 * place[1]


def _middle(place: Point) -> Point:
    column, row = _corner(place)
    return column + _CELL // 2 + 1, row + 1


def _draw_roof(canvas: Canvas, side: Side, square: SquareView) -> None:
    """Draw the roof over a square and around it; walls go over it where the room ends."""
    sort = _roof_sort(side, square)
    column, row = _middle(_place(square.square))
    for line in (row - 1, row, row + 1):
        canvas.label((column, line), (sort.texture * (_CELL + 2), sort.style))


def _roof_sort(side: Side, square: SquareView) -> RoofSort:
    assert square.roof is not None, "a covered square lies in a room"
    return ROOF_SORTS[len(ROOMS[side].squares_of[square.roof])]


def _draw_walls(canvas: Canvas, side: Side) -> None:
    """Draw a wall wherever two neighbours do not lie in the same room."""
    rooms: dict[Point, str] = {_place(tower): tower for tower in TOWERS}
    rooms |= {_place(square): roof for square, roof in ROOMS[side].roof_of.items()}
    for column in range(len(COLUMNS) + 1):
        for row in range(len(ROWS) + 1):
            west, east = (
                [rooms.get((aside, along)) for along in (row - 1, row)]
                for aside in (column - 1, column)
            )
            up, right = west[0] != east[0], east[0] != east[1]
            down, left = west[1] != east[1], west[0] != west[1]
            sign = _WALLS[up + 2 * right + 4 * down + 8 * left]
            _draw_corner(canvas, (column, row), sign, right=right, down=down)


def _draw_corner(canvas: Canvas, place: Point, sign: str, *, right: bool, down: bool) -> None:
    """Draw the walls of *place* on its north and its west, and where they meet others."""
    column, row = _corner(place)
    if sign.strip():
        canvas.label((column, row), (sign, ""))
    if right:
        canvas.label((_middle(place)[0], row), ("─" * _CELL, ""))
    if down:
        canvas.label((column, row + 1), ("│", ""))


def _content(view: View, square: SquareView) -> Iterator[Part]:
    is_stone = square.sort == "raised"
    if _is_covered(view, square):
        sort = _roof_sort(view.side, square)
        yield f" {square.roof}{STONE if is_stone else ' '}", f"bold {sort.style}"
        return
    if square.tile is not None:
        yield tile_sign(square.tile)
    else:
        yield STONE if is_stone else TOWER, ""
    if square.mouse is not None:
        yield " ", ""
        yield mouse(square.mouse)


def _draw_names(canvas: Canvas, style: str) -> None:
    """Write the names of columns, rows and slots around the castle, the slots in this *style*."""
    for name in COLUMNS:
        canvas.label((_middle(_place(Square(f"{name}1")))[0], _HEIGHT - 2), (name, ""))
    for number in ROWS:
        canvas.label((_MARGIN - 2, _middle(_place(Square(f"a{number}")))[1]), (f"{number}", ""))
    for slot, line in LINES.items():
        column, row = _middle(_place(line[0]))
        side = slot[0]
        places = {
            "n": (column, 0),
            "s": (column, _HEIGHT - 1),
            "w": (2, row),
            "e": (_WIDTH - 2, row),
        }
        canvas.label(places[side], (_ARROWS[side].format(slot), style))
