"""Changing frozen values: a field of a dataclass, an item of a tuple.

Most of a random playout was `dataclasses.replace`, which reads every field and sets it again
through `__init__`. Values never validate, so a copy of the instance's dictionary does the same in
a quarter of the time. States of games, matches and commits are therefore frozen dataclasses without
slots; type checkers see the original `replace`, whose checks they know.
"""

from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from dataclasses import replace
else:

    def replace(value: T, /, **changes: Any) -> T:
        """Return *value*, a frozen dataclass without slots, with *changes* to its fields."""
        copy = object.__new__(type(value))
        object.__setattr__(copy, "__dict__", value.__dict__ | changes)
        return copy


def with_item(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    """Return *items* with *item* in place *at*."""
    return (*items[:at], item, *items[at + 1 :])


__all__ = ["replace", "with_item"]
