"""What a seat may know of the toy game, remember, guess and read; see `support.toy_game`."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from howff.engine.game import Names
from howff.engine.rng import Rng
from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import told
from support.toy_types import (
    DECK,
    Answer,
    Bid,
    BidsRevealed,
    BottomPeeked,
    Card,
    CardBid,
    CardOffered,
    Cards,
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
    Passed,
    Peek,
    Player,
    PlayerView,
    PrizeTurned,
    State,
    TurnEnded,
    TurnStarted,
    View,
)


def view(state: State, viewer: Viewer) -> View:
    """Return what *viewer* may know of *state*."""
    return View(
        options=state.options,
        viewer=viewer,
        players=tuple(
            _player_view(state, player, viewer, is_own=seat == viewer)
            for seat, player in enumerate(state.players)
        ),
        stage=state.stage,
        round=state.round,
        starter=state.starter,
        active=state.active,
        prize=state.prize,
        offer=None if state.offer is None else _passed_view(state, state.offer, viewer),
        has_peeked=state.has_peeked,
        has_exchanged=state.has_exchanged,
        deck_count=len(state.deck),
        discard_count=len(state.discards),
        discards=state.discards if state.options.memory == "open" else None,
        points=state.points,
    )


def _player_view(state: State, player: Player, viewer: Viewer, *, is_own: bool) -> PlayerView:
    return PlayerView(
        hand_count=len(player.hand),
        hand=player.hand if is_own else None,
        has_bid=player.bid is not None,
        bid=player.bid if is_own else None,
        prizes=player.prizes,
        store=tuple(_passed_view(state, passed, viewer) for passed in player.store),
    )


def _passed_view(state: State, passed: Passed, viewer: Viewer) -> Passed:
    is_known = viewer in {passed.giver, passed.to} or state.stage == "finished"
    return passed if is_known else replace(passed, card=None)


def remember(memory: Memory, event: Event, seat: Seat) -> Memory:
    """Return what *seat* knows after *event* as told to it."""
    match event:
        case BidsRevealed(_, cards):
            return replace(memory, discards=tuple(sorted((*memory.discards, *(told(cards) or ())))))
        case BottomPeeked(peeker, card) if peeker == seat:
            return replace(memory, bottom=told(card) or memory.bottom)
        case _:
            return memory


def is_true(memory: Memory, state: State, _seat: Seat) -> bool:
    """Return whether everything in *memory* is true of *state*."""
    is_bottom_true = memory.bottom is None or memory.bottom == state.deck[-1]
    return is_bottom_true and Counter(memory.discards) <= Counter(state.discards)


def sample_world(view: View, memory: Memory, rng: Rng) -> State:
    """Return a state with this *view* and *memory*."""
    seen = memory.discards if view.discards is None else view.discards
    known = Counter((*_cards_in(view), *seen))
    if memory.bottom is not None:
        known[memory.bottom] += 1
    unknown = iter(rng.shuffle("unknown cards", sorted((Counter(DECK) - known).elements())))
    players = tuple(_sampled_player(player, unknown) for player in view.players)
    offer = None if view.offer is None else _sampled_passed(view.offer, unknown)
    unseen = view.discard_count - len(seen)
    discards = tuple(sorted((*seen, *(next(unknown) for _ in range(unseen)))))
    bottom = () if memory.bottom is None else (memory.bottom,)
    return State(
        options=view.options,
        players=players,
        stage=view.stage,
        round=view.round,
        starter=view.starter,
        active=view.active,
        prize=view.prize,
        offer=offer,
        has_peeked=view.has_peeked,
        has_exchanged=view.has_exchanged,
        deck=(*unknown, *bottom),
        discards=discards,
        points=view.points,
    )


def _cards_in(view: View) -> Iterator[Card]:
    """Return the cards that *view* shows outside the discard pile."""
    for player in view.players:
        yield from (*(player.hand or ()), *player.prizes)
        yield from (each.card for each in player.store if each.card is not None)
    offered = None if view.offer is None else view.offer.card
    shown = (view.prize, offered, *(player.bid for player in view.players))
    yield from (card for card in shown if card is not None)


def _sampled_player(player: PlayerView, unknown: Iterator[Card]) -> Player:
    hand = player.hand
    if hand is None:
        hand = tuple(sorted(next(unknown) for _ in range(player.hand_count)))
    bid = next(unknown) if player.has_bid and player.bid is None else player.bid
    store = tuple(_sampled_passed(passed, unknown) for passed in player.store)
    return Player(hand, bid, player.prizes, store)


def _sampled_passed(passed: Passed, unknown: Iterator[Card]) -> Passed:
    return passed if passed.card is not None else replace(passed, card=next(unknown))


def explain(_view: View, seat: Seat | None, subject: Move | Event, names: Names) -> str:
    """Return one line for people on a move of *seat*, or on a redacted event."""
    if isinstance(subject, Move):
        assert seat is not None
        return f"{names[seat]} {_move_text(subject, names)}"
    return _event_text(subject, names)


def _move_text(move: Move, names: Names) -> str:
    match move:
        case Bid(card):
            return f"bids a {card}"
        case Peek():
            return "peeks at the bottom of the deck"
        case Offer(to, card):
            return f"offers a {card} to {names[to]}"
        case Answer(card):
            return f"answers with a {card}"
        case EndTurn():
            return "ends the turn"
        case _:
            assert_never(move)


def _event_text(event: Event, names: Names) -> str:  # noqa: C901, PLR0911, PLR0912 — a case an event
    match event:
        case GameStarted(_, _, starter):
            return f"{names[starter]} is the starter"
        case DeckShuffled(size, _):
            return f"The {size} cards of the deck are shuffled"
        case CardsDrawn(seat, count, cards):
            return f"{names[seat]} draws {_cards_text(told(cards), count)}"
        case PrizeTurned(number, card):
            return f"Round {number} is for a {card}"
        case CardBid(seat, card):
            return f"{names[seat]} bids {_card_text(told(card))}"
        case BidsRevealed(winner, cards):
            bids = _cards_text(told(cards), len(names))
            return f"{names[winner]} wins the prize, with bids of {bids}"
        case TurnStarted(seat):
            return f"The turn of {names[seat]} begins"
        case BottomPeeked(seat, card):
            return f"{names[seat]} sees {_card_text(told(card))} at the bottom of the deck"
        case CardOffered(seat, to, card):
            return f"{names[seat]} offers {_card_text(told(card))} to {names[to]}"
        case CardsExchanged(seat, to, given, answer):
            texts = (_card_text(told(given)), _card_text(told(answer)))
            return f"{names[seat]} stores {texts[1]} of {names[to]} for {texts[0]}"
        case TurnEnded(seat):
            return f"The turn of {names[seat]} is over"
        case GameEnded(_, points):
            return f"The match is over with points {', '.join(map(str, points))}"
        case _:
            assert_never(event)


def _card_text(card: Card | None) -> str:
    return "a card" if card is None else f"a {card}"


def _cards_text(cards: Cards | None, count: int) -> str:
    return f"{count} cards" if cards is None else ", ".join(map(str, cards)) or "no cards"
