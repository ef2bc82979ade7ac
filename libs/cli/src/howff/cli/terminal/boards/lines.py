"""Lines with labels, for what a board tells beside its pictures and tables."""

from collections.abc import Iterable

from rich.console import RenderableType
from rich.table import Table

Line = tuple[str, RenderableType]
"""A label and what it tells."""


def grid_of(lines: Iterable[Line]) -> Table:
    """Return the labels one below the other, and beside each what it tells."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for label, told in lines:
        grid.add_row(label, told)
    return grid
