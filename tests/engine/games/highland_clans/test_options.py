"""The options of a match: what is offered, what is refused."""

from collections import Counter
from typing import Any

import pytest

from howff.engine.errors import WrongOptionError, WrongSeatCountError
from howff.engine.games.highland_clans import GAME
from howff.engine.games.highland_clans.data import CLANS
from howff.engine.games.highland_clans.events import GameStarted, StartSeatChosen
from howff.engine.games.highland_clans.state import Options
from howff.engine.seats import Seat
from support.rng import LocalRng
from support.texts import of


def test_what_is_missing_has_its_default() -> None:
    assert GAME.read_options({}) == Options("consolidated", None, None)


@pytest.mark.parametrize(
    "plain",
    [
        {"edition": "consolidated"},
        {"edition": "dutch"},
        {"start_seat": None},
        {"start_seat": 0},
        {"start_seat": 2},
        {"clans": None},
        {"clans": ["macleod", "campbell", "macgregor"]},
        {"edition": "dutch", "start_seat": 1, "clans": ["mackenzie", "macdonald", "macleod"]},
    ],
)
def test_an_offered_value_is_taken(plain: dict[str, Any]) -> None:
    options = GAME.read_options(plain)
    (started,) = of(GAME.start(options, 3, LocalRng(0)).events, GameStarted)
    assert (started.seats, started.options) == (3, options)
    if options.clans is not None:
        assert started.clans == options.clans == tuple(plain["clans"])


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("edition", "french"),
        ("edition", "Dutch"),
        ("edition", ""),
        ("edition", None),
        ("edition", True),
        ("edition", 1),
        ("start_seat", 3),
        ("start_seat", -1),
        ("start_seat", "0"),
        ("start_seat", "random"),
        ("start_seat", True),
        ("start_seat", 1.0),
        ("start_seat", [0]),
        ("clans", []),
        ("clans", ["campbell", "macdonald"]),
        ("clans", ["campbell", "macdonald", "macgregor", "mackenzie"]),
        ("clans", ["campbell", "macdonald", "campbell"]),
        ("clans", ["campbell", "macdonald", "robertson"]),
        ("clans", ["campbell", "macdonald", None]),
        ("clans", ["Campbell", "MacDonald", "MacGregor"]),
        ("clans", "campbell"),
        ("clans", {"0": "campbell"}),
        ("clans", 3),
        ("players", 3),
        ("memory", "open"),
    ],
)
def test_a_value_that_is_not_offered_is_refused(option: str, value: Any) -> None:
    with pytest.raises(WrongOptionError):
        GAME.start(GAME.read_options({option: value}), 3, LocalRng(0))


@pytest.mark.parametrize("seats", [0, 1, 2, 6])
def test_the_match_is_for_three_to_five(seats: int) -> None:
    with pytest.raises(WrongSeatCountError):
        GAME.start(Options(), seats, LocalRng(0))


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_start_seat_is_the_one_of_the_option_or_drawn_evenly(seats: int) -> None:
    def start_seat(options: Options, seed: int) -> int:
        (chosen,) = of(GAME.start(options, seats, LocalRng(seed)).events, StartSeatChosen)
        return chosen.seat

    named = GAME.read_options({"start_seat": 2})
    assert {start_seat(named, seed) for seed in range(10)} == {2}
    drawn = Counter(start_seat(Options(), seed) for seed in range(200))
    assert set(drawn) == set(range(seats))
    assert min(drawn.values()) > 100 / seats


@pytest.mark.parametrize("seats", GAME.seats)
def test_clans_are_drawn_evenly_and_all_different(seats: int) -> None:
    seen = Counter[str]()
    for seed in range(100):
        (started,) = of(GAME.start(Options(), seats, LocalRng(seed)).events, GameStarted)
        assert len(started.clans) == len(set(started.clans)) == seats
        seen.update(started.clans)
    assert set(seen) == set(CLANS)
    assert min(seen.values()) > 10 * seats


@pytest.mark.parametrize(
    ("options", "expected", "found"),
    [
        (Options(start_seat=Seat(3)), "null or a seat from 0 to 2", "3"),
        (Options(clans=("macleod",)), "null or 3 different clans", "macleod"),
        (Options(clans=()), "null or 3 different clans", "none"),
    ],
)
def test_a_refusal_says_what_fits_the_seats(options: Options, expected: str, found: str) -> None:
    with pytest.raises(WrongOptionError) as refused:
        GAME.start(options, 3, LocalRng(0))
    assert (refused.value.expected, refused.value.found) == (expected, found)
