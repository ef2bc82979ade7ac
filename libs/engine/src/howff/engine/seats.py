"""Seats: the numbered places of a match, 0 … n-1 clockwise."""

from typing import NewType

from howff.engine.once import once

Seat = NewType("Seat", int)
"""A place at the table; the left neighbour of seat s is s + 1, of the last seat seat 0."""

Viewer = Seat | None
"""Who looks: a seat, or None for a spectator."""


def seat_after(seat: Seat, seats: int) -> Seat:
    """Return the left neighbour of *seat* in a match of *seats* seats."""
    return Seat((seat + 1) % seats)


@once
def seats_from(first: Seat, seats: int) -> tuple[Seat, ...]:
    """Return all *seats* seats clockwise, beginning with *first*."""
    return tuple(Seat((first + offset) % seats) for offset in range(seats))
