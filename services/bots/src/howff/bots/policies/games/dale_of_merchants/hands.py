"""The ways to part a hand into what is used and what is kept, and what the rest is worth."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from howff.bots.policies.games.dale_of_merchants.holdings import VALUE_OF, promise
from howff.engine.games.dale_of_merchants.copying import COPIERS, uses_of, value_of
from howff.engine.games.dale_of_merchants.data import CARDS, HAND, JUNK, SETS, Card, Cards
from howff.engine.games.dale_of_merchants.state import HandCard, State
from howff.engine.seats import Seat

_REMEMBERED: Final = 2**13
_REMEMBERED_SPLITS: Final = 2**11
_MOST_WAYS: Final = 4
"""So many ways of using one copier are looked at."""
_UNBOUND: Final = 100
"""The slack of a payment with a Stock Clearance."""
_MOST_SHIFTS: Final = 3
"""So many copies of an Accordion may come into one stack, as good as always."""
_READY: Final = 30
"""The worth of a hand from which the next stack can be built."""
_PARTLY: Final = 20
"""That of one which has most of the next stack."""
_POWER: Final = 5
"""The worth of a hand card by its value, as it pays."""
_FRESH: Final = 4
"""That of a card yet to be drawn, beside its value."""


class Piece(NamedTuple):
    """A hand card, what it is used as, and its value then."""

    card: Card
    used_as: Card
    value: int


Ways = tuple[Piece, ...]
"""The ways in which one card may be used."""


class Split(NamedTuple):
    """Some cards of a hand that are used together, and those that are kept, sorted."""

    used: tuple[Piece, ...]
    kept: Cards
    total: int
    slack: int
    """As a payment it has to exceed the price by less than that."""


_COOKIES: Final = Card("cookies")
_VENDOR: Final = Card("stashing_vendor")
_ACCORDION: Final = Card("accordion")
_CHEST: Final = Card("empty_chest")
_PLAIN: Final[Mapping[Card, Ways]] = {
    card: (Piece(card, card, value),) for card, value in VALUE_OF.items()
}


def ways_of_hand(state: State, seat: Seat) -> tuple[Ways, ...]:
    """Return how each card in the hand of *seat* may be used, sorted."""
    return tuple(sorted(ways_of(state, seat, held) for held in state.players[seat].hand))


def ways_of(state: State, seat: Seat, held: HandCard) -> Ways:
    """Return how *held* may be used in this turn; outside of its turn as it is printed."""
    turn = state.turn
    if turn is None or turn.seat != seat or not (turn.changes or held.current in COPIERS):
        return _PLAIN[held.current]
    uses = uses_of(state, seat, held)[:_MOST_WAYS]
    return tuple(Piece(held.card, use.used_as, value_of(turn, use)) for use in uses)


def plain_ways(card: Card) -> Ways:
    """Return how *card* may be used as it is printed."""
    return _PLAIN[card]


@lru_cache(maxsize=_REMEMBERED_SPLITS)
def splits(hand: tuple[Ways, ...]) -> tuple[Split, ...]:
    """Return all ways to part a sorted hand; the first one uses nothing."""
    found = [Split((), (), 0, _UNBOUND - 1)]
    for ways in dict.fromkeys(hand):
        count = hand.count(ways)
        found = [more for split in found for more in _more(split, ways, count)]
    return tuple(found)


def _more(split: Split, ways: Ways, count: int) -> Iterator[Split]:
    """Yield *split* with none to *count* more cards used, and the rest of those kept."""
    used, kept, total, slack = split
    card = ways[0].card
    yield Split(used, kept + (card,) * count, total, slack)
    for piece in ways:
        for number in range(1, count + 1):
            yield Split(
                used + (piece,) * number,
                kept + (card,) * (count - number),
                total + piece.value * number,
                _slack(slack, piece),
            )


def _slack(slack: int, piece: Piece) -> int:
    if slack == _UNBOUND or piece.used_as == "stock_clearance":
        return _UNBOUND
    return min(slack, piece.value)


def is_payment(split: Split, price: int) -> bool:
    """Return whether what is used pays a price."""
    return 0 <= split.total - price < split.slack


def is_stack(split: Split, number: int) -> bool:
    """Return whether what is used makes a stack; cards of the discard pile are not looked at."""
    shift = abs(split.total - number)
    if shift > _MOST_SHIFTS or not split.used:
        return False
    names = [piece.used_as for piece in split.used]
    if shift > names.count(_ACCORDION):
        return False
    sets = {CARDS[name].set for name in names if name != JUNK}
    if JUNK in names and "stashing_vendor" not in names:
        return False
    return len(sets) <= 1 or "empty_chest" in names


def rest(kept: Cards, owned: Cards, number: int) -> int:
    """Return what a seat has at the end of its turn, with some cards kept and others to draw."""
    return promise(owned, number) + _drawing(kept, owned) + _keeping(kept, number)


def rests(parts: tuple[Split, ...], owned: Cards, number: int) -> list[int]:
    """Return what a seat has at the end of its turn with each of these parts of its hand kept."""
    worth = promise(owned, number)
    return [worth + _drawing(split.kept, owned) + _keeping(split.kept, number) for split in parts]


def _drawing(kept: Cards, owned: Cards) -> int:
    """Return what the cards are worth that fill the hand beside those kept."""
    missing = HAND + kept.count(_COOKIES) - len(kept)
    if missing <= 0:
        return 0
    to_draw = len(owned) - len(kept)
    if to_draw <= 0:
        return missing * _POWER
    return missing * (_POWER * (_value(owned) - _value(kept)) // to_draw + _FRESH)


@lru_cache(maxsize=_REMEMBERED)
def _value(cards: Cards) -> int:
    return sum(map(VALUE_OF.__getitem__, cards))


@lru_cache(maxsize=_REMEMBERED)
def _keeping(kept: Cards, number: int) -> int:
    """Return what it is worth to have these sorted cards in the hand."""
    worth, sums = _POWER * _value(kept), _sums_of(kept)
    if any(each >> number & 1 for each in sums):
        following = any(each >> number + 1 & each >> number & 1 for each in sums)
        return worth + _READY + _READY // 2 * following
    nearest = max(each & (1 << number) - 1 for each in sums).bit_length() - 1
    return worth + _PARTLY * nearest // number


def _sums_of(kept: Cards) -> list[int]:
    """Return the sums that stacks of these cards may have: of each set, bit by bit."""
    sums = dict.fromkeys(SETS, 1)
    for card in kept:
        its_set = CARDS[card].set
        if its_set is not None:
            sums[its_set] |= sums[its_set] << VALUE_OF[card]
    found = list(sums.values())
    if _VENDOR in kept:
        found.append(_all_shifted(sums["squirrels"], kept.count(JUNK)))
    if _ACCORDION in kept:
        found.append(sums["squirrels"] << 1 | sums["squirrels"] >> 1)
    if _CHEST in kept:
        together = 1
        for card in kept:
            together |= together << VALUE_OF[card] * (card != JUNK)
        found.append(together)
    return found


def _all_shifted(sums: int, count: int) -> int:
    """Return these sums with none to *count* added."""
    for _ in range(count):
        sums |= sums << 1
    return sums
