"""Matches played at random, and what each viewer is told of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from howff.engine.codec import JSON, canonical
from howff.engine.game import AnyGame
from howff.engine.redact import Sealing, redact
from howff.engine.seats import Seat, Viewer
from support.rng import LocalRng


@dataclass(frozen=True, slots=True)
class Step:
    """One decision and what it caused; `seat` and `move` are None for the opening."""

    seat: Seat | None
    move: Any
    events: tuple[Any, ...]
    before: Any
    after: Any


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


@lru_cache(maxsize=256)
def play_out(game: AnyGame, options: Any, seats: int, seed: int) -> Playout:
    """Return a match with moves and luck drawn from *seed*."""
    rng = LocalRng(seed)
    opening = game.start(options, seats, rng)
    steps = [Step(None, None, tuple(opening.events), game.initial(options, seats), opening.state)]
    while to_act := game.to_act(steps[-1].after):
        assert len(steps) < MOST_STEPS, f"{game.key} goes on after {MOST_STEPS} moves"
        state = steps[-1].after
        seat = rng.roll("seat", to_act)
        move = rng.roll("move", game.legal_moves(state, seat))
        draft = game.play(state, seat, move, rng)
        steps.append(Step(seat, move, tuple(draft.events), state, draft.state))
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
    return tuple(redact(event, viewer, told_live=True, seal=blind_seal).event for event in events)


def blind_seal(field: str, value: JSON) -> Sealing:  # noqa: ARG001 — a seal by its form
    """Seal all values alike, so that what is covered can't differ."""
    return Sealing("commitment", "salt")


def telling_seal(field: str, value: JSON) -> Sealing:
    """Seal each value by itself, so that a commitment shows whether a value has changed."""
    return Sealing(f"commitment to {canonical([field, value])}", "salt")


MOST_STEPS = 10_000
"""No game is this long, even if everybody plays at random."""
