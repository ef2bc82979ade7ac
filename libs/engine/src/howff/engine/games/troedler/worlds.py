"""Worlds that fit what a seat knows of a match of Trödler, each deal equally likely.

A deal says which card lies in which place; the order of a pile is shuffled afterwards.
"""

from howff.engine.games.troedler.data import FEED, FIRST_HAND, HAND_LIMIT, Cards
from howff.engine.games.troedler.dealt import Deal, DiscardRoom
from howff.engine.games.troedler.known import KnownPlaces, known_places
from howff.engine.games.troedler.legality import legal_moves
from howff.engine.games.troedler.memory import KnownPile, Memory
from howff.engine.games.troedler.scoring import scores_of
from howff.engine.games.troedler.state import Player, State, Supply, sorted_cards
from howff.engine.games.troedler.view import View
from howff.engine.multisets import without
from howff.engine.rng import Rng


def sample_world(view: View, memory: Memory, rng: Rng) -> State:
    """Return a state that *view* and *memory* allow, drawn evenly from the deals that fit."""
    known = known_places(view, memory)
    while True:
        world = _world(view, known, rng)
        if _can_go_on(world) and _can_have_stored(world):
            return world


def _can_go_on(world: State) -> bool:
    """Return whether the active hand explains why its seat has to decide what it decides."""
    if world.active is None:
        return True
    if world.stage == "trimming" and world.players[world.active].hand.count(FEED) >= HAND_LIMIT:
        return False
    return bool(legal_moves(world, world.active))


def _can_have_stored(world: State) -> bool:
    """Return whether no seat has stored more than the cards that its first turn began with."""
    return world.round > 1 or all(
        len(player.hand) + len(player.value_pile) <= FIRST_HAND for player in world.players
    )


def _world(view: View, known: KnownPlaces, rng: Rng) -> State:
    deal = Deal(known.unknown, rng)
    value_piles = deal.exact_value_piles(known.value_demands)
    setup = deal.take_requests(known.setup_requests)
    room = DiscardRoom(view.discard_top is not None, _places_left(view, known))
    deal.fill_free_value_piles(known.value_demands, value_piles, room)
    deal.mix()
    players = tuple(
        Player(
            seen.colour,
            seen.cart,
            sorted_cards((*hand, *deal.take(seen.hand_size - len(hand)))),
            seen.collection,
            sorted_cards((*known_values, *values)),
        )
        for seen, hand, known_values, values in zip(
            view.players, known.hands, known.value_piles, value_piles, strict=True
        )
    )
    supply = _supply(view, known, deal, setup)
    return _state(view, players, supply)


def _places_left(view: View, known: KnownPlaces) -> int:
    """Return how many unknown cards lie in places of known size, the discard pile left out."""
    hands = sum(
        seen.hand_size - len(hand) for seen, hand in zip(view.players, known.hands, strict=True)
    )
    covered = sum(card is None for pile in known.dealer_piles for card in pile or ())
    return hands + covered + view.round_pile_size - len(known.round_pile)


def _supply(view: View, known: KnownPlaces, deal: Deal, setup: Cards) -> Supply:
    dealer_piles = tuple(_filled(pile, deal) for pile in known.dealer_piles)
    unseen = deal.take(view.round_pile_size - len(known.round_pile))
    round_pile = deal.rng.shuffle("round pile", (*known.round_pile, *unseen))
    setup = (*known.setup_discard, *setup)
    later = (*known.discard_pile, *deal.rest())
    return Supply(
        round_pile,
        dealer_piles,
        _discard_pile(view, setup, later, deal),
        len(setup),
    )


def _filled(pile: KnownPile | None, deal: Deal) -> Cards | None:
    if pile is None:
        return None
    return tuple(deal.take(1)[0] if card is None else card for card in pile)


def _discard_pile(view: View, setup: Cards, later: Cards, deal: Deal) -> Cards:
    """Return the discard pile in a random order, but for the tops that are known."""
    setup_top = view.discard_top if not later else None
    if view.open_memory is not None and view.open_memory.setup_discard is not None:
        setup_top = view.open_memory.setup_discard.top
    setup = deal.rng.shuffle("discard pile", setup)
    later = deal.rng.shuffle("discard pile", later)
    if setup_top is not None and setup:
        setup = (*without(setup, setup_top), setup_top)
    if view.discard_top is not None and later:
        later = (*without(later, view.discard_top), view.discard_top)
    return (*setup, *later)


def _state(view: View, players: tuple[Player, ...], supply: Supply) -> State:
    return State(
        options=view.options,
        seats=len(players),
        stage=view.stage,
        active=view.active,
        round=view.round,
        dealer=view.dealer,
        goods=tuple(each.goods for each in view.goods),
        players=players,
        supply=supply,
        turn=view.turn,
        picked=view.picked,
        turns_done=view.turns_done,
        scores=scores_of(players) if view.stage == "finished" else None,
    )
