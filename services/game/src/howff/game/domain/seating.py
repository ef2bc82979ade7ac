"""Who may see and do what in a match: the one place that decides it."""

from dataclasses import dataclass
from typing import Literal

from howff.engine.seats import Seat, Viewer
from howff.game.domain.errors import AmbiguousSeatError, NoSuchMatchError, WrongViewerError
from howff.match.commit import seat_of
from howff.match.events import Account, Bot
from howff.match.export import SPECTATOR, WHOLE
from howff.match.match import Match


@dataclass(frozen=True, slots=True)
class Worker:
    """Whoever plays for bots: no account, and a stranger to each seat that no bot decides for."""


@dataclass(frozen=True, slots=True)
class Archivist:
    """Whoever keeps what is over: it holds no seat, and may read every match that has ended."""


Asker = str | Worker | Archivist | None
"""Who asks for something: an account, a part of the platform, or somebody without a token."""


def seats_of(match: Match, asker: Asker) -> tuple[Seat, ...]:
    """Return the seats that *asker* holds; those of a worker are the seats of bots just now."""
    seats = tuple(map(Seat, range(len(match.started.seats))))
    if isinstance(asker, Worker):
        return tuple(seat for seat in seats if isinstance(match.decider_of(seat), Bot))
    if isinstance(asker, Archivist):
        return ()
    wanted = Account(asker or "")
    return tuple(seat for seat in seats if match.started.seats[seat] == wanted)


def seat_to_act(match: Match, asker: Asker, named: int | None) -> Seat:
    """Return the seat for which *asker* moves: the *named* one, or the only one it holds.

    Raises:
        NoSuchMatchError: it holds no such seat.
        AmbiguousSeatError: it holds several and has named none.
    """
    seats = seats_of(match, asker)
    if named is None and len(seats) > 1:
        raise AmbiguousSeatError(seats)
    if not seats or (named is not None and named not in seats):
        raise NoSuchMatchError
    return seats[0] if named is None else Seat(named)


def may_move(match: Match, seat: Seat, asker: Asker) -> bool:
    """Return whether *asker*, who holds *seat*, may decide for it now, if it owes a decision."""
    is_left = seat in match.presence.resigned or seat in match.presence.stand_ins
    is_left_to_others = is_left and not isinstance(asker, Worker)
    return not (match.is_over or match.is_paused or is_left_to_others)


def viewer_after_end(
    match: Match, account: str | None, named: str | None
) -> Viewer | Literal["all"]:
    """Return whose eyes *account* looks back through at a match that is over: anybody's.

    Raises:
        WrongViewerError: *named* is nobody's name.
        NoSuchMatchError: the match is not for it to watch.
    """
    own = viewer_for(match, account, None)
    if named is None:
        return own
    if named == WHOLE:
        return WHOLE
    seat = seat_of(named)
    if named != SPECTATOR and seat not in range(len(match.started.seats)):
        last = len(match.started.seats) - 1
        raise WrongViewerError(named, expected=f"all, spectator or seat:0 to seat:{last}")
    return seat


def viewer_for(match: Match, asker: Asker, named: str | None) -> Viewer:
    """Return whose eyes *asker* looks through: the *named* ones, or those of its first seat.

    Raises:
        WrongViewerError: *named* is nobody's name.
        NoSuchMatchError: they are not the asker's, or the match is not for it to watch.
    """
    seats = seats_of(match, asker)
    if not seats and not _may_watch(match, asker):
        raise NoSuchMatchError
    if named is None:
        return seats[0] if seats else None
    if named == SPECTATOR and not isinstance(asker, Worker):
        return None
    seat = seat_of(named)
    if seat is None and named != SPECTATOR:
        raise WrongViewerError(named)
    if seat is None or seat not in seats:
        raise NoSuchMatchError
    return seat


def _may_watch(match: Match, asker: Asker) -> bool:
    if isinstance(asker, Worker):
        return False
    is_archived = match.is_over and isinstance(asker, Archivist)
    return is_archived or match.started.watch == "public"
