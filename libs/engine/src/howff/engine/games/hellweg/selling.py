"""What a seat can sell, and what it gets for it."""

from dataclasses import dataclass
from typing import Final

from howff.engine.games.hellweg.data import (
    HOUSES,
    LAST_CARD_BONUS,
    LEFTOVER_PRICE,
    MERCHANDISE_CARDS,
    PASSENGER_THALER,
    PLUS_ONE,
    ROADS_OF,
    House,
    Square,
)
from howff.engine.games.hellweg.events import LeftoverSold, MerchandiseSold
from howff.engine.games.hellweg.network import ways_between
from howff.engine.games.hellweg.state import Options, Player, Roads, Slot, State
from howff.engine.seats import Seat

_LEADING_TO: Final = {town: frozenset(roads) for town, roads in ROADS_OF.items()}
_OF_SAME_KIND: Final = {
    house: frozenset(
        other
        for other, there in HOUSES.items()
        if there.merchandise == here.merchandise and other != house
    )
    for house, here in HOUSES.items()
}
"""The other houses whose goods can be sold to a house."""


@dataclass(frozen=True, slots=True)
class Sale:
    """A token of *origin*, sold over *route*, which loses the carriages of *removes*."""

    origin: House
    route: Roads = ()
    removes: Roads = ()
    has_village: bool = False


@dataclass(frozen=True, slots=True)
class Market:
    """What all sales of a month depend on."""

    squares: tuple[Square, ...]
    """Of the open trading card."""
    options: Options
    is_last_month: bool


@dataclass(frozen=True, slots=True)
class Income:
    """What a seat gets for a token sold, in Thaler."""

    price: int
    type_bonus: int
    removal_bonus: int
    last_card_bonus: int
    passenger_bonus: int

    @property
    def total(self) -> int:
        bonuses = self.type_bonus + self.removal_bonus + self.passenger_bonus
        return self.price + bonuses + self.last_card_bonus


def market_of(state: State) -> Market:
    """Return the market of the month."""
    return Market(state.squares, state.options, state.is_last_month)


def sales_of(player: Player, wanted: House, options: Options) -> tuple[Sale, ...]:
    """Return what *player* can sell to a house: at the place first, then by house and roads.

    One sale for each pair of a house and the roads that lose a carriage: ways that differ in
    nothing else come to the same, but for the Thaler of a village, and nobody would do without it.
    """
    local = (Sale(wanted),) if wanted in player.tokens else ()
    return local + _transports(player, wanted, by_villages=options.passenger_transportation)


def merchandise_sold(
    market: Market, seat: Seat, player: Player, slot: Slot, sale: Sale
) -> MerchandiseSold:
    """Return the event of a *sale* of *player*, who sits in *seat*."""
    square = market.squares[slot - 1]
    house = HOUSES[square.house]
    income = _income(market, player, square.price, sale)
    return MerchandiseSold(
        seat=seat,
        slot=slot,
        town=house.town,
        merchandise=house.merchandise,
        origin=sale.origin,
        route=sale.route,
        removes=sale.removes,
        price=income.price,
        type_bonus=income.type_bonus,
        removal_bonus=income.removal_bonus,
        last_card_bonus=income.last_card_bonus,
        passenger_bonus=income.passenger_bonus,
        total=income.total,
    )


def leftover_sold(market: Market, seat: Seat, player: Player, origin: House) -> LeftoverSold:
    """Return the event of the sale of a token where it lies."""
    # Rulings 3 and 4: it is a sale like any other.
    income = _income(market, player, LEFTOVER_PRICE, Sale(origin))
    return LeftoverSold(
        seat=seat,
        origin=origin,
        merchandise=HOUSES[origin].merchandise,
        price=income.price,
        type_bonus=income.type_bonus,
        last_card_bonus=income.last_card_bonus,
        total=income.total,
    )


def _income(market: Market, player: Player, price: int, sale: Sale) -> Income:
    """Return what *player* gets for a *sale* at a *price*."""
    cards = [MERCHANDISE_CARDS[card] for card in player.cards]
    merchandise = HOUSES[sale.origin].merchandise
    has_passengers = market.options.passenger_transportation and sale.has_village
    return Income(
        price=price,
        type_bonus=PLUS_ONE * sum(card.plus_one == merchandise for card in cards),
        removal_bonus=PLUS_ONE * len(sale.removes) * any(card.removal_plus_one for card in cards),
        last_card_bonus=LAST_CARD_BONUS * market.is_last_month,
        passenger_bonus=PASSENGER_THALER * has_passengers,
    )


def _transports(player: Player, wanted: House, *, by_villages: bool) -> tuple[Sale, ...]:
    """Return the sales to *wanted* of goods of its kind from other towns."""
    town = HOUSES[wanted].town
    if _LEADING_TO[town].isdisjoint(player.carriages):
        return ()
    origins = [house for house in dict.fromkeys(player.tokens) if house in _OF_SAME_KIND[wanted]]
    if not origins:
        return ()
    starts = frozenset(HOUSES[origin].town for origin in origins)
    ways = ways_between(starts, town, player.carriages, by_villages=by_villages)
    return tuple(
        Sale(origin, way.route, way.removes, way.has_village)
        for origin in origins
        for way in ways
        if way.start == HOUSES[origin].town
    )
