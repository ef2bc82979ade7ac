"""Who may see and do what in a match: the one place that decides it."""

from dataclasses import dataclass
from typing import Literal

from howff.engine.seats import Seat, Viewer
from howff.game.domain.errors import AmbiguousSeatError, NoSuchMatchError, WrongViewerError
from howff.match.commit import seat_of
from howff.match.events import Account, Bot, MatchStarted
from howff.match.export import SPECTATOR, WHOLE
from howff.match.match import Match


def seats_of(started: MatchStarted, account: str | None) -> tuple[Seat, ...]:
    """Return the seats that *account* holds; None stands for somebody without a token."""
    wanted = Account(account or "")
    return tuple(Seat(seat) for seat, holder in enumerate(started.seats) if holder == wanted)


def seat_to_act(started: MatchStarted, account: str, named: int | None) -> Seat:
    """Return the seat for which *account* moves: the *named* one, or the only one it holds.

    Raises:
        NoSuchMatchError: it holds no such seat.
        AmbiguousSeatError: it holds several and has named none.
    """
    seats = seats_of(started, account)
    if named is None and len(seats) > 1:
        raise AmbiguousSeatError(seats)
    if not seats or (named is not None and named not in seats):
        raise NoSuchMatchError
    return seats[0] if named is None else Seat(named)


@dataclass(frozen=True, slots=True)
class Nobody:
    """Who decides for a seat that has resigned: the rules do, by a default."""


def decider_of(match: Match, seat: Seat) -> Account | Bot | Nobody:
    """Return who takes the decisions of *seat* as *match* stands."""
    stand_in = match.presence.stand_ins.get(seat)
    if seat in match.presence.resigned:
        stand_in = match.started.stand_in if match.started.on_leave == "bot" else None
        if stand_in is None:
            return Nobody()
    return match.started.seats[seat] if stand_in is None else Bot(stand_in)


def may_move(match: Match, seat: Seat) -> bool:
    """Return whether the one who holds *seat* may decide for it now, if it owes a decision."""
    is_left = seat in match.presence.resigned or seat in match.presence.stand_ins
    return not (match.is_over or match.is_paused or is_left)


def viewer_after_end(
    started: MatchStarted, account: str | None, named: str | None
) -> Viewer | Literal["all"]:
    """Return whose eyes *account* looks back through at a match that is over: anybody's.

    Raises:
        WrongViewerError: *named* is nobody's name.
        NoSuchMatchError: the match is not for it to watch.
    """
    own = viewer_for(started, account, None)
    if named is None:
        return own
    if named == WHOLE:
        return WHOLE
    seat = seat_of(named)
    if named != SPECTATOR and seat not in range(len(started.seats)):
        last = len(started.seats) - 1
        raise WrongViewerError(named, expected=f"all, spectator or seat:0 to seat:{last}")
    return seat


def viewer_for(started: MatchStarted, account: str | None, named: str | None) -> Viewer:
    """Return whose eyes *account* looks through: the *named* ones, or those of its first seat.

    Raises:
        WrongViewerError: *named* is nobody's name.
        NoSuchMatchError: they are not the caller's, or the match is not for it to watch.
    """
    seats = seats_of(started, account)
    if not seats and started.watch == "private":
        raise NoSuchMatchError
    if named is None:
        return seats[0] if seats else None
    if named == SPECTATOR:
        return None
    seat = seat_of(named)
    if seat is None:
        raise WrongViewerError(named)
    if seat not in seats:
        raise NoSuchMatchError
    return seat
