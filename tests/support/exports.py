"""Many exports: matches of every game and number of seats, whole and as told while they ran."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from hashlib import sha256
from typing import Any

from howff.engine.catalogue import GAMES
from howff.engine.game import AnyGame
from howff.engine.seats import Seat, Viewer
from howff.match.export import Export, export_for, export_whole, write_export
from howff.match.notary import Notary
from howff.match.record import Recorder
from support.played import KEYS, NOON, SIGNER, Record, start_command
from support.rng import LocalRng

TABLES = tuple((key, seats) for key, game in GAMES.items() for seats in game.seats)
"""Every game with every number of seats."""

_OPTIONS: dict[str, tuple[dict[str, Any], ...]] = {
    "troedler": (
        {"round_limit": 8},
        {"dealing": "auto", "memory": "open"},
        {"starting_dealer": 1},
    ),
    "hellweg": (
        {},
        {"warehouse_and_privileges": True, "short_game": True},
        {"passenger_transportation": True, "simultaneous_sales": True},
    ),
    "highland_clans": ({}, {"edition": "dutch", "start_seat": 1}),
    "appenzell": (
        {"board_side": "random", "round_limit": 20},
        {"spare_tile": "plain", "open_setup": True},
        {"start_seat": 1, "memory": "open", "round_limit": 20},
    ),
    "dale_of_merchants": ({}, {"first_seat": 0}),
}


@dataclass(frozen=True, slots=True)
class Stops:
    """At how many times a match is remembered, each after fewer commits than *before*."""

    count: int
    before: int


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played to its end, its seed, and how it stood at times before."""

    seed: bytes
    whole: Record
    before: tuple[Record, ...]

    @property
    def game(self) -> AnyGame:
        return self.whole.match.game


@cache
def match_number(key: str, seats: int, number: int, stops: Stops) -> Played:
    """Return a match with options, entropies and a seed of its own, remembered at *stops*."""
    game = GAMES[key]
    choices = _OPTIONS[key]
    options = game.read_options(choices[number % len(choices)])
    rng = LocalRng(f"{key} {seats} {number}")
    entropies = tuple(f"luck of {seat}" if rng.draw("luck", 2) else None for seat in range(seats))
    seed = sha256(f"{key} {seats} {number}".encode()).digest()
    command = start_command(options, seats, entropies)
    record = Recorder(game, command, at=NOON, notary=Notary(seed, SIGNER))
    standing = list(_standing(record, rng))
    latest = min(len(standing) - 1, stops.before)
    kept = [standing[rng.draw("stop", latest)] for _ in range(stops.count)]
    return Played(seed, standing[-1], tuple(kept))


def whole_of(played: Played) -> Export:
    """Return the whole of a finished match."""
    return export_whole(played.whole.match, played.whole.commits, KEYS)


def told_of(played: Played) -> Iterator[Export]:
    """Yield the match as each viewer was told of it, each time that it was remembered."""
    for record in played.before:
        seats = len(record.match.started.seats)
        viewers: tuple[Viewer, ...] = (None, *map(Seat, range(seats)))
        for viewer in viewers:
            yield export_for(record.match, record.commits, viewer, played.seed, KEYS)


def contents_of(played: Played) -> Iterator[bytes]:
    """Yield the files of a match: whole, and as it was told."""
    yield write_export(whole_of(played))
    yield from map(write_export, told_of(played))


def _standing(record: Recorder, rng: LocalRng) -> Iterator[Record]:
    """Yield the match after each commit, played on by chance."""
    while record.match.to_act:
        yield Record.of(record)
        seat = rng.roll("seat", record.match.to_act)
        move = rng.roll("move", record.match.game.legal_moves(record.match.state, seat))
        at = NOON + timedelta(seconds=record.match.version)
        record.play(seat, move, at=at, bot={"policy": "chance"})
    yield Record.of(record)
