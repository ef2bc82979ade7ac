"""Multisets as sorted tuples: hands, piles, goods, and what is known of them."""

from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    """Return *items* with one *item* less, in the same order."""
    at = items.index(item)
    return (*items[:at], *items[at + 1 :])


def without_all(items: tuple[T, ...], gone: Iterable[T]) -> tuple[T, ...]:
    """Return *items* without each of *gone*, one for one."""
    for item in gone:
        items = without(items, item)
    return items


def holds_all(items: tuple[T, ...], wanted: tuple[T, ...]) -> bool:
    """Return whether *items* holds each of *wanted* as often as it stands there."""
    return all(items.count(item) >= wanted.count(item) for item in set(wanted))


def still_known(known: tuple[T, ...], gone: T | None) -> tuple[T, ...]:
    """Return what is still certain of a place that held at least *known*, once *gone* has left.

    What was not seen to leave (None) may have been any of them, so one of each sort is given up.
    """
    leaving = set(known) if gone is None else {gone} & set(known)
    return tuple(item for at, item in enumerate(known) if item not in leaving or item in known[:at])
