"""Small changes of a state, for `evolve`."""

from typing import Any

from howff.engine.games.dale_of_merchants.data import Cards
from howff.engine.games.dale_of_merchants.state import (
    Hand,
    HandCard,
    InPlay,
    Market,
    Player,
    State,
    Turn,
    plain,
    sorted_hand,
)
from howff.engine.multisets import without, without_all
from howff.engine.seats import Seat
from howff.engine.values import replace


def turn_of(state: State) -> Turn:
    """Return the turn that has begun."""
    assert state.turn is not None, "a turn has begun"
    return state.turn


def in_play_of(state: State) -> InPlay:
    """Return the technique that is being carried out."""
    in_play = turn_of(state).in_play
    assert in_play is not None, "a technique is in play"
    return in_play


def with_turn(state: State, **changes: Any) -> State:
    """Return the state with *changes* to the turn."""
    return replace(state, turn=replace(turn_of(state), **changes))


def with_play(state: State, **changes: Any) -> State:
    """Return the state with *changes* to the technique in play."""
    return with_turn(state, in_play=replace(in_play_of(state), **changes))


def with_looked(state: State, looked_at: Cards) -> State:
    """Return the state once these cards are looked at."""
    return replace(state, private=replace(state.private, looked_at=looked_at))


def with_market(state: State, **changes: Any) -> State:
    """Return the state with *changes* to the market."""
    market: Market = replace(state.market, **changes)
    return replace(state, market=market)


def with_player(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with *changes* to what belongs to *seat*."""
    player: Player = replace(state.players[seat], **changes)
    return replace(state, players=state.with_player(seat, player))


def with_hand(state: State, seat: Seat, hand: Hand) -> State:
    """Return the state once *seat* holds *hand*."""
    return with_player(state, seat, hand=hand)


def with_hand_cards(state: State, seat: Seat, cards: Cards) -> State:
    """Return the state with *cards* more in the hand of *seat*."""
    return with_hand(state, seat, sorted_hand((*state.players[seat].hand, *plain(cards))))


def without_hand_cards(state: State, seat: Seat, cards: Hand) -> State:
    """Return the state with *cards* fewer in the hand of *seat*."""
    return with_hand(state, seat, without_all(state.players[seat].hand, cards))


def with_changed_card(state: State, seat: Seat, card: HandCard, changed: HandCard) -> State:
    """Return the state once a card of the hand has *changed*."""
    hand = without(state.players[seat].hand, card)
    return with_hand(state, seat, sorted_hand((*hand, changed)))


def with_discarded(state: State, seat: Seat, cards: Cards) -> State:
    """Return the state with *cards* on the discard pile of *seat*."""
    discard_pile = (*state.players[seat].discard_pile, *cards)
    return with_player(state, seat, discard_pile=discard_pile)


def without_top(state: State, deck: Seat | str, count: int) -> State:
    """Return the state without so many cards on top of a seat's deck, or of the market's."""
    if isinstance(deck, str):
        return with_market(state, deck=state.market.deck[count:])
    return with_player(state, deck, deck=state.players[deck].deck[count:])
