"""All that a policy knows when a seat has to decide."""

from dataclasses import dataclass
from typing import Any

from howff.engine.game import AnyGame
from howff.engine.rng import Rng
from howff.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class Situation:
    """A decision that *seat* owes: its view, what it remembers, and its legal moves, in order.

    There is no true state in it, and no way to one.
    """

    game: AnyGame
    seat: Seat
    view: Any
    memory: Any
    moves: tuple[Any, ...]

    def sample_world(self, rng: Rng) -> Any:
        """Return a state that may be the true one, as far as the seat knows."""
        return self.game.sample_world(self.view, self.memory, rng)
