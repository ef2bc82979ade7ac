"""What commands of the platform cause: leaving a match, coming back, agreeing, running out of time.

None of them touches the state of the game.
"""

from typing import Any, Literal

from howff.engine.errors import NotYourDecisionError
from howff.engine.game import AnyGame
from howff.engine.seats import Seat
from howff.match.clocks import CLOCK_RANGES, SECOND, Milliseconds, PerMove
from howff.match.commands import TellWish
from howff.match.errors import (
    NoClockError,
    NotDueError,
    NothingToldError,
    NotTakenOverError,
    NoVoteError,
    ResignedError,
    SeatTakenOverError,
    TooManyWishesError,
    WrongTermError,
)
from howff.match.events import (
    AbortReason,
    Account,
    ClockPaused,
    ClockStarted,
    FlagFallen,
    MatchAborted,
    MatchEnded,
    SeatGivenBack,
    SeatResigned,
    SeatTakenOver,
    SeedRevealed,
    TimeCredited,
    WishTold,
)
from howff.match.match import Match
from howff.match.presence import EVERYBODY, MOST_WISHES, Presence, final_outcome

Events = tuple[object, ...]


def ending(
    game: AnyGame, state: Any, seats: int, seed: bytes, presence: Presence = EVERYBODY
) -> Events:
    """Return the events that end a match whose game has come to *state*; none if it goes on."""
    of_game = game.outcome(state)
    outcome = final_outcome(of_game, presence, seats)
    if outcome is None:
        return ()
    return MatchEnded("resigned" if of_game is None else "finished", outcome), _revealed(seed)


def resigned(match: Match, seat: Seat, seed: bytes) -> Events:
    """Return what the resignation of *seat* causes; whom a bot stands in for may resign too.

    Raises:
        ResignedError: it has resigned before.
    """
    if seat in match.presence.resigned:
        raise ResignedError(seat)
    leaving = SeatResigned(seat, _next_order(match))
    presence = match.presence.resigned_as(seat, leaving.order)
    return (leaving, *_consequences(match, presence, seed))


def taken_back(match: Match, seat: Seat) -> Events:
    """Return what it causes that the account of *seat* takes it back.

    Raises:
        ResignedError: the seat has resigned.
        NotTakenOverError: no bot stands in for it.
    """
    if seat in match.presence.resigned:
        raise ResignedError(seat)
    if seat not in match.presence.stand_ins:
        raise NotTakenOverError(seat)
    return (SeatGivenBack(seat),)


def wish_told(match: Match, command: TellWish, seed: bytes) -> Events:
    """Return what it causes that a seat tells a wish.

    Raises:
        NoClockError: there is nothing to pause.
        ResignedError, SeatTakenOverError, NoVoteError: the seat has nothing to say now.
        NothingToldError: it has said the same before.
        TooManyWishesError: it says too much.
    """
    _check_wish(match, command)
    seat, wish, is_wanted = command.seat, command.wish, command.is_wanted
    voters = match.voters
    wanting = match.presence.wishing(seat, wish, is_wanted=is_wanted).wish(wish) & voters
    event = WishTold(seat, wish, is_wanted)
    is_agreed = wanting == voters
    if wish == "abort":
        # Who is alone against bots would have a way out of every rated match that it loses.
        is_way_out = match.started.rated and len(voters) == 1
        is_agreed = is_agreed and not is_way_out
        return (event, *aborted("agreement", seed)) if is_agreed else (event,)
    if match.is_paused:
        return (event,) if wanting else (event, ClockStarted())
    return (event, ClockPaused()) if is_agreed else (event,)


def expired(match: Match, at: Milliseconds, seed: bytes) -> Events:
    """Return what is due by the clocks *at* this time: the flags that fall first, or a pause's end.

    A flag that falls is a resignation. If the match says so, a bot takes the seat over instead,
    but only once, and only for a person, who could not have more than twice its time that way.

    Raises:
        NotDueError: nothing is.
    """
    clocks, due = match.clocks, match.due
    if clocks is None or due is None or at < due:
        raise NotDueError(None if due is None else due - at)
    if match.is_paused:
        return (ClockStarted(),)
    events: list[object] = []
    presence, order = match.presence, _next_order(match)
    for seat in clocks.fallen(at):
        events.append(FlagFallen(seat))
        if _is_taken_over(match, seat):
            stand_in = match.started.stand_in
            assert stand_in is not None, "the terms name one where a bot takes over"
            events.append(SeatTakenOver(seat, stand_in))
        else:
            events.append(SeatResigned(seat, order))
            presence = presence.resigned_as(seat, order)
    return (*events, *_consequences(match, presence, seed))


def credited(match: Match, seat: Seat, seconds: int) -> Events:
    """Return what it causes that an administrator gives *seat* so many *seconds*.

    Raises:
        NoClockError: there is nothing to credit.
        ResignedError: the seat has resigned.
        NotYourDecisionError: by a clock per move it has nothing that could be more.
        WrongTermError: it is not for so many.
    """
    allowed = CLOCK_RANGES["match_seconds"]
    if match.clocks is None:
        raise NoClockError
    if seat in match.presence.resigned:
        raise ResignedError(seat)
    if isinstance(match.clocks.kind, PerMove) and seat not in match.clocks.owing:
        raise NotYourDecisionError(seat, match.clocks.owing)  # it gets all its time anew anyway
    if seconds not in allowed:
        expected = f"{allowed[0]} to {allowed[-1]}"
        raise WrongTermError("seconds", expected=expected, found=str(seconds))
    return (TimeCredited(seat, seconds * SECOND),)


def aborted(
    by: Literal["administrator", "agreement"], seed: bytes, reason: AbortReason | None = None
) -> Events:
    """Return the events that end a match without places."""
    return MatchAborted(by, reason), _revealed(seed)


def _consequences(match: Match, presence: Presence, seed: bytes) -> Events:
    """Return what follows for the others from who is there now."""
    finale = ending(match.game, match.state, len(match.started.seats), seed, presence)
    if finale or not match.is_paused:
        return finale
    staying = match.voters - presence.resigned.keys()
    # Whoever wanted the pause has left.
    return () if presence.wish("pause") & staying else (ClockStarted(),)


def _is_taken_over(match: Match, seat: Seat) -> bool:
    is_first = seat not in match.presence.were_taken_over
    is_person = isinstance(match.started.seats[seat], Account)
    return match.started.on_flag == "bot" and is_first and is_person


def _check_wish(match: Match, command: TellWish) -> None:
    presence, seat = match.presence, command.seat
    if seat in presence.resigned:
        raise ResignedError(seat)
    if seat in presence.stand_ins:
        raise SeatTakenOverError(seat)
    if seat not in match.voters:
        raise NoVoteError(seat)
    if command.wish == "pause" and match.clocks is None:
        raise NoClockError
    if (seat in presence.wish(command.wish)) == command.is_wanted:
        raise NothingToldError(command.wish, is_wanted=command.is_wanted)
    # What was told can always be withdrawn: in a long pause there are no moves.
    if command.is_wanted and presence.wishes_told.get(seat, 0) >= MOST_WISHES:
        raise TooManyWishesError(MOST_WISHES)


def _next_order(match: Match) -> int:
    return max(match.presence.resigned.values(), default=0) + 1


def _revealed(seed: bytes) -> SeedRevealed:
    return SeedRevealed(seed.hex())
