"""What a viewer may know of a state of Dale of Merchants.

Open are the market, all discard piles, stalls, and whatever lies in play. A view of another seat
shows no hand and none of what its cards were made: a marked card may have left the hand unseen.
"""

from dataclasses import dataclass

from howff.engine.games.dale_of_merchants.data import Card, Cards, SetId
from howff.engine.games.dale_of_merchants.stages import Stage, stage_of, to_act
from howff.engine.games.dale_of_merchants.state import (
    Ending,
    Hand,
    Options,
    Player,
    Private,
    State,
    Turn,
)
from howff.engine.seats import Seat, Viewer


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everybody sees of a seat."""

    deck_size: int
    discard_pile: Cards
    """Bottom first."""
    hand_size: int
    stall: tuple[Cards, ...]


@dataclass(frozen=True, slots=True)
class MarketView:
    """What everybody sees of the market."""

    slots: tuple[Card | None, ...]
    """From the right, where cards are cheapest."""
    deck_size: int
    discard_pile: Cards
    """Bottom first."""


@dataclass(frozen=True, slots=True)
class Revelation:
    """All that was secret, once the match has ended."""

    hands: tuple[Hand, ...]
    decks: tuple[Cards, ...]
    """Top first."""
    market_deck: Cards
    """Top first."""


@dataclass(frozen=True, slots=True)
class View:
    """A state as one viewer may know it; `hand` and `private` are the viewer's own."""

    seat: Viewer
    options: Options
    sets: tuple[SetId, ...]
    first_seat: Seat | None
    round: int
    stage: Stage
    to_act: tuple[Seat, ...]
    turn: Turn | None
    players: tuple[PlayerView, ...]
    market: MarketView
    junk_pile: int
    substitutes: int
    removed: Cards
    looked_at: int
    """How many cards the active seat is looking at."""
    has_secret: bool
    """Whether the active seat has chosen a secret card."""
    ending: Ending | None
    hand: Hand | None
    private: Private | None
    """None for all but the active seat."""
    revelation: Revelation | None


def view(state: State, viewer: Viewer) -> View:
    """Return what *viewer* may know of *state*."""
    is_active = state.turn is not None and viewer == state.turn.seat
    return View(
        seat=viewer,
        options=state.options,
        sets=state.sets,
        first_seat=state.first_seat,
        round=state.round,
        stage=stage_of(state),
        to_act=to_act(state),
        turn=state.turn,
        players=tuple(map(_player_view, state.players)),
        market=MarketView(state.market.slots, len(state.market.deck), state.market.discard_pile),
        junk_pile=state.junk_pile,
        substitutes=state.substitutes,
        removed=state.removed,
        looked_at=len(state.private.looked_at),
        has_secret=state.private.secret is not None,
        ending=state.ending,
        hand=None if viewer is None else state.players[viewer].hand,
        private=state.private if is_active else None,
        revelation=None if state.ending is None else _revelation(state),
    )


def _player_view(player: Player) -> PlayerView:
    return PlayerView(len(player.deck), player.discard_pile, len(player.hand), player.stall)


def _revelation(state: State) -> Revelation:
    return Revelation(
        hands=tuple(player.hand for player in state.players),
        decks=tuple(player.deck for player in state.players),
        market_deck=state.market.deck,
    )
