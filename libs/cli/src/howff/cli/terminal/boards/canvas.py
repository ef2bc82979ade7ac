"""A grid of characters to draw a map on."""

from rich.text import Text

Point = tuple[int, int]
"""Column and row, from the top left."""


class Canvas:
    """A drawing *width* columns wide and *height* rows high; what lies outside is left out."""

    def __init__(self, width: int, height: int) -> None:
        self._cells = [[(" ", "")] * width for _ in range(height)]
        self._width = width

    def line(self, start: Point, end: Point, sign: str, style: str) -> None:
        """Draw a line of *sign*, by equal steps along its longer side."""
        steps = max(abs(end[0] - start[0]), abs(end[1] - start[1])) or 1
        for step in range(steps + 1):
            column, row = (
                round(here + (there - here) * step / steps)
                for here, there in zip(start, end, strict=True)
            )
            self._put(column, row, sign, style)

    def label(self, centre: Point, *parts: tuple[str, str]) -> None:
        """Write *parts* (text and style) in a row around *centre*, pushed inside if need be."""
        length = sum(len(text) for text, _ in parts)
        column = max(0, min(centre[0] - length // 2, self._width - length))
        for text, style in parts:
            for sign in text:
                self._put(column, centre[1], sign, style)
                column += 1

    def text(self) -> Text:
        """Return the drawing, a line a row."""
        rows = (Text.assemble(*row) for row in self._cells)
        return Text("\n").join(rows)

    def _put(self, column: int, row: int, sign: str, style: str) -> None:
        if row in range(len(self._cells)) and column in range(self._width):
            self._cells[row][column] = (sign, style)
