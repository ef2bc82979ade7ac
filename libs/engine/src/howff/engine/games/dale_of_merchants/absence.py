"""What an absent seat does in Dale of Merchants: sensible, peaceful, and without luck."""

from typing import Final

from howff.engine.games.dale_of_merchants.moves import (
    DeclineBonus,
    DeclineExtraStack,
    FinishInventory,
    FinishPayment,
    FinishStack,
    FinishThrowing,
    Move,
    SkipCookies,
    StartInventory,
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


def default_move(view: View, moves: tuple[Move, ...]) -> Move:
    """Return the move of a seat that is away: it passes, and ends what was begun.

    Where something must be chosen it takes the first choice: the cheapest card, nobody as a victim.
    """
    del view
    for kind in _PREFERRED:
        for move in moves:
            if isinstance(move, kind):
                return move
    return moves[0]
