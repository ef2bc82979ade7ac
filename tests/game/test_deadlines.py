"""Flags fall by themselves, or by the next command; never before their time, and not in a pause."""

from collections.abc import Iterator
from functools import partial
from typing import Final

import pytest

from howff.engine.codec import JSON
from howff.match.clocks import DAY, GRACE, LONGEST_PAUSE, SECOND, milliseconds_of, time_at
from howff.match.commit import time_text
from support.bots import playing, policy_of
from support.leaving import (
    asked,
    done,
    due_of,
    events_in,
    is_platform,
    look,
    now,
    purge_deadlines,
    scheduled,
    wait_until_past,
    wait_until_scheduled,
)
from support.running import SOON
from support.service import Service, Table, nats_server, service_on, wait_until
from support.web import problem_of

QUICKEST: Final[tuple[JSON, ...]] = (
    {"move_seconds": 1},
    {"match_seconds": 1, "increment_seconds": 5},
)
SLOW: Final[JSON] = {"move_seconds": 600}


@pytest.fixture(scope="module")
def unswept() -> Iterator[Service]:
    """Give a service that looks for lost deadlines at its start only."""
    with (
        nats_server() as nats,
        service_on(nats, sweep_seconds=3600) as service,
        playing(service),
    ):
        yield service


def is_over(table: Table) -> bool:
    return table.match.is_over


def is_scheduled(table: Table) -> bool:
    return scheduled(table.service, table.id) is not None


def test_a_flag_falls_by_itself_soon_after_its_time_and_never_before(unswept: Service) -> None:
    tables = [unswept.table("troedler", seats, clock=each) for each in QUICKEST for seats in (2, 3)]
    for table in tables:
        wait_until(partial(is_over, table))
        first, fallen, *_ = table.commits
        due, owing = milliseconds_of(first.at) + 1 * SECOND + GRACE, table.answer.json()["to_act"]
        assert table.answer.json()["clocks"]["due"] == time_text(time_at(due))
        assert due <= milliseconds_of(fallen.at) < due + SOON * SECOND
        assert is_platform(fallen)
        assert [data["seat"] for _, data in events_in((fallen,), "FlagFallen")] == owing
        assert events_in((fallen,), "SeatResigned")


def test_everybody_but_one_may_run_out_of_time(unswept: Service) -> None:
    table = unswept.table("troedler", 3, clock={"move_seconds": 1})
    wait_until(partial(is_over, table))
    ((_, ended),) = events_in(table.commits, "MatchEnded")
    first, second = (data["seat"] for _, data in events_in(table.commits, "FlagFallen"))
    places = ended["outcome"]["places"]
    assert ended["reason"] == "resigned"
    assert places[first] > places[second] > min(places)


def test_a_move_in_time_moves_the_deadline(unswept: Service) -> None:
    table = unswept.table(clock=SLOW)
    wait_until_scheduled(table)
    for _ in range(3):
        before = due_of(table)
        last = milliseconds_of(table.play().json()["commit"]["at"])
        assert due_of(table) == last + 600 * SECOND + GRACE > before
        wait_until_scheduled(table)


def test_a_move_adds_the_increment_to_what_is_left(unswept: Service) -> None:
    table = unswept.table(clock={"match_seconds": 60, "increment_seconds": 40})
    begun = milliseconds_of(table.commits[0].at)
    seat, move = table.to_act()
    at = milliseconds_of(table.send(seat, move).json()["commit"]["at"])
    left = [each["milliseconds_left"] for each in look(table)["standings"]]
    assert left[seat] == 100 * SECOND - (at - begun)
    assert left[1 - seat] == 60 * SECOND
    wait_until_scheduled(table)


def test_a_turn_of_days_is_scheduled_like_any_other(unswept: Service) -> None:
    table = unswept.table(clock={"turn_days": 3})
    assert due_of(table) == milliseconds_of(table.commits[0].at) + 3 * DAY + GRACE
    wait_until_scheduled(table)


def test_a_match_without_a_clock_has_no_deadline(unswept: Service) -> None:
    table, clocked = unswept.table(), unswept.table(clock=SLOW)
    wait_until_scheduled(clocked)
    assert scheduled(unswept, table.id) is None
    assert look(table)["clocks"] is None


@pytest.fixture(scope="module")
def ran_out(unswept: Service) -> dict[str, Table]:
    """Give matches of which something is due, but nobody has noticed."""
    clock: JSON = {"move_seconds": 2}
    seats = {"two": 2, "three": 3, "others": 3, "expecting": 3}
    tables = {name: unswept.table("troedler", count, clock=clock) for name, count in seats.items()}
    for table in tables.values():
        wait_until(partial(is_scheduled, table))
        purge_deadlines(unswept, table.id)
    for table in tables.values():
        wait_until_past(due_of(table))
        assert table.match.version == 1
    return tables


def test_a_move_that_comes_too_late_finds_the_flag_fallen(ran_out: dict[str, Table]) -> None:
    for name, code in (("two", "match_over"), ("three", "resigned")):
        table = ran_out[name]
        seat, move = table.to_act()
        problem_of(table.send(seat, move), 409, code)
        fallen = table.commits[1]
        assert [each["type"] for each in fallen.events][:2] == ["FlagFallen", "SeatResigned"]
        assert (fallen.actor, fallen.command) == ("platform", "deadline-1")


def test_whoever_comes_first_finds_the_flag_fallen_and_is_judged_after_it(
    ran_out: dict[str, Table],
) -> None:
    table = ran_out["others"]
    late = table.match.to_act[0]
    answer = asked(table, (late + 1) % 3, "abort")
    assert [kind for kind, _ in done(answer)] == ["WishTold"]
    assert answer.json()["version"] == 3
    ((version, data),) = events_in(table.commits, "FlagFallen")[:1]
    assert (version, data["seat"]) == (2, late)


def test_a_command_meant_for_the_version_before_the_fall_is_stale(
    ran_out: dict[str, Table],
) -> None:
    table = ran_out["expecting"]
    seat, move = table.to_act()
    problem_of(table.send(seat, move, expected_version=1), 409, "stale_version")
    assert events_in(table.commits, "FlagFallen")


def test_no_flag_falls_in_a_pause_and_what_was_left_is_left_after_it(unswept: Service) -> None:
    table = unswept.table(clock={"match_seconds": 3, "increment_seconds": 0})
    due = due_of(table)
    done(asked(table, 0, "pause"))
    assert done(asked(table, 1, "pause"))[-1] == ("ClockPaused", {})
    seen = look(table)
    paused_at = milliseconds_of(seen["clocks"]["at"])
    assert seen["clocks"]["is_paused"]
    assert due_of(table) == paused_at + LONGEST_PAUSE
    assert not any(each["is_running"] for each in seen["standings"])
    wait_until_scheduled(table)
    wait_until_past(due)
    seat, move = table.to_act()
    problem_of(table.send(seat, move), 409, "match_paused")
    assert not events_in(table.commits, "FlagFallen")
    done(asked(table, 0, "pause", wanted=False))
    went_on = asked(table, 1, "pause", wanted=False)
    assert done(went_on)[-1] == ("ClockStarted", {})
    left = due_of(table) - milliseconds_of(went_on.json()["commit"]["at"])
    assert left == due - paused_at
    wait_until(partial(is_over, table))
    ((version, _),) = events_in(table.commits, "FlagFallen")
    assert milliseconds_of(table.commits[version - 1].at) >= now() - SOON * SECOND


def test_a_bot_takes_the_seat_over_at_the_first_fall_of_its_flag_and_plays_on(
    unswept: Service,
) -> None:
    terms: dict[str, JSON] = {"on_flag": "bot", "stand_in": "random", "options": {"round_limit": 1}}
    table = unswept.table(clock={"move_seconds": 1}, **terms)
    wait_until(partial(is_over, table))
    taken = events_in(table.commits, "SeatTakenOver")
    assert [data for _, data in taken] == [
        {"seat": data["seat"], "level": "random"}
        for _, data in events_in(table.commits, "FlagFallen")
    ]
    bots = [each for each in table.commits if policy_of(each) == "random"]
    assert bots
    assert all(each.version > taken[0][0] for each in bots)
    assert not events_in(table.commits, "SeatResigned")
    ((_, ended),) = events_in(table.commits, "MatchEnded")
    assert ended["reason"] == "finished"


def test_credited_time_moves_the_deadline(unswept: Service) -> None:
    table = unswept.table(clock=SLOW)
    before, seat = due_of(table), table.match.to_act[0]
    eyes = unswept.eyes("an-administrator", "admin")
    answer = eyes.post(
        f"{table.path}/credit",
        {"seat": seat, "seconds": 90},
        "b3b8b9c0-5a0c-4f7e-9a51-5f2f0a0f4a11",
    )
    assert done(answer) == [("TimeCredited", {"seat": seat, "milliseconds": 90 * SECOND})]
    assert due_of(table) == before + 90 * SECOND
    wait_until_scheduled(table)
