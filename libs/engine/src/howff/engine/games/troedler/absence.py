"""What an absent seat does in Trödler: sensible, and without luck."""

from howff.engine.games.troedler.data import REQUESTS
from howff.engine.games.troedler.legality import missing
from howff.engine.games.troedler.moves import (
    CompleteDelivery,
    DiscardCard,
    EndTurn,
    LeaveGoods,
    Move,
    RevealAll,
)
from howff.engine.games.troedler.view import View

_PREFERRED = (RevealAll, LeaveGoods, CompleteDelivery, EndTurn)


def default_move(view: View, moves: tuple[Move, ...]) -> Move:
    """Return the move of a seat that is away: it deals, takes the first pile, and plays nothing.

    Over the hand limit it parts with the request that lacks most goods, then with other cards.
    """
    for kind in _PREFERRED:
        for move in moves:
            if isinstance(move, kind):
                return move
    return max(moves, key=lambda move: _lacking(view, move))


def _lacking(view: View, move: Move) -> int:
    """Return how many goods a request to discard lacks; equal moves keep their order."""
    if not isinstance(move, DiscardCard) or move.card not in REQUESTS or view.active is None:
        return -1
    return missing(REQUESTS[move.card].goods, view.players[view.active].collection)
