"""What a legal move causes in a match of Trödler."""

from typing import assert_never

from howff.engine.games.troedler.data import (
    EXTRA,
    FEED,
    HAND_LIMIT,
    REQUESTS,
    ROUTE_BETWEEN,
    ROUTE_CARDS,
    Card,
    Good,
    Village,
)
from howff.engine.games.troedler.dealing import Decision, deal_all, deal_card, start_round
from howff.engine.games.troedler.events import (
    CardPlayed,
    CartMoved,
    DealerPileDiscarded,
    DealerPileTaken,
    GameEnded,
    GoodsDelivered,
    GoodsLeft,
    GoodSubstituted,
    GoodTaken,
    HandCardDiscarded,
    HorsePassed,
    PlayedCardsStored,
    RequestFulfilled,
    RoundEnded,
    SurplusFeedStored,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.troedler.evolve import evolve
from howff.engine.games.troedler.legality import open_goods
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
from howff.engine.games.troedler.scoring import requests_of, scores_of
from howff.engine.games.troedler.state import State
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat, seat_after


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the one seat that decides now; nobody once the match is over."""
    return () if state.active is None else (state.active,)


def decide(  # noqa: C901, PLR0912, PLR0915
    state: State, seat: Seat, move: Move, rng: Rng
) -> Decision:
    """Return what *move* causes; it is one of the legal moves of *seat*."""
    decision = Draft(state, evolve)
    match move:
        case PlayRoute(route_type, to):
            _drive(decision, seat, ROUTE_CARDS[route_type], to)
        case FeedRoute(to):
            _drive(decision, seat, FEED, to)
        case TakeGood(good):
            decision.add(GoodTaken(seat, _cart(decision, seat), good))
        case LeaveGoods():
            decision.add(GoodsLeft(seat, _cart(decision, seat)))
        case PlayExtra(good):
            _take_with(decision, seat, EXTRA, good)
        case FeedTake(good):
            _take_with(decision, seat, FEED, good)
        case FulfilRequest(request):
            decision.add(CardPlayed(seat, request, "request"))
            _deliver(decision, seat, request, REQUESTS[request].goods)
        case FeedSubstitute():
            _substitute(decision, seat, move)
        case CompleteDelivery():
            _complete_delivery(decision, seat)
        case EndTurn():
            _store_and_trim(decision, seat, rng)
        case DiscardCard(card):
            _discard_card(decision, seat, card, rng)
        case TakePile(pile):
            _take_pile(decision, seat, pile)
        case DiscardPile(pile):
            _discard_pile(decision, pile, dumped_by=seat)
        case RevealCard():
            deal_card(decision, rng)
        case RevealAll():
            deal_all(decision, rng)
        case _:
            assert_never(move)
    return decision


def _cart(decision: Decision, seat: Seat) -> Village:
    return decision.state.players[seat].cart


def _drive(decision: Decision, seat: Seat, card: Card, to: Village) -> None:
    origin = _cart(decision, seat)
    decision.add(CardPlayed(seat, card, "route"))
    take_owed = bool(decision.state.goods_in(to))
    decision.add(CartMoved(seat, origin, to, ROUTE_BETWEEN[origin, to], take_owed))


def _take_with(decision: Decision, seat: Seat, card: Card, good: Good) -> None:
    decision.add(CardPlayed(seat, card, "take"))
    decision.add(GoodTaken(seat, _cart(decision, seat), good))


def _deliver(decision: Decision, seat: Seat, request: Card, goods: tuple[Good, ...]) -> None:
    village = _cart(decision, seat)
    decision.add(GoodsDelivered(seat, village, tuple(sorted(goods))))
    decision.add(RequestFulfilled(seat, village, request))


def _substitute(decision: Decision, seat: Seat, move: FeedSubstitute) -> None:
    if decision.state.turn.delivery is None:
        decision.add(CardPlayed(seat, move.request, "request"))
    decision.add(CardPlayed(seat, FEED, "substitute"))
    decision.add(GoodSubstituted(seat, move.request, move.wanted, move.substitute))


def _complete_delivery(decision: Decision, seat: Seat) -> None:
    delivery = decision.state.turn.delivery
    assert delivery is not None, "completing is legal only while a delivery is open"
    goods = (*open_goods(delivery), *delivery.substitutes)
    _deliver(decision, seat, delivery.request, goods)


def _take_pile(decision: Decision, seat: Seat, pile: int) -> None:
    dealer = decision.state.dealer
    assert dealer is not None, "a round has a dealer"
    next_seat = None if seat == dealer else seat_after(seat, decision.state.seats)
    _move_pile_to_hand(decision, seat, pile, next_seat)
    if decision.state.seats == 2:  # noqa: PLR2004 — the rules for two
        _move_pile_to_hand(decision, dealer, _last_pile(decision), None)
    elif next_seat is None:
        _discard_pile(decision, _last_pile(decision), dumped_by=None)
    if len(decision.state.picked) == decision.state.seats:
        decision.add(TurnStarted(dealer))


def _last_pile(decision: Decision) -> int:
    """Return the number of the one pile that is still there."""
    piles = decision.state.supply.dealer_piles
    return next(at for at, pile in enumerate(piles) if pile is not None)


def _move_pile_to_hand(decision: Decision, seat: Seat, pile: int, next_seat: Seat | None) -> None:
    cards = decision.state.supply.dealer_piles[pile]
    assert cards, "only a pile that is still there is taken"
    decision.add(DealerPileTaken(seat, pile, next_seat, cards[-1], cards))


def _discard_pile(decision: Decision, pile: int, *, dumped_by: Seat | None) -> None:
    cards = decision.state.supply.dealer_piles[pile]
    assert cards, "only a pile that is still there is discarded"
    next_seat = None if dumped_by is None else seat_after(dumped_by, decision.state.seats)
    decision.add(DealerPileDiscarded(dumped_by, pile, next_seat, cards[-1], cards))


def _store_and_trim(decision: Decision, seat: Seat, rng: Rng) -> None:
    """End the turn, unless the seat has to choose which cards go over the hand limit."""
    played = decision.state.turn.played
    to_value = tuple(card for card in played if card == FEED or card in REQUESTS)
    to_discard = tuple(card for card in played if card != FEED and card not in REQUESTS)
    decision.add(PlayedCardsStored(seat, len(to_discard), len(to_value), to_discard, to_value))
    hand = decision.state.players[seat].hand
    feed = hand.count(FEED)
    if len(hand) > HAND_LIMIT > feed:
        return
    if len(hand) > HAND_LIMIT:
        # Ruling 18: four feed stay, everything else goes, and more feed counts as damage.
        for card in sorted(card for card in hand if card != FEED):
            decision.add(HandCardDiscarded(seat, card))
        if feed > HAND_LIMIT:
            decision.add(SurplusFeedStored(seat, feed - HAND_LIMIT))
    _end_turn(decision, seat, rng)


def _discard_card(decision: Decision, seat: Seat, card: Card, rng: Rng) -> None:
    decision.add(HandCardDiscarded(seat, card))
    if len(decision.state.players[seat].hand) == HAND_LIMIT:
        _end_turn(decision, seat, rng)


def _end_turn(decision: Decision, seat: Seat, rng: Rng) -> None:
    decision.add(TurnEnded(seat))
    if len(decision.state.turns_done) < decision.state.seats:
        decision.add(TurnStarted(seat_after(seat, decision.state.seats)))
    else:
        _end_round(decision, rng)


def _end_round(decision: Decision, rng: Rng) -> None:
    state = decision.state
    assert state.dealer is not None, "a round has a dealer"
    decision.add(RoundEnded(state.round))
    if _is_decided(state):
        decision.add(GameEnded("requests", scores_of(state.players)))
    elif state.round == state.options.round_limit:
        decision.add(GameEnded("round_limit", scores_of(state.players)))
    else:
        dealer = seat_after(state.dealer, state.seats)
        decision.add(HorsePassed(state.dealer, dealer))
        start_round(decision, state.round + 1, dealer, rng)


def _is_decided(state: State) -> bool:
    """Return whether a seat has fulfilled as many requests as end the match."""
    enough = state.figures.end_requests
    return any(requests_of(player.value_pile) >= enough for player in state.players)
