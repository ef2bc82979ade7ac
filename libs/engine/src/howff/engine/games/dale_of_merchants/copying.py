"""What a card of the active hand may be used as: copiers, and the values of cards in use."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from howff.engine.games.dale_of_merchants.data import CARD_ORDER, CARDS, Card
from howff.engine.games.dale_of_merchants.state import (
    Ability,
    Change,
    Hand,
    HandCard,
    State,
    Turn,
    plain,
    sorted_hand,
)
from howff.engine.multisets import without
from howff.engine.seats import Seat

FLEXIBLE_SHOPKEEPER: Final = Card("flexible_shopkeeper")
REFLECTION: Final = Card("reflection")
GOOD_OLD_TIMES: Final = Card("good_old_times")
TRENDSETTING: Final = Card("trendsetting")
SEEING_DOUBLES: Final = Card("seeing_doubles")
COPIERS: Final = frozenset(
    {FLEXIBLE_SHOPKEEPER, REFLECTION, GOOD_OLD_TIMES, TRENDSETTING, SEEING_DOUBLES}
)


@dataclass(frozen=True, slots=True)
class Use:
    """A way in which a hand card may be used.

    `copy_of` is the card that it copies, None where it counts as its current type. `taken_changes`
    and `taken_abilities` are what a copy takes over, `shown` the hand cards by which it got there.
    """

    card: HandCard
    copy_of: HandCard | None
    used_as: Card
    shown: Hand = ()

    @property
    def as_type(self) -> Card | None:
        """What events tell: nothing, if the card is used as its current type."""
        return None if self.copy_of is None else self.used_as

    @property
    def taken_changes(self) -> tuple[Change, ...]:
        return () if self.copy_of is None else self.copy_of.changes

    @property
    def taken_abilities(self) -> tuple[Ability, ...]:
        return () if self.copy_of is None else self.copy_of.used

    def has_used(self, ability: Ability) -> bool:
        """Return whether the card has used *ability*, or what it copies has."""
        return ability in self.card.used or ability in self.taken_abilities


Uses = Mapping[HandCard, tuple[Use, ...]]
"""By card, in the order of the hand."""


@dataclass(frozen=True, slots=True)
class _Search:
    """What following the targets of a copier has met."""

    ends: dict[HandCard, Hand]
    """The cards it can be a copy of, with the hand cards to show."""
    good_old_times: dict[HandCard, Hand]
    """The Good Old Times it came by."""


def uses_of(state: State, seat: Seat, held: HandCard) -> tuple[Use, ...]:
    """Return the ways in which *held* may be used; a copier must be used as a copy if it can."""
    ends = _search(state, seat, held).ends if held.current in COPIERS else {}
    if not ends:
        return _as_itself(held)
    return tuple(Use(held, end, end.current, ends[end]) for end in sorted_hand(ends))


def uses_of_hand(state: State, seat: Seat) -> Uses:
    """Return the ways in which each sort of card in the hand may be used."""
    return {held: uses_of(state, seat, held) for held in state.players[seat].hand}


def use_of(state: State, seat: Seat, held: HandCard, copy_of: HandCard | None) -> Use:
    """Return the way in which a move uses *held*; the move is legal."""
    return next(use for use in uses_of(state, seat, held) if use.copy_of == copy_of)


def good_old_times_of(state: State, seat: Seat, held: HandCard) -> tuple[Use, ...]:
    """Return the ways in which *held* may throw as Good Old Times: that is no copying (R37)."""
    if held.current == GOOD_OLD_TIMES:
        return (Use(held, None, GOOD_OLD_TIMES),)
    if held.current not in COPIERS:
        return ()
    met = _search(state, seat, held).good_old_times
    return tuple(Use(held, card, GOOD_OLD_TIMES, met[card]) for card in sorted_hand(met))


def value_of(turn: Turn, use: Use) -> int:
    """Return the value of a card in use: the printed one, then all changes in their order."""
    changes = (*use.card.changes, *use.taken_changes)
    return changed_value(turn, use.used_as, changes)


def changed_value(turn: Turn, card: Card, changes: Sequence[Change] = ()) -> int:
    """Return the value of a *card* that the active seat uses, with its own *changes*."""
    value = CARDS[card].value
    if not (turn.all_up or changes):
        return value
    everywhere = (Change("add", 1, number) for number in turn.all_up)
    for change in sorted((*everywhere, *changes), key=lambda change: change.number):
        value = change.amount if change.op == "set" else value + change.amount
    return value


@lru_cache(maxsize=2**12)
def _as_itself(held: HandCard) -> tuple[Use, ...]:
    return (Use(held, None, held.current),)


def _search(state: State, seat: Seat, held: HandCard) -> _Search:
    """Follow the targets of *held*, and of copiers among them, each type of copier once.

    Only Seeing Doubles copies cards of the hand, and it is followed once; so a chain shows one hand
    card at most. Chains that show none are followed first, then in the order of the tables.
    """
    search = _Search({}, {})
    followed: set[Card] = set()
    to_follow: list[tuple[Card, Hand]] = [(held.current, ())]
    while to_follow:
        to_follow.sort(key=_fewest_shown_first)
        copier, shown = to_follow.pop(0)
        if copier in followed:
            continue
        followed.add(copier)
        for target in _targets(state, seat, held, copier):
            chain = (*shown, target) if copier == SEEING_DOUBLES else shown
            if target.current == GOOD_OLD_TIMES:
                _note(search.good_old_times, target, chain)
            if target.current not in COPIERS or not _targets(state, seat, held, target.current):
                _note(search.ends, target, chain)
            else:
                to_follow.append((target.current, chain))
    return search


def _note(found: dict[HandCard, Hand], target: HandCard, chain: Hand) -> None:
    if target not in found or _fewest_shown_first((target.card, chain)) < _fewest_shown_first(
        (target.card, found[target])
    ):
        found[target] = chain


def _fewest_shown_first(step: tuple[Card, Hand]) -> tuple[int, list[int]]:
    _, shown = step
    return len(shown), [CARD_ORDER[held.card] for held in shown]


def _targets(state: State, seat: Seat, held: HandCard, copier: Card) -> Hand:
    """Return what a *copier* would copy if *held* were one, as the owner of *held* sees it."""
    player, market = state.players[seat], state.market
    if copier == FLEXIBLE_SHOPKEEPER:
        return plain(dict.fromkeys(player.stall[-1])) if player.stall else ()
    if copier == REFLECTION:
        piles = (each.discard_pile for at, each in enumerate(state.players) if at != seat)
        return plain(dict.fromkeys(pile[-1] for pile in piles if pile))
    if copier == GOOD_OLD_TIMES:
        return plain(market.discard_pile[-1:])
    if copier == TRENDSETTING:
        return plain(dict.fromkeys(card for card in market.slots if card is not None))
    return tuple(dict.fromkeys(without(player.hand, held)))
