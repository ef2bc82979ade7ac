from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from howff.bots.policies.payoff import FULL, of_estimates, of_places
from howff.engine.outcome import places_by

figures = st.lists(st.integers(-1000, 1000), min_size=2, max_size=6)


@pytest.mark.parametrize(
    ("places", "parts"),
    [
        ((1, 2), (1, 0)),
        ((2, 1), (0, 1)),
        ((1, 1), (1 / 2, 1 / 2)),
        ((1, 2, 3), (1, 1 / 2, 0)),
        ((2, 1, 2), (1 / 4, 1, 1 / 4)),
        ((1, 1, 3), (3 / 4, 3 / 4, 0)),
        ((1, 2, 3, 4), (1, 2 / 3, 1 / 3, 0)),
        ((1, 1, 1, 1), (1 / 2,) * 4),
    ],
)
def test_a_payoff_is_the_part_of_the_others_that_is_left_behind(
    places: tuple[int, ...], parts: tuple[float, ...]
) -> None:
    assert of_places(places) == pytest.approx([part * FULL for part in parts], abs=8)


@given(figures)
def test_together_all_get_the_same_whatever_the_places(points: list[int]) -> None:
    payoffs = of_places(places_by([-each for each in points]))

    assert sum(payoffs) == pytest.approx(FULL * len(points) / 2, abs=8 * len(points))
    assert all(0 <= payoff <= FULL for payoff in payoffs)


@given(figures)
def test_a_better_place_is_worth_more_and_an_equal_one_as_much(points: list[int]) -> None:
    places = places_by([-each for each in points])
    ranked = sorted(zip(places, of_places(places), strict=True))

    for (place, payoff), (next_place, next_payoff) in pairwise(ranked):
        assert (payoff > next_payoff) == (place < next_place)
        assert (payoff == next_payoff) == (place == next_place)


@given(figures, st.integers(1, 300))
def test_estimates_are_worth_more_the_higher_they_are(points: list[int], decisive: int) -> None:
    payoffs = of_estimates(points, decisive)

    assert all(type(payoff) is int for payoff in payoffs)
    assert all(-8 <= payoff <= FULL + 8 for payoff in payoffs)
    for (own, payoff), (other, next_payoff) in pairwise(sorted(zip(points, payoffs, strict=True))):
        assert payoff <= next_payoff
        assert own != other or payoff == next_payoff


@given(figures)
def test_leads_that_decide_are_worth_their_places(points: list[int]) -> None:
    far_apart = [each * 10 for each in points]
    places = places_by([-each for each in points])

    assert of_estimates(far_apart, 10) == pytest.approx(of_places(places), abs=8)


def test_half_a_lead_is_worth_half_as_much() -> None:
    assert of_estimates((5, 0), 10) == (FULL * 3 // 4, FULL // 4)
    assert of_estimates((10, 0), 10) == of_estimates((99, 0), 10) == (FULL, 0)
    assert of_estimates((3, 3), 10) == (FULL // 2, FULL // 2)
