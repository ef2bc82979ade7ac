"""Hellweg Westfalicus in the terminal."""

from collections.abc import Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from howff.cli.terminal.boards.hellweg_map import MARKS, Map
from howff.cli.terminal.boards.lines import Line, grid_of
from howff.engine.games.hellweg.data import (
    BLACK_ROUTE,
    LAST_CARD_BONUS,
    MERCHANDISE_CARDS,
    PRIVILEGE_ROUTES,
)
from howff.engine.games.hellweg.legality import DecisionName
from howff.engine.games.hellweg.scoring import standings
from howff.engine.games.hellweg.state import LEFTOVER, Player, Side, Standing
from howff.engine.games.hellweg.view import OpenCard, View
from howff.engine.games.hellweg.wording import (
    PRIVILEGE_NAMES,
    card_name,
    card_text,
    function_text,
    goods_text,
    pieces_text,
    route_text,
    town_of,
    trading_card_number,
)
from howff.engine.seats import Seat
from howff.engine.words import counted, listed

_SIDES: dict[Side, str] = {"face_up": "ready", "face_down": "used", "locked": "from next turn"}
_DOINGS: dict[DecisionName, str] = {
    "start_token": "places one of the first tokens",
    "start_carriage": "places a carriage on a road to the new token",
    "sell_or_skip": "may sell",
    "leftover": "has sold nothing, and may sell one thing where it lies",
    "choose_action": "chooses an action",
    "missing_token": "has no token in supply, and may take one back",
    "missing_carriage": "has no carriage in supply, and may take one back",
    "put_token": "places a token where one lies already",
    "put_carriage": "places a carriage",
    "bonus_carriage": "may place a bonus carriage",
    "after_action": "may use or choose privileges before the turn ends",
}


def board(view: View, names: tuple[str, ...]) -> RenderableType:
    """Return the map, what is for sale, what the seats own, the trading card, and who decides."""
    parts: list[RenderableType] = [Text(_title(view, names), style="bold"), Map(view), ""]
    if view.for_sale:
        parts += [_for_sale(view), ""]
    parts += [_players(view, names), ""]
    if view.standings is not None:
        parts.append(_account(view.standings, names))
    elif view.card is not None:
        parts.append(_trading_card(view, view.card, names))
    parts.append(grid_of(_lines(view, names)))
    return Group(*parts)


def _title(view: View, names: tuple[str, ...]) -> str:
    if view.stage == "finished":
        return f"The match is over after {view.months} months"
    first = f", {names[view.starting_seat]} is first"
    if view.stage == "setup":
        return f"The first pieces are placed{first}"
    number = "" if view.turn is None else f" in round {view.turn.round}"
    return f"Month {view.month} of {view.months}: {view.stage}{number}{first}"


def _for_sale(view: View) -> Table:
    table = _table("For sale", "!Price", "!Value", "What it does")
    for card in view.for_sale:
        record = MERCHANDISE_CARDS[card]
        earns = view.options.warehouse_and_privileges and record.privilege
        does = [function_text(record) or "nothing more", *(["a privilege"] if earns else [])]
        table.add_row(card_name(card), f"{record.price}", f"{record.value}", "; ".join(does))
    return table


def _players(view: View, names: tuple[str, ...]) -> Table:
    stored = ("!Stored",) if view.options.warehouse_and_privileges else ()
    table = _table("", "Player", "!Thaler", "!Supply", "!Board", *stored, "Owns", "!Score")
    accounts = standings(view.players)
    for at, player in enumerate(view.players):
        seat = Seat(at)
        row: list[RenderableType] = [
            ">" if any(each.seat == seat for each in view.decisions) else "",
            _seat(seat, names),
            f"{player.money}",
            _count(player.supply_tokens, player.supply_carriages),
            _count(len(player.tokens), len(player.carriages)),
        ]
        if stored:
            row.append(_count(player.warehouse_tokens, player.warehouse_carriages))
        table.add_row(*row, "\n".join(_owned(view, seat, player)), f"{accounts[seat].score}")
    return table


def _count(tokens: int, carriages: int) -> str:
    return f"{tokens}t {carriages}c"


def _owned(view: View, seat: Seat, player: Player) -> Iterator[str]:
    """Yield what a player has beside money and pieces, in lines."""
    yield from map(card_text, player.cards)
    for held in player.privileges:
        yield f"{PRIVILEGE_NAMES[held.privilege]}: {_SIDES[held.side]}"
    if player.claims:
        yield f"may choose {counted(player.claims, 'privilege')}"
    black = view.additional_carriages
    if black is not None and black.owner == seat:
        yield "2 black carriages stored" if black.waiting else "2 black carriages in play"


def _trading_card(view: View, card: OpenCard, names: tuple[str, ...]) -> Table:
    title = f"Trading card {trading_card_number(card.card)}"
    table = _table("!Square", title, "!Price", "Pieces for the price", "Merchant")
    for slot, square in enumerate(card.slots, start=1):
        here = [Seat(at) for at, each in enumerate(view.players) if slot in each.merchants]
        table.add_row(
            f"{slot}",
            goods_text(square.house),
            f"{square.price}",
            pieces_text(square.tokens, square.carriages),
            Text(" ").join(_seat(seat, names) for seat in here),
        )
    return table


def _account(told: tuple[Standing, ...], names: tuple[str, ...]) -> Table:
    titles = ("!Place", "Player", "!Money", "!Cards", "!Score", "!Tokens", "!Carriages", "Pairs")
    table = _table(*titles)
    for at, each in enumerate(told):
        figures = (each.money, each.card_value, each.score, each.tokens, each.carriages)
        pairs = [
            f"{card_name(pair.card)} with {card_name(pair.other)} {pair.value}"
            for pair in each.pairs
        ]
        seat = _seat(Seat(at), names)
        table.add_row(f"{each.rank}", seat, *map(str, figures), ", ".join(pairs) or "none")
    return table


def _lines(view: View, names: tuple[str, ...]) -> Iterator[Line]:
    if view.stage == "finished":
        if view.set_aside:
            yield "Set aside", listed([f"{trading_card_number(each)}" for each in view.set_aside])
        return
    yield "To come", _to_come(view)
    if view.stage == "actions":
        yield "Market", _market(view, names)
    if view.options.warehouse_and_privileges:
        yield "Routes", _routes(view)
    for each in view.decisions:
        doing = f" {_DOINGS[each.decision]}{_details(view, each.seat)}"
        yield "Now", Text.assemble(_seat(each.seat, names), doing)


def _to_come(view: View) -> str:
    if view.card is not None and view.card.is_last:
        return f"this card is the last one: every sale brings {LAST_CARD_BONUS} Thaler more"
    return f"{counted(view.cards_left, 'trading card')} in the stack"


def _market(view: View, names: tuple[str, ...]) -> Text:
    merchants = [
        Text.assemble(_seat(Seat(at), names), _off(player))
        for at, player in enumerate(view.players)
        for place in player.merchants
        if place == "market"
    ]
    return Text(", ").join(merchants) if merchants else Text("no merchants")


def _off(player: Player) -> str:
    is_waiting = player.discount and len(player.merchants) == 1
    return f" (buys for {player.discount} less)" if is_waiting else ""


def _routes(view: View) -> str:
    black = view.additional_carriages
    routes = [
        f"{PRIVILEGE_NAMES[each]} {route_text(ends)}" for each, ends in PRIVILEGE_ROUTES.items()
    ]
    if black is not None and black.owner is None:
        routes.append(f"2 black carriages {route_text(BLACK_ROUTE)}")
    return ", ".join(routes)


def _details(view: View, seat: Seat) -> str:
    """Return what the decision of *seat* is about."""
    sales, due = view.players[seat].sales, view.due
    if sales is not None:
        if sales.slot == LEFTOVER or view.card is None:
            return ""
        square = view.card.slots[sales.slot - 1]
        return f" {goods_text(square.house)} for {square.price} on square {sales.slot}"
    if due is None:
        return ""
    verb = "store" if due.cause == "store" else "place"
    where = "" if due.house is None else f" in {town_of(due.house)}"
    return f" (to {verb}{where}: {pieces_text(due.tokens, due.carriages)})"


def _seat(seat: Seat, names: tuple[str, ...]) -> Text:
    return Text.assemble(MARKS[seat], f" {names[seat]}")


def _table(*titles: str) -> Table:
    """Return a table with these columns; those with an exclamation mark hold numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for title in titles:
        is_number = title.startswith("!")
        table.add_column(title.removeprefix("!"), justify="right" if is_number else "left")
    return table
