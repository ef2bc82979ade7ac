"""What makes a stack: cards of one set whose values add up to the number of the stack.

As with payments, what is left is folded into the few summaries that matter.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from howff.engine.games.dale_of_merchants.copying import (
    Use,
    Uses,
    changed_value,
    value_of,
)
from howff.engine.games.dale_of_merchants.data import CARDS, JUNK, Card, SetId
from howff.engine.games.dale_of_merchants.state import Build, Hand, Player, State, Turn, next_stack
from howff.engine.multisets import without, without_all
from howff.engine.once import once

STASHING_VENDOR: Final = Card("stashing_vendor")
EMPTY_CHEST: Final = Card("empty_chest")
NOSTALGIC_ITEM: Final = Card("nostalgic_item")
ACCORDION: Final = Card("accordion")
WINTER_IS_COMING: Final = Card("winter_is_coming")
_REMEMBERED: Final = 2**15
"""How many answers are kept: the same hands come again and again."""


class _Part(NamedTuple):
    """A card that may go into a stack: from the hand, or from the own discard pile."""

    card: Card
    value: int
    is_from_hand: bool


class _Summary(NamedTuple):
    """Some cards of a stack, as far as its rules care."""

    total: int = 0
    has_hand_cards: bool = False
    sets: frozenset[SetId] = frozenset()
    """Of the cards from the hand."""
    has_junk: bool = False
    """From the hand."""
    has_vendor: bool = False
    has_chest: bool = False
    has_own_item: bool = False
    """Whether a Nostalgic Item comes from the hand."""
    has_found: bool = False
    """Whether a card comes from the discard pile."""
    items_left: int = 0
    """How many Nostalgic Items bring no card yet; below zero if some are missing."""
    accordions: int = 0

    def plus(self, part: _Part) -> "_Summary":
        card, from_hand = part.card, part.is_from_hand
        own_set = CARDS[card].set if from_hand else None
        is_item = card == NOSTALGIC_ITEM
        return _Summary(
            total=self.total + part.value,
            has_hand_cards=self.has_hand_cards or from_hand,
            sets=self.sets if own_set is None else self.sets.union((own_set,)),
            has_junk=self.has_junk or (from_hand and card == JUNK),
            has_vendor=self.has_vendor or card == STASHING_VENDOR,
            has_chest=self.has_chest or card == EMPTY_CHEST,
            has_own_item=self.has_own_item or (from_hand and is_item),
            has_found=self.has_found or not from_hand,
            items_left=self.items_left + is_item - (not from_hand),
            accordions=self.accordions + (card == ACCORDION),
        )

    def is_stack(self, number: int) -> bool:
        """Return whether the cards are stack *number*."""
        return (
            self.has_hand_cards
            and self.items_left >= 0
            and (self.has_own_item or not self.has_found)
            and (self.has_vendor or not self.has_junk)
            and (self.has_chest or len(self.sets) <= 1)
            and abs(self.total - number) <= self.accordions
        )


_EMPTY: Final = _Summary()

_Ways = tuple[_Part, ...]
"""The ways in which one card may be used."""


def can_build(state: State, player: Player, uses: Uses) -> bool:
    """Return whether *player*, with cards used so, can build its next stack now."""
    number, hand = next_stack(player), _ways_of(state, player.hand, uses)
    if not _brings(hand, NOSTALGIC_ITEM):
        return _makes_stack(_EMPTY, hand, number)
    pile = tuple((part,) for _, part in _pile_left(state, player, Build(number)))
    return _can_complete(_EMPTY, hand, pile, number)


def is_stack(build: Build) -> bool:
    """Return whether what is picked is a stack."""
    return _picked(build).is_stack(build.number)


def possible_uses(state: State, player: Player, uses: Uses, build: Build) -> Iterator[Use]:
    """Yield the uses of hand cards not picked yet with which the stack can be completed."""
    picked, rest = _picked(build), _hand_left(player, build)
    ways = _ways_of(state, rest, uses)
    pile = tuple((part,) for _, part in _pile_left(state, player, build))
    for held in dict.fromkeys(rest):
        own = tuple(_part(state, use) for use in uses[held])
        others = without(ways, own)
        for use, part in zip(uses[held], own, strict=True):
            if _can_complete(picked.plus(part), others, pile, build.number):
                yield use


def possible_positions(state: State, player: Player, uses: Uses, build: Build) -> Iterator[int]:
    """Yield the positions in the own discard pile of cards with which it can be completed."""
    picked = _picked(build)
    hand = _ways_of(state, _hand_left(player, build), uses)
    if not picked.has_own_item and not _brings(hand, NOSTALGIC_ITEM):
        return
    pile = list(_pile_left(state, player, build))
    for position, part in pile:
        others = tuple((other,) for at, other in pile if at != position)
        if _can_complete(picked.plus(part), hand, others, build.number):
            yield position


def _can_complete(
    start: _Summary, hand: tuple[_Ways, ...], pile: tuple[_Ways, ...], number: int
) -> bool:
    """Return whether some of the cards that are left make a stack of *start*."""
    may_find = start.has_own_item or _brings(hand, NOSTALGIC_ITEM)
    return _makes_stack(start, (*hand, *sorted(pile)) if may_find else hand, number)


@lru_cache(maxsize=_REMEMBERED)
def _makes_stack(start: _Summary, cards: tuple[_Ways, ...], number: int) -> bool:
    most = number + start.accordions + _brings(cards, ACCORDION)
    items = _brings(cards, NOSTALGIC_ITEM)
    if start.total > most:
        return False
    if start.is_stack(number):
        return True
    reached = {start}
    for ways in cards:
        more = {found.plus(part) for found in reached for part in ways}
        fitting = {each for each in more if each.total <= most and each.items_left >= -items}
        if any(each.is_stack(number) for each in fitting):
            return True
        reached |= fitting
    return False


def _brings(cards: Iterable[_Ways], wanted: Card) -> int:
    """Return how many of *cards* may be used as the *wanted* one."""
    return sum(any(part.card == wanted for part in ways) for ways in cards)


def _picked(build: Build) -> _Summary:
    found = _EMPTY
    for pick in build.picks:
        found = found.plus(_Part(pick.used_as, pick.value, pick.position is None))
    return found


def _hand_left(player: Player, build: Build) -> Hand:
    picked = (pick.card for pick in build.picks if pick.position is None)
    return without_all(player.hand, picked)


def _pile_left(state: State, player: Player, build: Build) -> Iterator[tuple[int, _Part]]:
    picked = {pick.position for pick in build.picks}
    for position, card in enumerate(player.discard_pile):
        if position not in picked:
            yield position, _Part(card, changed_value(_turn(state), card), is_from_hand=False)


def _ways_of(state: State, hand: Hand, uses: Uses) -> tuple[_Ways, ...]:
    ways = {held: tuple(_part(state, use) for use in uses[held]) for held in set(hand)}
    return tuple(ways[held] for held in hand)


def _part(state: State, use: Use) -> _Part:
    return _part_of_hand(use.used_as, value_of(_turn(state), use))


@once
def _part_of_hand(card: Card, value: int) -> _Part:
    return _Part(card, value, is_from_hand=True)


def _turn(state: State) -> Turn:
    assert state.turn is not None, "stacks are built in a turn"
    return state.turn
