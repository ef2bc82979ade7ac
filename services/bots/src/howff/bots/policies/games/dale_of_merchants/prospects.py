"""What a state promises each seat, in hundredths of a turn."""

from typing import Final

from howff.bots.policies.games.dale_of_merchants.actions import (
    Position,
    actions_of,
    position_of,
)
from howff.bots.policies.games.dale_of_merchants.holdings import TURN, promise
from howff.bots.policies.games.dale_of_merchants.techniques import at_rest, best
from howff.engine.games.dale_of_merchants.state import State, Turn
from howff.engine.seats import Seat

_TEMPO: Final = TURN // 2
"""The lead of the seat that is to act: it has half a turn before the others."""


def estimate(state: State) -> list[int]:
    """Return for each seat the turns that it still needs, below zero, in hundredths."""
    return [_estimate(state, Seat(seat)) for seat in range(state.seats)]


def _estimate(state: State, seat: Seat) -> int:
    turn, position = state.turn, position_of(state, seat)
    if turn is None or turn.seat != seat:
        return at_rest(position)
    return _in_turn(turn, position) - TURN + _TEMPO


def _in_turn(turn: Turn, position: Position) -> int:
    """Return what the seat has once its turn has ended."""
    if turn.payment is not None:
        if turn.payment.target == "discard":
            return best(position)
        return actions_of(position).purchases.get(turn.payment.target, at_rest(position))
    if turn.build is not None:
        stack = actions_of(position).stack
        return promise(position.owned, position.number + 1) if stack is None else stack
    if turn.paid:
        return at_rest(position)
    if turn.inventory:
        return actions_of(position).inventory
    return best(position)
