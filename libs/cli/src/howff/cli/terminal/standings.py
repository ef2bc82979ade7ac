"""How seats stand beside the game: their clocks, who has left, and what they want."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import get_args

from howff.engine.seats import Seat
from howff.match.clocks import DAY, SECOND, Milliseconds, milliseconds_of
from howff.match.match import Match
from howff.match.presence import Wish
from howff.match.words import WISHES

_MINUTE = 60
_HOUR = 60 * _MINUTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one seat stands, in the words of a server."""

    resigned: int | None
    """The how-manieth to leave the match it was, if it has resigned."""
    stand_in: str | None
    """The level of the bot that has taken it over, if one has."""
    wants: tuple[Wish, ...]
    milliseconds_left: int | None
    """None without a clock; below 0 as far as in the grace."""
    is_running: bool

    @property
    def is_there(self) -> bool:
        """Whether whoever holds the seat decides for it."""
        return self.resigned is None and self.stand_in is None


Situation = tuple[bool, tuple[tuple[int | None, str | None, tuple[Wish, ...]], ...]]
"""What people may react to: whether the clocks stand, who is there, and who wants what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """How all seats stood at a time, None without clocks."""

    seats: tuple[Standing, ...]
    is_paused: bool = False
    at: Milliseconds | None = None

    @property
    def situation(self) -> Situation:
        """All but the clocks."""
        seats = tuple((seat.resigned, seat.stand_in, seat.wants) for seat in self.seats)
        return self.is_paused, seats

    def has_a_say(self, seat: Seat) -> bool:
        """Return whether it may be for *seat* to agree, to go on, or to come back."""
        own = self.seats[seat]
        if not own.is_there:
            return own.resigned is None
        wanted = {wish for each in self.seats if each.is_there for wish in each.wants}
        return bool(wanted - set(own.wants)) or (self.is_paused and "pause" in own.wants)

    def after(self, now: Milliseconds) -> "Standings":
        """Return how they stand *now* if nothing has happened; clocks here may be a bit wrong."""
        if self.at is None or now <= self.at:
            return self
        seats = tuple(_spent(seat, now - self.at) for seat in self.seats)
        return replace(self, seats=seats, at=now)

    def lines(self, names: tuple[str, ...]) -> Iterator[str]:
        """Yield what is to be told of them, a clock for each who is still there."""
        yield from self.clock_lines(names)
        for name, seat in zip(names, self.seats, strict=True):
            if seat.resigned is not None:
                yield f"{name} has left"
            elif seat.stand_in is not None:
                yield f"A bot ({seat.stand_in}) plays for {name}"
            else:
                yield from (f"{name} wants {WISHES[wish]}" for wish in seat.wants)

    def clock_lines(self, names: tuple[str, ...]) -> Iterator[str]:
        """Yield a line on the clocks, if there are any."""
        named = zip(names, self.seats, strict=True)
        if self.at is not None:
            clocks = [_clock(name, seat) for name, seat in named if seat.resigned is None]
            yield f"Time left: {', '.join(clocks)}{'; paused' if self.is_paused else ''}"


def standings_of(match: Match) -> Standings:
    """Return how the seats of *match* stood when its last commit was recorded."""
    presence, clocks = match.presence, match.clocks
    seats = tuple(
        Standing(
            resigned=presence.resigned.get(seat),
            stand_in=presence.stand_ins.get(seat),
            wants=tuple(wish for wish in get_args(Wish) if seat in presence.wish(wish)),
            milliseconds_left=None if clocks is None else clocks.left[seat],
            is_running=clocks is not None and seat in clocks.owing and not match.is_paused,
        )
        for seat in map(Seat, range(len(match.started.seats)))
    )
    at = None if clocks is None else milliseconds_of(match.at)
    return Standings(seats=seats, is_paused=match.is_paused, at=at)


def time_shown(left: Milliseconds) -> str:
    """Return a time in days, hours, minutes and seconds; what is used of the grace counts as 0."""
    left = max(left, 0)
    days, seconds = left // DAY, left % DAY // SECOND
    hours, minutes, seconds = seconds // _HOUR, seconds % _HOUR // _MINUTE, seconds % _MINUTE
    if not days and not hours:
        return f"{minutes}:{seconds:02}"
    clock = f"{hours}:{minutes:02}:{seconds:02}"
    return f"{days} {'day' if days == 1 else 'days'} {clock}" if days else clock


def _spent(seat: Standing, time: Milliseconds) -> Standing:
    if seat.milliseconds_left is None or not seat.is_running:
        return seat
    return replace(seat, milliseconds_left=seat.milliseconds_left - time)


def _clock(name: str, seat: Standing) -> str:
    assert seat.milliseconds_left is not None, "where one seat has a clock, all have"
    running = " (running)" if seat.is_running else ""
    return f"{name} {time_shown(seat.milliseconds_left)}{running}"
