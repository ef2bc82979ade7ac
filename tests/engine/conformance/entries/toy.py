"""The entry of the toy game."""

from collections import Counter
from typing import Any, Final

from engine.conformance.entry import Entry
from howff.engine.seats import Viewer
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


def _has_all_cards(state: State) -> bool:
    passed = [each for player in state.players for each in player.store]
    offered = () if state.offer is None else (state.offer,)
    cards = [each.card for each in (*passed, *offered)]
    cards += [player.bid for player in state.players] + [state.prize]
    for player in state.players:
        cards += (*player.hand, *player.prizes)
    present = (card for card in (*cards, *state.deck, *state.discards) if card is not None)
    return Counter(present) == Counter(DECK)


def _uncovers(event: Any, viewer: Viewer) -> bool:
    if isinstance(event, CardsDrawn | BottomPeeked):
        return event.seat == viewer
    return isinstance(event, GameStarted | PrizeTurned | BidsRevealed | GameEnded)


ENTRY: Final = Entry(
    options=lambda _seats: ({"rounds": 4, "memory": "open"}, {"rounds": 1}),
    invariants=(_has_all_cards,),
    uncovers=_uncovers,
    uncovered_fields={GameStarted: ("starter",), PrizeTurned: ("card",)},
)
