from hypothesis import given
from hypothesis import strategies as st

from howff.engine.outcome import Outcome, places_by


def test_the_smallest_key_is_the_best() -> None:
    assert places_by([30, 10, 20]) == (3, 1, 2)


def test_shared_places_leave_out_the_next_ones() -> None:
    assert places_by([-5, -9, -9, -1]) == (3, 1, 1, 4)
    assert places_by(["b", "a", "b"]) == (2, 1, 2)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=6))
def test_a_better_key_has_a_better_place_and_equal_keys_share_one(keys: list[int]) -> None:
    places = places_by(keys)
    assert 1 in places
    for key, place in zip(keys, places, strict=True):
        assert place == 1 + sum(other < key for other in keys)
        assert {other for other, at in zip(keys, places, strict=True) if at == place} == {key}


def test_the_winners_are_all_seats_at_place_one() -> None:
    assert Outcome((1, 3, 1), ((), (), ())).winners == (0, 2)
