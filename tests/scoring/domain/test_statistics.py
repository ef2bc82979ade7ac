"""Statistics: what a match adds to the histograms of its game, and what these tell."""

import math
import statistics
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howff.scoring.domain.results import MoveCount
from howff.scoring.domain.statistics import mean_of, quantile_of, tallies_of, total_of, who_played
from support.results import result, results_of_all_kinds, seat

numbers = st.lists(st.integers(-1000, 1000) | st.integers(0, 5), min_size=1, max_size=200)


def measured(told: Any) -> list[tuple[str, str, int]]:
    return [(each.measure, each.about, each.value) for each in tallies_of(told)]


@given(numbers, st.integers(0, 100))
def test_a_quantile_is_the_number_that_stands_there_when_all_are_sorted(
    values: list[int], percent: int
) -> None:
    rank = max(1, math.ceil(len(values) * percent / 100))
    assert quantile_of(Counter(values), percent) == sorted(values)[rank - 1]


@given(numbers)
def test_median_mean_and_ends_are_those_of_the_numbers(values: list[int]) -> None:
    histogram = Counter(values)
    assert quantile_of(histogram, 50) == statistics.median_low(values)
    assert (quantile_of(histogram, 0), quantile_of(histogram, 100)) == (min(values), max(values))
    assert mean_of(histogram) == pytest.approx(statistics.fmean(values))
    assert total_of(histogram) == sum(values)


def test_a_finished_match_tells_its_length_and_of_each_seat_and_kind_of_move() -> None:
    told = result(
        "m",
        seat("freya", 2, moves=(MoveCount("Buy", 4), MoveCount("Pass", 1))),
        seat("ivy", 1, moves=(MoveCount("Pass", 2),)),
    )
    assert {(each.seats, each.who) for each in tallies_of(told)} == {(2, "people")}
    assert measured(told) == [
        ("ended", "finished", 0),
        ("commits", "", 20),
        ("minutes", "live", 30),
        ("place", "0", 2),
        ("score", "0", 8),
        ("place", "1", 1),
        ("score", "1", 9),
        ("moves", "Buy", 4),
        ("moves", "Pass", 3),
    ]


def test_of_what_was_not_played_to_its_end_only_that_is_counted() -> None:
    pair = (seat("freya", 1), seat("ivy", 2, stay="resigned"))
    assert measured(result("m", *pair, reason="resigned")) == [("ended", "resigned", 0)]
    ended = (seat("freya", None), seat("ivy", None))
    assert measured(result("m", *ended, reason="aborted")) == [("ended", "aborted", 0)]
    assert measured(result("m", *pair, is_branch=True)) == []
    assert measured(result("m", *pair, is_public=False)) == []


def test_a_minute_that_was_begun_counts() -> None:
    for seconds, minutes in (("00.000", 0), ("00.001", 1), ("59.999", 1)):
        told = result("m", seat("a", 1), ended_at=f"2026-11-27T12:00:{seconds}Z")
        assert ("minutes", "live", minutes) in measured(told)


def test_people_bots_and_both_are_told_apart() -> None:
    freya, casual = seat("freya", 1), seat("bot:casual", 2)
    assert who_played(result("m", freya, seat("ivy", 2))) == "people"
    assert who_played(result("m", casual, seat("bot:strong", 1))) == "bots"
    assert who_played(result("m", freya, casual)) == "mixed"


def test_no_match_tells_the_same_number_twice() -> None:
    for told in results_of_all_kinds(60):
        assert len(set(tallies_of(told))) == len(tallies_of(told))
