"""Trödler in the terminal."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from howff.cli.terminal.boards.canvas import Canvas, Point
from howff.engine.games.troedler.data import (
    FEED,
    GOODS,
    NEIGHBOURS,
    REQUESTS,
    VILLAGES,
    Card,
    Cards,
    Goods,
    RouteType,
    Village,
)
from howff.engine.games.troedler.scoring import points_of, requests_of
from howff.engine.games.troedler.view import OpenMemory, PileView, View

_SIGNS: dict[RouteType, tuple[str, str]] = {
    "bridge": ("=", "yellow"),
    "ferry": ("~", "blue"),
    "moor_path": (":", "green"),
    "mountain_trail": ("^", "magenta"),
}
_SHORT = {good: good[:2] for good in GOODS}
_WIDEST = 118
_NARROWEST = 72
_ROWS = 34
_MARGIN = 7
"""Columns left and right of the outermost villages, for their names."""


def board(view: View, names: tuple[str, ...]) -> RenderableType:
    """Return the map, the piles, the players, what may be looked up, and the viewer's own cards."""
    parts: list[RenderableType] = [_Map(view, names), _piles(view), _players(view, names)]
    if view.open_memory is not None:
        parts.append(_looked_up(view, names, view.open_memory))
    if view.hand is not None and view.value_pile is not None:
        parts.append(_own_cards(view.hand, view.value_pile))
    return Group(*parts)


@dataclass(frozen=True, slots=True)
class _Map:
    """The villages with goods and carts, and the routes between them, as wide as the terminal."""

    view: View
    names: tuple[str, ...]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = min(options.max_width, _WIDEST)
        if width < _NARROWEST:
            yield from self._list()
            yield _legend()
            return
        canvas = Canvas(width, _ROWS)
        for village, routes in NEIGHBOURS.items():
            for route_type, others in routes.items():
                for other in others:
                    canvas.line(_place(village, width), _place(other, width), *_SIGNS[route_type])
        for lying in self.view.goods:
            self._draw_village(canvas, lying.village, lying.goods, width)
        yield canvas.text()
        yield _legend()

    def _list(self) -> Iterator[Text]:
        """Yield a line a village, where there is no room for a map."""
        for lying in self.view.goods:
            carts = self._carts(lying.village)
            routes = [
                f"{sign} {VILLAGES[other].name}"
                for route_type, (sign, _) in _SIGNS.items()
                for other in NEIGHBOURS[lying.village][route_type]
            ]
            name = Text.assemble((VILLAGES[lying.village].name, "bold"), *carts)
            yield Text(": ").join([name, Text(", ".join(_short(lying.goods)) or "empty", "cyan")])
            yield Text(f"   {'  '.join(routes)}", style="dim")

    def _carts(self, village: Village) -> list[tuple[str, str]]:
        return [
            (f" {name[0]}", f"bold {player.colour} reverse")
            for name, player in zip(self.names, self.view.players, strict=True)
            if player.cart == village
        ]

    def _draw_village(self, canvas: Canvas, village: Village, goods: Goods, width: int) -> None:
        column, row = _place(village, width)
        carts = self._carts(village)
        canvas.label((column, row), (f" {VILLAGES[village].name}", "bold"), *carts, (" ", ""))
        canvas.label((column, row + 1), (f" {' '.join(_short(goods)) or '(empty)'} ", "cyan"))


def _place(village: Village, width: int) -> Point:
    record = VILLAGES[village]
    column = _MARGIN + round(record.x * (width - 1 - 2 * _MARGIN) / 100)
    return column, round((100 - record.y) * (_ROWS - 2) / 100)


def _short(goods: Goods) -> list[str]:
    return [f"{n if n > 1 else ''}{_SHORT[good]}" for good, n in Counter(goods).items()]


def _legend() -> Text:
    routes = [
        Text(f"{sign * 2} {route_type.replace('_', ' ')}", style=style)
        for route_type, (sign, style) in _SIGNS.items()
    ]
    goods = [Text(f"{short} {good}", style="cyan") for good, short in _SHORT.items()]
    return Text.assemble(Text("   ").join(routes), "\n", Text("   ").join(goods))


def _piles(view: View) -> Table:
    table = Table(box=SIMPLE_HEAD)
    for at in range(len(view.dealer_piles)):
        table.add_column(f"Pile {at + 1}")
    table.add_column("Discard")
    table.add_column("Still to deal", justify="right")
    tops = [_pile(pile) for pile in view.dealer_piles]
    discard = Text("-") if view.discard_top is None else _card(view.discard_top)
    table.add_row(*tops, discard, f"{view.round_pile_size}")
    return table


def _pile(pile: PileView | None) -> Text:
    if pile is None:
        return Text("gone", style="dim")
    if pile.top is None:
        return Text("-", style="dim")
    return Text.assemble(_card(pile.top), f" +{pile.size - 1}" if pile.size > 1 else "")


def _players(view: View, names: tuple[str, ...]) -> Table:
    table = Table(title=f"Round {view.round}", box=SIMPLE_HEAD)
    for title in ("", "Player", "At", "Hand", "Collection", "Played this turn"):
        table.add_column(title)
    for seat, (name, player) in enumerate(zip(names, view.players, strict=True)):
        signs = [">" if seat == view.active else "", "horse" if seat == view.dealer else ""]
        table.add_row(
            " ".join(filter(None, signs)),
            Text(f"{name} (you)" if seat == view.seat else name, style=player.colour),
            VILLAGES[player.cart].name,
            f"{player.hand_size} cards",
            _goods(player.collection),
            _cards(view.turn.played) if seat == view.active else Text(),
        )
    return table


def _looked_up(view: View, names: tuple[str, ...], memory: OpenMemory) -> Table:
    """Return what nobody has to keep in mind at a table with open memory."""
    table = Table(title="May be looked up", box=None, show_header=False)
    for at, pile in enumerate(view.dealer_piles):
        if pile is not None and pile.cards:
            table.add_row(f"Pile {at + 1}", _cards(pile.cards))
    table.add_row("Discard", _cards(memory.discard_pile))
    setup = memory.setup_discard
    if setup is not None:
        below = f"{setup.requests} requests and {setup.feed} feed, on top of them "
        table.add_row("Below it", Text.assemble(below, _card(setup.top)))
    for name, value in zip(names, memory.value_piles, strict=True):
        table.add_row(f"{name}'s value", _value(value.requests, value.points, value.feed))
    return table


def _own_cards(hand: Cards, value_pile: Cards) -> Text:
    value = _value(requests_of(value_pile), points_of(value_pile), value_pile.count(FEED))
    own_hand = Text.assemble(("Your hand   ", "bold"), _cards(hand))
    return Text.assemble(own_hand, ("\nYour value  ", "bold"), value, "\n")


def _value(requests: int, points: int, feed: int) -> str:
    return f"{requests} requests, {points} points, {feed} feed"


def _cards(cards: Iterable[Card]) -> Text:
    counted = Counter(cards).items()
    shown = [Text.assemble(_card(card), f" x{n}" if n > 1 else "") for card, n in counted]
    return Text(", ").join(shown) if shown else Text("-", style="dim")


def _card(card: Card) -> Text:
    request = REQUESTS.get(card)
    if request is None:
        return Text(card.replace("_", " "))
    return Text.assemble(_goods(request.goods), (f" → {request.points}", "bold"))


def _goods(goods: Goods) -> Text:
    counted = [f"{n} {good}" if n > 1 else good for good, n in Counter(goods).items()]
    return Text(" + ".join(counted))
