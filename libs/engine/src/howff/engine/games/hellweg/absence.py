"""What an absent seat does in Hellweg Westfalicus: sensible, and without luck."""

from typing import Final

from howff.engine.games.hellweg.data import ROADS
from howff.engine.games.hellweg.moves import (
    DeclineBonusCarriage,
    EndTurn,
    ForfeitPiece,
    Move,
    PlaceCarriage,
    PlaceStartCarriage,
    Sell,
    SellLeftover,
    SkipLeftover,
    SkipTown,
    TakeThaler,
)
from howff.engine.games.hellweg.view import View

_SKIP_LEFTOVER: Final = SkipLeftover()


def default_move(view: View, moves: tuple[Move, ...]) -> Move:
    """Return the move of a seat that is away: it sells what it has, buys nothing, takes a Thaler.

    It sells so that as few carriages as possible leave the board, takes none back, and keeps for
    later months what is not asked for.
    """
    if view.card is not None and not view.card.is_last and _SKIP_LEFTOVER in moves:
        return _SKIP_LEFTOVER
    return min(moves, key=_reluctance)


def _reluctance(move: Move) -> int:
    """Return how little a move suits; of equal moves the first is meant."""
    match move:
        case TakeThaler() | EndTurn() | SellLeftover():
            return -1
        case Sell(_, removes):
            return len(removes)
        case PlaceStartCarriage(road) | PlaceCarriage(road):
            return 0 if ROADS[road].village else 1
        case ForfeitPiece() | DeclineBonusCarriage():
            return 2
        case SkipTown():
            return len(ROADS)
        case _:
            return 3
