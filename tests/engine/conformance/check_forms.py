"""Checks of the JSON form of everything that a game exchanges with the world."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar, get_args, get_type_hints

import rfc8785

from engine.conformance.subjects import Case
from howff.engine.codec import JSON, canonical, form_of, from_json, from_tagged, to_json, to_tagged
from howff.engine.outcome import Outcome
from support.playouts import Playout, memories
from support.seals import TELLING, redacted

T = TypeVar("T")


def check_values(case: Case, playout: Playout) -> None:
    """Check states, views, memories, options and the outcome, at some versions."""
    game = case.game
    _check_value(game.options, case.options)
    _check_value(Outcome, game.outcome(playout.final))
    for at in spread(range(len(playout.steps)), 12):
        state = playout.steps[at].after
        _check_value(game.state, state)
        for viewer in playout.viewers:
            _check_value(game.view_type, game.view(state, viewer))
            if viewer is not None:
                _check_value(game.memory, memories(playout, viewer)[at])


def check_moves_and_events(case: Case, playout: Playout) -> None:
    """Check every move, and every event open and as each viewer may read it."""
    for step in playout.steps[1:]:
        _check_tagged(case.game.move, step.move)
    reread = {
        redacted(event, viewer, told_live=False, seal=TELLING)
        for event in playout.events
        for viewer in playout.viewers
    }
    for event in reread | set(playout.events):
        _check_tagged(case.game.event, event)


def _check_value(kind: Any, value: object) -> None:
    check_is_plain(value)
    plain = _through_text(to_json(kind, value))
    again = from_json(kind, plain)
    assert again == value, f"{value} comes back as {again}"
    assert hash(again) == hash(value), f"{value} can't be hashed alike"


def _check_tagged(union: Any, value: object) -> None:
    again = from_tagged(union, _through_text(to_tagged(value)))
    assert again == value, f"{value} comes back as {again}"
    assert hash(again) == hash(value), f"{value} can't be hashed alike"


def check_is_plain(value: object, place: str = "a value") -> None:
    """Check that *value* is frozen, and of nothing but what has a JSON form."""
    if is_dataclass(value):
        for field in fields(value):
            place = f"{type(value).__name__}.{field.name}"
            check_is_plain(getattr(value, field.name), place)
    elif isinstance(value, tuple):
        for item in value:
            check_is_plain(item, place)
    else:
        name = type(value).__name__
        assert isinstance(value, int | str | None), f"{place} holds {value!r}: {name} has no form"


def check_hints(kind: Any, seen: set[Any]) -> None:
    """Check that every field of *kind*, and of the classes in it, is of a type with a JSON form."""
    if kind in seen:
        return
    seen.add(kind)
    for name, hint in get_type_hints(kind).items() if is_dataclass(kind) else ():
        for inner in _dataclasses_in(hint):
            check_hints(inner, seen)
        try:
            form_of(hint)
        except TypeError as error:
            raise AssertionError(f"{kind.__name__}.{name}: {error}") from error


def _dataclasses_in(hint: Any) -> Iterator[Any]:
    if is_dataclass(hint):
        yield hint
    for part in get_args(hint):
        yield from _dataclasses_in(part)


def _through_text(plain: JSON) -> JSON:
    text = canonical(plain)
    assert text.encode() == rfc8785.dumps(plain), f"not canonical: {text}"
    return json.loads(text)


def spread(items: Sequence[T], most: int) -> list[T]:
    """Return up to *most* of *items* at even distances, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[at * (len(items) - 1) // (most - 1)] for at in range(most)]
