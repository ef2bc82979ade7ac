"""How good the moves of Trödler look at a glance, in tenths of points."""

from typing import Final

from howff.bots.policies.games.troedler.accounts import hope, sorts_of
from howff.bots.policies.games.troedler.outlook import Outlook
from howff.engine.games.troedler.data import Cards
from howff.engine.games.troedler.moves import (
    CompleteDelivery,
    DiscardCard,
    DiscardPile,
    FeedSubstitute,
    Move,
    RevealAll,
    TakePile,
)
from howff.engine.games.troedler.state import Player, State
from howff.engine.multisets import without
from howff.engine.seats import Seat

_ALWAYS: Final = 1000
_TWO: Final = 2


def weigh(state: State, seat: Seat, moves: tuple[Move, ...]) -> list[int]:
    """Return how good each of the *moves* looks to *seat*."""
    if state.stage in {"playing", "arriving"}:
        outlook = Outlook(state, seat)
        return [outlook.weigh(move) for move in moves]
    return [_weigh_without_cards(state, seat, move) for move in moves]


def _weigh_without_cards(state: State, seat: Seat, move: Move) -> int:
    player = state.players[seat]
    match move:
        case DiscardPile(pile):
            return _dumped(state, seat, pile)
        case TakePile(pile):
            return _picked(state, seat, pile)
        case DiscardCard(card):
            return _worth(player, without(player.hand, card))
        case FeedSubstitute(_, _, substitute):
            return hope(sorts_of(player.hand).requests, without(player.collection, substitute))
        case RevealAll() | CompleteDelivery():
            return _ALWAYS
        case _:
            return 0


def _worth(player: Player, hand: Cards) -> int:
    sorts = sorts_of(hand)
    return sorts.worth + hope(sorts.requests, player.collection)


def _with_pile(state: State, seat: int, pile: int) -> int:
    player = state.players[seat]
    return _worth(player, (*player.hand, *(state.supply.dealer_piles[pile] or ())))


def _dumped(state: State, seat: Seat, dumped: int) -> int:
    """Return what is left to the dealer once the other seat has taken what looks best to it."""
    left = [at for at in range(len(state.supply.dealer_piles)) if at != dumped]
    theirs = [_with_pile(state, 1 - seat, at) for at in left]
    taken = theirs.index(max(theirs))
    return _with_pile(state, seat, left[1 - taken]) - theirs[taken]


def _picked(state: State, seat: Seat, pile: int) -> int:
    """Return what *pile* is worth; if two play, in comparison with what the other one gets."""
    own = _with_pile(state, seat, pile)
    if state.seats > _TWO:
        return own
    other = next(at for at, cards in enumerate(state.supply.dealer_piles) if cards and at != pile)
    return own - _with_pile(state, 1 - seat, other)
