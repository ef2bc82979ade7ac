"""A source of luck for tests: seeded, the same on every version of Python."""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class LocalRng:
    """Draws from `Random.random`, the one method whose sequence Python promises to keep."""

    def __init__(self, seed: int | str) -> None:
        self._random = Random(seed)  # noqa: S311 — tests have nothing to guard

    def draw(self, name: str, n: int) -> int:  # noqa: ARG002 — the same luck for all names
        return int(self._random.random() * n)

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            other = self.draw(name, last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return tuple(shuffled)

    def roll(self, name: str, faces: Sequence[T]) -> T:
        return faces[self.draw(name, len(faces))]
