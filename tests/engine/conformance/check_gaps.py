"""A check of seats that were away, and read covered again what was shown meanwhile."""

from typing import Final

from engine.conformance import check_worlds
from engine.conformance.check_worlds import Position
from engine.conformance.differences import after, who
from engine.conformance.subjects import Case
from howff.engine.seats import Seat
from support.playouts import Playout
from support.rng import LocalRng
from support.seals import redacted

SHARES_MISSED: Final = (20, 80, 100)
"""How many of a hundred commits a seat misses."""
STEP_BETWEEN_WORLDS: Final = 25


def check_memories_with_gaps(case: Case, playout: Playout) -> None:
    """Check that a seat that was away knows nothing false, and that a world fits what it knows."""
    for missed in SHARES_MISSED:
        luck = LocalRng(missed)
        seat = Seat(luck.draw("seat", case.seats))
        memory = case.game.memory()
        for at, step in enumerate(playout.steps):
            told_live = luck.draw("missed", 100) >= missed
            for event in step.events:
                told = redacted(event, seat, told_live=told_live)
                memory = case.game.remember(memory, told, seat)
            assert case.game.is_true(memory, step.after, seat), (
                f"{who(seat)} has missed something and is wrong {after(step.move)} in remembering "
                f"{memory}"
            )
            if at % STEP_BETWEEN_WORLDS == 0:
                position = Position(case, seat, step.after, memory)
                check_worlds.check_another_world(position, luck)
