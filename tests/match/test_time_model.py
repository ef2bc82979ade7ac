"""Matches in which anything comes at any time, against a model that is written in another way."""

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howff.match.clocks import Clock, PerMatch, PerMove, PerTurn
from howff.match.events import OnFlag
from support.course_of_time import Step, Table, check_course
from support.rng import LocalRng

SEEDS = 1000 if os.environ.get("HOWFF_LONG") else 12
CLOCKS = (None, PerMove(60), PerMatch(60, 5), PerMatch(90, 0), PerTurn(1))
ACTIONS = (
    *["move"] * 16,
    *["bot moves"] * 6,
    *["default"] * 8,
    *["anybody moves"] * 2,
    "resign",
    "want pause",
    "all want pause",
    *["want no pause"] * 2,
    "all want no pause",
    "want abort",
    "want no abort",
    *["take back"] * 4,
    *["expire"] * 2,
    *["credit"] * 3,
    *["restart"] * 2,
)
WAITS = (
    *[("milliseconds", wait) for wait in (0, 0, 1, 300, 2000)] * 9,
    *[("tenths", wait) for wait in (1, 2)] * 2,
    *[("due", wait) for wait in (-500, -1, -1, 0, 1, 500 * 3600 * 1000)],
)


def steps() -> st.SearchStrategy[list[Step]]:
    step = st.builds(
        lambda action, seat, wait: Step(action, seat, *wait),
        st.sampled_from(ACTIONS),
        st.integers(0, 3),
        st.sampled_from(sorted(set(WAITS))),
    )
    return st.one_of(st.lists(step, max_size=10), st.lists(step, min_size=30, max_size=60))


def tables() -> st.SearchStrategy[Table]:
    return st.integers(2, 4).flatmap(
        lambda seats: st.builds(
            Table,
            st.just(seats),
            st.sets(st.integers(0, seats - 1), max_size=1),
            st.sampled_from(["resign", "bot"]),
            st.sampled_from(["default_moves", "bot"]),
        )
    )


@pytest.mark.parametrize("clock", CLOCKS, ids=str)
@given(table=tables(), course=steps())
def test_time_and_leaving_go_as_the_model_says(
    clock: Clock | None, table: Table, course: list[Step]
) -> None:
    check_course(clock, table, course)


@pytest.mark.parametrize("seed", range(SEEDS))
@pytest.mark.parametrize("clock", CLOCKS, ids=str)
def test_long_courses_go_as_the_model_says(clock: Clock | None, seed: int) -> None:
    rng = LocalRng(f"{clock} {seed}")
    seats = 2 + rng.draw("seats", 3)
    bots = {seat for seat in range(seats) if not rng.draw("bot", 5)}
    on_flag: OnFlag = rng.roll("on flag", ("resign", "bot", "bot"))
    table = Table(seats, bots, on_flag, rng.roll("on leave", ("default_moves", "bot")))
    course = [
        Step(rng.roll("action", ACTIONS), rng.draw("seat", 4), *rng.roll("wait", WAITS))
        for _ in range(80)
    ]
    check_course(clock, table, course)
