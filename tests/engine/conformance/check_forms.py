"""Checks of the JSON form of everything that a game exchanges with the world."""

import json
from collections.abc import Sequence
from typing import Any, TypeVar

import rfc8785

from engine.conformance.subjects import Case
from howff.engine.codec import JSON, canonical, from_json, from_tagged, to_json, to_tagged
from howff.engine.outcome import Outcome
from howff.engine.redact import redact
from support.playouts import Playout, memories, telling_seal

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
        redact(event, viewer, told_live=False, seal=telling_seal).event
        for event in playout.events
        for viewer in playout.viewers
    }
    for event in reread | set(playout.events):
        _check_tagged(case.game.event, event)


def _check_value(kind: Any, value: object) -> None:
    plain = _through_text(to_json(kind, value))
    again = from_json(kind, plain)
    assert again == value, f"{value} comes back as {again}"
    assert hash(again) == hash(value), f"{value} can't be hashed alike"


def _check_tagged(union: Any, value: object) -> None:
    again = from_tagged(union, _through_text(to_tagged(value)))
    assert again == value, f"{value} comes back as {again}"
    assert hash(again) == hash(value), f"{value} can't be hashed alike"


def _through_text(plain: JSON) -> JSON:
    text = canonical(plain)
    assert text.encode() == rfc8785.dumps(plain), f"not canonical: {text}"
    return json.loads(text)


def spread(items: Sequence[T], most: int) -> list[T]:
    """Return up to *most* of *items* at even distances, the first and the last among them."""
    if len(items) <= most:
        return list(items)
    return [items[at * (len(items) - 1) // (most - 1)] for at in range(most)]
