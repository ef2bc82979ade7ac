"""How places, pieces and cards of Hellweg Westfalicus are called."""

from collections.abc import Sequence
from typing import Final

from howff.engine.games.hellweg.data import (
    HOUSES,
    MERCHANDISE_CARDS,
    ROADS,
    TOWNS,
    TRADING_CARDS,
    CardRecord,
    House,
    MerchandiseCard,
    Privilege,
    Road,
    Square,
    Town,
    TradingCard,
)
from howff.engine.words import counted, listed

PRIVILEGE_NAMES: Final[dict[Privilege, str]] = {
    "storage": "storage",
    "stock_up": "stocking up",
    "take_thaler": "taking a Thaler",
}
"""What a privilege is for."""


def thaler(amount: int) -> str:
    """Return an amount of money; the plural of Thaler is Thaler."""
    return f"{amount} Thaler"


def town_text(town: Town) -> str:
    """Return the name of a town."""
    return TOWNS[town].name


def town_of(house: House) -> str:
    """Return the name of the town in which a house stands."""
    return town_text(HOUSES[house].town)


def house_text(house: House) -> str:
    """Return "the beer house of Hamm"."""
    return f"the {HOUSES[house].merchandise} house of {town_of(house)}"


def goods_text(house: House) -> str:
    """Return what is sold to a house, or out of it: "beer in Hamm"."""
    return f"{HOUSES[house].merchandise} in {town_of(house)}"


def road_text(road: Road) -> str:
    """Return "Hamm-Soest"."""
    return route_text(ROADS[road].ends)


def route_text(ends: tuple[Town, Town]) -> str:
    """Return the two towns at the ends of a road or of a route."""
    return "-".join(map(town_text, ends))


def described_road(road: Road) -> str:
    """Return a road with what matters of it, such as "Hamm-Mönster (cobbled, village)"."""
    village = ", village" if ROADS[road].village else ""
    return f"{road_text(road)} ({ROADS[road].surface}{village})"


def roads_text(roads: Sequence[Road]) -> str:
    """Return "Hamm-Soest and Olpe-Siegen"."""
    return listed(list(map(road_text, roads)))


def origin_text(origin: str) -> str:
    """Return where a piece is taken from: a house, a road or the warehouse."""
    if origin in HOUSES:
        return house_text(House(origin))
    return road_text(Road(origin)) if origin in ROADS else "the warehouse"


def pieces_text(tokens: int, carriages: int, black: int = 0) -> str:
    """Return "2 tokens, 1 carriage and 2 black carriages", without what there is none of."""
    counts = ((tokens, "token"), (carriages, "carriage"), (black, "black carriage"))
    return listed([counted(count, noun) for count, noun in counts if count])


def purchase_text(square: Square) -> str:
    """Return what a square of a trading card sells: "2 beer and 1 carriage in Hamm"."""
    goods = [f"{square.tokens} {HOUSES[square.house].merchandise}"]
    if square.carriages:
        goods.append(counted(square.carriages, "carriage"))
    return f"{listed(goods)} in {town_of(square.house)}"


def square_text(square: Square) -> str:
    """Return a whole square of a trading card."""
    pieces = pieces_text(square.tokens, square.carriages)
    return f"{goods_text(square.house)} for {square.price} ({pieces})"


def trading_card_text(card: TradingCard | None) -> str:
    """Return which trading card it is, where that is known."""
    return "a trading card" if card is None else f"trading card {trading_card_number(card)}"


def trading_card_number(card: TradingCard) -> int:
    """Return the number by which players call a trading card."""
    return list(TRADING_CARDS).index(card) + 1


def card_text(card: MerchandiseCard) -> str:
    """Return what a merchandise card is and does, such as "coal (+1 for salt)"."""
    function = function_text(MERCHANDISE_CARDS[card])
    return f"{card_name(card)} ({function})" if function else f"plain {card_name(card)}"


def card_name(card: MerchandiseCard) -> str:
    """Return the kind of a merchandise card, with a number where others do the same."""
    record = MERCHANDISE_CARDS[card]
    alike = [
        other
        for other, each in MERCHANDISE_CARDS.items()
        if (each.kind, function_text(each)) == (record.kind, function_text(record))
    ]
    return record.kind if len(alike) == 1 else f"{record.kind} {alike.index(card) + 1}"


def function_text(record: CardRecord) -> str:
    """Return what a merchandise card does, or nothing."""
    if record.plus_one is not None:
        return f"+1 for {record.plus_one}"
    if record.removal_plus_one:
        return "+1 for each carriage removed"
    if record.banner is None:
        return ""
    return f"{' with '.join(record.banner.kinds)} counts {record.banner.pays}"


def privileges_text(privileges: Sequence[Privilege]) -> str:
    """Return "the privileges of storage and stocking up"."""
    noun = "privilege" if len(privileges) == 1 else "privileges"
    return f"the {noun} of {listed([PRIVILEGE_NAMES[each] for each in privileges])}"
