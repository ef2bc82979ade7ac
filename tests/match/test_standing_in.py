"""Who decides for a seat whose holder has left, or whose time has run out."""

import pytest

from howff.engine.errors import NotYourDecisionError
from howff.engine.seats import Seat
from howff.match.clocks import SECOND, PerMatch, PerMove
from howff.match.decisions import DEFAULT_POLICY
from howff.match.errors import (
    NotTakenOverError,
    ResignedError,
    SeatTakenOverError,
)
from howff.match.events import (
    FlagFallen,
    MatchEnded,
    SeatGivenBack,
    SeatResigned,
    SeatTakenOver,
)
from support.timed import STAND_IN, TimedMatch, timed
from support.toy_game import TOY
from support.toy_types import Bid, EndTurn

MINUTE = 60 * SECOND
PER_MOVE = PerMove(60)
PER_MATCH = PerMatch(60, 5)


def highest(match: TimedMatch, seat: int) -> Bid:
    return Bid(max(match.match.state.players[seat].hand))


def test_a_default_move_stands_for_a_seat_that_has_resigned() -> None:
    match = timed()
    match.resigns(1)
    match.plays_default(1)
    commit = match.commits[-1]

    assert commit.actor == "seat:1"
    assert commit.move == {"type": "Bid", "data": {"card": commit.events[0]["data"]["card"]}}
    assert commit.bot == DEFAULT_POLICY
    with pytest.raises(NotYourDecisionError):
        match.plays_default(1)
    for bot in (None, "chance"):
        with pytest.raises(ResignedError):
            match.moves(1, Bid(1), bot)


def test_no_default_move_is_made_for_who_is_there() -> None:
    with pytest.raises(NotTakenOverError):
        timed().plays_default(0)
    match = timed(clock=PER_MATCH, on_flag="bot", on_leave="bot")
    match.waits_until_due().expires()
    with pytest.raises(NotTakenOverError):
        match.plays_default(0)
    match.resigns(0)
    with pytest.raises(NotTakenOverError):
        match.plays_default(0)


def test_a_bot_decides_for_a_seat_that_has_resigned_if_the_table_says_so() -> None:
    match = timed(on_leave="bot")
    match.resigns(1)
    with pytest.raises(ResignedError):
        match.moves(1)
    match.moves(1, bot="chance")

    assert match.commits[-1].bot == {"policy": "chance"}
    match.aborts()
    match.verified()


def test_a_bot_takes_over_when_a_flag_falls_if_the_table_says_so() -> None:
    match = timed(clock=PER_MATCH, on_flag="bot").waits(1000)
    match.moves(1)
    match.moves(2)
    events = match.waits_until_due().expires()

    assert events == (FlagFallen(Seat(0)), SeatTakenOver(Seat(0), STAND_IN))
    assert match.left(0) == MINUTE
    with pytest.raises(SeatTakenOverError):
        match.moves(0)
    match.moves(0, bot="chance")


def test_a_seat_that_a_bot_has_taken_over_has_not_resigned() -> None:
    match = timed(2, 1, clock=PER_MATCH, on_flag="bot")
    match.moves(0, highest(match, 0))
    match.waits_until_due().expires()
    match.moves(1, bot="chance")
    turn = match.match.to_act[0]
    events = match.moves(turn, EndTurn(), bot="chance")

    assert isinstance(events[-2], MatchEnded)
    assert events[-2].reason == "finished"
    assert events[-2].outcome == TOY.outcome(match.match.state)
    match.verified()


def test_a_bot_takes_a_seat_over_only_once() -> None:
    match = timed(clock=PER_MATCH, on_flag="bot").waits(1000)
    match.moves(1)
    match.moves(2)
    match.waits_until_due().expires()
    match.takes_back(0)
    events = match.waits_until_due().expires()

    assert events == (FlagFallen(Seat(0)), SeatResigned(Seat(0), 1))


def test_a_bot_that_lets_its_time_run_out_has_the_seat_resign() -> None:
    match = timed(clock=PER_MATCH, on_flag="bot").waits(1000)
    match.moves(1)
    match.moves(2)
    match.waits_until_due().expires()
    events = match.waits_until_due().expires()

    assert events == (FlagFallen(Seat(0)), SeatResigned(Seat(0), 1))
    assert not match.match.presence.stand_ins
    with pytest.raises(ResignedError):
        match.takes_back(0)


def test_no_bot_takes_over_from_a_bot() -> None:
    match = timed(clock=PER_MATCH, on_flag="bot", bots=[0])
    events = match.waits_until_due().expires()

    assert events[:2] == (FlagFallen(Seat(0)), SeatResigned(Seat(0), 1))
    assert events[2:4] == (FlagFallen(Seat(1)), SeatTakenOver(Seat(1), STAND_IN))


def test_a_seat_is_taken_back_by_its_account_without_new_time() -> None:
    match = timed(clock=PER_MATCH, on_flag="bot").waits(1000)
    match.moves(1)
    match.moves(2)
    match.waits_until_due().expires()
    with pytest.raises(NotTakenOverError):
        match.takes_back(1)
    match.waits(10 * SECOND)

    assert match.takes_back(0) == (SeatGivenBack(Seat(0)),)
    assert match.left(0) == MINUTE - 10 * SECOND
    with pytest.raises(NotTakenOverError):
        match.takes_back(0)
    match.moves(0)


def test_who_was_taken_over_may_resign_at_once() -> None:
    match = timed(clock=PER_MATCH, on_flag="bot")
    match.waits_until_due().expires()

    assert match.resigns(2) == (SeatResigned(Seat(2), 1),)
    assert match.match.presence.stand_ins.keys() == {0, 1}


def test_nobody_resigns_twice() -> None:
    match = timed()
    match.resigns(1)
    with pytest.raises(ResignedError) as refusal:
        match.resigns(1)
    assert refusal.value.code == "resigned"
