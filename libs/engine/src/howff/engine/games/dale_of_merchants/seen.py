"""What a view adds to a memory: own cards, cards looked at, and what another seat has picked."""

from collections import Counter

from howff.engine.games.dale_of_merchants.data import (
    ALL_JUNK,
    CARDS,
    JUNK,
    START_CARDS,
    Card,
    Cards,
    market_cards,
)
from howff.engine.games.dale_of_merchants.known import (
    MARKET,
    Memory,
    Owner,
    Pool,
    SeatMemory,
    settled,
    with_shown,
    with_top_seen,
    without_deck_card,
)
from howff.engine.games.dale_of_merchants.state import Hand, sorted_cards
from howff.engine.games.dale_of_merchants.view import PlayerView, View
from howff.engine.seats import Seat
from howff.engine.values import replace


def with_seen(memory: Memory, view: View) -> Memory:
    """Return all that the viewer knows; cards of the market that it looks at are left out."""
    memory = memory if memory.seats else _of_view(view)
    if view.seat is not None and view.hand is not None:
        memory = with_shown(memory, view.seat, view.hand)
    if view.private is not None:
        memory = _with_looked_at(memory, view, view.private.looked_at)
    elif view.turn is not None:
        memory = with_shown(memory, view.turn.seat, held_of(view, memory))
    return settled(memory)


def looked_at_of(view: View) -> Owner | None:
    """Return whose deck is looked at."""
    turn = view.turn
    if not view.looked_at or turn is None or turn.in_play is None:
        return None
    if turn.in_play.target is not None:
        return turn.in_play.target
    return MARKET if turn.in_play.effect == Card("special_offer") else turn.seat


def picked_of(view: View) -> Hand:
    """Return the cards of the active hand that are picked for a payment or a stack."""
    turn = view.turn
    picking = None if turn is None else turn.payment or turn.build
    picks = () if picking is None else picking.picks
    return tuple(pick.card for pick in picks if pick.position is None)


def held_of(view: View, memory: Memory) -> Hand:
    """Return the cards known to be in the active hand with their marks, or to be picked there."""
    known = Counter(picked_of(view))
    if view.turn is not None and memory.seats:
        known |= Counter(memory.seats[view.turn.seat].marked)
    if memory.secret is not None:
        known |= Counter((memory.secret.as_bound,))
    return tuple(known.elements())


def hidden_cards(view: View) -> Cards:
    """Return all cards of hands and decks, and those looked at."""
    cards = Counter(market_cards(view.sets))
    cards.update({START_CARDS[each]: CARDS[START_CARDS[each]].copies for each in view.sets})
    cards[JUNK] = ALL_JUNK + view.substitutes - view.junk_pile
    cards.subtract((*view.removed, *view.market.discard_pile))
    cards.subtract(card for card in view.market.slots if card is not None)
    for player in view.players:
        cards.subtract(player.discard_pile)
        for stack in player.stall:
            cards.subtract(stack)
    cards.subtract(_in_play(view))
    return sorted_cards(cards.elements())


def _in_play(view: View) -> Cards:
    turn = view.turn
    if turn is None:
        return ()
    paid = tuple(pick.card.card for pick in turn.paid)
    if turn.in_play is None:
        return paid
    revealed = turn.in_play.revealed
    return (*paid, turn.in_play.card, *(() if revealed is None else (revealed,)))


def _of_view(view: View) -> Memory:
    """Return what somebody knows who remembers nothing: all hidden cards may lie anywhere."""
    looked_at = looked_at_of(view)
    seats = tuple(
        _unknown(seen, view.looked_at if at == looked_at else 0)
        for at, seen in enumerate(view.players)
    )
    owners: tuple[Owner, ...] = (*map(Seat, range(len(seats))), MARKET)
    return Memory(seats, (Pool(owners, hidden_cards(view)),))


def _unknown(seen: PlayerView, looked_at: int) -> SeatMemory:
    size = seen.deck_size + looked_at
    return SeatMemory(deck=(None,) * size, strays=seen.hand_size + size)


def _with_looked_at(memory: Memory, view: View, cards: Cards) -> Memory:
    owner = looked_at_of(view)
    if owner is None:
        return memory
    if not isinstance(owner, str):
        return with_top_seen(memory, owner, 0, cards)
    for card in cards:
        memory = without_deck_card(memory, owner, card)
    return replace(memory, looked_at=0)
