"""What seats know beyond their view, since they forget nothing that they were told."""

from collections.abc import Iterable
from typing import Any

from howff.engine.game import AnyGame
from howff.engine.redact import cover
from howff.engine.seats import Seat

Memories = tuple[Any, ...]
"""By seat, what it remembers."""


def no_memories(game: AnyGame, seats: int) -> Memories:
    """Return what so many *seats* remember before anything has happened."""
    return (game.memory(),) * seats


def memories_after(game: AnyGame, memories: Memories, events: Iterable[Any]) -> Memories:
    """Return what the seats remember after *events* of *game*, told to each when they happen."""
    happened = tuple(events)
    return tuple(
        _remembered(game, memory, happened, Seat(seat)) for seat, memory in enumerate(memories)
    )


def _remembered(game: AnyGame, memory: Any, events: tuple[Any, ...], seat: Seat) -> Any:
    for event in events:
        memory = game.remember(memory, cover(event, seat, told_live=True), seat)
    return memory
