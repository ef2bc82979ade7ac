"""Highland Clans in the terminal."""

from collections import Counter
from collections.abc import Iterator

from rich.box import SIMPLE_HEAD
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from howff.cli.terminal.boards.lines import Line, grid_of
from howff.engine.games.highland_clans.data import (
    CLANS,
    COLOURS,
    CUBES_USED,
    FIGHTS,
    Cards,
    Clan,
    Colour,
    Cubes,
)
from howff.engine.games.highland_clans.explain import reason_text
from howff.engine.games.highland_clans.state import Board, Debt, Stage, Turn
from howff.engine.games.highland_clans.view import CommitmentView, RaidView, View
from howff.engine.seats import Seat

_CUBES: dict[Colour, tuple[str, str]] = {
    "yellow": ("Y", "black on yellow"),
    "blue": ("B", "white on blue"),
    "green": ("G", "black on green"),
    "red": ("R", "white on red"),
}
"""A letter on a ground of its own, so that it can be read on light and dark terminals alike."""
_CLANS: dict[str, str] = {
    "purple": "white on purple4",
    "orange": "black on dark_orange",
    "black": "white on grey15",
    "white": "black on grey93",
    "brown": "white on orange4",
}
_DOINGS: dict[Stage, str] = {
    "redraw": "may redraw cubes",
    "actions": "acts",
    "hand_limit": "goes on after a discard",
    "raid_or_exchange": "may raid or exchange cards",
    "attacker_commit": "lays down a card for the raid",
    "defender_commit": "waits for the defender's card",
    "spoils": "may take spoils",
    "refresh": "has raided",
    "finished": "had the last turn",
}


def board(view: View, names: tuple[str, ...]) -> RenderableType:
    """Return the clans, a raid if there is one, and what lies on the table and in the own hand."""
    parts: list[RenderableType] = [_clans(view, names), grid_of(_legend()), ""]
    if view.raid is not None:
        parts.append(_raid(view.raid, names))
    parts.append(grid_of(_lines(view, names)))
    return Group(*parts)


def _clans(view: View, names: tuple[str, ...]) -> Table:
    table = Table(title=_title(view), box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    for title in ("Player", "Clan"):
        table.add_column(title)
    for colour in ("yellow", "blue", "green"):
        table.add_column(_cube(colour), justify="right")
    table.add_column("Estates")
    for title in ("Cards", "Score"):
        table.add_column(title, justify="right")
    for at, name in enumerate(names):
        table.add_row(*_clan_row(view, Seat(at), name))
    return table


def _clan_row(view: View, seat: Seat, name: str) -> Iterator[RenderableType]:
    player = view.players[seat]
    its = player.board
    yield _signs(view, seat)
    yield f"{name} (you)" if seat == view.seat else name
    yield _clan(player.clan)
    yield from map(str, (its.warriors, its.bagpipers, its.monks))
    yield _estates(its)
    yield f"{player.hand_size}" if view.revelation is None else _cards(view.revelation.hands[seat])
    yield f"{its.score}"


def _title(view: View) -> str:
    position = "" if view.turn is None else f", turn {view.turn.position} of {len(view.players)}"
    return f"Round {view.round}{position}"


def _clan(clan: Clan) -> Text:
    record = CLANS[clan]
    return Text(f" {record.name} ", style=_CLANS[record.colour])


def _estates(its: Board) -> Text:
    filled = [_cube("red")] * its.cattle + [_cube("blue", 2)] * its.castles
    return Text(" ").join(
        [*filled, *[_cube("green", 3)] * its.monasteries, *[Text("[]")] * its.free_estates]
    )


def _signs(view: View, seat: Seat) -> str:
    active = None if view.turn is None else view.turn.seat
    signs = {">": active, "S": view.start_seat, "M": view.marker}
    return "".join(sign if holder == seat else " " for sign, holder in signs.items())


def _legend() -> Iterator[Line]:
    gap = Text("   ")
    yield "Signs", "> has the turn   S start card   M marker of the largest following"
    court = [_cube("yellow") + " warriors", _cube("blue") + " bagpipers", _cube("green") + " monks"]
    yield "Court", gap.join(court)
    estates = [
        _cube("red") + " cattle",
        _cube("blue", 2) + " castle",
        _cube("green", 3) + " monastery",
        Text("[] free"),
    ]
    yield "Estates", gap.join(estates)


def _raid(raid: RaidView, names: tuple[str, ...]) -> Table:
    attacker, defender = names[raid.attacker], names[raid.defender]
    table = Table(title=f"Raid of {attacker} on {defender}", box=SIMPLE_HEAD)
    for title in ("Fight", attacker, defender, "Winner"):
        table.add_column(title)
    for number, fight in enumerate(raid.fights, start=1):
        winner = "nobody" if fight.winner is None else names[fight.winner]
        cards = (
            _card(each.value, bagpiper=each.bagpiper) for each in (fight.attacker, fight.defender)
        )
        table.add_row(f"{number}", *cards, winner)
    if (fought := len(raid.fights)) < FIGHTS:
        laid = "to come" if raid.commitment is None else _laid(raid.commitment)
        table.add_row(f"{fought + 1}", laid, "to come", "")
    return table


def _laid(card: CommitmentView) -> str:
    return f"{_card(card.value, bagpiper=card.bagpiper)}, face down"


def _card(value: int | None, *, bagpiper: bool) -> str:
    card = "a card" if value is None else f"{value}"
    return f"{card} + bagpiper" if bagpiper else card


def _lines(view: View, names: tuple[str, ...]) -> Iterator[Line]:
    yield "Bag", _counts(view.bag)
    yield "Cards", f"{view.deck_size} in the deck, {view.discard_size} discarded"
    yield "Estates", _supply(view)
    if view.ending is not None:
        yield "The end", reason_text(view.ending.reason)
    elif view.turn is not None:
        yield from _turn_lines(view, view.turn, names)
    if view.hand is not None:
        yield "Your hand", _cards(view.hand)
    if view.fresh is not None:
        yield "Just drawn", f"{_cards(view.fresh)}, and only of these you discard"


def _turn_lines(view: View, turn: Turn, names: tuple[str, ...]) -> Iterator[Line]:
    yield "Turn", f"{names[turn.seat]} {_DOINGS[view.stage]}"
    if turn.cubes.total:
        left = 0 if "play_bard" in turn.done else turn.action_limit - len(turn.done)
        done = ", ".join(each.replace("_", " ") for each in turn.done)
        yield "Actions", f"{left} left, {done or 'nothing'} done"
        yield "Cubes", _drawn(turn, CUBES_USED - turn.used if left else 0)
    if view.owed:
        yield "To discard", ", ".join(_debt(debt, names) for debt in view.owed)


def _drawn(turn: Turn, usable: int) -> Text:
    cubes = map(_cube, turn.cubes.each)
    return Text.assemble(Text(" ").join(cubes), f"   {usable} of them may be used")


def _debt(debt: Debt, names: tuple[str, ...]) -> str:
    return f"{names[debt.seat]} {_size(debt.count)}"


def _supply(view: View) -> str:
    left = f"{view.supply} to be had, {view.removed} left the match"
    return f"{left}; numbers seen: {', '.join(map(str, view.revealed))}" if view.revealed else left


def _counts(cubes: Cubes) -> Text:
    counts = Counter(cubes.each)
    colours = [_cube(colour) + f" {counts[colour]}" for colour in COLOURS]
    return Text("   ").join(colours) + f"   {cubes.total} in all"


def _cube(colour: Colour, count: int = 1) -> Text:
    letter, style = _CUBES[colour]
    return Text(letter * count, style=style)


def _cards(cards: Cards) -> str:
    return " ".join(map(str, cards)) or "no cards"


def _size(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"
