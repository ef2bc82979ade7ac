"""How many turns a seat still needs for its stall, as far as the cards it owns tell.

Stacks are planned from the next one up, each from one set; what no card of the seat covers has to
be bought. Worth is counted in hundredths of a turn saved, so more is better.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from howff.engine.games.dale_of_merchants.copying import COPIERS
from howff.engine.games.dale_of_merchants.data import CARDS, JUNK, SETS, STACKS, Card, Cards

TURN: Final = 100
"""The worth of a turn."""
VALUE_OF: Final[Mapping[Card, int]] = {card: record.value for card, record in CARDS.items()}
_STACK: Final = 150
"""The worth of a stack that is built: the turn for it, and the turns in which its cards come."""
_REMEMBERED: Final = 2**13
_BUYING: Final = (0, 130, 85, 95, 110, 125, 190, 200, 215)
"""What it takes to buy so much value for a stack; cards of value 1 are not for sale."""
_JUNK_DRAG: Final = 6
"""What a junk card costs for each of the coming stacks, as it is drawn instead of others."""
_DRAGGED: Final = 4
_SKILL: Final[Mapping[str, int]] = {
    "swift_broker": 8,
    "cookies": 16,
    "shattered_relic": 16,
    "spyglass": 16,
    "flashy_show": 16,
    "favourite_toy": 16,
    "prepaid_good": 20,
    "essential_purchase": 5,
    "market_discovery": 5,
    "special_offer": 12,
    "stock_clearance": 5,
    "nuisance": 10,
    "rotten_food": 16,
    "dirty_exchange": 20,
    "sabotage": 16,
    "treasure_hunter": 16,
    "stashing_vendor": 16,
    "empty_chest": 24,
    "nostalgic_item": 24,
    "acorn": 12,
    "accordion": 24,
    "winter_is_coming": 24,
    "bold_haggler": 8,
    "new_season": 8,
    "whirligig": 5,
    "charm": 8,
    "gamble": 5,
    "blindfold": 16,
    "flexible_shopkeeper": 24,
    "reflection": 24,
    "good_old_times": 28,
    "gift_voucher": 16,
    "trendsetting": 52,
    "seeing_doubles": 48,
}
"""What a card is good for beside its value, if it is owned for the whole of a match."""

Values = tuple[int, ...]


@lru_cache(maxsize=_REMEMBERED)
def promise(owned: Cards, number: int) -> int:
    """Return what the sorted cards that a seat owns are worth, if its next stack is *number*."""
    missing = STACKS + 1 - number
    if missing <= 0:
        return 0
    groups = [_values_of(owned, each) for each in SETS]
    worth = -_STACK * missing
    for stack in range(number, STACKS + 1):
        worth -= _cover(groups, stack)
    worth -= _JUNK_DRAG * owned.count(JUNK) * min(missing, _DRAGGED)
    return worth + sum(_SKILL.get(card, 0) for card in owned) * missing // STACKS


def with_card(owned: Cards, card: Card) -> Cards:
    """Return the sorted cards once *card* was added."""
    return tuple(sorted((*owned, card)))


def without_cards(owned: Cards, cards: Cards) -> Cards:
    """Return the sorted cards once *cards* were removed, as far as they were there."""
    left = list(owned)
    for card in cards:
        if card in left:
            left.remove(card)
    return tuple(left)


def _cover(groups: list[Values], stack: int) -> int:
    """Take what serves a *stack* best out of the *groups*; return what the rest of it takes."""
    least, taken = _BUYING[stack], None
    for at, values in enumerate(groups):
        for total, left in _choices(values):
            if total > stack:
                break
            if _BUYING[stack - total] < least:
                least, taken = _BUYING[stack - total], (at, left)
    if taken is not None:
        groups[taken[0]] = taken[1]
    return least


@lru_cache(maxsize=_REMEMBERED)
def _choices(values: Values) -> tuple[tuple[int, Values], ...]:
    """Return the sums that come of *values*, lowest first, each with the values left over.

    A sum is made of as few and as large values as possible.
    """
    found: dict[int, Values] = {0: ()}
    for value in reversed(values):
        for total, used in tuple(found.items()):
            more = (*used, value)
            if total + value <= STACKS and len(more) < len(found.get(total + value, (0,) * 9)):
                found[total + value] = more
    return tuple((total, _left(values, found[total])) for total in sorted(found) if total)


def _left(values: Values, used: Values) -> Values:
    left = list(values)
    for value in used:
        left.remove(value)
    return tuple(left)


def _values_of(owned: Cards, its_set: str) -> Values:
    return tuple(
        sorted(
            VALUE_OF[card] for card in owned if CARDS[card].set == its_set and card not in COPIERS
        )
    )
