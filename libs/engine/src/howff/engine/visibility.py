"""Who may know a field of an event, declared once, on the field.

    cards: Annotated[Cards, secret_to("seat")]

A field without a declaration is public. What is *momentary* is told when it happens and covered
again later, like a card that was shown once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from howff.engine.once import once
from howff.engine.seats import Seat, Viewer

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


def secret_to(seat: str, *others: str, momentary: bool = False) -> Visibility:
    """Declare a field that only the seats may know that these sibling fields name."""
    return Visibility((seat, *others), momentary)


def hidden() -> Visibility:
    """Declare a field that nobody may know before the match has ended."""
    return Visibility(())


def momentary() -> Visibility:
    """Declare a field that everybody is told when it happens, and nobody may look up later."""
    return Visibility(None, momentary=True)


@once
def visibilities(kind: type) -> Mapping[str, Visibility]:
    """Return the declared visibility of each field of *kind* that is not public, in order.

    Raises:
        TypeError: a declaration would not be heeded, or names what is no public seat.
    """
    hints = {field.name: _hints_of(kind)[field.name] for field in fields(kind)}
    declared = {name: each[0] for name, hint in hints.items() if (each := _declarations(hint))}
    for name, visibility in declared.items():
        for sibling in visibility.seats or ():
            if sibling in declared or not _is_seat(hints.get(sibling)):
                _misdeclared(kind, name, f"{sibling!r} is no public seat beside it")
    for name, hint in hints.items():
        if len(_declarations(hint)) > 1 or any(map(_holds_declaration, get_args(hint) or (hint,))):
            _misdeclared(kind, name, "the field itself has to be declared, as a whole and once")
    return MappingProxyType(declared)


def is_visible(event: object, visibility: Visibility, viewer: Viewer, *, told_live: bool) -> bool:
    """Return whether *viewer* may know a field of *event* that has this *visibility*.

    *told_live* is false when the viewer reads again what has closed for it (see `howff.match`).
    """
    return may_know(visibility, partial(getattr, event), viewer, told_live=told_live)


def may_know(
    visibility: Visibility, seat_in: Callable[[str], object], viewer: Viewer, *, told_live: bool
) -> bool:
    """Return the same of a field whose event is at hand in another form.

    *seat_in* reads the seat, or None, that stands in a field of the event.
    """
    if visibility.momentary and not told_live:
        return False
    if visibility.seats is None:
        return True
    return viewer is not None and any(seat_in(name) == viewer for name in visibility.seats)


def told(value: T) -> T | None:
    """Return the *value* of a redacted event's field, or None where it is sealed."""
    return None if isinstance(value, Sealed) else value


def _hints_of(kind: type) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _declarations(hint: Any) -> list[Visibility]:
    if get_origin(hint) is not Annotated:
        return []
    return [extra for extra in get_args(hint)[1:] if isinstance(extra, Visibility)]


def _is_seat(hint: Any) -> bool:
    return hint is Seat or set(get_args(hint)) == {Seat, type(None)}


def _holds_declaration(hint: Any) -> bool:
    """Return whether a declaration stands below the top of a hint, where nobody looks for it."""
    if hint in _DECLARERS or _declarations(hint):
        return True
    if isinstance(hint, type) and is_dataclass(hint):
        return any(map(_holds_declaration, _hints_of(hint).values()))
    return any(map(_holds_declaration, get_args(hint)))


_DECLARERS: tuple[Any, ...] = (secret_to, hidden, momentary)
"""They declare nothing before they are called."""


def _misdeclared(kind: type, field: str, why: str) -> NoReturn:
    message = f"visibility of {kind.__name__}.{field}: {why}"
    raise TypeError(message)
