"""What a seat that forgets nothing knows of hands and decks, folded from what it is told."""

from collections import Counter
from collections.abc import Iterable
from typing import assert_never

from howff.engine.games.dale_of_merchants.agreement import agrees
from howff.engine.games.dale_of_merchants.data import (
    JUNK,
    Cards,
    market_cards,
    start_deck,
)
from howff.engine.games.dale_of_merchants.events import (
    AbilityUsed,
    CardBound,
    CardGivenBack,
    CardKept,
    CardPlacedOnDeck,
    CardPurchased,
    CardReturnedToDeck,
    CardsDiscarded,
    CardsDrawn,
    CardsLookedAt,
    CardsThrownAway,
    CardSwappedWithMarket,
    CardSwappedWithStall,
    CardTakenFromDiscard,
    CardTakenFromHand,
    CardValueChanged,
    DeckAndDiscardSwapped,
    Event,
    GameStarted,
    GlobalValueChanged,
    HandCardsExchanged,
    HandCardsShown,
    HandsMixed,
    JunkTaken,
    MarketCardRevealed,
    MarketCardTaken,
    MarketDeckShuffled,
    MarketFilled,
    PlayerDeckShuffled,
    SecretCardShown,
    StackBuilt,
    TechniquePlayed,
    TechniqueResolved,
    Thrown,
    TurnEnded,
)
from howff.engine.games.dale_of_merchants.exchanges import (
    exchanged,
    from_market,
    kept,
    looked_at,
    mixed,
    moved,
    placed,
    returned,
    without_looked_at,
)
from howff.engine.games.dale_of_merchants.known import (
    MARKET,
    Memory,
    Pool,
    SeatMemory,
    drawn,
    settled,
    with_all_in_hand,
    with_hand_cards,
    with_shown,
    with_top_seen,
    without_deck_card,
    without_held,
)
from howff.engine.games.dale_of_merchants.state import (
    Change,
    Hand,
    HandCard,
    Secret,
    State,
    bound,
    sorted_cards,
    sorted_hand,
)
from howff.engine.seats import Seat
from howff.engine.values import replace
from howff.engine.visibility import told

__all__ = ["Memory", "is_true", "remember"]


def remember(memory: Memory, event: Event, seat: Seat) -> Memory:
    """Return what *seat* knows after *event*, which may hold sealed fields.

    Nothing here depends on the seat: what it alone may know, it alone is told. Events before the
    first one of a match change nothing for those who missed that.
    """
    del seat
    if isinstance(event, GameStarted):
        return _at_start(event)
    if not memory.seats:
        return memory
    after = _after(memory, event)
    return after if after.pools is memory.pools else settled(after)


def is_true(memory: Memory, state: State, seat: Seat) -> bool:
    """Return whether everything that *seat* remembers is true of *state*."""
    del seat
    return agrees(memory, state)


def _at_start(event: GameStarted) -> Memory:
    cards = sorted_cards(start_deck(event.sets))
    known = SeatMemory(inside=cards, deck=(None,) * len(cards))
    market = Pool((MARKET,), market_cards(event.sets))
    return Memory((known,) * event.seats, (market,))


def _after(memory: Memory, event: Event) -> Memory:  # noqa: C901, PLR0911, PLR0912, PLR0915
    match event:
        case CardsDrawn():
            return _drawn(memory, event)
        case CardsDiscarded():
            return _discarded(memory, event)
        case CardsThrownAway(seat, cards):
            for each in cards:
                memory = _thrown_away(memory, seat, each)
            return memory
        case TechniquePlayed(seat, card):
            return without_held(memory, seat, (card,))
        case TechniqueResolved(seat, card, destination):
            memory = replace(memory, looked_at=0, looked_at_of=None, secret=None)
            return _with_discarded(memory, seat, (card,)) if destination == "discard" else memory
        case PlayerDeckShuffled(seat, "reshuffle"):
            return _reshuffled(memory, seat)
        case MarketDeckShuffled(reason="reshuffle"):
            return _market_reshuffled(memory)
        case MarketFilled(placements):
            for placement in placements:
                memory = without_deck_card(memory, MARKET, placement.card)
            return memory
        case MarketCardRevealed(_, card):
            return without_deck_card(memory, MARKET, card)
        case CardPurchased():
            return _purchased(memory, event)
        case StackBuilt():
            return _built(memory, event)
        case JunkTaken(seat, count):
            return with_hand_cards(memory, seat, (JUNK,) * count)
        case MarketCardTaken(seat, _, card):
            return with_hand_cards(memory, seat, (card,))
        case (
            CardSwappedWithMarket(seat=seat, card_out=card)
            | CardSwappedWithStall(seat=seat, card_out=card)
        ):
            return with_hand_cards(memory, seat, (card,))
        case CardTakenFromDiscard(seat, owner, card):
            pile = memory.seats[owner].discard_pile[:-1]
            memory = memory.with_seat(owner, replace(memory.seats[owner], discard_pile=pile))
            return with_hand_cards(memory, seat, (card,))
        case CardsLookedAt():
            return looked_at(memory, event)
        case CardKept(seat, card):
            return kept(memory, seat, told(card))
        case CardReturnedToDeck(seat, card):
            return returned(memory, seat, told(card))
        case CardPlacedOnDeck(seat, owner, card):
            return placed(memory, seat, owner, told(card))
        case CardTakenFromHand(seat, target, card):
            taken = told(card)
            return moved(memory, target, seat, None if taken is None else HandCard(taken))
        case CardGivenBack(seat, target, given):
            return moved(memory, seat, target, told(given))
        case HandCardsExchanged():
            return exchanged(memory, event)
        case HandsMixed():
            return mixed(memory, event)
        case DeckAndDiscardSwapped(seat, new_discard):
            return _swapped(memory, seat, new_discard)
        case HandCardsShown(seat, cards):
            return with_shown(memory, seat, told(cards) or ())
        case AbilityUsed() | CardValueChanged() | CardBound():
            return _marked(memory, event)
        case GlobalValueChanged():
            return replace(memory, changes=memory.changes + 1)
        case TurnEnded(seat):
            return replace(_with_marked(memory, seat, ()), changes=0)
        case SecretCardShown():
            return _secret_shown(memory, event)
        case _:
            return memory


def _drawn(memory: Memory, event: CardsDrawn) -> Memory:
    seat, cards = event.seat, told(event.cards)
    if event.deck == "market":
        for card in cards or (None,) * event.count:
            memory = from_market(memory, seat, card)
        return memory
    for card in cards or (None,) * event.count:
        seen = () if card is None else (card,)
        memory = drawn(with_top_seen(memory, seat, 0, seen), seat)
    return memory


def _discarded(memory: Memory, event: CardsDiscarded) -> Memory:
    cards = _types(event.cards)
    if event.source == "hand":
        memory = without_held(memory, event.owner, event.cards)
    elif event.source == "looked_at":
        for card in cards:
            memory = without_looked_at(memory, card)
    return _with_discarded(memory, event.owner, cards)


def _with_discarded(memory: Memory, seat: Seat, cards: Cards) -> Memory:
    known = memory.seats[seat]
    pile = (*known.discard_pile, *cards)
    return memory.with_seat(seat, replace(known, discard_pile=pile))


def _thrown_away(memory: Memory, seat: Seat, thrown: Thrown) -> Memory:
    card = thrown.card.card
    match thrown.source:
        case "hand":
            memory = without_held(memory, seat, (thrown.card,))
        case "market_deck":
            memory = without_deck_card(memory, MARKET, card)
        case "looked_at":
            memory = without_looked_at(memory, card)
        case "discard":
            memory = _without_discards(memory, seat, {thrown.at})
        case _:
            pass  # It has lain open.
    if thrown.to == "junk_pile":
        return memory
    return replace(memory, market_discard=(*memory.market_discard, card))


def _without_discards(memory: Memory, seat: Seat, positions: set[int | None]) -> Memory:
    known = memory.seats[seat]
    pile = tuple(card for at, card in enumerate(known.discard_pile) if at not in positions)
    return memory.with_seat(seat, replace(known, discard_pile=pile))


def _purchased(memory: Memory, event: CardPurchased) -> Memory:
    memory = without_held(memory, event.seat, tuple(paid.card for paid in event.paid))
    if event.target == "discard":
        memory = replace(memory, market_discard=memory.market_discard[:-1])
    return with_hand_cards(memory, event.seat, (event.card,))


def _built(memory: Memory, event: StackBuilt) -> Memory:
    held = tuple(each.card for each in event.cards if each.source == "hand")
    memory = without_held(memory, event.seat, held)
    positions = {each.position for each in event.cards if each.source == "discard"}
    return _without_discards(memory, event.seat, positions)


def _reshuffled(memory: Memory, seat: Seat) -> Memory:
    known = memory.seats[seat]
    if None not in known.deck:
        known = with_all_in_hand(known)
    pile = known.discard_pile
    known = replace(
        known,
        deck=(*known.deck, *((None,) * len(pile))),
        inside=sorted_cards((*known.inside, *pile)),
        discard_pile=(),
    )
    return memory.with_seat(seat, known)


def _market_reshuffled(memory: Memory) -> Memory:
    pool = memory.pool_of(MARKET)
    cards = sorted_cards((*pool.cards, *memory.market_discard))
    return replace(memory.with_pool(Pool(pool.owners, cards)), market_discard=())


def _swapped(memory: Memory, seat: Seat, new_discard: Cards) -> Memory:
    memory = with_top_seen(memory, seat, 0, new_discard)
    known, pile = memory.seats[seat], memory.seats[seat].discard_pile
    known = replace(
        with_all_in_hand(known),
        deck=(None,) * len(pile),
        inside=sorted_cards(pile),
        discard_pile=new_discard,
    )
    return memory.with_seat(seat, known)


def _marked(memory: Memory, event: AbilityUsed | CardValueChanged | CardBound) -> Memory:
    """Return the memory once a hand card has a new mark; unseen, any other may have it."""
    if isinstance(event, CardValueChanged):
        memory = replace(memory, changes=memory.changes + 1)
    card = told(event.card)
    if card is None:
        return _with_marked(memory, event.seat, ())
    memory = with_shown(memory, event.seat, (card,))
    others = (Counter(memory.seats[event.seat].marked) - Counter((card,))).elements()
    return _with_marked(memory, event.seat, (*others, _with_mark(memory, event, card)))


def _with_marked(memory: Memory, seat: Seat, marked: Hand) -> Memory:
    return memory.with_seat(seat, replace(memory.seats[seat], marked=sorted_hand(marked)))


def _with_mark(
    memory: Memory, event: AbilityUsed | CardValueChanged | CardBound, card: HandCard
) -> HandCard:
    match event:
        case AbilityUsed(_, _, ability):
            return HandCard(card.card, card.as_type, card.changes, (*card.used, ability))
        case CardValueChanged(_, _, op, amount):
            changes = (*card.changes, Change(op, amount, memory.changes))
            return HandCard(card.card, card.as_type, changes, card.used)
        case CardBound():
            return bound(card, event.as_type, event.changes, event.used)
        case _:
            assert_never(event)


def _secret_shown(memory: Memory, event: SecretCardShown) -> Memory:
    card, value = told(event.card), told(event.value)
    if card is None or value is None:
        return memory
    copied = told(event.copied_card)
    changes, used = ((), ()) if copied is None else (copied.changes, copied.used)
    secret = Secret(card, told(event.as_type), copied, value, changes, used)
    return replace(with_shown(memory, event.seat, (card,)), secret=secret)


def _types(cards: Iterable[HandCard]) -> Cards:
    return tuple(held.card for held in cards)
