"""What a seat may do now: the only place where the legality of Trödler's moves is written.

Moves are values of a few fields over small tables, so they are made once and shared.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Final, assert_never

from howff.engine.games.troedler.data import (
    CARD_ORDER,
    EXTRA,
    FEED,
    FIGURES,
    GOODS,
    NEIGHBOURS,
    REQUESTS,
    ROUTE_CARDS,
    VILLAGE_INDEX,
    Card,
    Cards,
    Good,
    Goods,
    Village,
)
from howff.engine.games.troedler.moves import (
    CompleteDelivery,
    DiscardCard,
    DiscardPile,
    EndTurn,
    FeedRoute,
    FeedSubstitute,
    FeedTake,
    FulfilRequest,
    LeaveGoods,
    Move,
    PlayExtra,
    PlayRoute,
    RevealAll,
    RevealCard,
    TakeGood,
    TakePile,
)
from howff.engine.games.troedler.state import Delivery, State
from howff.engine.multisets import without_all
from howff.engine.once import once
from howff.engine.seats import Seat

Moves = tuple[Move, ...]

_REVEAL: Final[Moves] = (RevealCard(), RevealAll())
_PILES: Final = range(max(figures.piles for figures in FIGURES.values()))
_DISCARD_PILE: Final = tuple(map(DiscardPile, _PILES))
_TAKE_PILE: Final = tuple(map(TakePile, _PILES))
_TAKE_GOOD: Final = {good: TakeGood(good) for good in GOODS}
_PLAY_EXTRA: Final = {good: PlayExtra(good) for good in GOODS}
_FEED_TAKE: Final = {good: FeedTake(good) for good in GOODS}
_FULFIL: Final = {request: FulfilRequest(request) for request in REQUESTS}
_DISCARD_CARD: Final = {card: DiscardCard(card) for card in CARD_ORDER}
_ROUTES: Final[Mapping[Village, tuple[tuple[Card, Moves], ...]]] = {
    village: tuple(
        (ROUTE_CARDS[route_type], tuple(PlayRoute(route_type, to) for to in others))
        for route_type, others in routes.items()
    )
    for village, routes in NEIGHBOURS.items()
}
_FEED_ROUTES: Final[Mapping[Village, Moves]] = {
    village: tuple(
        FeedRoute(to) for to in sorted(chain(*routes.values()), key=VILLAGE_INDEX.__getitem__)
    )
    for village, routes in NEIGHBOURS.items()
}
_LEAVE_GOODS: Final = LeaveGoods()
_COMPLETE_DELIVERY: Final = CompleteDelivery()
_END_TURN: Final = EndTurn()
_substitution = once(FeedSubstitute)


def legal_moves(state: State, seat: Seat) -> Moves:  # noqa: C901, PLR0911
    """Return what *seat* may do now, in the order of the rules; nothing if it owes no decision."""
    if seat != state.active:
        return ()
    match state.stage:
        case "forming":
            return _REVEAL
        case "dumping":
            return tuple(_DISCARD_PILE[pile] for pile in _piles_left(state))
        case "picking":
            return tuple(_TAKE_PILE[pile] for pile in _piles_left(state))
        case "playing":
            return _card_plays(state, seat)
        case "arriving":
            village = state.goods_in(state.players[seat].cart)
            return (*(_TAKE_GOOD[good] for good in _kinds(village)), _LEAVE_GOODS)
        case "delivering":
            return _delivery_moves(state, seat)
        case "trimming":
            codes = set(state.players[seat].hand) - {FEED}
            return tuple(_DISCARD_CARD[card] for card in sorted(codes))
        case "finished":
            return ()
        case _:
            assert_never(state.stage)


def missing(wanted: Goods, owned: Goods) -> int:
    """Return how many of the *wanted* goods are not among the *owned*."""
    return sum(max(0, wanted.count(good) - owned.count(good)) for good in set(wanted))


def open_goods(delivery: Delivery) -> Goods:
    """Return the printed goods of an open delivery that feed has not replaced."""
    return without_all(REQUESTS[delivery.request].goods, delivery.replaced)


def _piles_left(state: State) -> Iterator[int]:
    return (at for at, pile in enumerate(state.supply.dealer_piles) if pile is not None)


def _card_plays(state: State, seat: Seat) -> Moves:
    player = state.players[seat]
    hand, cart = player.hand, player.cart
    moves: list[Move] = []
    for card, routes in _ROUTES[cart]:
        if card in hand:
            moves += routes
    if FEED in hand:
        moves += _FEED_ROUTES[cart]
    goods = state.goods_in(cart)
    if goods:
        moves += _takes(hand, goods)
    elif cart not in state.turn.delivered_villages:
        # Ruling 14: one request a turn and village, even if the village is emptied again.
        moves += _requests(hand, player.collection)
    moves.append(_END_TURN)
    return tuple(moves)


def _takes(hand: Cards, goods: Goods) -> Iterator[Move]:
    # Ruling 9: an extra or feed is not played without taking something.
    kinds = _kinds(goods)
    if EXTRA in hand:
        yield from (_PLAY_EXTRA[good] for good in kinds)
    if FEED in hand:
        yield from (_FEED_TAKE[good] for good in kinds)


def _requests(hand: Cards, collection: Goods) -> Iterator[Move]:
    requests = [card for card in hand if card in REQUESTS]
    for request in requests:
        if not missing(REQUESTS[request].goods, collection):
            yield _FULFIL[request]
    feed = hand.count(FEED)
    if feed:
        for request in requests:
            yield from _substitutions(request, REQUESTS[request].goods, collection, feed)


def _substitutions(request: Card, wanted: Goods, owned: Goods, feed: int) -> Iterator[Move]:
    """Yield each replacement of a *wanted* good after which the delivery can be completed.

    The goods still *wanted* must come from the goods *owned*, each missing one by another *feed*.
    """
    if len(owned) < len(wanted):
        return
    short = missing(wanted, owned)
    if short > feed:
        return
    for good in _kinds(wanted):
        saved = wanted.count(good) > owned.count(good)
        for substitute in _kinds(owned):
            # Ruling 12: a good that one has may be replaced too, always by another kind.
            lost = owned.count(substitute) <= wanted.count(substitute)
            if substitute != good and short - saved + lost <= feed - 1:
                yield _substitution(request, good, substitute)


def _delivery_moves(state: State, seat: Seat) -> Moves:
    delivery = state.turn.delivery
    assert delivery is not None, "a delivery is open in this stage"
    player = state.players[seat]
    wanted = open_goods(delivery)
    owned = without_all(player.collection, delivery.substitutes)
    feed = player.hand.count(FEED)
    moves = _substitutions(delivery.request, wanted, owned, feed) if feed else ()
    if missing(wanted, owned):
        return tuple(moves)
    return (*moves, _COMPLETE_DELIVERY)


def _kinds(goods: Iterable[Good]) -> Goods:
    """Return each kind of *goods* once, sorted."""
    return tuple(sorted(set(goods)))
