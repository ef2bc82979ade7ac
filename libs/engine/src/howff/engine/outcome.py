"""The outcome of a match: the places of all seats, with the figures that led there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Figure:
    """A named number of a seat's final account, such as its points."""

    name: str
    value: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended.

    `places` holds the place of each seat, 1 the best; seats that share a place leave out the
    next ones (1, 1, 3, 4). `figures` holds for each seat the numbers that led there, with the
    same names in the same order for every seat.
    """

    places: tuple[int, ...]
    figures: tuple[tuple[Figure, ...], ...]

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats at place 1; never empty."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def places_by(keys: Sequence[Any]) -> tuple[int, ...]:
    """Return the place of each seat, given a key a seat; the smallest key is the best."""
    return tuple(1 + sum(other < key for other in keys) for key in keys)
