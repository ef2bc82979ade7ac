"""Who may know a field of an event, declared once, on the field.

    cards: Annotated[Cards, secret_to("seat")]

A field without a declaration is public. What is *momentary* is told when it happens and covered
again later, like a card that was shown once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from howff.engine.once import once
from howff.engine.seats import Viewer

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Visibility:
    """Who may know a field: all, or the seats named in the sibling fields *seats*."""

    seats: tuple[str, ...] | None
    momentary: bool = False


@dataclass(frozen=True, slots=True)
class Sealed:
    """What stands in a field that the viewer may not know: a commitment to its value."""

    commitment: str


def secret_to(*seats: str, momentary: bool = False) -> Visibility:
    """Declare a field that only the seats named in the sibling fields *seats* may know."""
    return Visibility(seats, momentary)


def hidden() -> Visibility:
    """Declare a field that nobody may know before the match has ended."""
    return Visibility(())


def momentary() -> Visibility:
    """Declare a field that everybody is told when it happens, and nobody may look up later."""
    return Visibility(None, momentary=True)


@once
def visibilities(kind: type) -> Mapping[str, Visibility]:
    """Return the declared visibility of each field of *kind* that is not public, in order."""
    hints = get_type_hints(kind, include_extras=True)
    declared = {field.name: _declared(hints[field.name]) for field in fields(kind)}
    return MappingProxyType({name: each for name, each in declared.items() if each is not None})


def is_visible(event: object, visibility: Visibility, viewer: Viewer, *, told_live: bool) -> bool:
    """Return whether *viewer* may know a field of *event* that has this *visibility*.

    *told_live* is false when the viewer reads again what has closed for it (see `howff.match`).
    """
    if visibility.momentary and not told_live:
        return False
    if visibility.seats is None:
        return True
    return viewer is not None and any(getattr(event, name) == viewer for name in visibility.seats)


def told(value: T) -> T | None:
    """Return the *value* of a redacted event's field, or None where it is sealed."""
    return None if isinstance(value, Sealed) else value


def _declared(hint: Any) -> Visibility | None:
    if get_origin(hint) is not Annotated:
        return None
    return next((extra for extra in get_args(hint)[1:] if isinstance(extra, Visibility)), None)
