"""What pays for a card: sums of hand cards, and how far they may exceed the price.

Whether picks can be completed is a question of sums only: the cards that are left are folded into
the few sums that matter, instead of listing all their subsets.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from howff.engine.games.dale_of_merchants.copying import Use, Uses, value_of
from howff.engine.games.dale_of_merchants.data import CARDS, SURCHARGES, Card
from howff.engine.games.dale_of_merchants.state import Hand, Payment, Pick, PurchaseTarget, State
from howff.engine.multisets import without, without_all
from howff.engine.once import once

STOCK_CLEARANCE: Final = Card("stock_clearance")
MARKET_DISCOVERY: Final = Card("market_discovery")
_MORE_THAN_ANY: Final = 10**6
_REMEMBERED: Final = 2**15
"""How many answers are kept: the same hands come again and again."""


class _Worth(NamedTuple):
    """What a card counts in a payment, used in one of its ways."""

    value: int
    is_clearance: bool
    is_discovery: bool


class _Sum(NamedTuple):
    """What some cards are worth together, as far as a payment cares."""

    total: int
    least: int
    has_clearance: bool
    has_discovery: bool

    def plus(self, worth: _Worth) -> "_Sum":
        return _Sum(
            self.total + worth.value,
            min(self.least, worth.value),
            self.has_clearance or worth.is_clearance,
            self.has_discovery or worth.is_discovery,
        )

    def pays(self, price: int, *, from_discard: bool) -> bool:
        """Return whether a price is met, and no card of the payment is needless (R1)."""
        surplus = self.total - price
        fits = surplus >= 0 and (surplus < self.least or self.has_clearance)
        return fits and (self.has_discovery or not from_discard)


_NOTHING: Final = _Sum(0, _MORE_THAN_ANY, has_clearance=False, has_discovery=False)
_Ways = tuple[_Worth, ...]
"""The ways in which one card may be used."""


def price_of(state: State, target: PurchaseTarget) -> int | None:
    """Return what a card of the market costs; None if there is none."""
    if target == "discard":
        pile = state.market.discard_pile
        return CARDS[pile[-1]].value if pile else None
    card = state.market.slots[target]
    return None if card is None else CARDS[card].value + SURCHARGES[target]


def payable_targets(state: State, hand: Hand, uses: Uses) -> Iterator[PurchaseTarget]:
    """Yield what *hand*, used so, can pay for."""
    ways = _ways_of(state, hand, uses)
    targets: tuple[PurchaseTarget, ...] = (*range(len(SURCHARGES)), "discard")
    for target in targets:
        price = price_of(state, target)
        if price is not None and _can_pay(_NOTHING, ways, price, target == "discard"):
            yield target


def possible_picks(state: State, hand: Hand, uses: Uses, payment: Payment) -> Iterator[Use]:
    """Yield the uses of cards not picked yet with which the payment can be completed."""
    picked, from_discard = _sum_of(payment.picks), payment.target == "discard"
    rest = without_all(hand, (pick.card for pick in payment.picks))
    ways = _ways_of(state, rest, uses)
    for held in dict.fromkeys(rest):
        own = tuple(_worth(state, use) for use in uses[held])
        others = without(ways, own)
        for use, worth in zip(uses[held], own, strict=True):
            if _can_pay(picked.plus(worth), others, payment.price, from_discard):
                yield use


def is_paid(payment: Payment) -> bool:
    """Return whether what is picked pays."""
    found = _sum_of(payment.picks)
    return bool(payment.picks) and found.pays(
        payment.price, from_discard=payment.target == "discard"
    )


@lru_cache(maxsize=_REMEMBERED)
def _can_pay(
    start: _Sum,
    cards: tuple[_Ways, ...],
    price: int,
    from_discard: bool,  # noqa: FBT001 — arguments by name are no key
) -> bool:
    """Return whether *start* with any of the *cards* pays; to pay nothing is no payment."""
    return any(found.pays(price, from_discard=from_discard) for found in _sums(start, cards))


@lru_cache(maxsize=_REMEMBERED)
def _sums(start: _Sum, cards: tuple[_Ways, ...]) -> frozenset[_Sum]:
    """Return what *start* with any of the *cards* is worth, if it is more than nothing."""
    reached = {start}
    for ways in cards:
        reached |= {found.plus(worth) for found in reached for worth in ways}
    return frozenset(reached - {_NOTHING})


def _sum_of(picks: Iterable[Pick]) -> _Sum:
    found = _NOTHING
    for pick in picks:
        found = found.plus(_worth_of(pick.used_as, pick.value))
    return found


def _ways_of(state: State, hand: Hand, uses: Uses) -> tuple[_Ways, ...]:
    """Return the ways of each card, in one order for hands that are worth the same."""
    ways = {held: tuple(_worth(state, use) for use in uses[held]) for held in set(hand)}
    return tuple(sorted(ways[held] for held in hand))


def _worth(state: State, use: Use) -> _Worth:
    assert state.turn is not None, "cards are used in a turn"
    return _worth_of(use.used_as, value_of(state.turn, use))


@once
def _worth_of(card: Card, value: int) -> _Worth:
    return _Worth(value, card == STOCK_CLEARANCE, card == MARKET_DISCOVERY)
