"""What is known after cards were looked at, or changed hands unseen by some."""

from howff.engine.games.dale_of_merchants.data import Card, Cards
from howff.engine.games.dale_of_merchants.events import (
    CardsLookedAt,
    HandCardsExchanged,
    HandsMixed,
)
from howff.engine.games.dale_of_merchants.known import (
    MARKET,
    Memory,
    came_unseen,
    joined,
    left_unseen,
    with_hand_cards,
    with_loose_deck,
    with_shown,
    with_top_seen,
    without_deck_card,
    without_hand_cards,
    without_held,
)
from howff.engine.games.dale_of_merchants.state import HandCard, plain, sorted_cards
from howff.engine.multisets import without
from howff.engine.seats import Seat
from howff.engine.values import replace
from howff.engine.visibility import told


def looked_at(memory: Memory, event: CardsLookedAt) -> Memory:
    """Return the memory once a seat has looked at cards on top of a deck."""
    owner, before = event.deck, memory.looked_at
    memory = replace(memory, looked_at=before + event.count, looked_at_of=owner)
    if isinstance(owner, str):
        return memory
    return with_top_seen(memory, owner, before, told(event.cards) or ())


def without_looked_at(memory: Memory, card: Card) -> Memory:
    """Return the memory once *card* was seen to leave the cards that are looked at."""
    owner, count = memory.looked_at_of, memory.looked_at
    assert owner is not None, "cards of a deck are looked at"
    memory = replace(memory, looked_at=count - 1)
    if isinstance(owner, str):
        return without_deck_card(memory, owner, card)
    deck = memory.seats[owner].deck
    top, below = deck[:count], deck[count:]
    if card in top:
        top = without(top, card)
    else:
        memory, top = without_deck_card(memory, owner, card), without(top, None)
    return memory.with_seat(owner, replace(memory.seats[owner], deck=(*top, *below)))


def kept(memory: Memory, seat: Seat, card: Card | None) -> Memory:
    """Return the memory once *seat* took one of the cards looked at, None if unseen."""
    if memory.looked_at_of == MARKET:
        memory = replace(memory, looked_at=memory.looked_at - 1)
        return from_market(memory, seat, card)
    if card is not None:
        return with_hand_cards(without_looked_at(memory, card), seat, (card,))
    # Any of them may be in the hand now, and the others lie in any order.
    known, count = with_loose_deck(memory.seats[seat]), memory.looked_at
    seen = (each for each in known.deck[:count] if each is not None)
    known = replace(
        known,
        own=sorted_cards((*known.own, *seen)),
        deck=(*((None,) * (count - 1)), *known.deck[count:]),
    )
    return replace(memory, looked_at=count - 1).with_seat(seat, known)


def returned(memory: Memory, seat: Seat, card: Card | None) -> Memory:
    """Return the memory once one of the cards looked at lies on top of the deck again."""
    known, count = memory.seats[seat], memory.looked_at
    top, below = known.deck[:count], known.deck[count:]
    memory = replace(memory, looked_at=count - 1)
    if card is not None and card in top:
        known = replace(known, deck=(*without(top, card), card, *below))
    else:
        # All of them are in the deck again, in an unknown order.
        seen = (each for each in top if each is not None)
        inside = sorted_cards((*known.inside, *seen))
        known = replace(known, deck=(*((None,) * count), *below), inside=inside)
    return memory.with_seat(seat, known)


def from_market(memory: Memory, seat: Seat, card: Card | None) -> Memory:
    """Return the memory once *seat* got a card of the market deck, None if unseen."""
    if card is None:
        return came_unseen(joined(memory, seat, MARKET), seat, 1)
    return with_hand_cards(without_deck_card(memory, MARKET, card), seat, (card,))


def placed(memory: Memory, seat: Seat, owner: Seat, card: HandCard | None) -> Memory:
    """Return the memory once a hand card lies on top of the deck of *owner*."""
    if card is None:
        memory = left_unseen(joined(memory, seat, owner), seat, 1)
        memory = came_unseen(memory, owner, 1, is_held=False)
    else:
        memory = without_held(memory, seat, (card,))
    known = memory.seats[owner]
    deck = (None if card is None else card.card, *known.deck)
    return memory.with_seat(owner, replace(known, deck=deck))


def moved(memory: Memory, giver: Seat, taker: Seat, held: HandCard | None) -> Memory:
    """Return the memory once a card has gone from one hand to another, None if unseen."""
    if held is None:
        memory = left_unseen(joined(memory, giver, taker), giver, 1)
        return came_unseen(memory, taker, 1)
    return with_hand_cards(without_held(memory, giver, (held,)), taker, (held.card,))


def exchanged(memory: Memory, event: HandCardsExchanged) -> Memory:
    """Return the memory once as many cards of two hands have changed places."""
    seat, target, count = event.seat, event.target, event.count
    given, received = told(event.given), told(event.received)
    if given is None or received is None:
        memory = left_unseen(joined(memory, seat, target), seat, count)
        memory = left_unseen(memory, target, count)
        return came_unseen(came_unseen(memory, seat, count), target, count)
    cards_given = tuple(held.card for held in given)
    memory = without_held(memory, seat, given)
    memory = without_hand_cards(memory, target, received)
    return with_hand_cards(with_hand_cards(memory, seat, received), target, cards_given)


def mixed(memory: Memory, event: HandsMixed) -> Memory:
    """Return the memory once two hands were mixed and dealt anew."""
    seat, target = event.seat, event.target
    own, other = told(event.new_hand_seat), told(event.new_hand_target)
    if own is not None and memory.seats[seat].is_hand_known:
        return _dealt(memory, seat, target, own)
    if other is not None and memory.seats[target].is_hand_known:
        return _dealt(memory, target, seat, other)
    # As many cards as the smaller hand has may have changed sides, or fewer.
    count = min(event.seat_count, event.target_count)
    memory = left_unseen(joined(memory, seat, target), seat, count)
    memory = left_unseen(memory, target, count)
    memory = came_unseen(memory, seat, count, is_held=False)
    memory = came_unseen(memory, target, count, is_held=False)
    return with_shown(with_shown(memory, seat, plain(own or ())), target, plain(other or ()))


def _dealt(memory: Memory, seat: Seat, other: Seat, hand: Cards) -> Memory:
    """Return the memory once a known hand was mixed with another, and *hand* was dealt from it."""
    known = memory.seats[seat]
    memory = memory.with_seat(seat, replace(known, hand=(), marked=()))
    memory = without_hand_cards(with_hand_cards(memory, other, known.hand), other, hand)
    return with_hand_cards(memory, seat, hand)
