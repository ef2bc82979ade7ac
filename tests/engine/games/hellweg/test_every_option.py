"""Every set of options with every number of seats; the long run prints what matches are like."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from engine.conformance.entries.hellweg import ENTRY
from engine.conformance.many_matches import Tally, play
from engine.conformance.subjects import IS_LONG, Case
from howff.engine.games.hellweg import GAME
from support.hellweg_playouts import ALL_OPTIONS

MATCHES: Final = 60 if IS_LONG else 1
"""How many matches are played with each set of options."""
UNMEASURED: Final = replace(ENTRY, expected={})
"""What others have measured is true of the family game alone."""


@pytest.mark.parametrize(
    "seats", GAME.seats, ids=[f"hellweg-{seats}-every_option" for seats in GAME.seats]
)
def test_a_match_ends_with_every_set_of_options(
    seats: int, record_property: Callable[[str, object], None]
) -> None:
    tally = Tally(Case(GAME, seats, GAME.options(), UNMEASURED))
    for options in ALL_OPTIONS:
        for number in range(MATCHES):
            play(Case(GAME, seats, options, UNMEASURED), number, tally)
    assert tally.matches == 16 * MATCHES
    record_property("figures", tally.summary())
