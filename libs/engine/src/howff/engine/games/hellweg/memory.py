"""What a seat that forgets nothing knows of the trading cards: which have lain open."""

from dataclasses import dataclass

from howff.engine.games.hellweg.data import TradingCard
from howff.engine.games.hellweg.events import Event, TradingCardRevealed
from howff.engine.games.hellweg.state import State
from howff.engine.seats import Seat
from howff.engine.visibility import told


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers."""

    seen: tuple[TradingCard, ...] = ()
    """Trading cards that have lain open, sorted."""


def remember(memory: Memory, event: Event, seat: Seat) -> Memory:
    """Return what *seat* knows after *event*, which may hold sealed fields; all know the same."""
    del seat
    if isinstance(event, TradingCardRevealed) and (card := told(event.card)) is not None:
        return Memory(tuple(sorted({*memory.seen, card})))
    return memory


def is_true(memory: Memory, state: State, seat: Seat) -> bool:
    """Return whether nothing that was seen lies in the stack, or was set aside."""
    del seat
    return not {*state.stack, *state.set_aside} & {*memory.seen}
