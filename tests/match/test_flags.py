"""What happens when time runs out, and what the platform does."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from howff.engine.errors import MatchOverError
from howff.engine.seats import Seat
from howff.match.clocks import DAY, GRACE, SECOND, PerMatch, PerMove, PerTurn
from howff.match.commands import ExpireDeadline, PlayDefault
from howff.match.commit import CommandId
from howff.match.errors import (
    DeadlineDueError,
    MatchPausedError,
    NoClockError,
    NotDueError,
    ResignedError,
    WrongTermError,
)
from howff.match.events import (
    FlagFallen,
    MatchAborted,
    MatchEnded,
    RulesChanged,
    SeatResigned,
    SeedRevealed,
    TimeCredited,
)
from howff.match.match import match_of
from howff.match.play import due_first
from support.played import NOON
from support.timed import ANY, Events, TimedMatch, timed
from support.toy_game import TOY
from support.toy_types import EndTurn

MINUTE = 60 * SECOND
PER_MOVE = PerMove(60)
PER_MATCH = PerMatch(60, 5)


def bid_all(match: TimedMatch) -> int:
    """Let all seats bid, and return whose turn it is then."""
    for seat in match.match.to_act:
        match.moves(seat)
    return match.match.to_act[0]


def test_the_clocks_of_all_seats_that_owe_a_decision_run_and_no_others() -> None:
    match = timed(clock=PER_MATCH).waits(7000)
    match.moves(1)
    match.waits(1000)
    match.moves(0)

    assert [match.left(seat) for seat in range(3)] == [57_000, 58_000, 52_000]
    assert match.due == 8000 + 52_000 + GRACE


def test_each_decision_has_its_time_with_a_clock_per_move() -> None:
    match = timed(clock=PER_MOVE).waits(50 * SECOND)
    match.moves(0)
    assert [match.left(seat) for seat in range(3)] == [MINUTE, MINUTE - 50_000, MINUTE - 50_000]
    turn = bid_all(match)
    match.waits(59 * SECOND)
    match.moves(turn)
    assert match.left(turn) == MINUTE


def test_a_turn_gives_everybody_the_days_anew() -> None:
    match = timed(clock=PerTurn(2)).waits(DAY)
    match.moves(0)
    match.waits(MINUTE)
    assert match.left(0) == DAY
    turn = bid_all(match)

    assert [match.left(seat) for seat in range(3)] == [2 * DAY] * 3
    match.waits(DAY)
    match.moves(turn, EndTurn())
    assert [match.left(seat) for seat in range(3)] == [2 * DAY] * 3


def test_several_decisions_of_a_turn_share_its_days() -> None:
    match = timed(clock=PerTurn(2))
    turn = bid_all(match)
    match.waits(DAY)
    match.moves(turn)

    assert match.left(turn) == DAY


@pytest.mark.parametrize("clock", [PER_MOVE, PER_MATCH])
def test_a_flag_falls_a_second_after_the_time_has_run_out(clock: PerMove | PerMatch) -> None:
    match = timed(clock=clock).waits(MINUTE + GRACE - 1)
    with pytest.raises(NotDueError) as refusal:
        match.expires()
    assert (refusal.value.code, refusal.value.remaining) == ("not_due", 1)
    match.waits(1)

    assert match.expires()[:2] == (FlagFallen(Seat(0)), SeatResigned(Seat(0), 1))


def test_a_late_move_counts_in_the_grace_which_is_lacking_later() -> None:
    match = timed(clock=PerMatch(60, 0)).waits(MINUTE + GRACE - 1)
    bid_all(match)
    turn = match.match.to_act[0]
    assert match.left(turn) == -GRACE + 1
    match.waits(1)

    with pytest.raises(DeadlineDueError):
        match.moves(turn)


@pytest.mark.parametrize("late", [0, 1, MINUTE, 30 * DAY])
def test_any_command_is_judged_after_what_is_due(late: int) -> None:
    match = timed(clock=PER_MATCH).waits(MINUTE + GRACE + late)
    for command in (
        match.moves,
        match.resigns,
        match.plays_default,
        match.takes_back,
        lambda seat: match.wants("abort", seat),
        lambda seat: match.credits(seat, 60),
        lambda _: match.aborts(),
    ):
        with pytest.raises(DeadlineDueError) as refusal:
            command(0)
        assert refusal.value.code == "deadline_due"
        assert refusal.value.found == f"{late} ms of delay"
    assert match.match.version == 1
    match.expires_all()
    with pytest.raises(MatchOverError):
        match.moves(0)


def test_what_is_due_has_the_same_id_for_whoever_finds_it() -> None:
    match = timed(clock=PER_MATCH)
    at = NOON.replace(minute=2)

    assert due_first(match.match, at) == ExpireDeadline(id=CommandId("deadline-1"))
    assert due_first(match_of(TOY, match.commits), at) == due_first(match.match, at)
    assert due_first(match.match, NOON) is None
    assert due_first(timed().match, at) is None


def test_flags_that_fall_at_the_same_moment_fall_together_and_share_a_place() -> None:
    match = timed(clock=PER_MATCH).waits(1000)
    match.moves(1)
    match.waits_until_due()
    events = match.expires()

    assert events[:4] == (
        FlagFallen(Seat(0)),
        SeatResigned(Seat(0), 1),
        FlagFallen(Seat(2)),
        SeatResigned(Seat(2), 1),
    )
    assert isinstance(events[4], MatchEnded)
    assert events[4].reason == "resigned"
    assert events[4].outcome.places == (2, 1, 2)
    match.verified()


def test_flags_fall_one_after_the_other_however_late_they_are_recorded() -> None:
    match = timed(4, clock=PER_MATCH)
    match.credits(2, 10)
    match.credits(3, 20)
    match.waits_until_due(7 * DAY)
    for order, seats in enumerate([(0, 1), (2,)], start=1):
        events = match.expires()
        resigned = [event for event in events if isinstance(event, SeatResigned)]
        assert resigned == [SeatResigned(Seat(seat), order) for seat in seats]

    assert match.match.outcome is not None
    assert match.match.outcome.places == (3, 3, 2, 1)
    match.verified()


def test_a_match_without_a_clock_waits_for_ever() -> None:
    match = timed().waits(10_000 * DAY)
    with pytest.raises(NotDueError) as refusal:
        match.expires()
    assert refusal.value.remaining is None
    with pytest.raises(NoClockError):
        match.credits(0, 1)
    with pytest.raises(NoClockError):
        match.wants("pause", 0)
    match.moves(0)


def test_the_clock_of_a_seat_that_has_resigned_does_not_run() -> None:
    match = timed(clock=PER_MATCH)
    match.resigns(1)
    match.moves(0)
    match.moves(2)

    assert match.match.to_act == (1,)
    assert match.match.clocks is not None
    assert match.match.clocks.due is None
    assert match.left(1) == MINUTE


def test_an_administrator_credits_time() -> None:
    match = timed(clock=PER_MATCH).waits(10 * SECOND)

    assert match.credits(0, 90) == (TimeCredited(Seat(0), 90 * SECOND),)
    assert match.left(0) == 140 * SECOND
    for seconds in (0, -1, 30 * 24 * 60 * 60 + 1):
        with pytest.raises(WrongTermError):
            match.credits(0, seconds)
    match.resigns(1)
    with pytest.raises(ResignedError):
        match.credits(1, 1)


def test_an_administrator_aborts_a_match_for_which_nobody_has_a_place_then() -> None:
    match = timed(clock=PER_MATCH)
    match.resigns(1)
    ended, revealed = match.aborts("fault")

    assert ended == MatchAborted("administrator", "fault")
    assert isinstance(revealed, SeedRevealed)
    assert (match.match.is_over, match.match.is_aborted) == (True, True)
    assert match.match.outcome is None
    assert match.match.to_act == ()
    assert match.match.clocks is not None
    assert match.match.clocks.due is None
    for late in (match.aborts, match.expires):
        with pytest.raises(MatchOverError):
            late()
    with pytest.raises(MatchOverError):
        match.resigns(0)
    match.verified()


@pytest.mark.parametrize(
    "do",
    [
        lambda match: match.resigns(1),
        lambda match: match.credits(1, 10),
        lambda match: match.waits_until_due().expires(),
        lambda match: match.wants("pause", 1),
        lambda match: match.aborts(),
    ],
)
def test_newly_installed_rules_are_recorded_before_what_does_not_need_them(
    do: Callable[[TimedMatch], Events],
) -> None:
    match = timed(clock=PER_MATCH)
    newer = replace(TOY, rules_version="2")
    match.match = match_of(newer, match.commits)
    events = do(match)

    assert events[0] == RulesChanged("2", TOY.data_hash)
    assert len(events) > 1
    assert match_of(newer, match.commits) == match.match


def test_nothing_is_played_in_a_pause() -> None:
    match = timed(clock=PER_MATCH)
    match.resigns(2)
    match.wants("pause", 0, 1)
    with pytest.raises(MatchPausedError) as refusal:
        match.moves(0)
    assert refusal.value.code == "match_paused"
    with pytest.raises(MatchPausedError):
        match.plays_default(2)


def test_a_default_move_owed_by_nobody_is_refused_after_the_end() -> None:
    match = timed()
    match.resigns(1)
    match.aborts()
    with pytest.raises(MatchOverError):
        match.gives(PlayDefault(id=ANY, seat=Seat(1)))
