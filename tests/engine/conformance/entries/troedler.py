"""The entry of Trödler."""

from collections import Counter
from typing import Any, Final

from engine.conformance.entry import Entry
from howff.engine.games.troedler.data import DECK_OTHERS, DECK_REQUESTS, STARTING_SETS
from howff.engine.games.troedler.events import (
    DealerCardRevealed,
    DealerPileTaken,
    DiscardPileFormed,
    GameEnded,
    GoodsPlaced,
    GoodSubstituted,
    HandCardDiscarded,
    StartingDealerChosen,
    StartVillagesAssigned,
    SurplusFeedStored,
)
from howff.engine.games.troedler.state import State
from howff.engine.seats import Viewer


def _has_all_cards(state: State) -> bool:
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


def _uncovers(event: Any, viewer: Viewer) -> bool:
    if isinstance(event, DealerPileTaken):
        return event.seat == viewer
    drawn_openly = StartVillagesAssigned | GoodsPlaced | DiscardPileFormed | StartingDealerChosen
    uncovering = DealerCardRevealed | HandCardDiscarded | SurplusFeedStored | GameEnded
    return isinstance(event, drawn_openly | uncovering)


ENTRY: Final = Entry(
    options=lambda seats: (
        {"dealing": "auto", "memory": "open", "round_limit": 3},
        {"starting_dealer": seats - 1, "round_limit": 1},
    ),
    invariants=(_has_all_cards,),
    uncovers=_uncovers,
    uncovered_fields={DiscardPileFormed: ("top",)},
    forgettable=lambda _options: (GoodSubstituted,),
    measure=lambda final, _happened: {"rounds": final.round},
    expected={2: {"rounds": 26}, 3: {"rounds": 22}, 4: {"rounds": 19}},
)
