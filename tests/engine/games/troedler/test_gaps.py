"""A seat that was away reads covered events: it knows less, and nothing false."""

import pytest

from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.state import Options
from howff.engine.redact import redact
from howff.engine.seats import Seat
from support.playouts import blind_seal, play_out
from support.rng import LocalRng

SHARES_MISSED = (0.2, 0.8, 1.0)


@pytest.mark.parametrize("missed", SHARES_MISSED)
@pytest.mark.parametrize("seats", GAME.seats)
def test_what_a_seat_remembers_with_gaps_is_true_and_fits_a_world(
    seats: int, missed: float
) -> None:
    for seed in range(3):
        luck = LocalRng(seed)
        viewer = Seat(luck.draw("viewer", seats))
        memory = GAME.memory()
        for at, step in enumerate(play_out(GAME, Options(), seats, seed).steps):
            told_live = luck.draw("missed", 100) >= missed * 100
            for event in step.events:
                told = redact(event, viewer, told_live=told_live, seal=blind_seal).event
                memory = GAME.remember(memory, told, viewer)
            assert GAME.is_true(memory, step.after, viewer)
            if at % 25 == 0:
                world = GAME.sample_world(GAME.view(step.after, viewer), memory, luck)
                assert GAME.is_true(memory, world, viewer)
                assert GAME.view(world, viewer) == GAME.view(step.after, viewer)
                assert GAME.legal_moves(world, viewer) == GAME.legal_moves(step.after, viewer)
