"""What it is worth to play a technique, before its own choices are made."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from howff.bots.policies.games.dale_of_merchants.actions import Position, actions_of
from howff.bots.policies.games.dale_of_merchants.hands import Ways, plain_ways, rest
from howff.bots.policies.games.dale_of_merchants.holdings import (
    VALUE_OF,
    promise,
    with_card,
    without_cards,
)
from howff.engine.games.dale_of_merchants.data import JUNK, Card, Cards
from howff.engine.games.dale_of_merchants.state import State
from howff.engine.seats import Seat

_FRESH_HAND: Final = 70
"""What an action with a hand newly drawn brings, usually."""
_DRAW: Final = 15
_STOLEN: Final = 15
"""What it is worth that another seat has a card less."""
_BONUS: Final[Mapping[str, int]] = {
    "spyglass": 30,
    "nuisance": 15,
    "sabotage": 30,
    "charm": 15,
    "gamble": -5,
    "blindfold": 20,
    "loyal_partner": -3,
}
"""What techniques that only add to the turn bring."""

Judge = Callable[[State, Seat, Position], int]


def technique(state: State, seat: Seat, effect: Card, position: Position) -> int:
    """Return what a seat has once it has played *effect*; that card is out of the *position*."""
    if effect in _JUDGES:
        return _JUDGES[effect](state, seat, position)
    return best(position) + _BONUS.get(effect, 0)


def best(position: Position) -> int:
    """Return what the best action promises; without cards there is none."""
    if position.hand:
        return actions_of(position).best
    return rest((), position.owned, position.number)


def held(position: Position, card: Card) -> Position:
    """Return the position with one of the owned cards drawn or taken into the hand."""
    return position._replace(hand=tuple(sorted((*position.hand, plain_ways(card)))))


def gained(position: Position, card: Card) -> Position:
    """Return the position with a new card in the hand."""
    return held(position, card)._replace(owned=with_card(position.owned, card))


def lost(position: Position, ways: Ways) -> Position:
    """Return the position with a hand card gone to others."""
    owned = without_cards(position.owned, (ways[0].card,))
    return position.without(ways)._replace(owned=owned)


def at_rest(position: Position) -> int:
    """Return what a seat has whose turn ends now."""
    kept = tuple(sorted(ways[0].card for ways in position.hand))
    return rest(kept, position.owned, position.number)


def best_gain(position: Position, cards: Iterable[Card]) -> Card | None:
    """Return which of some *cards* would serve a seat best."""
    offered = sorted(set(cards))
    return max(
        offered,
        key=lambda card: promise(with_card(position.owned, card), position.number),
        default=None,
    )


def _worst(position: Position) -> Ways:
    """Return the card of the hand that is needed least."""
    junk = plain_ways(JUNK)
    if junk in position.hand:
        return junk
    return min(position.hand, key=lambda ways: ways[0].value)


def _fresh_hand(_state: State, _seat: Seat, position: Position) -> int:
    worth = rest((), position.owned, position.number)
    return worth + _FRESH_HAND if position.hand else worth


def _one_more_up(_state: State, _seat: Seat, position: Position) -> int:
    raised = (
        tuple(piece._replace(value=piece.value + 1) for piece in ways) for ways in position.hand
    )
    return best(position._replace(hand=tuple(sorted(raised))))


def _top_taken(state: State, seat: Seat, position: Position) -> int:
    pile = state.players[seat].discard_pile
    return best(held(position, pile[-1]) if pile else position)


def _one_thrown(_state: State, _seat: Seat, position: Position) -> int:
    if not position.hand:
        return best(position) + _DRAW
    return best(lost(position, _worst(position))) + _DRAW


def _one_given(_state: State, _seat: Seat, position: Position) -> int:
    if not position.hand:
        return best(position)
    return best(lost(position, _worst(position))) + _STOLEN


def _one_exchanged(state: State, seat: Seat, position: Position) -> int:
    others = [each for at, each in enumerate(state.players) if at != seat and each.hand]
    if not position.hand or not others:
        return best(position)
    return best(lost(position, _worst(position))) + _DRAW + 2 * _STOLEN


def _market_card_taken(state: State, _seat: Seat, position: Position) -> int:
    card = best_gain(position, _filled(state))
    return at_rest(position if card is None else gained(position, card))


def _offered(_state: State, _seat: Seat, position: Position) -> int:
    return at_rest(position) + 90


def _discard_taken(state: State, seat: Seat, position: Position) -> int:
    piles = (each.discard_pile for at, each in enumerate(state.players) if at != seat)
    card = best_gain(position, (pile[-1] for pile in piles if pile))
    return at_rest(position if card is None else gained(position, card))


def _swapped_with_stall(state: State, seat: Seat, position: Position) -> int:
    others = (each.stall for at, each in enumerate(state.players) if at != seat)
    return _swapped("acorn", position, [card for stall in others for s in stall for card in s])


def _swapped_with_market(state: State, _seat: Seat, position: Position) -> int:
    return _swapped("gift_voucher", position, _filled(state))


def _swapped(own: str, position: Position, cards: Cards | list[Card]) -> int:
    without = position._replace(owned=without_cards(position.owned, (Card(own),)))
    card = best_gain(without, cards)
    return best(position if card is None else gained(without, card))


def _season_changed(state: State, seat: Seat, position: Position) -> int:
    pile = [card for card in state.players[seat].discard_pile if card != JUNK]
    if not pile:
        return best(position)
    worst = min(pile, key=VALUE_OF.__getitem__)
    owned = without_cards(position.owned, (worst,))
    return best(position._replace(owned=owned)) + 4 * _DRAW


def _piles_exchanged(state: State, seat: Seat, position: Position) -> int:
    player = state.players[seat]
    deck = sum(map(VALUE_OF.__getitem__, player.deck)) * len(player.discard_pile)
    pile = sum(map(VALUE_OF.__getitem__, player.discard_pile)) * len(player.deck)
    return best(position) + (_DRAW if pile > deck else -_DRAW)


def _filled(state: State) -> Cards:
    return tuple(card for card in state.market.slots if card is not None)


_JUDGES: Final[Mapping[str, Judge]] = {
    "swift_broker": _fresh_hand,
    "whirligig": _fresh_hand,
    "flashy_show": _one_more_up,
    "favourite_toy": _top_taken,
    "shattered_relic": _one_thrown,
    "rotten_food": _one_given,
    "dirty_exchange": _one_exchanged,
    "prepaid_good": _market_card_taken,
    "special_offer": _offered,
    "treasure_hunter": _discard_taken,
    "acorn": _swapped_with_stall,
    "gift_voucher": _swapped_with_market,
    "new_season": _season_changed,
    "wily_fellow": _piles_exchanged,
}
