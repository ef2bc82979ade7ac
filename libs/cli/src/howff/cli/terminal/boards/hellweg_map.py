"""The map of Hellweg Westfalicus in the terminal, with what lies on it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from howff.cli.terminal.boards.canvas import Canvas, Point
from howff.engine.games.hellweg.data import (
    HOUSES,
    ROADS,
    ROADS_OF,
    TOWNS,
    House,
    Road,
    Surface,
    Town,
)
from howff.engine.games.hellweg.view import View

Part = tuple[str, str]
"""A text and its style."""

MARKS: Final[tuple[Part, ...]] = (
    ("A", "white on blue"),
    ("B", "black on yellow"),
    ("C", "white on red"),
    ("D", "black on green"),
)
"""What stands for each seat: a letter on a ground of its own, on light and dark terminals alike."""

_SURFACES: Final[dict[Surface, Part]] = {"cobbled": ("=", ""), "brown": (".", "yellow")}
_VILLAGE: Final = ("v", "bold")
_PLACES: Final[dict[str, Point]] = {
    "wesel": (2, 9),
    "duisburg": (2, 20),
    "essen": (19, 16),
    "hagen": (31, 24),
    "olpe": (50, 28),
    "siegen": (63, 32),
    "dortmund": (40, 16),
    "moenster": (40, 0),
    "hamm": (53, 9),
    "soest": (68, 16),
    "lippstadt": (76, 9),
    "builefeld": (91, 0),
    "paderborn": (96, 14),
    "corbach": (96, 26),
}
"""Where towns are drawn: 0 to 100 from the left, and the row; moved apart, so that words fit in."""
_ROWS: Final = 34
_WIDEST: Final = 118
_NARROWEST: Final = 76
_MARGIN: Final = 5
"""Columns left and right of the outermost towns, for their names."""


@dataclass(frozen=True, slots=True)
class Map:
    """The towns with tokens on their houses, and carriages on the roads between them."""

    view: View

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(options.max_width, _WIDEST)
        yield self._list() if width < _NARROWEST else self._drawing(width)
        yield _legend()

    def _drawing(self, width: int) -> Text:
        canvas = Canvas(width, _ROWS)
        for road, record in ROADS.items():
            start, end = (_place(town, width) for town in record.ends)
            canvas.line(start, end, *_SURFACES[record.surface])
            if parts := self._on_road(road):
                middle = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
                canvas.label(middle, *parts)
        for town in TOWNS:
            column, row = _place(town, width)
            canvas.label((column, row), (f" {TOWNS[town].name} ", "bold"))
            for below, house in enumerate(_houses_of(town), start=1):
                canvas.label((column, row + below), (" ", ""), *self._in_house(house), (" ", ""))
        return canvas.text()

    def _list(self) -> RenderableType:
        """Return two lines a town, where there is no room for a drawing."""
        lines: list[Text] = []
        for town, record in TOWNS.items():
            houses = [Text.assemble(*self._in_house(house)) for house in _houses_of(town)]
            lines.append(Text.assemble((record.name, "bold"), "  ", Text(", ").join(houses)))
            roads = [Text.assemble(*self._road_from(town, road)) for road in ROADS_OF[town]]
            lines.append(Text.assemble("  ", Text("  ").join(roads)))
        return Group(*lines)

    def _road_from(self, town: Town, road: Road) -> Iterator[Part]:
        (other,) = (end for end in ROADS[road].ends if end != town)
        yield _SURFACES[ROADS[road].surface]
        yield TOWNS[other].name, ""
        yield from self._on_road(road)

    def _on_road(self, road: Road) -> list[Part]:
        """Return a village and carriages in brackets, if there are any."""
        carriages = _pieces((player.carriages for player in self.view.players), road)
        if not ROADS[road].village:
            return [("(", ""), *carriages, (")", "")] if carriages else []
        return [("(", ""), _VILLAGE, *([(" ", ""), *carriages] if carriages else []), (")", "")]

    def _in_house(self, house: House) -> list[Part]:
        tokens = _pieces((player.tokens for player in self.view.players), house)
        goods = HOUSES[house].merchandise
        return [*self._price(house), (f"{goods} " if tokens else goods, ""), *tokens]

    def _price(self, house: House) -> list[Part]:
        """Return what the open trading card pays in a house, if it asks for its goods."""
        if self.view.card is None or self.view.stage == "finished":
            return []
        squares = self.view.card.slots
        return [(f"*{each.price} ", "bold") for each in squares if each.house == house]


def _place(town: Town, width: int) -> Point:
    column, row = _PLACES[town]
    return _MARGIN + round(column * (width - 1 - 2 * _MARGIN) / 100), row


def _houses_of(town: Town) -> list[House]:
    return [house for house, record in HOUSES.items() if record.town == town]


def _pieces(places: Iterable[Sequence[str]], place: str) -> list[Part]:
    """Return the marks of the seats that have pieces in a place, with their numbers from 2 on."""
    counts = (of_seat.count(place) for of_seat in places)
    return [
        (f"{letter}{count if count > 1 else ''}", style)
        for (letter, style), count in zip(MARKS, counts, strict=False)
        if count
    ]


def _legend() -> Text:
    roads = [
        Text.assemble((sign * 2, style), f" {surface}")
        for surface, (sign, style) in _SURFACES.items()
    ]
    others = [
        Text.assemble("(", _VILLAGE, ") village"),
        Text("A2B 2 pieces of A, 1 of B"),
        Text.assemble(("*5", "bold"), " wanted at 5"),
    ]
    return Text("   ").join([*roads, *others])
