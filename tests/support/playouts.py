"""Matches played at random, and what each viewer is told of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from howff.engine.game import AnyGame
from howff.engine.seats import Seat, Viewer
from support.rng import LocalRng
from support.seals import redacted

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Step:
    """One decision and what it caused; `seat` and `move` are None for the opening."""

    seat: Seat | None
    move: Any
    events: tuple[Any, ...]
    before: Any
    after: Any
    draws: tuple[str, ...] = ()
    """The names of the draws, each once."""


@dataclass(frozen=True, slots=True, eq=False)
class Playout:
    """A match from the opening to its end; compared by identity, so that it is a cheap key."""

    game: AnyGame
    seats: int
    options: Any
    steps: tuple[Step, ...]

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """All seats, and None for a spectator."""
        return (*map(Seat, range(self.seats)), None)

    @property
    def events(self) -> Iterator[object]:
        """All events in order."""
        return (event for step in self.steps for event in step.events)

    @property
    def final(self) -> Any:
        """The state at the end."""
        return self.steps[-1].after


class NotingLuck:
    """Passes draws on and notes their names."""

    def __init__(self, rng: LocalRng) -> None:
        self.names: dict[str, None] = {}
        self._rng = rng

    def draw(self, name: str, n: int) -> int:
        self.names[name] = None
        return self._rng.draw(name, n)

    def shuffle(self, name: str, items: Sequence[T]) -> tuple[T, ...]:
        self.names[name] = None
        return self._rng.shuffle(name, items)

    def roll(self, name: str, faces: Sequence[T]) -> T:
        self.names[name] = None
        return self._rng.roll(name, faces)


def play_out(game: AnyGame, options: Any, seats: int, seed: int) -> Playout:
    """Return a match with moves and luck drawn from *seed*."""
    playout = _play_out(game, options, seats, seed)
    assert not game.to_act(playout.final), (
        f"{game.key} has not ended after {MOST_STEPS} moves at random; if it may be longer, raise "
        "MOST_STEPS in tests/support/playouts.py"
    )
    return playout


@lru_cache(maxsize=256)
def _play_out(game: AnyGame, options: Any, seats: int, seed: int) -> Playout:
    """Return a match as far as MOST_STEPS allows."""
    rng = LocalRng(seed)
    luck = NotingLuck(rng)
    opening = game.start(options, seats, luck)
    state = opening.state
    before = game.initial(options, seats)
    steps = [Step(None, None, tuple(opening.events), before, state, tuple(luck.names))]
    while (to_act := game.to_act(state)) and len(steps) <= MOST_STEPS:
        seat = rng.roll("seat", to_act)
        move = rng.roll("move", game.legal_moves(state, seat))
        luck = NotingLuck(rng)
        draft = game.play(state, seat, move, luck)
        steps.append(Step(seat, move, tuple(draft.events), state, draft.state, tuple(luck.names)))
        state = draft.state
    return Playout(game, seats, options, tuple(steps))


@lru_cache(maxsize=64)
def told(playout: Playout, viewer: Viewer) -> tuple[tuple[Any, ...], ...]:
    """Return the events of each step as told live to *viewer*."""
    return tuple(told_live(step.events, viewer) for step in playout.steps)


@lru_cache(maxsize=64)
def memories(playout: Playout, seat: Seat) -> tuple[Any, ...]:
    """Return what *seat* remembers after each step."""
    memory = playout.game.memory()
    remembered: list[Any] = []
    for events in told(playout, seat):
        for event in events:
            memory = playout.game.remember(memory, event, seat)
        remembered.append(memory)
    return tuple(remembered)


def told_live(events: tuple[Any, ...], viewer: Viewer) -> tuple[Any, ...]:
    """Return *events* as told live to *viewer*, all commitments alike."""
    return tuple(redacted(event, viewer, told_live=True) for event in events)


MOST_STEPS = 10_000
"""No game is this long, even if everybody plays at random."""
