"""What an absent seat does in Dale of Merchants: sensible, peaceful, and without luck."""

from typing import Final

from howff.engine.games.dale_of_merchants.data import JUNK
from howff.engine.games.dale_of_merchants.moves import (
    DeclineBonus,
    DeclineExtraStack,
    DiscardNext,
    FinishInventory,
    FinishPayment,
    FinishStack,
    FinishThrowing,
    GiveBack,
    Move,
    PlaceOnDeck,
    SkipCookies,
    StartInventory,
    ThrowHandCard,
)
from howff.engine.games.dale_of_merchants.view import View

_PREFERRED: Final[tuple[type, ...]] = (
    DeclineBonus,
    DeclineExtraStack,
    StartInventory,
    FinishInventory,
    FinishPayment,
    FinishStack,
    FinishThrowing,
    SkipCookies,
)
_GIVING: Final = (DiscardNext, GiveBack, PlaceOnDeck, ThrowHandCard)


def default_move(view: View, moves: tuple[Move, ...]) -> Move:
    """Return the move of a seat that is away: it passes, and ends what was begun.

    What it must give away is junk, if it has some; nobody is its victim, and else it takes the
    first choice.
    """
    del view
    for kind in _PREFERRED:
        for move in moves:
            if isinstance(move, kind):
                return move
    return next(filter(_gives_junk, moves), moves[0])


def _gives_junk(move: Move) -> bool:
    return isinstance(move, _GIVING) and move.card.card == JUNK
