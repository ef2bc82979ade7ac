"""How seats stand beside the game, in words."""

from dataclasses import replace

import pytest

from howff.cli.terminal.standings import Standing, Standings, standings_of, time_shown
from howff.engine.seats import Seat
from howff.match.commands import ExpireDeadline
from support.clocked import Course

NAMES = ("Ivy", "Freya")
HERE = Standing(resigned=None, stand_in=None, wants=(), milliseconds_left=None, is_running=False)


@pytest.mark.parametrize(
    ("left", "shown"),
    [
        (0, "0:00"),
        (-900, "0:00"),
        (999, "0:00"),
        (61_000, "1:01"),
        (3_599_999, "59:59"),
        (3_600_000, "1:00:00"),
        (86_400_000, "1 day 0:00:00"),
        (3 * 86_400_000 - 1, "2 days 23:59:59"),
    ],
)
def test_a_time_is_shown_as_on_a_clock(left: int, shown: str) -> None:
    assert time_shown(left) == shown


def test_only_the_clocks_that_run_lose_time_until_now() -> None:
    running = replace(HERE, milliseconds_left=60_000, is_running=True)
    standings = Standings(seats=(running, replace(running, is_running=False)), at=1_000_000)
    later = standings.after(1_010_000)
    assert list(later.lines(NAMES)) == ["Time left: Ivy 0:50 (running), Freya 1:00"]
    assert later.after(1_010_000) == later
    assert standings.after(999_000) == standings


def test_a_match_without_clocks_has_no_line_on_them() -> None:
    assert list(Standings(seats=(HERE, HERE)).lines(NAMES)) == []
    assert Standings(seats=(HERE, HERE)).after(10**12).at is None


def test_a_match_says_how_its_seats_stand() -> None:
    course = Course()
    course.give(101, ExpireDeadline)
    standings = standings_of(course.match)
    assert [seat.is_running for seat in standings.seats] == [True, False, False]
    assert [seat.stand_in for seat in standings.seats] == ["random", None, None]
    assert [seat.milliseconds_left for seat in standings.seats] == [100_000] * 3


def test_whoever_has_not_agreed_yet_has_a_say() -> None:
    wanting = replace(HERE, wants=("pause",))
    standings = Standings(seats=(wanting, HERE))
    assert [standings.has_a_say(Seat(seat)) for seat in (0, 1)] == [False, True]


def test_whoever_wanted_a_pause_has_a_say_in_its_end() -> None:
    wanting = replace(HERE, wants=("pause",))
    standings = Standings(seats=(wanting, wanting), is_paused=True)
    assert [standings.has_a_say(Seat(seat)) for seat in (0, 1)] == [True, True]
    assert not Standings(seats=(wanting, wanting)).has_a_say(Seat(0))


def test_whoever_has_left_has_no_say_and_whoever_was_replaced_may_come_back() -> None:
    seats = (replace(HERE, resigned=1), replace(HERE, stand_in="random"), HERE)
    standings = Standings(seats=seats)
    assert [standings.has_a_say(Seat(seat)) for seat in (0, 1, 2)] == [False, True, False]
    wanting = Standings(seats=(*seats[:2], replace(HERE, wants=("abort",))))
    assert not wanting.has_a_say(Seat(0))
