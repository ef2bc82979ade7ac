"""What a viewer may know of a state of Trödler.

A view is a function of the public items and of the viewer's own cards alone. The discard pile's
size is no part of it: with it, what others store could be reckoned by subtraction.
"""

from dataclasses import dataclass

from howff.engine.games.troedler.data import (
    FEED,
    REQUESTS,
    VILLAGES,
    Card,
    Cards,
    Colour,
    Goods,
    Village,
)
from howff.engine.games.troedler.scoring import points_of, requests_of
from howff.engine.games.troedler.state import (
    Options,
    Stage,
    State,
    Supply,
    Turn,
    VillageGoods,
    sorted_cards,
)
from howff.engine.seats import Seat, Viewer


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everybody sees of a seat."""

    colour: Colour
    cart: Village
    collection: Goods
    hand_size: int


@dataclass(frozen=True, slots=True)
class PileView:
    """What is seen of a dealer pile; `cards` (bottom first) only with open memory."""

    size: int
    top: Card | None
    cards: Cards | None


@dataclass(frozen=True, slots=True)
class SetupDiscard:
    """What is known of the first discard pile, as long as it lies there."""

    requests: int
    feed: int
    top: Card


@dataclass(frozen=True, slots=True)
class ValueView:
    """What a value pile holds, with open memory."""

    feed: int
    requests: int
    points: int


@dataclass(frozen=True, slots=True)
class OpenMemory:
    """What a table with open memory need not keep in mind."""

    discard_pile: Cards
    """A multiset, without the cards of the setup."""
    setup_discard: SetupDiscard | None
    value_piles: tuple[ValueView, ...]
    """By seat."""


@dataclass(frozen=True, slots=True)
class View:
    """A state as one viewer may know it; `hand` and `value_pile` are the viewer's own."""

    seat: Viewer
    options: Options
    stage: Stage
    active: Seat | None
    round: int
    dealer: Seat | None
    players: tuple[PlayerView, ...]
    goods: tuple[VillageGoods, ...]
    dealer_piles: tuple[PileView | None, ...]
    round_pile_size: int
    discard_top: Card | None
    turn: Turn
    picked: tuple[Seat, ...]
    turns_done: tuple[Seat, ...]
    hand: Cards | None
    value_pile: Cards | None
    open_memory: OpenMemory | None


def view(state: State, viewer: Viewer) -> View:
    """Return what *viewer* may know of *state*."""
    is_open = state.options.memory == "open"
    own = None if viewer is None else state.players[viewer]
    discard_pile = state.supply.discard_pile
    return View(
        seat=viewer,
        options=state.options,
        stage=state.stage,
        active=state.active,
        round=state.round,
        dealer=state.dealer,
        players=_player_views(state),
        goods=tuple(map(VillageGoods, VILLAGES, state.goods)),
        dealer_piles=tuple(_pile_view(pile, is_open) for pile in state.supply.dealer_piles),
        round_pile_size=len(state.supply.round_pile),
        discard_top=discard_pile[-1] if discard_pile else None,
        turn=state.turn,
        picked=state.picked,
        turns_done=state.turns_done,
        hand=None if own is None else own.hand,
        value_pile=None if own is None else own.value_pile,
        open_memory=_open_memory(state) if is_open else None,
    )


def _player_views(state: State) -> tuple[PlayerView, ...]:
    return tuple(
        PlayerView(player.colour, player.cart, player.collection, len(player.hand))
        for player in state.players
    )


def _pile_view(pile: Cards | None, is_open: bool) -> PileView | None:  # noqa: FBT001
    if pile is None:
        return None
    return PileView(len(pile), pile[-1] if pile else None, pile if is_open else None)


def _open_memory(state: State) -> OpenMemory:
    supply = state.supply
    return OpenMemory(
        sorted_cards(supply.discard_pile[supply.setup_discard :]),
        _setup_discard(supply),
        tuple(
            ValueView(
                player.value_pile.count(FEED),
                requests_of(player.value_pile),
                points_of(player.value_pile),
            )
            for player in state.players
        ),
    )


def _setup_discard(supply: Supply) -> SetupDiscard | None:
    cards = supply.discard_pile[: supply.setup_discard]
    if not cards:
        return None
    requests = sum(card in REQUESTS for card in cards)
    return SetupDiscard(requests, len(cards) - requests, cards[-1])
