"""What a seat with perfect recall knows of Trödler's hidden cards.

Places are known as "at least these cards"; a card that leaves a place unseen might be any of
them, so one of each code is given up then.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from howff.engine.games.troedler.data import (
    FEED,
    FIGURES,
    HAND_LIMIT,
    STARTING_SETS,
    Card,
    Cards,
)
from howff.engine.games.troedler.events import (
    CardPlayed,
    DealerCardRevealed,
    DealerPileDiscarded,
    DealerPileTaken,
    DiscardPileFormed,
    DiscardPileReshuffled,
    Event,
    GameStarted,
    GoodSubstituted,
    HandCardDiscarded,
    PlayedCardsStored,
    RequestFulfilled,
    RoundStarted,
    StartVillagesAssigned,
    SurplusFeedStored,
    TurnStarted,
)
from howff.engine.games.troedler.scoring import requests_of
from howff.engine.games.troedler.state import Player, State, sorted_cards
from howff.engine.multisets import holds_all, still_known
from howff.engine.seats import Seat
from howff.engine.values import replace, with_item
from howff.engine.visibility import told

KnownPile = tuple[Card | None, ...]
"""The cards of a dealer pile, bottom first; None for a card that was not seen."""


@dataclass(frozen=True)
class SeatMemory:
    """What is remembered of one seat's cards."""

    hand: Cards = ()
    """At least these."""
    value_pile: Cards = ()
    """At least these."""
    requests: int = 0
    """How many requests the value pile holds; deliveries are public."""
    feed: int | None = 0
    """How much feed the value pile holds, if none was stored unseen."""


@dataclass(frozen=True)
class Memory:
    """What a seat remembers; without seats it has not seen the match begin and knows nothing."""

    seats: tuple[SeatMemory, ...] = ()
    dealer_piles: tuple[KnownPile | None, ...] = ()
    discard_pile: Cards = ()
    """At least these lie there, apart from the cards of the setup."""
    setup_discard: Cards = ()
    """At least these lie there since the setup."""
    round_pile: Cards = ()
    """At least these are still to come, since the last reshuffle."""
    played: int = 0
    """How many cards the active seat has played in this turn."""
    fulfilled: int = 0
    """How many of them were requests."""
    substituted: int = 0
    """How many of them were feed for a good that a request asks for."""

    def with_seat(self, seat: Seat, memory: SeatMemory) -> "Memory":
        return replace(self, seats=with_item(self.seats, seat, memory))


def remember(memory: Memory, event: Event, seat: Seat) -> Memory:  # noqa: C901, PLR0911, PLR0912
    """Return what *seat* knows after *event*, which may hold sealed fields.

    Nothing here depends on the seat: what it alone may know, it alone is told. Events before the
    first one of a match change nothing for those who missed that.
    """
    del seat
    if isinstance(event, GameStarted):
        return Memory(seats=(SeatMemory(),) * event.seats)
    if not memory.seats:
        return memory
    match event:
        case StartVillagesAssigned(villages):
            # Everybody can look up the starting cards of a colour.
            hands = (sorted_cards(STARTING_SETS[each.colour].cards) for each in villages)
            return replace(memory, seats=tuple(map(SeatMemory, hands)))
        case DiscardPileFormed():
            return replace(memory, setup_discard=_setup_discard(event))
        case RoundStarted():
            piles: tuple[KnownPile | None, ...] = ((),) * FIGURES[len(memory.seats)].piles
            return replace(memory, dealer_piles=piles)
        case DiscardPileReshuffled():
            known = sorted_cards((*memory.setup_discard, *memory.discard_pile))
            return replace(memory, round_pile=known, discard_pile=(), setup_discard=())
        case DealerCardRevealed():
            return _card_revealed(memory, event)
        case DealerPileDiscarded():
            return _pile_discarded(memory, event)
        case DealerPileTaken():
            return _pile_taken(memory, event)
        case TurnStarted():
            return replace(memory, played=0, fulfilled=0, substituted=0)
        case CardPlayed(player, card, _):
            memory = replace(memory, played=memory.played + 1)
            return _without_hand_card(memory, player, told(card))
        case RequestFulfilled():
            return replace(memory, fulfilled=memory.fulfilled + 1)
        case GoodSubstituted():
            return replace(memory, substituted=memory.substituted + 1)
        case PlayedCardsStored():
            return _cards_stored(memory, event)
        case HandCardDiscarded(player, card):
            memory = _without_hand_card(memory, player, told(card))
            return _with_discarded(memory, (told(card),))
        case SurplusFeedStored():
            return _surplus_stored(memory, event)
        case _:
            return memory


def is_true(memory: Memory, state: State, seat: Seat) -> bool:
    """Return whether everything that *seat* remembers is true of *state*."""
    del seat
    supply = state.supply
    setup, discarded = (
        supply.discard_pile[: supply.setup_discard],
        supply.discard_pile[supply.setup_discard :],
    )
    if not memory.seats:
        return True
    return (
        holds_all(setup, memory.setup_discard)
        and holds_all(discarded, memory.discard_pile)
        and holds_all(supply.round_pile, memory.round_pile)
        and all(map(_is_pile, memory.dealer_piles, supply.dealer_piles))
        and all(map(_is_seat, memory.seats, state.players))
    )


def cards_told(pile: Iterable[Card | None]) -> Cards:
    """Return the cards of *pile* that are known."""
    return tuple(card for card in pile if card is not None)


def _setup_discard(event: DiscardPileFormed) -> Cards:
    top = told(event.top)
    feed: Cards = (FEED,) * event.feed
    return feed if top is None or top == FEED else (*feed, top)


def _card_revealed(memory: Memory, event: DealerCardRevealed) -> Memory:
    card = told(event.card)
    pile = (*(memory.dealer_piles[event.pile] or ()), card)
    return replace(
        memory,
        dealer_piles=with_item(memory.dealer_piles, event.pile, pile),
        round_pile=still_known(memory.round_pile, card),
    )


def _pile_discarded(memory: Memory, event: DealerPileDiscarded) -> Memory:
    pile = _with_top(memory.dealer_piles[event.pile] or (), told(event.top))
    memory = replace(memory, dealer_piles=with_item(memory.dealer_piles, event.pile, None))
    return _with_discarded(memory, pile)


def _pile_taken(memory: Memory, event: DealerPileTaken) -> Memory:
    pile = _with_top(memory.dealer_piles[event.pile] or (), told(event.top))
    memory = replace(memory, dealer_piles=with_item(memory.dealer_piles, event.pile, None))
    player = memory.seats[event.seat]
    hand = sorted_cards((*player.hand, *(told(event.cards) or cards_told(pile))))
    return memory.with_seat(event.seat, replace(player, hand=hand))


def _cards_stored(memory: Memory, event: PlayedCardsStored) -> Memory:
    player = memory.seats[event.seat]
    told_stored = told(event.to_value)
    stored = (FEED,) * memory.substituted if told_stored is None else told_stored
    # Unseen cards may be feed for a route or a good, unless all were requests and substitutes.
    is_sure = told_stored is not None or memory.played == memory.fulfilled + memory.substituted
    player = replace(
        player,
        value_pile=sorted_cards((*player.value_pile, *stored)),
        requests=player.requests + memory.fulfilled,
        feed=player.feed + stored.count(FEED) if is_sure and player.feed is not None else None,
    )
    return _with_discarded(memory.with_seat(event.seat, player), told(event.to_discard) or ())


def _surplus_stored(memory: Memory, event: SurplusFeedStored) -> Memory:
    """Only a hand of more than four feed and nothing else has a surplus; four stay."""
    player = memory.seats[event.seat]
    count = told(event.count)
    surplus: Cards = (FEED,) * (count or 1)
    player = replace(
        player,
        hand=(FEED,) * HAND_LIMIT,
        value_pile=sorted_cards((*player.value_pile, *surplus)),
        feed=None if count is None or player.feed is None else player.feed + count,
    )
    return memory.with_seat(event.seat, player)


def _without_hand_card(memory: Memory, seat: Seat, card: Card | None) -> Memory:
    player = memory.seats[seat]
    return memory.with_seat(seat, replace(player, hand=still_known(player.hand, card)))


def _with_discarded(memory: Memory, cards: Iterable[Card | None]) -> Memory:
    known = sorted_cards((*memory.discard_pile, *cards_told(cards)))
    return replace(memory, discard_pile=known)


def _with_top(pile: KnownPile, top: Card | None) -> KnownPile:
    return pile if top is None else (*pile[:-1], top)


def _is_pile(known: KnownPile | None, pile: Cards | None) -> bool:
    if known is None or pile is None:
        return known is pile
    return len(known) == len(pile) and all(
        seen is None or seen == card for seen, card in zip(known, pile, strict=True)
    )


def _is_seat(known: SeatMemory, player: Player) -> bool:
    value_pile = player.value_pile
    return (
        holds_all(player.hand, known.hand)
        and holds_all(value_pile, known.value_pile)
        and known.requests == requests_of(value_pile)
        and known.feed in {None, value_pile.count(FEED)}
    )
