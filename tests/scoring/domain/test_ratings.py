"""Ratings: who is rated among whom, and as openskill rates them."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from howff.lobby.domain.matching.waiting import FIRST_RATING
from howff.scoring.domain.ratings import (
    FIRST_SIGMA,
    Contest,
    Pool,
    Rating,
    contests_of,
    rated,
)
from support.results import result, seat

MODEL = PlackettLuce()
AT = "2026-11-27T12:30:00.000Z"


def later(**time: float) -> str:
    return (datetime.fromisoformat(AT) + timedelta(**time)).isoformat(timespec="milliseconds")


def contest(*ranks: int) -> Contest:
    return Contest(Pool("troedler", "live"), tuple((f"p{i}", rank) for i, rank in enumerate(ranks)))


def test_a_first_rating_is_what_the_lobby_takes_it_for() -> None:
    first = Rating()
    assert (first.points, first.deviation) == (FIRST_RATING, 350)
    assert first.sure_points == FIRST_RATING - 2 * 350


@given(st.lists(st.integers(1, 4), min_size=2, max_size=5))
def test_ratings_are_those_of_openskill_called_by_hand(ranks: list[int]) -> None:
    teams = [[MODEL.rating()] for _ in ranks]
    by_hand = [team[0] for team in MODEL.rate(teams, ranks=[float(rank) for rank in ranks])]
    after = rated(contest(*ranks), {}, AT)
    for number, expected in enumerate(by_hand):
        found = after[f"p{number}"]
        assert (found.mu, found.sigma) == (expected.mu, expected.sigma)
        assert (found.matches, found.at) == (1, AT)


@given(st.permutations(range(4)))
def test_it_makes_no_difference_who_sits_where(order: list[int]) -> None:
    seats = (("a", 1), ("b", 2), ("c", 2), ("d", 3))
    pool = Pool("troedler", "live")
    expected = rated(Contest(pool, seats), {}, AT)
    found = rated(Contest(pool, tuple(seats[each] for each in order)), {}, AT)
    for player, rating in expected.items():
        assert found[player].mu == pytest.approx(rating.mu, rel=1e-12)
        assert found[player].sigma == pytest.approx(rating.sigma, rel=1e-12)


def test_equals_are_rated_alike_and_better_places_higher() -> None:
    after = rated(contest(1, 2, 2), {}, AT)
    assert after["p0"].mu > after["p1"].mu == after["p2"].mu


def test_a_rating_grows_uncertain_while_it_is_idle_and_no_more_than_a_first_one() -> None:
    sure = Rating(mu=30.0, sigma=2.0, matches=50, at=AT)
    before = {"p0": sure, "p1": sure}
    soon, year, ages = (
        rated(contest(1, 2), before, later(days=days))["p0"] for days in (0, 365, 40 * 365)
    )
    assert soon.sigma < year.sigma < ages.sigma < FIRST_SIGMA
    assert abs(soon.mu - 30) < abs(year.mu - 30) < abs(ages.mu - 30)
    with_first = rated(contest(1, 2), {"p0": Rating(30.0), "p1": Rating(30.0)}, AT)["p0"]
    assert ages.sigma == pytest.approx(with_first.sigma)


def test_people_are_rated_among_people_and_bots_among_bots() -> None:
    told = result("m", seat("a", 1), seat("bot:strong", 2), seat("b", 3), seat("bot:casual", 4))
    people, bots = contests_of(told)
    assert people == Contest(Pool("troedler", "live"), (("a", 1), ("b", 2)))
    assert bots == Contest(Pool("troedler", "bots"), (("strong", 1), ("casual", 2)))


def test_what_does_not_count_is_no_contest() -> None:
    people, bots = (seat("a", 1), seat("b", 2)), (seat("bot:strong", 1), seat("bot:casual", 2))
    assert contests_of(result("m", *people, is_rated=False)) == ()
    assert contests_of(result("m", seat("a", 1), seat("bot:strong", 2))) == ()
    assert contests_of(result("m", seat("a", 1), seat("a", 2))) == ()
    assert contests_of(result("m", *bots, reason="resigned")) == ()
    assert contests_of(result("m", *bots, is_branch=True)) == ()
    assert len(contests_of(result("m", *bots, is_rated=False))) == 1


def test_whoever_has_left_comes_behind_all_who_stayed_whatever_the_seat_has_reached() -> None:
    told = result(
        "m",
        seat("replaced", 1, stay="replaced"),
        seat("a", 2),
        seat("b", 3),
        seat("resigned", 4, stay="resigned"),
    )
    (people,) = contests_of(told)
    assert people.seats == (("replaced", 3), ("a", 1), ("b", 2), ("resigned", 4))


def test_a_level_that_has_several_seats_gets_the_mean_of_what_they_make_of_it() -> None:
    told = result("m", seat("bot:strong", 1), seat("bot:casual", 2), seat("bot:strong", 3))
    (bots,) = contests_of(told)
    by_hand = [
        team[0] for team in MODEL.rate([[MODEL.rating()] for _ in range(3)], ranks=[1, 2, 3])
    ]
    after = rated(bots, {}, AT)
    assert after.keys() == {"strong", "casual"}
    assert after["strong"].matches == 1
    assert after["strong"].mu == (by_hand[0].mu + by_hand[2].mu) / 2
    assert after["casual"].mu == by_hand[1].mu
