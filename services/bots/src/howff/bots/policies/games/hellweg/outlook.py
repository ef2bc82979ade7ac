"""What the pieces of a seat are worth to it, by what the cards to come ask for.

All amounts are tenths of a Thaler.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from howff.bots.policies.games.hellweg.reach import (
    HELD,
    KIND_OF,
    KINDS,
    OF_KIND,
    TENTHS,
    TOWN_OF,
    Demand,
    Houses,
    Joined,
    joined_by,
    marked,
    wide_by,
)
from howff.engine.games.hellweg.data import (
    MERCHANDISE_CARDS,
    ROADS,
    VILLAGE_THALER,
    House,
    MerchandiseCard,
    Road,
)
from howff.engine.games.hellweg.scoring import best_pairs, card_value
from howff.engine.games.hellweg.state import Houses as Tokens
from howff.engine.games.hellweg.state import Player, Roads

Counts = Mapping[Houses, int]
"""How many tokens lie in houses that are joined; of one kind each."""
Cards = tuple[MerchandiseCard, ...]

_MARGIN: Final = 12
"""What a sale brings whose token is still to be had, where few are possible."""
_GOODS_A_MONTH: Final = 2
"""Where so many such sales a month are possible, half of them count."""
_SHARES: Final = (30, 70)
"""How much of a hundred counts what is joined for ever, and what is joined for one sale."""
_PARTNER: Final = 16
"""In the last months but four, such a part of what a card for sale would gain counts already."""
_TRACE: Final = 2
"""For a road that leads on, even if nothing of the seat can go there yet."""
_NOTHING: Final = (0, 0)


class Outlook:
    """What pieces are worth to one seat in one position."""

    __slots__ = ("_carriages", "_counts", "_half", "_joined", "_plus", "_sums", "demand")

    def __init__(self, tokens: Tokens, carriages: Roads, cards: Cards, asked: Demand) -> None:
        self.demand = asked
        self._half = HELD * _GOODS_A_MONTH * asked.months or 1
        self._plus = 0
        for card in cards:
            kind = MERCHANDISE_CARDS[card].plus_one
            if kind is not None:
                self._plus |= OF_KIND[kind]
        self._carriages = carriages
        self._joined = joined_by(carriages)
        self._counts = [counted(tokens, joined) for joined in self._joined]
        self._sums = [self._sum(at) for at in (0, 1)]

    @property
    def worth(self) -> int:
        """What the pieces on the board are worth."""
        shares = zip(_SHARES, self._sums, strict=True)
        return sum(share * (sold + self._margin(left)) for share, (sold, left) in shares) // 100

    def of_tokens(self, house: House, tokens: int) -> int:
        """Return what so many *tokens* more in *house* are worth."""
        return self._mix(self._more(0, house, tokens), self._more(1, house, tokens))

    def of_carriage(self, road: Road) -> int:
        """Return what a carriage more on *road* is worth, with the Thaler of its village."""
        village = VILLAGE_THALER * TENTHS * ROADS[road].village
        count = self._carriages.count(road)
        if count > 1:
            return village
        is_lasting = count == 1 or ROADS[road].surface == "cobbled"
        lasting = self._join(0, road) if is_lasting else _NOTHING
        once = _NOTHING if count else self._join(1, road)
        return village + self._mix(lasting, once) + _TRACE * (not count)

    def _more(self, at: int, house: House, tokens: int) -> tuple[int, int]:
        there = self._joined[at][TOWN_OF[house]] & KIND_OF[house]
        count = self._counts[at].get(there, 0)
        sold, open_sales = self._of(there, count + tokens)
        sold_before, open_before = self._of(there, count)
        return sold - sold_before, open_sales - open_before

    def _join(self, at: int, road: Road) -> tuple[int, int]:
        """Return what changes when *road* joins two towns."""
        one, other = (self._joined[at][end] for end in ROADS[road].ends)
        sold = open_sales = 0
        if one == other:
            return _NOTHING
        counts = self._counts[at]
        for kind in KINDS:
            here, there = one & kind, other & kind
            if not (here and there):
                continue
            count, other_count = counts.get(here, 0), counts.get(there, 0)
            parts = (
                self._of(here | there, count + other_count),
                self._of(here, count),
                self._of(there, other_count),
            )
            sold += parts[0][0] - parts[1][0] - parts[2][0]
            open_sales += parts[0][1] - parts[1][1] - parts[2][1]
        return sold, open_sales

    def _sum(self, at: int) -> tuple[int, int]:
        sold = open_sales = 0
        counts = self._counts[at]
        of, plus = self.demand, self._plus
        for houses, count in counts.items():
            more, left = of[marked(houses, plus)][count]
            sold, open_sales = sold + more, open_sales + left
        for houses in wide_by(self._carriages)[at]:
            if houses not in counts:
                open_sales += of[marked(houses, plus)][0][1]
        return sold, open_sales

    def _of(self, houses: Houses, count: int) -> tuple[int, int]:
        """Return what *count* tokens in *houses* bring, and what is left for others."""
        return self.demand[marked(houses, self._plus)][count]

    def _mix(self, lasting: tuple[int, int], once: tuple[int, int]) -> int:
        """Return the worth of more sold and more left, by what is joined for ever and for once."""
        total = 0
        for share, (_, left), (more, more_left) in zip(
            _SHARES, self._sums, (lasting, once), strict=True
        ):
            total += share * more
            if more_left:
                total += share * (self._margin(left + more_left) - self._margin(left))
        return total // 100

    def _margin(self, open_sales: int) -> int:
        return _MARGIN * open_sales * self._half // (open_sales + self._half) // HELD


def outlook_of(player: Player, asked: Demand) -> Outlook:
    """Return the outlook of *player* on what is *asked* for."""
    return Outlook(player.tokens, player.carriages, player.cards, asked)


def counted(tokens: Iterable[House], joined: Joined) -> dict[Houses, int]:
    """Return how many of *tokens* lie in each set of *joined* houses of a kind."""
    counts: dict[Houses, int] = {}
    for house in tokens:
        there = joined[TOWN_OF[house]] & KIND_OF[house]
        counts[there] = counts.get(there, 0) + 1
    return counts


@lru_cache(1 << 12)
def prospect(cards: Cards, for_sale: Cards, months: int) -> int:
    """Return what merchandise *cards* are worth, and how well those *for_sale* go with them."""
    own = card_value(cards, best_pairs(cards))
    gains = (
        card_value(more, best_pairs(more)) - own - MERCHANDISE_CARDS[card].price
        for card in for_sale
        for more in ((*cards, card),)
    )
    chance = min(months, 4)
    return own * TENTHS + sum(gains) * TENTHS * chance // _PARTNER
