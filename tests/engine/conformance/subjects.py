"""The games to test, with every number of seats and the option sets worth testing.

A game of the catalogue is tested without an entry here; an entry says more about it.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from howff.engine import catalogue
from howff.engine.codec import JSON, to_json
from howff.engine.game import AnyGame
from howff.engine.games.troedler import state as troedler
from howff.engine.games.troedler.data import DECK_OTHERS, DECK_REQUESTS, STARTING_SETS
from howff.engine.games.troedler.events import (
    DealerCardRevealed,
    DealerPileTaken,
    DiscardPileFormed,
    GoodsPlaced,
    GoodSubstituted,
    HandCardDiscarded,
    StartingDealerChosen,
    StartVillagesAssigned,
    SurplusFeedStored,
)
from howff.engine.games.troedler.events import GameEnded as TroedlerEnded
from howff.engine.seats import Viewer
from support.playouts import Playout, play_out
from support.toy_game import TOY
from support.toy_types import (
    DECK,
    BidsRevealed,
    BottomPeeked,
    CardsDrawn,
    GameEnded,
    GameStarted,
    PrizeTurned,
    State,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the suite can't know of a game by itself."""

    options: Callable[[int], tuple[JSON, ...]] = lambda _seats: ()
    """Option sets worth testing beside the defaults, by number of seats."""
    invariants: tuple[Callable[[Any], bool], ...] = ()
    """What is true of every state, such as the number of its cards."""
    uncovers: Callable[[Any, Viewer], bool] = lambda _event, _viewer: False
    """Whether an event shows a viewer what lay in a place hidden from it, or luck in the open."""
    uncovered_fields: Mapping[type, tuple[str, ...]] = field(default_factory=dict)
    """The fields in which events of a class uncover something, where that is not any field."""
    forgettable: tuple[type, ...] = ()
    """Events whose secrets nobody need remember, since something else tells them too."""


@dataclass(frozen=True, slots=True)
class Case:
    """A game with a number of seats and a set of options."""

    game: AnyGame
    seats: int
    options: Any
    entry: Entry = Entry()

    @property
    def name(self) -> str:
        """The game, the number of seats, and what is not by default."""
        defaults = to_json(self.game.options, self.game.options())
        options = to_json(self.game.options, self.options)
        other = (f"{key}={value}" for key, value in options.items() if value != defaults[key])
        return "-".join((self.game.key, str(self.seats), *other))

    def play_out(self, seed: int) -> Playout:
        """Return the match of *seed*."""
        return play_out(self.game, self.options, self.seats, seed)


def _has_all_toy_cards(state: State) -> bool:
    passed = [each for player in state.players for each in player.store]
    offered = () if state.offer is None else (state.offer,)
    cards = [each.card for each in (*passed, *offered)]
    cards += [player.bid for player in state.players] + [state.prize]
    for player in state.players:
        cards += (*player.hand, *player.prizes)
    present = (card for card in (*cards, *state.deck, *state.discards) if card is not None)
    return Counter(present) == Counter(DECK)


def _uncovers_toy_cards(event: Any, viewer: Viewer) -> bool:
    if isinstance(event, CardsDrawn | BottomPeeked):
        return event.seat == viewer
    return isinstance(event, GameStarted | PrizeTurned | BidsRevealed | GameEnded)


def _has_all_troedler_cards(state: troedler.State) -> bool:
    supply = state.supply
    places = [supply.round_pile, supply.discard_pile, state.turn.played]
    places += [pile for pile in supply.dealer_piles if pile is not None]
    for player in state.players:
        places += [player.hand, player.value_pile]
    starts = [STARTING_SETS[player.colour].cards for player in state.players]
    cards = Counter((*DECK_OTHERS, *DECK_REQUESTS))
    for each in starts:
        cards.update(each)
    return Counter(card for place in places for card in place) == cards


def _uncovers_troedler_cards(event: Any, viewer: Viewer) -> bool:
    if isinstance(event, DealerPileTaken):
        return event.seat == viewer
    drawn_openly = StartVillagesAssigned | GoodsPlaced | DiscardPileFormed | StartingDealerChosen
    uncovering = DealerCardRevealed | HandCardDiscarded | SurplusFeedStored | TroedlerEnded
    return isinstance(event, drawn_openly | uncovering)


ENTRIES: Final[Mapping[str, Entry]] = {
    "troedler": Entry(
        options=lambda seats: (
            {"dealing": "auto", "memory": "open", "round_limit": 3},
            {"starting_dealer": seats - 1, "round_limit": 1},
        ),
        invariants=(_has_all_troedler_cards,),
        uncovers=_uncovers_troedler_cards,
        uncovered_fields={DiscardPileFormed: ("top",)},
        forgettable=(GoodSubstituted,),
    ),
    "toy": Entry(
        options=lambda _seats: ({"rounds": 4, "memory": "open"}, {"rounds": 1}),
        invariants=(_has_all_toy_cards,),
        uncovers=_uncovers_toy_cards,
        uncovered_fields={GameStarted: ("starter",), PrizeTurned: ("card",)},
    ),
}

GAMES: Final[tuple[AnyGame, ...]] = (*catalogue.GAMES.values(), TOY)


def cases_of(game: AnyGame) -> tuple[Case, ...]:
    """Return the cases of *game*: all numbers of seats, by default and with the entry's options."""
    entry = ENTRIES.get(game.key, Entry())
    return tuple(
        Case(game, seats, game.read_options(options), entry)
        for seats in game.seats
        for options in ({}, *entry.options(seats))
    )


CASES: Final = tuple(case for game in GAMES for case in cases_of(game))
