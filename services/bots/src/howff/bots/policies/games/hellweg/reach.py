"""Which houses a seat's carriages join, and what the trading cards to come ask for there.

Houses are bits of an integer, in the order of the table, so that sets of them are cheap to join.
All amounts are tenths of a Thaler.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from howff.engine.games.hellweg.data import (
    HOUSES,
    LAST_CARD_BONUS,
    PLUS_ONE,
    ROADS,
    TOKENS,
    TOWNS,
    TRADING_CARDS,
    House,
    Merchandise,
    Square,
    Town,
    TradingCard,
)
from howff.engine.games.hellweg.state import Roads, Slot

Houses = int
"""A set of houses."""
Sales = tuple[tuple[int, int], ...]
"""By the number of tokens: what they bring together, and how many sales are left for others.

The latter are weighted by `HELD` and `UNHELD`.
"""
Joined = Mapping[Town, Houses]
"""For each town the houses in all towns that are joined with it."""

TENTHS: Final = 10
BIT: Final[Mapping[House, Houses]] = {house: 1 << at for at, house in enumerate(HOUSES)}
OF_KIND: Final[Mapping[Merchandise, Houses]] = {
    kind: sum(BIT[house] for house, record in HOUSES.items() if record.merchandise == kind)
    for kind in ("beer", "salt", "ironware")
}
ALL_HOUSES: Final = sum(BIT.values())
KINDS: Final = tuple(OF_KIND.values())
KIND_OF: Final[Mapping[House, Houses]] = {
    house: OF_KIND[record.merchandise] for house, record in HOUSES.items()
}
TOWN_OF: Final[Mapping[House, Town]] = {house: record.town for house, record in HOUSES.items()}
IN_TOWN: Final[Joined] = {
    town: sum(BIT[house] for house in HOUSES if TOWN_OF[house] == town) for town in TOWNS
}

HELD: Final = 4
"""How a sale counts whose token is still to be had, where another one lies already."""
UNHELD: Final = 2
"""How it counts where none does."""
_COUNTS: Final = TOKENS + 3
"""A seat owns no more tokens, but it may be asked what one or two more would bring."""
_LATER: Final = 80
"""What is sold in a later month counts so much in a hundred."""
_CACHED: Final = 1 << 14


class Demand(dict[Houses, Sales]):
    """The squares in which a seat may still sell, and what comes of it.

    For a set of houses that are joined, all of one kind, it tells what so many tokens that lie
    there bring. Houses that are marked (see `marked`) bring a Thaler more a sale.
    """

    __slots__ = ("_later", "_today", "months")

    def __init__(self, today: tuple[Square, ...], later: tuple[Square, ...], months: int) -> None:
        super().__init__()
        self._today = today
        self._later = later
        self.months = months

    def __missing__(self, houses: Houses) -> Sales:
        plus = PLUS_ONE if houses >> len(BIT) else 0
        found = self[houses] = _sales(sorted(self._prices(houses, plus), reverse=True), houses)
        return found

    def _prices(self, houses: Houses, plus: int) -> Iterator[int]:
        last = 0 if self.months else LAST_CARD_BONUS
        for square in self._today:
            if BIT[square.house] & houses:
                yield (square.price + plus + last) * TENTHS
        prices = [square.price for square in self._later if BIT[square.house] & houses]
        # Who waits for the best price seldom gets it, so all are taken half way to their mean.
        mean = sum(prices) * TENTHS // max(len(prices), 1)
        bonus = plus * TENTHS + LAST_CARD_BONUS * TENTHS // max(self.months, 1)
        for price in prices:
            yield ((price * TENTHS + mean) // 2 + bonus) * _LATER // 100


def marked(houses: Houses, plus: Houses) -> Houses:
    """Return *houses*, marked if they are among those whose sales bring a Thaler more."""
    return houses | (houses & plus) << len(BIT)


def is_wide(houses: Houses) -> bool:
    """Return whether there are two or more *houses*."""
    return bool(houses & (houses - 1))


def _sales(prices: list[int], houses: Houses) -> Sales:
    """Return what comes of no token, one and so on; the best *prices* are taken first."""
    wide = is_wide(houses & ALL_HOUSES)
    found = [(0, len(prices) * UNHELD if wide else 0)]
    for count in range(1, _COUNTS):
        left = max(len(prices) - count, 0)
        found.append((sum(prices[:count]), left * HELD))
    return tuple(found)


@lru_cache(_CACHED)
def joined_by(carriages: Roads) -> tuple[Joined, Joined]:
    """Return what *carriages* join for ever, and what they join for at least one sale."""
    lasting = (
        road
        for road in dict.fromkeys(carriages)
        if ROADS[road].surface == "cobbled" or carriages.count(road) > 1
    )
    return _joined(tuple(lasting)), _joined(carriages)


@lru_cache(_CACHED)
def wide_by(carriages: Roads) -> tuple[tuple[Houses, ...], tuple[Houses, ...]]:
    """Return the sets of two and more houses of a kind that are joined, for ever and for once."""
    lasting, once = joined_by(carriages)
    return _wide(lasting), _wide(once)


def _wide(joined: Joined) -> tuple[Houses, ...]:
    sets = dict.fromkeys(houses & kind for houses in joined.values() for kind in KINDS)
    return tuple(houses for houses in sets if is_wide(houses))


@lru_cache(_CACHED)
def _joined(roads: Roads) -> Joined:
    joined = dict(IN_TOWN)
    for road in roads:
        one, other = (joined[end] for end in ROADS[road].ends)
        if one != other:
            for town, houses in joined.items():
                if houses in (one, other):
                    joined[town] = one | other
    return joined


@lru_cache(_CACHED)
def demand(stack: frozenset[TradingCard], card: TradingCard | None, ahead: Slot | None) -> Demand:
    """Return the demand of the cards of *stack*, and of *card* from the slot *ahead* on."""
    today = () if card is None or ahead is None else TRADING_CARDS[card][ahead - 1 :]
    later = (square for each in TRADING_CARDS if each in stack for square in TRADING_CARDS[each])
    return Demand(today, tuple(later), len(stack))
