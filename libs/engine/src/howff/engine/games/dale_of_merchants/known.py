"""What is known of places that nobody sees: hands, decks, and the cards that strayed between them.

The cards of a seat are known as nested multisets: those surely in its hand, those surely in its
deck, and those in one of the two. Where a card went from one owner to another unseen, the owners
share a pool: its cards lie with some of them, and how many lie with each seat is known, since the
numbers of cards are. So the card that another seat drew from the market deck is any card of that
deck. A card that left a hand unseen may have been any of it; then one of each type joins the pool.
That is less than could be worked out after several such deals, but it is never false.

Not worked out: that a card put on a deck unseen lies on top of it, and is drawn first. It is taken
for any card of the deck, by its owner too, even once that has drawn and seen it.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal

from howff.engine.games.dale_of_merchants.data import Card, Cards
from howff.engine.games.dale_of_merchants.state import Hand, Secret, sorted_cards
from howff.engine.multisets import without
from howff.engine.seats import Seat
from howff.engine.values import replace, with_item

Owner = Seat | Literal["market"]
"""Whose deck, or whose hand and deck."""
MARKET: Final = "market"


@dataclass(frozen=True)
class SeatMemory:
    """What is remembered of one seat's cards; multisets are sorted."""

    hand: Cards = ()
    """At least these are in the hand."""
    own: Cards = ()
    """These are in the hand or in the deck, besides all others."""
    inside: Cards = ()
    """These are in the deck, nobody knows where."""
    deck: tuple[Card | None, ...] = ()
    """The deck, top first, with the cards of it that are looked at; None for an unknown card."""
    strays: int = 0
    """How many cards of hand and deck come from the pool that the seat shares."""
    held_strays: int = 0
    """How many of these are surely in the hand."""
    discard_pile: Cards = ()
    """Bottom first."""
    marked: Hand = ()
    """At least these cards of the hand are marked, and so; the active hand alone has marks."""

    @property
    def hand_size(self) -> int:
        """How many cards are in the hand: all but those that the deck has room for."""
        cards = len(self.hand) + len(self.own) + len(self.inside) + self.strays
        return cards - self.deck.count(None)

    @property
    def is_hand_known(self) -> bool:
        """Whether the cards that are surely in the hand are all of it."""
        return len(self.hand) == self.hand_size


@dataclass(frozen=True, slots=True)
class Pool:
    """Cards that lie with some of these owners; a market deck has no cards but of its pool."""

    owners: tuple[Owner, ...]
    cards: Cards


@dataclass(frozen=True)
class Memory:
    """What a seat remembers; without seats it has not seen the match begin and knows nothing."""

    seats: tuple[SeatMemory, ...] = ()
    pools: tuple[Pool, ...] = ()
    market_discard: Cards = ()
    looked_at: int = 0
    """How many cards of a deck are looked at."""
    looked_at_of: Owner | None = None
    secret: Secret | None = None
    """The card of Blindfold, once it was shown."""
    changes: int = 0
    """How many changes of value there were in this turn."""

    def with_seat(self, seat: Seat, known: SeatMemory) -> "Memory":
        return replace(self, seats=with_item(self.seats, seat, known))

    def pool_of(self, owner: Owner) -> Pool:
        """Return the pool that *owner* shares; an empty one if there is none."""
        return next((pool for pool in self.pools if owner in pool.owners), Pool((owner,), ()))

    def with_pool(self, pool: Pool) -> "Memory":
        """Return the memory with *pool* in the place of all others that its owners had."""
        others = (each for each in self.pools if not set(each.owners) & set(pool.owners))
        return replace(self, pools=(*others, pool))


def with_hand_cards(memory: Memory, seat: Seat, cards: Iterable[Card]) -> Memory:
    """Return the memory once *seat* got these cards in its hand."""
    known = memory.seats[seat]
    return memory.with_seat(seat, replace(known, hand=sorted_cards((*known.hand, *cards))))


def without_hand_cards(memory: Memory, seat: Seat, cards: Iterable[Card]) -> Memory:
    """Return the memory once these cards were seen to leave the hand of *seat*."""
    for card in cards:
        known = memory.seats[seat]
        if card in known.hand:
            memory = memory.with_seat(seat, replace(known, hand=without(known.hand, card)))
        else:
            memory = _without_covered_hand_card(memory, seat, card)
    return memory


def without_held(memory: Memory, seat: Seat, hand: Hand) -> Memory:
    """Return the memory once these hand cards, marked or not, were seen to leave the hand."""
    memory = with_shown(memory, seat, hand)
    known = memory.seats[seat]
    if known.marked:
        marked = tuple((Counter(known.marked) - Counter(hand)).elements())
        memory = memory.with_seat(seat, replace(known, marked=marked))
    return without_hand_cards(memory, seat, tuple(held.card for held in hand))


def with_shown(memory: Memory, seat: Seat, hand: Hand) -> Memory:
    """Return the memory once *seat* was seen to hold these cards, besides others with marks."""
    known = memory.seats[seat]
    if known.marked:
        hand = tuple((Counter(hand) | Counter(known.marked)).elements())
    missing = Counter(held.card for held in hand) - Counter(known.hand)
    for card in missing.elements():
        memory = with_hand_cards(_without_covered_hand_card(memory, seat, card), seat, (card,))
    return memory


def without_deck_card(memory: Memory, owner: Owner, card: Card) -> Memory:
    """Return the memory once *card* was seen to leave an unknown place of a deck."""
    if isinstance(owner, str):
        pool = memory.pool_of(owner)
        return memory.with_pool(Pool(pool.owners, without(pool.cards, card)))
    known = memory.seats[owner]
    if card in known.inside:
        return memory.with_seat(owner, replace(known, inside=without(known.inside, card)))
    if card in known.own:
        return memory.with_seat(owner, replace(known, own=without(known.own, card)))
    return _without_stray(memory, owner, card)


def with_top_seen(memory: Memory, seat: Seat, start: int, cards: Cards) -> Memory:
    """Return the memory once these *cards* of a deck were seen, from place *start* on."""
    for at, card in enumerate(cards, start):
        if memory.seats[seat].deck[at] is None:
            memory = without_deck_card(memory, seat, card)
            known = memory.seats[seat]
            memory = memory.with_seat(seat, replace(known, deck=with_item(known.deck, at, card)))
    return memory


def drawn(memory: Memory, seat: Seat) -> Memory:
    """Return the memory once *seat* drew the top card of its deck, known or not."""
    known = memory.seats[seat]
    top, deck = known.deck[0], known.deck[1:]
    if top is not None:
        memory = memory.with_seat(seat, replace(known, deck=deck))
        return with_hand_cards(memory, seat, (top,))
    return memory.with_seat(seat, replace(with_loose_deck(known), deck=deck))


def with_loose_deck(known: SeatMemory) -> SeatMemory:
    """Return what is known once any card in an unknown place of the deck may be in the hand."""
    return replace(known, own=sorted_cards((*known.own, *known.inside)), inside=())


def with_all_in_hand(known: SeatMemory) -> SeatMemory:
    """Return what is known once the deck has no unknown card: all others are in the hand."""
    hand = sorted_cards((*known.hand, *known.own))
    return replace(known, hand=hand, own=(), held_strays=known.strays)


def joined(memory: Memory, *owners: Owner) -> Memory:
    """Return the memory once cards may go unseen from one of *owners* to another."""
    pools = [memory.pool_of(owner) for owner in owners]
    members: dict[Owner, None] = dict.fromkeys(owner for pool in pools for owner in pool.owners)
    cards = (card for pool in dict.fromkeys(pools) for card in pool.cards)
    return memory.with_pool(Pool(tuple(sorted(members, key=str)), sorted_cards(cards)))


def left_unseen(memory: Memory, seat: Seat, count: int) -> Memory:
    """Return the memory once *count* cards have left the hand of *seat* unseen, or fewer.

    So many of each type join the pool, which must be one with the owner who has them now; those
    that may be in hand or deck only as far as the hand has room. Marked cards may be among them,
    and are marked no more then.
    """
    known, pool = memory.seats[seat], memory.pool_of(seat)
    hand, own = Counter(known.hand), Counter(known.own)
    room = known.hand_size - len(known.hand) - known.held_strays
    doubtful = Counter(
        {card: min(count, hand[card] + min(own[card], room)) for card in (*hand, *own)}
    )
    known = replace(
        known,
        hand=sorted_cards((hand - doubtful).elements()),
        marked=(),
        own=sorted_cards((own - (doubtful - hand)).elements()),
        strays=known.strays + doubtful.total() - count,
        held_strays=max(0, known.held_strays + (doubtful & hand).total() - count),
    )
    cards = sorted_cards((*pool.cards, *doubtful.elements()))
    return memory.with_seat(seat, known).with_pool(Pool(pool.owners, cards))


def came_unseen(memory: Memory, seat: Seat, count: int, *, is_held: bool = True) -> Memory:
    """Return the memory once *count* cards of its pool have come into the hand of *seat*."""
    known = memory.seats[seat]
    held = known.held_strays + count if is_held else known.held_strays
    return memory.with_seat(seat, replace(known, strays=known.strays + count, held_strays=held))


def settled(memory: Memory) -> Memory:
    """Return the memory with pools only where somebody has cards of them in an unknown place."""
    for pool in memory.pools:
        owners: tuple[Owner, ...] = tuple(
            owner for owner in pool.owners if isinstance(owner, str) or memory.seats[owner].strays
        )
        if len(owners) == 1 and not isinstance(owners[0], str):
            memory = _with_own_pool(memory, owners[0], pool)
        elif owners != pool.owners:
            others = tuple(each for each in memory.pools if each != pool)
            left = (Pool(owners, pool.cards),) if owners else ()
            memory = replace(memory, pools=(*others, *left))
    return memory


def _with_own_pool(memory: Memory, seat: Seat, pool: Pool) -> Memory:
    """Return the memory once all cards of a pool are with one seat."""
    known = memory.seats[seat]
    if known.held_strays == known.strays:
        known = replace(known, hand=sorted_cards((*known.hand, *pool.cards)))
    else:
        known = replace(known, own=sorted_cards((*known.own, *pool.cards)))
    pools = tuple(each for each in memory.pools if each != pool)
    known = replace(known, strays=0, held_strays=0)
    return replace(memory, pools=pools).with_seat(seat, known)


def _without_covered_hand_card(memory: Memory, seat: Seat, card: Card) -> Memory:
    """Return the memory without a card of the hand that is not among those surely there.

    If it may have been a stray, one more of these need not be in the hand.
    """
    known = memory.seats[seat]
    if card not in known.own:
        return _without_stray(memory, seat, card, is_held=True)
    held = known.held_strays
    if held and card in memory.pool_of(seat).cards:
        held -= 1
    known = replace(known, own=without(known.own, card), held_strays=held)
    return memory.with_seat(seat, known)


def _without_stray(memory: Memory, seat: Seat, card: Card, *, is_held: bool = False) -> Memory:
    known, pool = memory.seats[seat], memory.pool_of(seat)
    held = max(0, known.held_strays - 1) if is_held else known.held_strays
    known = replace(known, strays=known.strays - 1, held_strays=held)
    cards = without(pool.cards, card)
    return memory.with_seat(seat, known).with_pool(Pool(pool.owners, cards))
