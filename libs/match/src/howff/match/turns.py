"""For how long what was shown once stays open to those who read again.

A seat may look up a momentary field until a turn of its own, begun after the event, has ended; a
spectator until a turn begins or ends. Games tell turns in the events TurnStarted and TurnEnded.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from howff.engine.seats import Seat, Viewer

Moment = tuple[int, int]
"""Where an event stands: the version of its commit, and its place there."""

BEFORE_ALL: Moment = (0, 0)


@dataclass(frozen=True, slots=True)
class Turns:
    """The turns of a match so far, as far as they close anything."""

    started: Mapping[Seat, Moment] = field(default_factory=dict[Seat, Moment])
    """When the last turn of each seat began."""
    closed_to_seats: Mapping[Seat, Moment] = field(default_factory=dict[Seat, Moment])
    """Up to when all is closed to each seat: that turn of its began then which ended last."""
    closed_to_spectators: Moment = BEFORE_ALL
    """Up to when all is closed to them: a turn last began or ended then, whoever's."""

    def after(self, event: Any, moment: Moment) -> "Turns":
        """Return the turns after the *event* at this *moment*."""
        match type(event).__name__:
            case "TurnStarted":
                return Turns({**self.started, event.seat: moment}, self.closed_to_seats, moment)
            case "TurnEnded":
                began = self.started.get(event.seat, BEFORE_ALL)
                closed = {**self.closed_to_seats, event.seat: began}
                return Turns(self.started, closed, moment)
            case _:
                return self

    def is_open(self, viewer: Viewer, moment: Moment) -> bool:
        """Return whether *viewer* may look up the momentary fields of the event at *moment*."""
        to_seats, to_spectators = self.closed_to_seats, self.closed_to_spectators
        closed = to_spectators if viewer is None else to_seats.get(viewer, BEFORE_ALL)
        return moment > closed


NO_TURNS = Turns()
"""The turns of a match that has just begun."""
