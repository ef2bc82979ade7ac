"""What the seats agree on: a pause, its end, and the end of the match."""

from itertools import cycle, islice

import pytest

from howff.engine.seats import Seat
from howff.match.clocks import DAY, GRACE, LONGEST_PAUSE, SECOND, PerMatch
from howff.match.errors import (
    DeadlineDueError,
    NotDueError,
    NothingToldError,
    NoVoteError,
    ResignedError,
    SeatTakenOverError,
    TooManyWishesError,
)
from howff.match.events import (
    ClockPaused,
    ClockStarted,
    MatchAborted,
    MatchEnded,
    SeatResigned,
    WishTold,
)
from howff.match.presence import MOST_WISHES, Wish
from support.timed import TimedMatch, timed

CLOCK = PerMatch(60, 0)
MINUTE = 60 * SECOND


def paused(seats: int = 3) -> TimedMatch:
    """Return a match that all have paused, ten seconds after it began."""
    match = timed(seats, clock=CLOCK).waits(10 * SECOND)
    match.wants("pause", *range(seats))
    assert match.match.is_paused
    return match


def test_a_pause_begins_when_the_last_seat_wants_it() -> None:
    match = timed(clock=CLOCK).waits(10 * SECOND)

    assert match.wants("pause", 1) == (WishTold(Seat(1), "pause", is_wanted=True),)
    assert match.wants("pause", 2) == (WishTold(Seat(2), "pause", is_wanted=True),)
    assert not match.match.is_paused
    assert match.wants("pause", 0) == (
        WishTold(Seat(0), "pause", is_wanted=True),
        ClockPaused(),
    )
    assert match.match.is_paused


def test_no_clock_runs_in_a_pause() -> None:
    match = paused().waits(13 * DAY)
    match.wants_no_longer("pause", 0, 1, 2)
    match.waits(1)
    match.moves(0)

    assert match.left(0) == MINUTE - 10 * SECOND - 1
    assert match.due == 10 * SECOND + 13 * DAY + MINUTE - 10 * SECOND + GRACE


def test_a_pause_is_over_when_nobody_wants_it_any_more() -> None:
    match = paused()

    assert match.wants_no_longer("pause", 0, 1) == (WishTold(Seat(1), "pause", is_wanted=False),)
    assert match.match.is_paused
    assert match.wants_no_longer("pause", 2) == (
        WishTold(Seat(2), "pause", is_wanted=False),
        ClockStarted(),
    )
    assert not match.match.is_paused


def test_who_wants_a_pause_again_in_time_keeps_it() -> None:
    match = paused()
    match.wants_no_longer("pause", 0, 1)

    assert match.wants("pause", 0) == (WishTold(Seat(0), "pause", is_wanted=True),)
    assert match.wants_no_longer("pause", 2) == (WishTold(Seat(2), "pause", is_wanted=False),)
    assert match.match.is_paused


def test_a_pause_is_over_after_fourteen_days_whoever_wants_it() -> None:
    assert LONGEST_PAUSE == 14 * DAY
    match = paused().waits(14 * DAY - 1)
    with pytest.raises(NotDueError) as refusal:
        match.expires()
    assert refusal.value.remaining == 1
    match.waits(1)
    with pytest.raises(DeadlineDueError):
        match.resigns(0)

    assert match.expires() == (ClockStarted(),)
    assert match.left(0) == MINUTE - 10 * SECOND
    assert match.due == match.now + MINUTE - 10 * SECOND + GRACE


def test_after_a_pause_everybody_is_asked_again() -> None:
    match = paused().waits_until_due()
    match.expires()

    match.wants("pause", 0, 1)
    assert not match.match.is_paused
    match.wants("pause", 2)
    assert match.match.is_paused


def test_a_pause_is_over_when_whoever_wanted_it_has_left() -> None:
    match = paused(4)
    match.wants_no_longer("pause", 0, 1)

    assert match.resigns(3) == (SeatResigned(Seat(3), 1),)
    assert match.resigns(2) == (SeatResigned(Seat(2), 2), ClockStarted())
    assert not match.match.is_paused


def test_who_leaves_in_a_pause_ends_the_match_like_any_other() -> None:
    match = paused(2)
    events = match.resigns(0)

    assert isinstance(events[1], MatchEnded)
    assert not any(isinstance(event, ClockStarted) for event in events)
    match.verified()


def test_a_match_is_aborted_when_all_agree() -> None:
    match = timed()
    match.wants("abort", 0, 1)
    events = match.wants("abort", 2)

    assert events[:2] == (WishTold(Seat(2), "abort", is_wanted=True), MatchAborted("agreement"))
    assert match.match.is_aborted
    match.verified()


def test_a_match_may_be_aborted_in_a_pause_which_is_over_then() -> None:
    match = paused()
    match.wants("abort", 0, 1, 2)

    assert match.match.is_aborted
    assert not match.match.is_paused
    assert match.match.clocks is not None
    assert match.match.clocks.due is None
    match.verified()


def test_what_those_want_who_have_left_does_not_count() -> None:
    match = timed(4, clock=CLOCK)
    match.wants("abort", 0)
    match.wants("pause", 0)
    match.resigns(0)
    assert match.wants("pause", 1, 2, 3)[-1] == ClockPaused()
    match.resigns(1)
    assert match.wants_no_longer("pause", 2, 3)[-1] == ClockStarted()

    assert match.wants("abort", 2, 3)[1] == MatchAborted("agreement")


def test_nothing_is_agreed_when_somebody_leaves() -> None:
    match = timed(clock=CLOCK)
    match.wants("abort", 0, 1)
    match.wants("pause", 0, 1)

    assert match.resigns(2) == (SeatResigned(Seat(2), 1),)
    assert match.wants_no_longer("abort", 0) == (WishTold(Seat(0), "abort", is_wanted=False),)
    assert match.wants("abort", 0)[1] == MatchAborted("agreement")


def test_who_has_changed_its_mind_agrees_to_nothing() -> None:
    match = timed(clock=CLOCK)
    match.wants("abort", 0, 1)
    match.wants_no_longer("abort", 0)
    match.wants("abort", 2)

    assert not match.match.is_over


def test_wishes_last_over_moves() -> None:
    match = timed()
    match.wants("abort", 0, 1)
    match.moves(0)
    match.wants("abort", 2)

    assert match.match.is_aborted


def test_the_wishes_for_a_pause_and_for_an_end_are_two() -> None:
    match = timed(2, clock=CLOCK)
    match.wants("pause", 0)
    match.wants("abort", 1)

    assert not match.match.is_paused
    assert not match.match.is_over


def test_only_people_who_are_there_are_asked() -> None:
    match = timed(4, clock=CLOCK, bots=[3], on_flag="bot").waits(1000)
    match.moves(1)
    match.moves(2)
    match.moves(3)
    match.waits_until_due().expires()
    match.resigns(1)

    assert match.wants("pause", 2)[-1] == ClockPaused()
    for seat, refusal in ((0, SeatTakenOverError), (1, ResignedError), (3, NoVoteError)):
        with pytest.raises(refusal):
            match.wants("abort", seat)


def test_what_a_seat_wanted_before_it_was_taken_over_is_forgotten() -> None:
    match = timed(clock=CLOCK, on_flag="bot").waits(1000)
    match.wants("abort", 0)
    match.moves(1)
    match.moves(2)
    match.waits_until_due().expires()
    match.takes_back(0)
    match.wants("abort", 1, 2)

    assert not match.match.is_over
    assert match.wants("abort", 0)[1] == MatchAborted("agreement")


@pytest.mark.parametrize("wish", ["pause", "abort"])
def test_a_wish_is_told_once(wish: Wish) -> None:
    match = timed(clock=CLOCK)
    with pytest.raises(NothingToldError):
        match.wants_no_longer(wish, 0)
    match.wants(wish, 0)
    with pytest.raises(NothingToldError) as refusal:
        match.wants(wish, 0)
    assert refusal.value.code == "nothing_told"
    match.wants_no_longer(wish, 0)
    with pytest.raises(NothingToldError):
        match.wants_no_longer(wish, 0)


def test_twenty_wishes_are_heard_from_a_seat_between_two_moves() -> None:
    assert MOST_WISHES == 20
    match = timed(clock=CLOCK)
    wishes: tuple[Wish, ...] = ("pause", "abort")
    told = [(wish, is_wanted) for is_wanted in (True, False) for wish in wishes]
    for wish, is_wanted in islice(cycle(told), 20):
        match.wants(wish, 0, is_wanted=is_wanted)
    with pytest.raises(TooManyWishesError) as refusal:
        match.wants("abort", 0)
    assert refusal.value.code == "too_many_wishes"
    match.wants("abort", 1)
    match.moves(2)

    match.wants("abort", 0)


def test_a_wish_can_be_withdrawn_however_many_were_heard() -> None:
    match = paused(2)
    match.wants("abort", 0)
    for is_wanted in islice(cycle([False, True]), MOST_WISHES - 2):
        match.wants("pause", 0, is_wanted=is_wanted)
    assert match.match.presence.wishes_told[Seat(0)] == MOST_WISHES

    match.wants_no_longer("pause", 0, 1)
    assert not match.match.is_paused
    with pytest.raises(TooManyWishesError):
        match.wants("pause", 0)


def test_who_is_alone_against_bots_does_not_get_out_of_a_rated_match() -> None:
    for rated in (True, False):
        match = timed(3, rated=rated, bots=[1, 2])
        match.wants("abort", 0)
        assert match.match.is_over is not rated

    together = timed(3, rated=True, bots=[2])
    together.wants("abort", 0, 1)
    assert together.match.is_aborted
