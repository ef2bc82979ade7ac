"""What a seat that plays cards in Trödler has before it: the next stop or two, and deliveries."""

from collections.abc import Mapping
from typing import Final

from howff.bots.policies.games.troedler.accounts import (
    EXTRA_WORTH,
    ROUTE_WORTH,
    damages_of,
    gains_of,
    hope,
    is_last_round,
    kept,
    price_of,
    profit,
    ready,
    sorts_of,
    with_good,
)
from howff.engine.games.troedler.data import (
    HAND_LIMIT,
    NEIGHBOURS,
    REQUESTS,
    ROUTE_CARDS,
    VILLAGE_INDEX,
    Card,
    Cards,
    Good,
    Goods,
    Village,
)
from howff.engine.games.troedler.moves import (
    FeedRoute,
    FeedSubstitute,
    FeedTake,
    FulfilRequest,
    Move,
    PlayExtra,
    PlayRoute,
    TakeGood,
)
from howff.engine.games.troedler.state import State
from howff.engine.multisets import without
from howff.engine.seats import Seat

_DELIVERY: Final = 60
"""How much a delivery in the next villages is preferred to what else could be done there."""
_AT_ONCE: Final = 150
"""The same for a delivery here and now, before which there is no reason to drive on."""
_SUBSTITUTED: Final = 15
"""The same for one that needs feed."""
_NEVER: Final = -1000
_ROADS: Final[Mapping[Village, Mapping[Card, tuple[Village, ...]]]] = {
    village: {ROUTE_CARDS[route_type]: others for route_type, others in roads.items()}
    for village, roads in NEIGHBOURS.items()
}


class Outlook:
    """What the moves of a seat that plays cards promise it."""

    __slots__ = (
        "_cart",
        "_feed",
        "_gains",
        "_good",
        "_owned",
        "_sorts",
        "_spare",
        "_state",
        "_stops",
    )

    def __init__(self, state: State, seat: Seat) -> None:
        player = state.players[seat]
        self._state = state
        self._cart = player.cart
        self._owned = player.collection
        self._sorts = sorts_of(player.hand)
        self._gains = gains_of(self._sorts.requests, self._owned)
        self._stops: dict[Village, tuple[int, Good | None]] = {}
        is_last = is_last_round(state)
        # Cards over the hand limit are lost, so they cost nothing.
        self._spare = self._sorts.size <= HAND_LIMIT and not is_last
        damage = self._damage_price(seat)
        self._feed = damage + (0 if is_last else self._sorts.feed_price)
        self._good = damage // 3
        if is_last:
            # Of two goods only the first is damage.
            self._good = 0 if len(self._owned) & 1 else damage

    def _damage_price(self, seat: Seat) -> int:
        damages = damages_of(self._state)
        before = price_of(damages, seat)
        damages[seat] += 1
        return price_of(damages, seat) - before

    def weigh(self, move: Move) -> int:  # noqa: PLR0911
        """Return how much better *move* looks than to do nothing."""
        match move:
            case PlayRoute(route_type, to):
                journey = self._journey(to, self._sorts.onward[ROUTE_CARDS[route_type]])
                return journey - (ROUTE_WORTH if self._spare else 0)
            case FeedRoute(to):
                return self._journey(to, self._sorts.routes) - self._feed
            case TakeGood(good):
                return self._taken(self._cart, good)
            case PlayExtra(good):
                return self._taken(self._cart, good) - (EXTRA_WORTH if self._spare else 1)
            case FeedTake(good):
                return self._taken(self._cart, good) - self._feed
            case FulfilRequest(request):
                left, _ = kept(self._owned, REQUESTS[request].goods)
                return _AT_ONCE + self._delivered(request, left)
            case FeedSubstitute():
                return self._substituted(move)
            case _:
                return 0

    def _journey(self, to: Village, roads: Cards) -> int:
        """Return what the stop in *to* brings, and half of what the best stop after it does."""
        here, good = self._stop(to)
        later = 0
        if here < _DELIVERY:
            later = self._delivery(self._owned if good is None else with_good(self._owned, good))
        best = 0
        ways = _ROADS[to]
        for road in roads:
            for village in ways[road]:
                there, found = self._stop(village)
                if found is None and there:
                    there = later
                best = max(best, there)
        return here + best // 2

    def _stop(self, village: Village) -> tuple[int, Good | None]:
        """Return what an arrival in *village* brings, and which good is best taken there."""
        if village not in self._stops:
            self._stops[village] = self._look(village)
        return self._stops[village]

    def _look(self, village: Village) -> tuple[int, Good | None]:
        goods = self._state.goods[VILLAGE_INDEX[village]]
        if not goods:
            return (0 if self._is_shut(village) else self._delivery(self._owned)), None
        good = max(goods, key=self._gains.__getitem__)
        return max(self._taken(village, good), 0), good

    def _taken(self, village: Village, good: Good) -> int:
        """Return what *good* brings if it is taken in *village*, which may be empty then."""
        gain = self._gains[good] - self._good
        if len(self._state.goods[VILLAGE_INDEX[village]]) == 1 and not self._is_shut(village):
            gain += self._delivery(with_good(self._owned, good))
        return gain

    def _is_shut(self, village: Village) -> bool:
        return village in self._state.turn.delivered_villages

    def _delivery(self, owned: Goods) -> int:
        request = ready(self._sorts.requests, owned)
        return 0 if request is None else _DELIVERY + profit(request)

    def _substituted(self, move: FeedSubstitute) -> int:
        wanted = REQUESTS[move.request].goods
        left, lack = kept(self._owned, wanted)
        has_enough = self._owned.count(move.wanted) >= wanted.count(move.wanted)
        if has_enough or move.substitute not in left:
            return _NEVER
        brought = self._delivered(move.request, without(left, move.substitute))
        return _SUBSTITUTED + brought - lack * self._feed

    def _delivered(self, request: Card, left: Goods) -> int:
        """Return what the delivery of *request* brings to somebody with these goods *left*."""
        requests = self._sorts.requests
        wanted = REQUESTS[request]
        after = hope(without(requests, request), left) - hope(requests, self._owned)
        return profit(request) + after + len(wanted.goods) * self._good
