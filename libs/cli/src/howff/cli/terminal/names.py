"""What the seats of a match on a server are called."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import starmap
from types import MappingProxyType
from typing import Final

from howff.cli.errors import printable

_LONGEST_NAME: Final = 16
"""Boards have no room for more."""
_KEPT: Final = _LONGEST_NAME // 2


def names_of(
    accounts: Sequence[str | None], called: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, ...]:
    """Return a name of its own for each seat; None among the *accounts* stands for a bot.

    Those that *called* does not name are called by their ids.
    """
    told = (account and called.get(account, account) for account in accounts)
    names = tuple(starmap(_name, enumerate(told)))
    counts = Counter(names)
    return tuple(name if counts[name] == 1 else f"{name} {seat}" for seat, name in enumerate(names))


def _name(seat: int, account: str | None) -> str:
    """Return a name that a board has room for; those of a tournament often differ at the end."""
    if account is None:
        return f"Bot {seat}"
    name = printable(account)
    return name if len(name) <= _LONGEST_NAME else f"{name[:_KEPT]}…{name[-_KEPT + 1 :]}"
