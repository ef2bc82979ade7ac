"""What is a legal payment or a legal stack, as the rules tell it, over lists of all subsets."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final

from howff.engine.games.dale_of_merchants.data import CARDS, Card

MOST_CARDS: Final = 10
"""The subsets of more cards than that are not listed."""


@dataclass(frozen=True, slots=True)
class Used:
    """A card of a payment or a stack, as what it is used."""

    card: Card
    value: int
    is_found: bool = False
    """Whether it comes from the discard pile."""


Law = Callable[[Iterable[Used]], bool]


def pays(used: Iterable[Used], price: int, *, from_discard: bool) -> bool:
    """Return whether some cards are a legal payment."""
    cards, values = [each.card for each in used], [each.value for each in used]
    if not values or sum(values) < price:
        return False
    fits = sum(values) - price < min(values) or "stock_clearance" in cards
    return fits and ("market_discovery" in cards or not from_discard)


def is_stack(used: Iterable[Used], number: int) -> bool:
    """Return whether some cards are a legal stack."""
    everything = list(used)
    cards = [each.card for each in everything]
    held = [each.card for each in everything if not each.is_found]
    found = len(everything) - len(held)
    sets = {CARDS[card].set for card in held if card != "junk"}
    return (
        bool(held)
        and found <= cards.count(Card("nostalgic_item"))
        and (not found or "nostalgic_item" in held)
        and ("junk" not in held or "stashing_vendor" in cards)
        and (len(sets) <= 1 or "empty_chest" in cards)
        and abs(sum(each.value for each in everything) - number) <= cards.count(Card("accordion"))
    )


def subsets(cards: list[tuple[Used, ...]]) -> Iterator[tuple[Used, ...]]:
    """Yield every choice of some of the cards, each used in one way."""
    for count in range(len(cards) + 1):
        for chosen in combinations(cards, count):
            yield from product(*chosen)
