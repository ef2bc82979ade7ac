"""How far the ratings at a table may be apart: the longer somebody waits, the further."""

from bisect import bisect
from datetime import datetime
from itertools import pairwise
from typing import Final

CURVE: Final = ((0, 100), (30, 200), (60, 400), (120, 800), (180, 1200))
"""Seconds waited, and points; straight lines between."""
ANYBODY_AFTER: Final = CURVE[-1][0]
"""Seconds."""
_TIMES: Final = tuple(seconds for seconds, _ in CURVE)
_LINES: Final = tuple(pairwise(CURVE))


def window(waited_seconds: float) -> int | None:
    """Return how many points the ratings at a table may span; None is any number."""
    if waited_seconds >= ANYBODY_AFTER:
        return None
    waited = max(waited_seconds, 0.0)  # clocks of machines differ
    (start, least), (end, most) = _LINES[bisect(_TIMES, waited) - 1]
    return least + int((most - least) * (waited - start) / (end - start))


def window_at(since: datetime, now: datetime) -> int | None:
    """Return the window, at *now*, of a ticket that has waited *since* then."""
    return window((now - since).total_seconds())
