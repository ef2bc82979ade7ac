"""A small complete game for tests: bids for prizes, with every kind of secret.

In each round a prize lies open and all seats bid a card face down, in any order. The highest bid
(of equals the first from the starter on) wins the prize and a turn: the winner may peek at the
bottom of the deck, and may offer a card to another seat, which answers with one of its own; each
lies face down in the store of who got it. Prizes and stores count at the end.
"""

import hashlib
from dataclasses import replace
from typing import assert_never

from howff.engine.codec import canonical
from howff.engine.errors import WrongOptionError
from howff.engine.game import Game
from howff.engine.outcome import Figure, Outcome, places_by
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat, seats_from
from support.toy_types import (
    DECK,
    HAND,
    MOST_ROUNDS,
    Answer,
    Bid,
    BidsRevealed,
    BottomPeeked,
    Card,
    CardBid,
    CardOffered,
    CardsDrawn,
    CardsExchanged,
    DeckShuffled,
    EndTurn,
    Event,
    GameEnded,
    GameStarted,
    Memory,
    Move,
    Offer,
    Options,
    Passed,
    Peek,
    Player,
    PrizeTurned,
    State,
    TurnEnded,
    TurnStarted,
    View,
)
from support.toy_view import explain, is_true, remember, sample_world, view

Turn = Draft[State, Event]


def initial(options: Options, seats: int) -> State:
    """Return the state before the opening draws."""
    if options.rounds not in range(1, MOST_ROUNDS + 1):
        raise WrongOptionError("rounds", expected=f"1 to {MOST_ROUNDS}", found=str(options.rounds))
    return State(options, (Player(),) * seats, starter=Seat(0))


def setup(state: State, rng: Rng) -> Turn:
    """Draw the opening of a match."""
    turn = Turn(state, evolve)
    seats = len(state.players)
    turn.add(GameStarted(seats, state.options, Seat(rng.draw("starter", seats))))
    turn.add(DeckShuffled(len(DECK), rng.shuffle("deck", DECK)))
    _start_round(turn)
    return turn


def to_act(state: State) -> tuple[Seat, ...]:
    """Return who has not bid yet, or whose turn or answer it is."""
    match state.stage:
        case "bidding":
            return tuple(
                Seat(seat) for seat, player in enumerate(state.players) if player.bid is None
            )
        case "turn":
            return () if state.active is None else (state.active,)
        case "answering":
            return () if state.offer is None else (state.offer.to,)
        case "finished":
            return ()


def legal_moves(state: State, seat: Seat) -> tuple[Move, ...]:
    """Return what *seat* may do now."""
    if seat not in to_act(state):
        return ()
    cards = sorted(set(state.players[seat].hand))
    match state.stage:
        case "bidding":
            return tuple(Bid(card) for card in cards)
        case "answering":
            return tuple(Answer(card) for card in cards)
        case "turn" | "finished":
            others = seats_from(seat, len(state.players))[1:]
            offers = (
                ()
                if state.has_exchanged
                else tuple(Offer(to, card) for to in others for card in cards)
            )
            return (*(() if state.has_peeked else (Peek(),)), *offers, EndTurn())


def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Turn:  # noqa: ARG001 — luck lies in the deck
    """Return what a legal move causes."""
    turn = Turn(state, evolve)
    match move:
        case Bid(card):
            turn.add(CardBid(seat, card))
            if not to_act(turn.state):
                _reveal_bids(turn)
        case Peek():
            turn.add(BottomPeeked(seat, state.deck[-1]))
        case Offer(to, card):
            turn.add(CardOffered(seat, to, card))
        case Answer(card):
            offer = state.offer
            assert offer is not None
            assert offer.card is not None
            turn.add(CardsExchanged(offer.giver, seat, offer.card, card))
        case EndTurn():
            turn.add(TurnEnded(seat))
            _end_round(turn)
        case _:
            assert_never(move)
    return turn


def _start_round(turn: Turn) -> None:
    state = turn.state
    for seat in seats_from(state.starter, len(state.players)):
        count = HAND - len(state.players[seat].hand)
        turn.add(CardsDrawn(seat, count, turn.state.deck[:count]))
    turn.add(PrizeTurned(state.round + 1, turn.state.deck[0]))


def _reveal_bids(turn: Turn) -> None:
    bids = tuple(player.bid or 0 for player in turn.state.players)
    order = seats_from(turn.state.starter, len(bids))
    winner = max(order, key=lambda seat: bids[seat])
    turn.add(BidsRevealed(winner, bids))
    turn.add(TurnStarted(winner))


def _end_round(turn: Turn) -> None:
    state = turn.state
    if state.round < state.options.rounds:
        _start_round(turn)
        return
    stores = tuple(tuple(each.card or 0 for each in player.store) for player in state.players)
    points = tuple(
        sum(player.prizes) + sum(store) for player, store in zip(state.players, stores, strict=True)
    )
    turn.add(GameEnded(stores, points))


def evolve(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912 — a case an event
    """Return the state after *event*."""
    match event:
        case GameStarted(_, options, starter):
            return replace(state, options=options, starter=starter)
        case DeckShuffled(_, order):
            return replace(state, deck=order)
        case CardsDrawn(seat, count, cards):
            hand = tuple(sorted((*state.players[seat].hand, *cards)))
            return replace(state, deck=state.deck[count:]).with_player(seat, hand=hand)
        case PrizeTurned(number, card):
            deck = state.deck[1:]
            return replace(state, stage="bidding", round=number, prize=card, deck=deck)
        case CardBid(seat, card):
            return _without_card(state, seat, card).with_player(seat, bid=card)
        case BidsRevealed():
            return _bids_revealed(state, event)
        case TurnStarted(seat):
            return replace(state, stage="turn", active=seat)
        case BottomPeeked():
            return replace(state, has_peeked=True)
        case CardOffered(seat, to, card):
            offer = Passed(seat, to, card)
            return replace(_without_card(state, seat, card), stage="answering", offer=offer)
        case CardsExchanged():
            return _cards_exchanged(state, event)
        case TurnEnded(seat):
            return replace(state, active=None, has_peeked=False, has_exchanged=False, starter=seat)
        case GameEnded(_, points):
            return replace(state, stage="finished", points=points)
        case _:
            assert_never(event)


def _without_card(state: State, seat: Seat, card: Card) -> State:
    hand = list(state.players[seat].hand)
    hand.remove(card)
    return state.with_player(seat, hand=tuple(hand))


def _bids_revealed(state: State, event: BidsRevealed) -> State:
    assert state.prize is not None
    prizes = (*state.players[event.winner].prizes, state.prize)
    players = tuple(replace(player, bid=None) for player in state.players)
    discards = tuple(sorted((*state.discards, *event.cards)))
    state = replace(state, players=players, discards=discards, prize=None)
    return state.with_player(event.winner, prizes=prizes)


def _cards_exchanged(state: State, event: CardsExchanged) -> State:
    seat, to = event.seat, event.to
    state = _without_card(state, to, event.answer)
    for passed in (Passed(seat, to, event.given), Passed(to, seat, event.answer)):
        store = (*state.players[passed.to].store, passed)
        state = state.with_player(passed.to, store=store)
    return replace(state, stage="turn", offer=None, has_exchanged=True)


def outcome(state: State) -> Outcome | None:
    """Return the places by points."""
    if state.points is None:
        return None
    figures = tuple(
        (Figure("prizes", sum(player.prizes)), Figure("points", points))
        for player, points in zip(state.players, state.points, strict=True)
    )
    return Outcome(places_by([-points for points in state.points]), figures)


def default_move(_view: View, moves: tuple[Move, ...]) -> Move:
    """Return the end of the turn if that is legal, else the lowest card."""
    return next((move for move in moves if isinstance(move, EndTurn)), moves[0])


TOY: Game[Options, State, Move, Event, View, Memory] = Game(
    key="toy",
    title="Toy",
    authors="nobody",
    summary="Highest bids win prizes.",
    seats=range(2, 5),
    rules_version="1",
    data_hash=hashlib.sha256(canonical([*DECK, HAND, MOST_ROUNDS]).encode()).hexdigest(),
    options=Options,
    state=State,
    move=Move,
    event=Event,
    view_type=View,
    memory=Memory,
    initial=initial,
    setup=setup,
    to_act=to_act,
    legal_moves=legal_moves,
    decide=decide,
    evolve=evolve,
    view=view,
    outcome=outcome,
    default_move=default_move,
    remember=remember,
    is_true=is_true,
    sample_world=sample_world,
    explain=explain,
)
