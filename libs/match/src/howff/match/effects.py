"""What the platform's events do to who is there, and to the clocks."""

from collections.abc import Iterable
from typing import Any

from howff.engine.seats import Seat
from howff.match.clocks import Clocks
from howff.match.events import (
    ClockPaused,
    ClockStarted,
    SeatGivenBack,
    SeatResigned,
    SeatTakenOver,
    TimeCredited,
    WishTold,
)
from howff.match.presence import Presence


def is_move(actor: Seat | None, events: Iterable[object]) -> bool:
    """Return whether a commit of *actor* with these *events* is a move, which may be sealed."""
    return actor is not None and not any(
        isinstance(event, SeatResigned | SeatGivenBack | WishTold) for event in events
    )


def presence_after(presence: Presence, event: object) -> Presence:
    """Return who is there after *event*."""
    match event:
        case SeatResigned(seat, order):
            return presence.resigned_as(seat, order)
        case SeatTakenOver(seat, level):
            return presence.taken_over(seat, level)
        case SeatGivenBack(seat):
            return presence.given_back(seat)
        case WishTold(seat, wish, is_wanted):
            return presence.wishing(seat, wish, is_wanted=is_wanted)
        case ClockStarted():
            return presence.without_wish("pause")
        case _:
            return presence


def clocks_after(clocks: Clocks, event: Any) -> Clocks:
    """Return the clocks after *event*, a platform's or a game's."""
    match event:
        case SeatTakenOver(seat):
            return clocks.wound_up(seat)
        case TimeCredited(seat, time):
            return clocks.credited(seat, time)
        case ClockPaused():
            return clocks.paused()
        case ClockStarted():
            return clocks.going_on()
        case _:
            return clocks.turned() if type(event).__name__ in _TURNING else clocks


_TURNING = {"TurnStarted", "TurnEnded"}
"""The events by which every game tells its turns."""
