"""What view and memory together tell of the places of Trödler's cards."""

from collections import Counter
from dataclasses import dataclass

from howff.engine.games.troedler.data import (
    CARDS_PER_PILE,
    DECK_OTHERS,
    DECK_REQUESTS,
    FEED,
    FIGURES,
    HAND_LIMIT,
    STARTING_SETS,
    Card,
    Cards,
)
from howff.engine.games.troedler.memory import KnownPile, Memory, SeatMemory
from howff.engine.games.troedler.scoring import points_of, requests_of
from howff.engine.games.troedler.view import View
from howff.engine.seats import Seat

_FULL_HAND = HAND_LIMIT + CARDS_PER_PILE
"""As many cards a seat has at most when its turn begins."""


@dataclass(frozen=True, slots=True)
class ValueDemand:
    """What is still to be dealt to a value pile; None where nothing is known."""

    requests: int | None
    feed: int | None
    points: int | None = None
    possible_requests: range = range(0)
    """What an unknown number of requests may be."""


@dataclass(frozen=True, slots=True)
class KnownPlaces:
    """The cards whose places are known, how many each place lacks, and all that is left."""

    hands: tuple[Cards, ...]
    value_piles: tuple[Cards, ...]
    value_demands: tuple[ValueDemand, ...]
    dealer_piles: tuple[KnownPile | None, ...]
    discard_pile: Cards
    setup_discard: Cards
    setup_requests: int
    """How many requests the cards of the setup lack."""
    round_pile: Cards
    unknown: Cards
    """The cards that may lie anywhere else, sorted."""


def known_places(view: View, memory: Memory) -> KnownPlaces:
    """Return what *view* and *memory* leave open."""
    seats = range(len(view.players))
    memories = memory.seats or (SeatMemory(),) * len(view.players)
    hands = tuple(_hand(view, Seat(seat), memories[seat]) for seat in seats)
    value_piles = tuple(_value_pile(view, Seat(seat), memories[seat]) for seat in seats)
    demands = tuple(_demand(view, memory, Seat(seat), value_piles[seat]) for seat in seats)
    piles = tuple(_pile(view, memory, at) for at in range(len(view.dealer_piles)))
    setup = _setup_discard(view, memory)
    discard_pile = _discard_pile(view, memory)
    placed = Counter(
        card
        for place in (*hands, *value_piles, *map(_seen, piles), setup, discard_pile)
        for card in place
    )
    placed.update(memory.round_pile)
    placed.update(view.turn.played)
    return KnownPlaces(
        hands=hands,
        value_piles=value_piles,
        value_demands=demands,
        dealer_piles=piles,
        discard_pile=discard_pile,
        setup_discard=setup,
        setup_requests=_setup_size(view) - len(setup),
        round_pile=memory.round_pile,
        unknown=tuple((_all_cards(view) - placed).elements()),
    )


def _all_cards(view: View) -> Counter[Card]:
    cards = Counter((*DECK_OTHERS, *DECK_REQUESTS))
    for player in view.players:
        cards.update(STARTING_SETS[player.colour].cards)
    return cards


def _hand(view: View, seat: Seat, memory: SeatMemory) -> Cards:
    return view.hand if seat == view.seat and view.hand is not None else memory.hand


def _value_pile(view: View, seat: Seat, memory: SeatMemory) -> Cards:
    if seat == view.seat and view.value_pile is not None:
        return view.value_pile
    return memory.value_pile


def _demand(view: View, memory: Memory, seat: Seat, known: Cards) -> ValueDemand:
    requests, feed = requests_of(known), known.count(FEED)
    if seat == view.seat:
        return ValueDemand(0, 0)
    if view.open_memory is not None:
        pile = view.open_memory.value_piles[seat]
        points = pile.points - points_of(known)
        return ValueDemand(pile.requests - requests, pile.feed - feed, points)
    if memory.seats:
        seen = memory.seats[seat]
        missing_feed = None if seen.feed is None else seen.feed - feed
        return ValueDemand(seen.requests - requests, missing_feed)
    return _unknown_demand(view, seat)


def _unknown_demand(view: View, seat: Seat) -> ValueDemand:
    """Return what a value pile may hold if nobody has watched it grow.

    At a round's start nobody has enough requests to end the match; a turn adds some.
    """
    before_turn = range(1 if view.round == 1 else FIGURES[len(view.players)].end_requests)
    if view.stage == "trimming" and seat == view.active:
        delivered = len(view.turn.delivered_villages)
        stored = range(delivered, len(before_turn) + delivered)
        return ValueDemand(None, None, possible_requests=stored)
    if seat in view.turns_done:
        stored = range(len(before_turn) + _FULL_HAND)
        return ValueDemand(None, None, possible_requests=stored)
    if view.round == 1:
        return ValueDemand(0, 0)
    return ValueDemand(None, None, possible_requests=before_turn)


def _pile(view: View, memory: Memory, at: int) -> KnownPile | None:
    pile = view.dealer_piles[at]
    if pile is None:
        return None
    if pile.cards is not None:
        return pile.cards
    known = memory.dealer_piles[at] if memory.seats else None
    covered = (None,) * (pile.size - 1) if known is None else known[:-1]
    return () if pile.top is None else (*covered, pile.top)


def _discard_pile(view: View, memory: Memory) -> Cards:
    if view.open_memory is not None:
        return view.open_memory.discard_pile
    top = view.discard_top
    if top is None or _is_setup_on_top(view) or top in memory.discard_pile:
        return memory.discard_pile
    return (*memory.discard_pile, top)


def _setup_discard(view: View, memory: Memory) -> Cards:
    if not _setup_size(view):
        return ()
    top: Card | None = None
    if view.open_memory is not None and view.open_memory.setup_discard is not None:
        top = view.open_memory.setup_discard.top
    elif _is_setup_on_top(view):
        top = view.discard_top
    elif memory.setup_discard:
        return memory.setup_discard
    feed: Cards = (FEED,) * FIGURES[len(view.players)].discard_feed
    return feed if top is None or top == FEED else (*feed, top)


def _setup_size(view: View) -> int:
    """Return how many cards of the setup still lie in the discard pile."""
    figures = FIGURES[len(view.players)]
    lies = view.round <= figures.rounds_before_reshuffle
    return figures.discard_requests + figures.discard_feed if lies else 0


def _is_setup_on_top(view: View) -> bool:
    gone = sum(pile is None for pile in view.dealer_piles)
    return view.round == 1 and gone == len(view.picked)


def _seen(pile: KnownPile | None) -> Cards:
    return tuple(card for card in pile or () if card is not None)
