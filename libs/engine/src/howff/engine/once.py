"""Remembering what was computed, for arguments of which there are not many: types, small hands."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])


def once(function: F) -> F:
    """Return *function* computed once an argument; unlike `functools.cache` it keeps its type."""
    return cast("F", cache(function))
