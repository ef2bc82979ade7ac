"""Luck from a seed: every draw can be read again by anyone who has the seed."""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TypeVar

from howff.match.canonical import canonical_bytes

T = TypeVar("T")
Entropies = tuple[str | None, ...]
"""What each seat has added to the luck of a match, by seat."""

_RANGE = 2**64


class Draws:
    """The named draws of a match, read from its seed; an `Rng` for the games.

    The draws of one name are numbered through the whole match: *counts* says how many were made
    before, `made` how many since. So a draw gives the same whatever else was drawn.
    """

    def __init__(
        self, seed: bytes, match: str, entropies: Entropies, counts: Mapping[str, int]
    ) -> None:
        self.made: dict[str, int] = {}
        self._seed = seed
        self._match = match
        self._entropies = list(entropies)
        self._counts = counts

    def draw(self, name: str, n: int) -> int:
        """Return a number from 0 to *n* - 1."""
        return _below(n, self._next_draw(name))

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return *items* in a random order (Fisher-Yates, from the last place down)."""
        numbers = self._next_draw(name)
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            chosen = _below(last + 1, numbers)
            shuffled[last], shuffled[chosen] = shuffled[chosen], shuffled[last]
        return tuple(shuffled)

    def roll(self, name: str, faces: Sequence[T]) -> T:
        """Return one of *faces*."""
        return faces[_below(len(faces), self._next_draw(name))]

    def _next_draw(self, name: str) -> Iterator[int]:
        made = self.made.get(name, 0)
        self.made[name] = made + 1
        return self._numbers(name, self._counts.get(name, 0) + made)

    def _numbers(self, name: str, number: int) -> Iterator[int]:
        for block in count():
            message = ["draw", self._match, self._entropies, name, number, block]
            digest = hmac.digest(self._seed, canonical_bytes(message), "sha256")
            for at in range(0, len(digest), 8):
                yield int.from_bytes(digest[at : at + 8], "big")


def _below(n: int, numbers: Iterator[int]) -> int:
    # A remainder is even only below the last whole multiple of n, so the rest is thrown away.
    limit = _RANGE - _RANGE % n
    return next(number for number in numbers if number < limit) % n
