"""The games to test, with every number of seats and the option sets worth testing.

A game of the catalogue is tested without an entry here; an entry says more about it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from engine.conformance.entries import (
    appenzell,
    dale_of_merchants,
    hellweg,
    highland_clans,
    toy,
    troedler,
)
from engine.conformance.entry import Entry
from howff.engine import catalogue
from howff.engine.codec import to_json
from howff.engine.game import AnyGame
from support.playouts import Playout, play_out
from support.toy_game import TOY


@dataclass(frozen=True, slots=True)
class Case:
    """A game with a number of seats and a set of options."""

    game: AnyGame
    seats: int
    options: Any
    entry: Entry = field(default_factory=Entry)

    @property
    def name(self) -> str:
        """The game, the number of seats, and what is not by default."""
        defaults = to_json(self.game.options, self.game.options())
        options = to_json(self.game.options, self.options)
        other = (
            f"{key}={'+'.join(map(str, value)) if isinstance(value, list) else value}"
            for key, value in options.items()
            if value != defaults[key]
        )
        return "-".join((self.game.key, str(self.seats), *other))

    def play_out(self, seed: int) -> Playout:
        """Return the match of *seed*."""
        return play_out(self.game, self.options, self.seats, seed)


ENTRIES: Final[Mapping[str, Entry]] = {
    "appenzell": appenzell.ENTRY,
    "dale_of_merchants": dale_of_merchants.ENTRY,
    "hellweg": hellweg.ENTRY,
    "highland_clans": highland_clans.ENTRY,
    "toy": toy.ENTRY,
    "troedler": troedler.ENTRY,
}

IS_LONG: Final = bool(os.environ.get("HOWFF_LONG"))
GAMES: Final[tuple[AnyGame, ...]] = (*catalogue.GAMES.values(), TOY)


def cases_of(game: AnyGame) -> tuple[Case, ...]:
    """Return the cases of *game*: all numbers of seats, by default and with the entry's options."""
    entry = ENTRIES.get(game.key, Entry())
    return tuple(
        Case(game, seats, game.read_options(options), entry)
        for seats in game.seats
        for options in ({}, *entry.options(seats))
    )


def cases_tested(game: AnyGame) -> tuple[Case, ...]:
    """Return the cases of *game* that are tested: all in the long run.

    In the short one each set of options is tested with one number of seats, which come in turn, and
    the game without options with the fewest seats and the most.
    """
    cases, seats = cases_of(game), len(game.seats)
    if IS_LONG:
        return cases
    each = len(cases) // seats
    rows = [cases[turn * each : (turn + 1) * each] for turn in range(seats)]
    chosen = (case for turn, row in enumerate(rows) for case in row[1 + turn :: seats])
    return (rows[0][0], rows[-1][0], *chosen)


CASES: Final = tuple(case for game in GAMES for case in cases_tested(game))
