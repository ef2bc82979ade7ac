"""Dealing Trödler's unknown cards to the places that lack some, evenly.

Most places lack a number of any cards: there a shuffle is even. Value piles take requests and
feed only, sometimes of a told worth, sometimes of unknown number; what goes there is chosen first,
each choice as likely as the number of deals that have it.
"""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, combinations_with_replacement, product
from math import comb
from operator import le
from typing import Final, TypeVar

from howff.engine.games.troedler.data import FEED, REQUESTS, Card, Cards
from howff.engine.games.troedler.known import ValueDemand
from howff.engine.rng import Rng

T = TypeVar("T")
Split = tuple[int, ...]
"""How many requests of each worth."""

_WORTHS: Final = tuple(sorted({request.points for request in REQUESTS.values()}))
_WEIGHT_BITS: Final = 62
"""Weights are cut so that their sum fits a source of 64-bit numbers."""


@dataclass(frozen=True, slots=True)
class DiscardRoom:
    """Where unknown cards may lie besides value piles.

    `is_open` says whether the discard pile may hold some, `elsewhere` how many cards the places
    of known size lack.
    """

    is_open: bool
    elsewhere: int


class Deal:
    """The cards without a known place; every method takes some of them."""

    def __init__(self, unknown: Cards, rng: Rng) -> None:
        self.rng = rng
        requests = [card for card in unknown if card in REQUESTS]
        others = [card for card in unknown if card not in REQUESTS and card != FEED]
        self._requests = list(rng.shuffle("requests", requests))
        self._others = list(rng.shuffle("others", others))
        self._feed = unknown.count(FEED)
        self._mixed: list[Card] = []
        self._discarded: list[Card] = []

    def exact_value_piles(self, demands: Sequence[ValueDemand]) -> list[list[Card]]:
        """Return for each demand the requests and the feed whose number is known."""
        if any(demand.points is not None for demand in demands):
            piles = self._requests_worth(demands)
        else:
            piles = [list(self.take_requests(demand.requests or 0)) for demand in demands]
        for demand, pile in zip(demands, piles, strict=True):
            pile.extend([FEED] * (demand.feed or 0))
            self._feed -= demand.feed or 0
        return piles

    def take_requests(self, count: int) -> Cards:
        """Return *count* requests."""
        taken = self._requests[len(self._requests) - count :]
        del self._requests[len(self._requests) - count :]
        return tuple(taken)

    def fill_free_value_piles(
        self, demands: Sequence[ValueDemand], piles: list[list[Card]], room: DiscardRoom
    ) -> None:
        """Add to *piles* what goes where no number is known; the discard pile shares in it."""
        for_requests = [at for at, demand in enumerate(demands) if demand.requests is None]
        for_feed = [at for at, demand in enumerate(demands) if demand.feed is None]
        if not for_feed:
            return
        shares = [demands[at].possible_requests for at in for_requests]
        ways = _ways_to_split(len(self._requests), shares, room)
        lying = len(self._requests) + self._feed + len(self._others) - room.elsewhere
        feed_places = [piles[at] for at in for_feed] + [self._discarded] * room.is_open
        requests, feed = self._numbers(lying, ways[-1], len(feed_places), room)
        self._discarded += self._others[: lying - requests - feed]
        del self._others[: lying - requests - feed]
        self._spread_requests(requests, [piles[at] for at in for_requests], shares, ways)
        self._spread_feed(feed, feed_places)

    def mix(self) -> None:
        """Shuffle what is left, once all demands are met."""
        left = (*self._requests, *self._others, *((FEED,) * self._feed))
        self._mixed = list(self.rng.shuffle("places", left))

    def take(self, count: int) -> Cards:
        """Return any *count* cards."""
        taken = self._mixed[len(self._mixed) - count :]
        del self._mixed[len(self._mixed) - count :]
        return tuple(taken)

    def rest(self) -> Cards:
        """Return the cards that no other place has taken: they lie in the discard pile."""
        return (*self._discarded, *self._mixed)

    def _requests_worth(self, demands: Sequence[ValueDemand]) -> list[list[Card]]:
        by_worth = {
            worth: [card for card in self._requests if REQUESTS[card].points == worth]
            for worth in _WORTHS
        }
        available = tuple(map(len, by_worth.values()))
        choices = [_splits(demand, available) for demand in demands]
        joint = {splits: _ways_to_take(splits, available) for splits in product(*choices)}
        splits = _weighted(self.rng, joint)
        piles = [
            [
                by_worth[worth].pop()
                for worth, count in zip(_WORTHS, split, strict=True)
                for _ in range(count)
            ]
            for split in splits
        ]
        taken = {card for pile in piles for card in pile}
        self._requests = [card for card in self._requests if card not in taken]
        return piles

    def _numbers(
        self, lying: int, ways: Sequence[int], feed_places: int, room: DiscardRoom
    ) -> tuple[int, int]:
        """Return how many of the *lying* cards are requests and feed; all, if there is no discard.

        *ways* counts how that many requests can be spread.
        """
        weights = {
            (requests, feed): comb(len(self._requests), requests)
            * comb(self._feed, feed)
            * comb(len(self._others), lying - requests - feed)
            * ways[requests]
            * feed_places**feed
            for requests in range(min(len(self._requests), lying) + 1)
            for feed in range(min(self._feed, lying - requests) + 1)
            if room.is_open or requests + feed == lying
        }
        return _weighted(self.rng, weights)

    def _spread_requests(
        self, count: int, piles: list[list[Card]], shares: Sequence[range], ways: list[list[int]]
    ) -> None:
        for place in reversed(range(len(piles))):
            weights = {
                share: comb(count, share) * ways[place][count - share]
                for share in shares[place]
                if share <= count
            }
            share = _weighted(self.rng, weights)
            piles[place] += self.take_requests(share)
            count -= share
        self._discarded += self.take_requests(count)

    def _spread_feed(self, count: int, places: Sequence[list[Card]]) -> None:
        self._feed -= count
        for _ in range(count):
            places[self.rng.draw("feed", len(places))].append(FEED)


def _splits(demand: ValueDemand, available: Split) -> list[Split]:
    """Return the ways to make up the number and the points of a demand."""
    hands = combinations_with_replacement(_WORTHS, demand.requests or 0)
    splits = [
        tuple(map(hand.count, _WORTHS)) for hand in hands if demand.points in {None, sum(hand)}
    ]
    return [split for split in splits if all(map(le, split, available))]


def _ways_to_take(splits: Sequence[Split], available: Split) -> int:
    """Return in how many ways all demands together can take their splits."""
    ways = 1
    for counts, cards in zip(zip(*splits, strict=True), available, strict=True):
        for earlier, count in zip(accumulate(counts, initial=0), counts, strict=False):
            ways *= comb(max(0, cards - earlier), count)
    return ways


def _ways_to_split(requests: int, shares: Sequence[range], room: DiscardRoom) -> list[list[int]]:
    """Return in how many ways 0 … *requests* cards go to the discard pile and the first piles.

    Row k is for the discard pile and k value piles, the k-th of which takes one of *shares*[k - 1].
    """
    rows = [[1] + [int(room.is_open)] * requests]
    for possible in shares:
        row = [
            sum(
                comb(cards, share) * rows[-1][cards - share] for share in possible if share <= cards
            )
            for cards in range(requests + 1)
        ]
        rows.append(row)
    return rows


def _weighted(rng: Rng, weights: Mapping[T, int]) -> T:
    """Return one of the keys, each as likely as its weight."""
    excess = max(0, sum(weights.values()).bit_length() - _WEIGHT_BITS)
    reached = list(accumulate(weight >> excess for weight in weights.values()))
    drawn = rng.draw("weights", reached[-1])
    return list(weights)[bisect_right(reached, drawn)]
