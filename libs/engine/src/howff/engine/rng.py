"""Luck, as a game asks for it: named draws whose results the game records in events."""

from collections.abc import Sequence
from typing import Protocol, TypeVar

T = TypeVar("T")


class Rng(Protocol):
    """A source of even draws.

    Every call is one draw of its *name*. Names and numbers of draws are public, so neither may
    depend on something that is secret in the match. `howff.match` reads draws from a seed; search
    brings a faster source of its own.
    """

    def draw(self, name: str, n: int) -> int:
        """Return a number from 0 to *n* - 1, each equally likely; *n* is at least 1."""
        ...

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return *items* in a random order, each order equally likely."""
        ...

    def roll(self, name: str, faces: Sequence[T]) -> T:
        """Return one of *faces*, each equally likely; equal faces count as often as they stand."""
        ...


def pick(rng: Rng, name: str, items: Sequence[T], count: int) -> tuple[T, ...]:
    """Return *count* of *items* in the order drawn, without putting any back; *count* draws.

    Every choice is equally likely, as if *items* had been shuffled and the first ones taken; so a
    pile may be kept as a multiset, without an order that could be looked at.
    """
    left = list(items)
    return tuple(left.pop(rng.draw(name, len(left))) for _ in range(count))
