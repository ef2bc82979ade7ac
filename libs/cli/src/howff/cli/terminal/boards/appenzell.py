"""Burg Appenzell in the terminal."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from howff.cli.terminal.boards.appenzell_castle import (
    ROOF_SORTS,
    STONE,
    TOWER,
    castle,
    mouse,
    tile_sign,
)
from howff.cli.terminal.boards.lines import Line, grid_of
from howff.engine.games.appenzell.data import CHEESES, COLOURS, PLAIN, TRAP
from howff.engine.games.appenzell.explain import reasons_text, tile_text
from howff.engine.games.appenzell.view import View
from howff.engine.seats import Seat
from howff.engine.words import counted

_WIDE: Final = 118
"""So many columns have room for more beside the castle."""


def board(view: View, names: tuple[str, ...]) -> RenderableType:
    """Return the castle, what belongs to each seat, and what lies outside."""
    return _Board(view, names)


@dataclass(frozen=True, slots=True)
class _Board:
    """The castle, and the rest below it, or beside it on a wide terminal."""

    view: View
    names: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        parts = (
            castle(self.view),
            Group(_players(self.view, self.names), grid_of(_lines(self.view, self.names))),
        )
        yield Text(_title(self.view, self.names), style="bold")
        if options.max_width < _WIDE:
            yield from parts
        else:
            beside = Table.grid(padding=(0, 2, 0, 0))
            beside.add_column(no_wrap=True)
            beside.add_row(*parts)
            yield beside


def _title(view: View, names: tuple[str, ...]) -> str:
    limit = view.options.round_limit
    number = f"Round {view.round + 1}{f' of {limit}' if limit else ''}"
    if view.ending is not None or view.active is None:
        return f"{number}, the match is over"
    if view.stage == "placement":
        return f"{names[view.active]} puts the first mouse on a tower"
    left = f"{names[view.active]} has {counted(view.actions_left, 'action')} left"
    push = "has pushed a tile" if view.has_pushed else "may push a tile"
    return f"{number}: {left} and {push}"


def _players(view: View, names: tuple[str, ...]) -> Table:
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for title in ("", "Mice", "Player"):
        table.add_column(title, no_wrap=title != "Player")
    for title in ("Reserve", "Board", "Trapped"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("Cheese", no_wrap=True)
    for at, (name, player) in enumerate(zip(names, view.players, strict=True)):
        seat = Seat(at)
        table.add_row(
            ">" if seat == view.active and view.ending is None else "",
            Text.assemble(mouse(seat), f" {COLOURS[seat]}"),
            name,
            *map(str, (player.reserve, len(player.mice), player.trapped)),
            " ".join(CHEESES[cheese].letter for cheese in player.cheese) or "none",
        )
    return table


def _lines(view: View, names: tuple[str, ...]) -> Iterator[Line]:
    if view.ending is not None:
        yield "The end", reasons_text(view.ending.reasons)
        places = enumerate((names[seat] for seat in view.ending.ranking), start=1)
        yield "Ranking", "   ".join(f"{place} {name}" for place, name in places)
    else:
        yield "To win", f"{view.options.cheese_target} kinds of cheese"
    if view.spare is not None:
        yield "Outside", Text.assemble(tile_sign(view.spare), f" {tile_text(view.spare)}")
    supply = (
        Text.assemble(tile_sign(each.cheese), f" {CHEESES[each.cheese].name} {each.count}")
        for each in view.supply
    )
    yield "Supply", Columns(supply, padding=(0, 3))
    yield "Signs", Columns(_signs(), padding=(0, 3))


def _signs() -> Iterator[Text]:
    yield Text(f"{TOWER} tower")
    yield Text(f"{STONE} stone")
    yield Text.assemble(tile_sign(PLAIN), " plain")
    yield Text.assemble(tile_sign(TRAP), " trap")
    for sort in ROOF_SORTS.values():
        yield Text.assemble((f" {sort.texture} ", sort.style), f" {sort.name} roof")
