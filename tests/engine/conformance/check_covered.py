"""Checks that a covered field of an event tells nothing of its value."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from engine.conformance.differences import who
from engine.conformance.subjects import Case
from howff.engine.codec import JSON, to_tagged
from howff.engine.seats import Viewer
from howff.engine.visibility import Visibility, is_visible, visibilities
from support.playouts import Playout
from support.seals import TELLING, redacted

T = TypeVar("T")


def check_covered_values(_case: Case, playout: Playout) -> None:
    """Check that another value in a covered field changes its commitment and nothing else."""
    known: dict[tuple[type, str], dict[Any, None]] = {}
    for event in playout.events:
        for field in _declared(event):
            known.setdefault((type(event), field), {})[getattr(event, field)] = None
    changed: set[tuple[type, str]] = set()
    for event in playout.events:
        for field in _declared(event):
            if _check_covered_value(playout, event, field, tuple(known[type(event), field])):
                changed.add((type(event), field))
    alike = {key for key, values in known.items() if set(values) <= {None, ()}}
    for kind, field in known.keys() - alike - changed:
        raise AssertionError(f"no other value of {kind.__name__}.{field} is known to exchange it")


def _check_covered_value(playout: Playout, event: Any, field: str, known: tuple[Any, ...]) -> bool:
    """Exchange the value of *field* and compare; return whether there was another value."""
    value = getattr(event, field)
    other = next((each for each in (*known, *_other_values(value)) if each != value), value)
    changed = replace(event, **{field: other})
    visibility = _declared(event)[field]
    for viewer in playout.viewers:
        for told_now in (True, False):
            if other != value and not is_visible(event, visibility, viewer, told_live=told_now):
                _check_same_but_commitment((event, changed), field, viewer, told_live=told_now)
    return bool(other != value)


def _check_same_but_commitment(
    pair: tuple[Any, Any], field: str, viewer: Viewer, *, told_live: bool
) -> None:
    blind = [redacted(each, viewer, told_live=told_live) for each in pair]
    assert blind[0] == blind[1], f"{who(viewer)} can tell {pair[0]} from {pair[1]}"
    plain: list[JSON] = []
    for each in pair:
        told_event = redacted(each, viewer, told_live=told_live, seal=TELLING)
        plain.append(to_tagged(told_event))
    sealed = [each["data"].pop(field) for each in plain]
    assert sealed[0] != sealed[1], f"the commitment to {field} does not depend on it"
    assert plain[0] == plain[1], f"{who(viewer)} can tell {pair[0]} from {pair[1]}"


def _declared(event: T) -> Mapping[str, Visibility]:
    """Return the visibility of each field of *event* that is not public."""
    return visibilities(type(event))


def _other_values(value: Any) -> tuple[Any, ...]:
    """Return other values of a plain kind, for a field that had one value only."""
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (value + 1,)
    if isinstance(value, str):
        return (f"{value}*",)
    if is_dataclass(value) and not isinstance(value, type):
        name, first = next((field.name, getattr(value, field.name)) for field in fields(value))
        return tuple(replace(value, **{name: other}) for other in _other_values(first))
    return (value * 2,) if isinstance(value, tuple) else ()
