"""What the seats of a served match are called."""

from collections import Counter
from collections.abc import Sequence
from itertools import starmap
from typing import Final

from howff.cli.errors import printable

_LONGEST_NAME: Final = 16
"""Boards have no room for more."""
_KEPT: Final = _LONGEST_NAME // 2


def names_of(accounts: Sequence[str | None]) -> tuple[str, ...]:
    """Return a name of its own for each seat; None among the *accounts* stands for a bot."""
    names = tuple(starmap(_name, enumerate(accounts)))
    counts = Counter(names)
    return tuple(name if counts[name] == 1 else f"{name} {seat}" for seat, name in enumerate(names))


def _name(seat: int, account: str | None) -> str:
    """Return a name that a board has room for; those of a tournament often differ at the end."""
    if account is None:
        return f"Bot {seat}"
    name = printable(account)
    return name if len(name) <= _LONGEST_NAME else f"{name[:_KEPT]}…{name[-_KEPT + 1 :]}"
