"""Positions of Trödler by their named parts, with moves and events as text."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypedDict, TypeVar, Unpack

from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.data import (
    COLOURS,
    DECK_OTHERS,
    DECK_REQUESTS,
    FIGURES,
    STARTING_SETS,
    VILLAGES,
    Card,
    Cards,
    Colour,
    Good,
    Goods,
    Village,
)
from howff.engine.games.troedler.events import Event
from howff.engine.games.troedler.moves import Move
from howff.engine.games.troedler.state import (
    Options,
    Player,
    Stage,
    State,
    Supply,
    Turn,
    sorted_cards,
)
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat, seat_after, seats_from
from support.rng import LocalRng
from support.texts import Notation

E = TypeVar("E")
Counts = Mapping[str, int]
"""A multiset: how many of each."""
BySeat = Mapping[int, Counts]
Pile = Sequence[str]

NOTATION = Notation.of(Move)
texts = NOTATION.texts


class Parts(TypedDict, total=False):
    """What a test may say about a position; what it leaves out is empty or follows."""

    seats: int
    stage: Stage
    active: int
    dealer: int
    round: int
    options: Options
    carts: Mapping[int, str]
    hands: BySeat
    collections: BySeat
    value_piles: BySeat
    goods: Mapping[str, Counts]
    round_pile: Pile
    dealer_piles: Sequence[Pile | None]
    discard_pile: Pile


def given(**parts: Unpack[Parts]) -> State:
    """Return the position with these *parts*.

    Seats have the colours red, blue, green, yellow; seat 0 deals and is active. If no round pile
    is named it holds all cards that lie nowhere else.
    """
    seats = parts.get("seats", 4)
    stage = parts.get("stage", "playing")
    dealer = Seat(parts.get("dealer", 0))
    active = Seat(parts.get("active", dealer))
    villages = parts.get("goods", {})
    before_phase_3 = stage in {"forming", "dumping", "picking"}
    return State(
        options=parts.get("options", Options()),
        seats=seats,
        stage=stage,
        active=active,
        round=parts.get("round", 1),
        dealer=dealer,
        goods=tuple(goods(villages.get(village, {})) for village in VILLAGES),
        players=tuple(_player(parts, seat) for seat in range(seats)),
        supply=_supply(parts, seats, before_phase_3=before_phase_3),
        turn=Turn(),
        picked=_picked(stage, dealer, active, seats),
        turns_done=() if before_phase_3 else _seats_until(active, dealer, seats),
    )


def _player(parts: Parts, seat: int) -> Player:
    colour = COLOURS[seat]
    return Player(
        colour=colour,
        cart=Village(parts.get("carts", {}).get(seat, STARTING_SETS[colour].village)),
        hand=cards(parts.get("hands", {}).get(seat, {})),
        collection=goods(parts.get("collections", {}).get(seat, {})),
        value_pile=cards(parts.get("value_piles", {}).get(seat, {})),
    )


def _supply(parts: Parts, seats: int, *, before_phase_3: bool) -> Supply:
    nothing = ((),) if before_phase_3 else (None,)
    named = parts.get("dealer_piles", nothing * FIGURES[seats].piles)
    dealer_piles = tuple(None if pile is None else _pile(pile) for pile in named)
    discard_pile = _pile(parts.get("discard_pile", ()))
    rest = Counter(whole_deck(COLOURS[:seats])) - Counter(discard_pile)
    for lying in (*parts.get("hands", {}).values(), *parts.get("value_piles", {}).values()):
        rest -= Counter(cards(lying))
    for pile in dealer_piles:
        rest -= Counter(pile or ())
    return Supply(
        round_pile=_pile(parts.get("round_pile", tuple(rest.elements()))),
        dealer_piles=dealer_piles,
        discard_pile=discard_pile,
    )


def _picked(stage: Stage, dealer: Seat, active: Seat, seats: int) -> tuple[Seat, ...]:
    first = seat_after(dealer, seats)
    if stage in {"forming", "dumping"}:
        return ()
    return _seats_until(active, first, seats) if stage == "picking" else seats_from(first, seats)


def _seats_until(end: Seat, first: Seat, seats: int) -> tuple[Seat, ...]:
    order = seats_from(first, seats)
    return order[: order.index(end)]


def whole_deck(colours: Iterable[Colour]) -> Cards:
    """Return all cards of a match whose seats have these *colours*, sorted."""
    starting = (card for colour in colours for card in STARTING_SETS[colour].cards)
    return sorted_cards((*DECK_REQUESTS, *DECK_OTHERS, *starting))


def cards(counts: Counts) -> Cards:
    """Return a multiset of cards as the state holds it."""
    return sorted_cards(Card(each) for each in Counter(counts).elements())


def goods(counts: Counts) -> Goods:
    """Return a multiset of goods as the state holds it."""
    return tuple(sorted(Good(each) for each in Counter(counts).elements()))


def _pile(pile: Pile) -> Cards:
    return tuple(map(Card, pile))


def legal(state: State, *names: str) -> list[str]:
    """Return the legal moves of the active seat as text; if *names* are given, only such."""
    assert state.active is not None
    found = texts(GAME.legal_moves(state, state.active))
    return [each for each in found if not names or each.split()[0] in names]


def when(state: State, *moves: str, rng: Rng | None = None) -> Draft[State, Event]:
    """Let the active seats play *moves*; return what the last one causes."""
    luck = rng or LocalRng(0)
    draft = Draft(state, GAME.evolve)
    for each in moves:
        assert draft.state.active is not None, f"nobody may {each}"
        draft = GAME.play(draft.state, draft.state.active, NOTATION.move(each), luck)
    return draft


def passed_to(state: State, seat: int) -> State:
    """Return the state in which *seat* plays next, if nobody plays a card before."""
    while True:
        found = legal(state)
        state = when(state, "end_turn" if "end_turn" in found else found[0]).state
        if state.stage == "playing" and state.active == seat:
            return state


def hand(state: State, seat: int = 0) -> Counts:
    """Return the cards in the hand of *seat*."""
    return Counter(state.players[seat].hand)


def collection(state: State, seat: int = 0) -> Counts:
    """Return the goods in front of *seat*."""
    return Counter(state.players[seat].collection)


def value_pile(state: State, seat: int = 0) -> Counts:
    """Return the cards in the value pile of *seat*."""
    return Counter(state.players[seat].value_pile)


def village(state: State, name: str) -> Counts:
    """Return the goods in the village called *name*."""
    return Counter(state.goods_in(Village(name)))
