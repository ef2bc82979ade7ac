"""How often somebody may ask: points that come back steadily, kept in the memory of a process.

The generic cell rate algorithm: of each key nothing is kept but the time at which all its points
are there again.
"""

from collections import OrderedDict
from dataclasses import dataclass
from math import ceil
from typing import Final

MOST_KEPT: Final = 100_000
"""Keys of which something is known; the one that asked longest ago is forgotten first."""
_MINUTE: Final = 60.0
_LEAST: Final = 1e-6
"""Parts of a point by which sums of times may differ from what they should be."""
_AT_ONCE: Final = 3
"""What part of the points of a minute may be taken at once, unless it is said."""


@dataclass(frozen=True, slots=True)
class Policy:
    """So many points a minute come back, and so many may be taken at once."""

    per_minute: int
    at_once: int

    @classmethod
    def of(cls, per_minute: int) -> "Policy":
        """Return the policy by which a third of the points of a minute may be taken at once."""
        return cls(per_minute, max(1, per_minute // _AT_ONCE))


@dataclass(frozen=True, slots=True)
class Standing:
    """What is left to somebody who has asked."""

    policy: Policy
    remaining: int
    """Points that may be taken at once now."""
    reset: int
    """Seconds until all are there again."""
    retry_after: int = 0
    """Seconds until the points are there that were not; 0 if they were."""

    @property
    def is_refused(self) -> bool:
        return self.retry_after > 0


class Limiter:
    """Takes points from whoever asks, by one *policy*; keeps at most so many keys."""

    def __init__(self, policy: Policy, most_kept: int = MOST_KEPT) -> None:
        self._policy = policy
        self._most_kept = most_kept
        self._full_at: OrderedDict[str, float] = OrderedDict()
        self._seconds = _MINUTE / policy.per_minute
        """In which one point comes back."""

    def take(self, key: str, cost: int, now: float) -> Standing:
        """Take *cost* points from *key* at *now*, in seconds, if they are there; else none.

        What costs more than there can be costs all.
        """
        all_points = self._policy.at_once
        full_in = max(0.0, self._full_at.pop(key, now) - now)
        missing = full_in / self._seconds + min(cost, all_points) - all_points
        wait = ceil(missing * self._seconds) if missing > _LEAST else 0
        if not wait:
            full_in += min(cost, all_points) * self._seconds
        self._keep(key, now + full_in)
        remaining = int(all_points - full_in / self._seconds + _LEAST)
        return Standing(self._policy, remaining, ceil(full_in), wait)

    def _keep(self, key: str, full_at: float) -> None:
        self._full_at[key] = full_at
        if len(self._full_at) > self._most_kept:
            self._full_at.popitem(last=False)
