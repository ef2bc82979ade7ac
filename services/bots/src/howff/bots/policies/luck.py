"""Fast luck for searches: integers alone, so that every platform draws alike."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Final, TypeVar

T = TypeVar("T")

_MASK: Final = (1 << 64) - 1
_GAMMA: Final = 0x9E3779B97F4A7C15


class SearchRng:
    """Draws by SplitMix64 (Steele, Lea and Flood 2014) from a seed of any length.

    A draw below n is even but for n parts in 2**64 (Lemire 2019), which no search can tell. The
    names of draws are not looked at.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: bytes) -> None:
        self._state = int.from_bytes(sha256(seed).digest()[:8])

    def draw(self, name: str, n: int) -> int:  # noqa: ARG002 — one luck for all names
        """Return a number from 0 to *n* - 1."""
        self._state = state = (self._state + _GAMMA) & _MASK
        state = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
        state = (state ^ (state >> 27)) * 0x94D049BB133111EB & _MASK
        return (state ^ (state >> 31)) * n >> 64

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        """Return *items* in a random order (Fisher and Yates)."""
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            other = self.draw(name, last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return tuple(shuffled)

    def roll(self, name: str, faces: Sequence[T]) -> T:
        """Return one of *faces*."""
        return faces[self.draw(name, len(faces))]
