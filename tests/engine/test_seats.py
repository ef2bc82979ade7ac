import pytest

from howff.engine.seats import Seat, seat_after, seats_from


@pytest.mark.parametrize(("seat", "seats", "after"), [(0, 2, 1), (1, 2, 0), (2, 4, 3), (3, 4, 0)])
def test_the_left_neighbour_of_the_last_seat_is_the_first(
    seat: int, seats: int, after: int
) -> None:
    assert seat_after(Seat(seat), seats) == after


def test_seats_go_round_clockwise_from_the_first() -> None:
    assert seats_from(Seat(2), 4) == (2, 3, 0, 1)
    assert seats_from(Seat(0), 2) == (0, 1)
