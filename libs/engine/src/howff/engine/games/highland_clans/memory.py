"""What a seat that forgets nothing knows of the piles of Highland Clans: fights, own discards.

Of other hands nothing is ever shown, so nothing of them can be remembered.
"""

from dataclasses import dataclass

from howff.engine.games.highland_clans.data import Card, Cards
from howff.engine.games.highland_clans.events import (
    CardsDiscarded,
    CardsDrawn,
    DeckReshuffled,
    Event,
    FightResolved,
    HandDealt,
)
from howff.engine.games.highland_clans.state import State
from howff.engine.multisets import holds_all, still_known
from howff.engine.seats import Seat
from howff.engine.values import replace
from howff.engine.visibility import told


@dataclass(frozen=True)
class Memory:
    """What a seat remembers."""

    discard_pile: Cards = ()
    """At least these lie there."""
    deck: Cards = ()
    """At least these are still to be drawn, since the last reshuffle.

    What others draw unseen makes it less certain; that it is in their hands then is not kept.
    """


def remember(memory: Memory, event: Event, seat: Seat) -> Memory:
    """Return what *seat* knows after *event*, which may hold sealed fields.

    Nothing here depends on the seat: what it alone may know, it alone is told.
    """
    del seat
    match event:
        case FightResolved(_, attacker, _, defender, _, _):
            return _with_discarded(memory, _known(told(attacker), told(defender)))
        case CardsDiscarded(_, _, _, cards):
            return _with_discarded(memory, told(cards) or ())
        case CardsDrawn(_, _, count, cards) | HandDealt(_, count, cards):
            return _without_drawn(memory, count, told(cards))
        case DeckReshuffled():
            return Memory(deck=memory.discard_pile)
        case _:
            return memory


def is_true(memory: Memory, state: State, seat: Seat) -> bool:
    """Return whether everything that *seat* remembers is true of *state*."""
    del seat
    return holds_all(state.discard_pile, memory.discard_pile) and holds_all(state.deck, memory.deck)


def _known(*cards: Card | None) -> Cards:
    return tuple(card for card in cards if card is not None)


def _with_discarded(memory: Memory, cards: Cards) -> Memory:
    return replace(memory, discard_pile=tuple(sorted((*memory.discard_pile, *cards))))


def _without_drawn(memory: Memory, count: int, cards: Cards | None) -> Memory:
    deck = memory.deck
    for card in (None,) * count if cards is None else cards:
        deck = still_known(deck, card)
    return replace(memory, deck=deck)
