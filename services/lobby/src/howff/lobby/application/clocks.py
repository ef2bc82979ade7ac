"""Clocks, as messages tell them and as tables keep them: the same numbers under two types."""

from typing import assert_never

from howff.contracts import matches as contracts
from howff.match import clocks


def clock_of(clock: contracts.Clock | None) -> clocks.Clock | None:
    """Return a clock as tables and tickets keep it."""
    match clock:
        case None:
            return None
        case contracts.PerMove(move_seconds=seconds):
            return clocks.PerMove(seconds)
        case contracts.PerMatch(match_seconds=seconds, increment_seconds=increment):
            return clocks.PerMatch(seconds, increment)
        case contracts.PerTurn(turn_days=days):
            return clocks.PerTurn(days)
        case _:
            assert_never(clock)


def clock_message(clock: clocks.Clock | None) -> contracts.Clock | None:
    """Return a clock as messages and answers tell it."""
    match clock:
        case None:
            return None
        case clocks.PerMove(seconds):
            return contracts.PerMove(move_seconds=seconds)
        case clocks.PerMatch(seconds, increment):
            return contracts.PerMatch(match_seconds=seconds, increment_seconds=increment)
        case clocks.PerTurn(days):
            return contracts.PerTurn(turn_days=days)
        case _:
            assert_never(clock)
