"""What a state is worth to each seat, by the places that it leads to."""

from collections.abc import Sequence
from typing import Final

FULL: Final = 1 << 16
"""The payoff of a place before all others; that of the last place is 0."""


def of_places(places: Sequence[int]) -> tuple[int, ...]:
    """Return the payoffs of these *places*: the part of the others that a seat leaves behind."""
    share = FULL // (2 * (len(places) - 1))
    return tuple(
        share * sum((other > own) - (other < own) + 1 for other in places) - share for own in places
    )


def of_estimates(values: Sequence[int], decisive: int) -> tuple[int, ...]:
    """Return the payoffs of places that are only estimated.

    A lead of *decisive* over another counts as a place before it, half of it half as much.
    """
    others = len(values) - 1
    return tuple(
        sum(_ahead(own - other, decisive) for other in values) // (2 * decisive * others)
        - FULL // (2 * others)
        for own in values
    )


def _ahead(lead: int, decisive: int) -> int:
    return (min(max(lead, -decisive), decisive) + decisive) * FULL
