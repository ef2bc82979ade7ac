"""Whether a state is as somebody remembers it."""

from collections import Counter

from howff.engine.games.dale_of_merchants.data import Card, Cards
from howff.engine.games.dale_of_merchants.known import MARKET, Memory, Pool, SeatMemory
from howff.engine.games.dale_of_merchants.state import State
from howff.engine.multisets import holds_all
from howff.engine.seats import Seat


def agrees(memory: Memory, state: State) -> bool:
    """Return whether *state* is as a *memory* says."""
    if not memory.seats:
        return True
    if len(memory.seats) != state.seats or memory.market_discard != state.market.discard_pile:
        return False
    looked_at = dict.fromkeys((memory.looked_at_of,), state.private.looked_at)
    strays: dict[Seat, Counter[Card]] = {}
    for at, known in enumerate(memory.seats):
        player, owner = state.players[at], Seat(at)
        deck = (*looked_at.get(owner, ()), *player.deck)
        found = _strays(known, tuple(held.card for held in player.hand), deck)
        if found is None or known.discard_pile != player.discard_pile:
            return False
        if not holds_all(player.hand, known.marked):
            return False
        strays[owner] = found
    market = Counter((*looked_at.get(MARKET, ()), *state.market.deck))
    return all(_is_pool(pool, strays, market) for pool in memory.pools)


def _strays(known: SeatMemory, hand: Cards, deck: Cards) -> Counter[Card] | None:
    """Return which cards of a seat come from its pool, or None if it has not what is known."""
    if len(deck) != len(known.deck) or any(
        seen not in {None, card} for seen, card in zip(known.deck, deck, strict=True)
    ):
        return None
    covered = tuple(card for seen, card in zip(known.deck, deck, strict=True) if seen is None)
    if not (holds_all(hand, known.hand) and holds_all(covered, known.inside)):
        return None
    held = Counter(hand) - Counter(known.hand)
    loose = held + (Counter(covered) - Counter(known.inside))
    own = Counter(known.own)
    strays = loose - own
    is_complete = own <= loose and strays.total() == known.strays
    return strays if is_complete and (held & strays).total() >= known.held_strays else None


def _is_pool(pool: Pool, strays: dict[Seat, Counter[Card]], market: Counter[Card]) -> bool:
    cards: Counter[Card] = Counter()
    for owner in pool.owners:
        cards += market if isinstance(owner, str) else strays[owner]
    return cards == Counter(pool.cards)
