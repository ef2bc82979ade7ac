"""Luck for the checks: it can be changed in one respect, and its draws be counted."""

from collections.abc import Sequence
from typing import TypeVar

from support.rng import LocalRng

T = TypeVar("T")


class NamedLuck:
    """Gives each draw by its name and number, so that other draws do not change it.

    The draws named *other* turn out otherwise than without that. `draws` keeps the names of all,
    which are public.
    """

    def __init__(self, seed: int, other: str | None = None) -> None:
        self.draws: list[str] = []
        self._seed = seed
        self._other = other

    def draw(self, name: str, n: int) -> int:
        return self._rng(name).draw(name, n)

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        return self._rng(name).shuffle(name, items)

    def roll(self, name: str, faces: Sequence[T]) -> T:
        return self._rng(name).roll(name, faces)

    def _rng(self, name: str) -> LocalRng:
        number = self.draws.count(name)
        self.draws.append(name)
        return LocalRng(f"{self._seed} {name} {number} {name == self._other}")
