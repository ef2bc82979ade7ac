"""Moves and events as text, so that tests read like the rules.

A move is its name in the rules and its fields in order, `play_route bridge rothes`, an event its
class and its fields, `CartMoved 0 craigellachie rothes bridge true`. Lists stand in brackets.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, TypeVar, cast

from howff.engine.codec import classes_of

E = TypeVar("E")


def _nothing_special(_value: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Notation:
    """How the moves and events of a game are written."""

    moves: Mapping[str, Any]
    """The class of each move, by its name in the rules."""
    special: Callable[[object], str | None]
    """Writes what only this game has; None for all else."""

    @staticmethod
    def of(moves: object, special: Callable[[object], str | None] = _nothing_special) -> "Notation":
        """Return the notation of a game with these *moves*, a union of classes."""
        return Notation({_rule_name(kind): kind for kind in classes_of(moves)}, special)

    def move(self, text: str) -> Any:
        """Return the move that *text* tells."""
        name, *words = re.findall(r"\[[^\]]*\]|\S+", text)
        return self.moves[name](*map(_value, words))

    def text_of(self, value: object) -> str:
        """Return a move or an event as text."""
        kind = type(value)
        name = _rule_name(kind) if kind in self.moves.values() else kind.__name__
        values = (getattr(value, field.name) for field in fields(cast("Any", value)))
        return " ".join((name, *map(self._word, values)))

    def texts(self, values: Iterable[object]) -> list[str]:
        """Return moves or events as text."""
        return [self.text_of(value) for value in values]

    def _word(self, value: object) -> str:
        special = self.special(value)
        if special is not None:
            return special
        if isinstance(value, tuple):
            return f"[{', '.join(map(self._word, value))}]"
        if value is None or isinstance(value, bool):
            return json.dumps(value)
        return str(value)


def kinds(events: Iterable[object]) -> list[str]:
    """Return the names of the classes of *events*."""
    return [type(event).__name__ for event in events]


def of(events: Iterable[object], kind: type[E]) -> list[E]:
    """Return those of *events* that are of one *kind*."""
    return [event for event in events if isinstance(event, kind)]


def _rule_name(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def _value(word: str) -> object:
    if word.startswith("["):
        return tuple(_value(each.strip()) for each in word[1:-1].split(",") if each.strip())
    if word in {"true", "false", "null"} or word.isdigit():
        return json.loads(word)
    return word
