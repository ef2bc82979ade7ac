"""What the suite is told of a game."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from howff.engine.codec import JSON
from howff.engine.seats import Viewer
from support.rng import LocalRng


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """What the suite can't know of a game by itself."""

    options: Callable[[int], tuple[JSON, ...]] = lambda _seats: ()
    """Option sets worth testing beside the defaults, by number of seats."""
    invariants: tuple[Callable[[Any], bool], ...] = ()
    """What is true of every state, such as the number of its cards."""
    uncovers: Callable[[Any, Viewer], bool] = lambda _event, _viewer: False
    """Whether an event shows a viewer what lay in a place hidden from it, or luck in the open."""
    uncovered_fields: Mapping[type, tuple[str, ...]] = field(default_factory=dict)
    """The fields in which events of a class uncover something, where that is not any field."""
    tells: Callable[[Any], bool] = lambda _event: False
    """Whether the happening of an event may tell of a hand, as the rules want it."""
    forgettable: Callable[[Any], tuple[type, ...]] = lambda _options: ()
    """By options, events whose secrets nobody need remember, since something else tells them."""
    playthrough_seed: int = 7
    """Which matches are kept as golden playthroughs: some of moderate length."""
    choose: Callable[[tuple[Any, ...], LocalRng], Any] = lambda moves, rng: rng.roll("move", moves)
    """How a random player of many matches chooses; not evenly where few moves need many others."""
    measure: Callable[[Any, Counter[str]], Mapping[str, float]] = lambda _final, _happened: {}
    """What many matches are compared by: of the last state, and how often each event happened."""
    expected: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    """By number of seats, what other implementations have measured on average."""
