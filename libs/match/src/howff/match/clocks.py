"""Clocks: how long each seat may think, folded from the times that commits tell.

The clocks of exactly the seats that owe a decision run. Nothing here asks what time it is: a commit
says when it was recorded, and between two commits each clock that ran has lost just that time. So
a restart of anything neither gives nor takes time, and whoever folds the log finds the same clocks.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Literal

from howff.engine.seats import Seat
from howff.engine.values import replace, with_item

Milliseconds = int
SECOND: Final[Milliseconds] = 1000
DAY: Final[Milliseconds] = 24 * 60 * 60 * SECOND
GRACE: Final[Milliseconds] = SECOND
"""For how long a move still counts once its seat's time has run out: the way to the server takes a
while, and the clocks of servers differ. What is used of it is lacking later, so that a seat never
has more than this beyond its time, however often it is late."""
LONGEST_PAUSE: Final[Milliseconds] = 14 * DAY
"""After which a clock goes on by itself, so that nobody can hold up a match for ever."""

_EPOCH: Final = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


@dataclass(frozen=True, slots=True)
class PerMove:
    """Each decision has this many seconds."""

    move_seconds: int


@dataclass(frozen=True, slots=True)
class PerMatch:
    """All decisions of a seat share so many seconds, and each move adds some (Fischer)."""

    match_seconds: int
    increment_seconds: int


@dataclass(frozen=True, slots=True)
class PerTurn:
    """All that a seat decides between two beginnings or ends of turns has so many days."""

    turn_days: int


Clock = PerMove | PerMatch | PerTurn
"""By what clock a match is played."""
Speed = Literal["live", "days"]
"""Whether a match is played in one sitting or over days."""

CLOCK_RANGES: Final[dict[str, range]] = {
    "move_seconds": range(1, 7 * 24 * 60 * 60 + 1),
    "match_seconds": range(1, 30 * 24 * 60 * 60 + 1),
    "increment_seconds": range(24 * 60 * 60 + 1),
    "turn_days": range(1, 31),
}
"""What each number of a clock may be."""


@dataclass(frozen=True)
class Clocks:
    """The clocks of a match as they stood when its last commit was recorded."""

    kind: Clock
    at: Milliseconds
    """When that was, since the beginning of 1970 in UTC."""
    left: tuple[Milliseconds, ...]
    """What each seat has left; below 0 as far as it has used the grace."""
    owing: tuple[Seat, ...] = ()
    """The seats whose clocks run, or would if they were not paused."""
    paused_at: Milliseconds | None = None
    """Since when no clock runs, if they are paused."""

    @property
    def due(self) -> Milliseconds | None:
        """Return when something happens unless a command comes before, None if nothing does.

        A flag falls then, or in a pause, the clocks go on.
        """
        if self.paused_at is not None:
            return self.paused_at + LONGEST_PAUSE
        return min(filter(None, map(self.flag_of, self.owing)), default=None)

    def flag_of(self, seat: Seat) -> Milliseconds | None:
        """Return when the flag of *seat* falls unless a command comes before, None if it can't."""
        if self.paused_at is not None or seat not in self.owing:
            return None
        return self.at + self.left[seat] + GRACE

    def fallen(self, at: Milliseconds) -> tuple[Seat, ...]:
        """Return the seats whose flag falls first, all at the same moment; nobody's before it."""
        if self.paused_at is not None or self.due is None or at < self.due:
            return ()
        least = min(self.left[seat] for seat in self.owing)
        return tuple(seat for seat in self.owing if self.left[seat] == least)

    def after(self, at: Milliseconds) -> "Clocks":
        """Return the clocks as they stand at *at*, which is no earlier than the last commit."""
        if self.paused_at is not None:
            return replace(self, at=at)
        spent = at - self.at
        left = tuple(
            time - spent if seat in self.owing else time for seat, time in enumerate(self.left)
        )
        return replace(self, at=at, left=left)

    def moved(self, seat: Seat) -> "Clocks":
        """Return the clocks after a move of *seat*."""
        match self.kind:
            case PerMove():
                return self.wound_up(seat)
            case PerMatch():
                return self.credited(seat, self.kind.increment_seconds * SECOND)
            case PerTurn():
                return self

    def turned(self) -> "Clocks":
        """Return the clocks after a turn has begun or ended."""
        if not isinstance(self.kind, PerTurn):
            return self
        return replace(self, left=(allowance(self.kind),) * len(self.left))

    def wound_up(self, seat: Seat) -> "Clocks":
        """Return the clocks with that of *seat* as at the beginning."""
        return replace(self, left=with_item(self.left, seat, allowance(self.kind)))

    def credited(self, seat: Seat, time: Milliseconds) -> "Clocks":
        """Return the clocks with more *time* for *seat*."""
        return replace(self, left=with_item(self.left, seat, self.left[seat] + time))

    def paused(self) -> "Clocks":
        """Return the clocks stopped."""
        return replace(self, paused_at=self.at)

    def going_on(self) -> "Clocks":
        """Return the clocks running again."""
        return replace(self, paused_at=None)

    def running_for(self, owing: Collection[Seat]) -> "Clocks":
        """Return the clocks when these seats owe a decision from now on."""
        clocks = replace(self, owing=tuple(owing))
        if isinstance(self.kind, PerMove):
            for seat in range(len(self.left)):
                if seat not in owing:
                    clocks = clocks.wound_up(Seat(seat))
        return clocks


def wound_up(kind: Clock, seats: int, at: Milliseconds) -> Clocks:
    """Return the clocks of a match that begins at *at*."""
    return Clocks(kind, at, (allowance(kind),) * seats)


def allowance(kind: Clock) -> Milliseconds:
    """Return what each seat has at the beginning."""
    match kind:
        case PerMove(seconds) | PerMatch(seconds):
            return seconds * SECOND
        case PerTurn(days):
            return days * DAY


def speed_of(clock: Clock | None) -> Speed:
    """Return how fast a match by *clock* is: over days without any."""
    return "days" if clock is None or isinstance(clock, PerTurn) else "live"


def milliseconds_of(at: str) -> Milliseconds:
    """Return the time *at* of a commit as milliseconds since the beginning of 1970 in UTC."""
    return (datetime.fromisoformat(at) - _EPOCH) // timedelta(milliseconds=1)


def time_at(milliseconds: Milliseconds) -> datetime:
    """Return the time that is so many *milliseconds* after the beginning of 1970 in UTC."""
    return _EPOCH + timedelta(milliseconds=milliseconds)
