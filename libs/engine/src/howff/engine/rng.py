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
