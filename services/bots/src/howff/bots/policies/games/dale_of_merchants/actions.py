"""What each action of a turn leads to, as far as it can be foreseen."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from howff.bots.policies.games.dale_of_merchants.hands import (
    Split,
    Ways,
    is_payment,
    is_stack,
    rest,
    rests,
    splits,
    ways_of_hand,
)
from howff.bots.policies.games.dale_of_merchants.holdings import (
    VALUE_OF,
    with_card,
    without_cards,
)
from howff.engine.games.dale_of_merchants.data import JUNK, SURCHARGES, Card, Cards
from howff.engine.games.dale_of_merchants.legality import MOST_THROWN
from howff.engine.games.dale_of_merchants.state import PurchaseTarget, State
from howff.engine.seats import Seat

_REMEMBERED: Final = 2**13
_ONE_AFTER_WINTER: Final = 60
"""The worth of an extra stack that may be built at once."""


_Keeping = tuple[int, Split]
"""A split of a hand, and what a seat has at the end of its turn with the cards kept."""


class Position(NamedTuple):
    """What a seat has, and what it may buy: all that its actions depend on."""

    hand: tuple[Ways, ...]
    """Sorted."""
    owned: Cards
    """All cards of the seat but those in its stall, sorted."""
    number: int
    """That of the next stack."""
    slots: tuple[Card | None, ...]
    found: Card | None
    """The top of the market's discard pile."""

    def without(self, ways: Ways) -> "Position":
        """Return the position once a card has left the hand, but is still owned."""
        hand = list(self.hand)
        hand.remove(ways)
        return self._replace(hand=tuple(hand))


class Actions(NamedTuple):
    """What the actions that end a turn are worth, as far as they are possible."""

    stack: int | None
    purchases: Mapping[PurchaseTarget, int]
    inventory: int

    @property
    def best(self) -> int:
        return max(
            self.inventory,
            self.inventory if self.stack is None else self.stack,
            *self.purchases.values(),
        )


def position_of(state: State, seat: Seat) -> Position:
    """Return the position of *seat*."""
    player, market = state.players[seat], state.market
    hand = ways_of_hand(state, seat)
    return Position(
        hand,
        owned_by(state, seat),
        len(player.stall) + 1,
        market.slots,
        market.discard_pile[-1] if market.discard_pile and _has_discovery(hand) else None,
    )


def owned_by(state: State, seat: Seat) -> Cards:
    """Return all cards of *seat* but those in its stall, sorted."""
    player, turn = state.players[seat], state.turn
    cards = [held.card for held in player.hand]
    cards += player.deck
    cards += player.discard_pile
    if turn is not None and turn.seat == seat:
        cards += [pick.card.card for pick in turn.paid]
        if turn.in_play is not None:
            cards.append(turn.in_play.card)
            if turn.in_play.effect == "spyglass":
                cards += state.private.looked_at
    cards.sort()
    return tuple(cards)


@lru_cache(maxsize=_REMEMBERED)
def actions_of(position: Position) -> Actions:
    """Return what the actions in a *position* are worth."""
    parts = splits(position.hand)
    keeping = tuple(zip(rests(parts, position.owned, position.number), parts, strict=True))
    purchases: dict[PurchaseTarget, int] = {}
    for slot, card in enumerate(position.slots):
        if card is not None:
            price = VALUE_OF[card] + SURCHARGES[slot]
            _add_purchase(purchases, slot, _payments(keeping, price), position, card)
    if (card := position.found) is not None:
        paying = [each for each in _payments(keeping, VALUE_OF[card]) if _discovers(each[1])]
        _add_purchase(purchases, "discard", paying, position, card)
    stack = max((worth for worth, _ in stacks(position)), default=None)
    return Actions(stack, purchases, max(keeping)[0])


@lru_cache(maxsize=_REMEMBERED)
def payments(position: Position, card: Card, price: int) -> tuple[_Keeping, ...]:
    """Return the ways to pay for *card*, with what the seat has then."""
    paying = (split for split in splits(position.hand) if is_payment(split, price))
    return tuple((_bought(position, card, split), split) for split in paying)


@lru_cache(maxsize=_REMEMBERED)
def stacks(position: Position) -> tuple[_Keeping, ...]:
    """Return the ways to build the next stack, with what the seat has then."""
    building = (split for split in splits(position.hand) if is_stack(split, position.number))
    return tuple((_stacked(position, split), split) for split in building)


def _stacked(position: Position, split: Split) -> int:
    owned = without_cards(position.owned, tuple(piece.card for piece in split.used))
    extra = sum(piece.used_as == "winter_is_coming" for piece in split.used)
    return rest(split.kept, owned, position.number + 1) + extra * _ONE_AFTER_WINTER


def _bought(position: Position, card: Card, split: Split) -> int:
    owned = with_card(position.owned, card)
    if card == "essential_purchase":
        junk = tuple(piece.card for piece in split.used if piece.used_as == JUNK)[:MOST_THROWN]
        owned = without_cards(owned, junk)
    return rest(tuple(sorted((*split.kept, card))), owned, position.number)


def _payments(keeping: Sequence[_Keeping], price: int) -> list[_Keeping]:
    return [each for each in keeping if is_payment(each[1], price)]


def _add_purchase(
    purchases: dict[PurchaseTarget, int],
    target: PurchaseTarget,
    paying: list[_Keeping],
    position: Position,
    card: Card,
) -> None:
    """Add what a purchase is worth that is paid so that the best cards are kept, if it can be."""
    if paying:
        purchases[target] = _bought(position, card, max(paying)[1])


def _discovers(split: Split) -> bool:
    return any(piece.used_as == "market_discovery" for piece in split.used)


def _has_discovery(hand: tuple[Ways, ...]) -> bool:
    return any(piece.used_as == "market_discovery" for ways in hand for piece in ways)
