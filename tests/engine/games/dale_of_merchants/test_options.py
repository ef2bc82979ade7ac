"""The options of a match: what is offered, what is refused."""

from collections import Counter
from typing import Any

import pytest

from howff.engine.errors import WrongOptionError, WrongSeatCountError
from howff.engine.games.dale_of_merchants import GAME
from howff.engine.games.dale_of_merchants.data import SETS
from howff.engine.games.dale_of_merchants.events import GameStarted
from howff.engine.games.dale_of_merchants.state import Options
from howff.engine.seats import Seat
from support.rng import LocalRng
from support.texts import of

FOUR = ["macaws", "pandas", "raccoons", "squirrels"]


def started(options: Options, seats: int, seed: int = 0) -> GameStarted:
    (event,) = of(GAME.start(options, seats, LocalRng(seed)).events, GameStarted)
    return event


def test_what_is_missing_has_its_default() -> None:
    assert GAME.read_options({}) == Options("random", "random", 200)


@pytest.mark.parametrize(
    "plain",
    [
        {"sets": "random"},
        {"sets": FOUR},
        {"sets": ["chameleons", "ocelots", "squirrels", "macaws"]},
        {"first_seat": "random"},
        {"first_seat": 0},
        {"first_seat": 2},
        {"round_limit": 50},
        {"round_limit": 1000},
        {"sets": FOUR, "first_seat": 1, "round_limit": 51},
    ],
)
def test_an_offered_value_is_taken(plain: dict[str, Any]) -> None:
    options = GAME.read_options(plain)
    event = started(options, 3)
    assert (event.seats, event.options) == (3, options)
    if options.sets != "random":
        assert set(event.sets) == set(plain["sets"])
    if options.first_seat != "random":
        assert event.first_seat == plain["first_seat"]


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("sets", []),
        ("sets", FOUR[:3]),
        ("sets", [*FOUR, "ocelots"]),
        ("sets", [*FOUR[:3], "macaws"]),
        ("sets", [*FOUR[:3], "penguins"]),
        ("sets", [*FOUR[:3], "Ocelots"]),
        ("sets", [*FOUR[:3], "random"]),
        ("sets", [*FOUR[:3], None]),
        ("sets", [*FOUR[:3], 3]),
        ("sets", "macaws"),
        ("sets", "Random"),
        ("sets", ""),
        ("sets", None),
        ("sets", 4),
        ("sets", True),
        ("sets", {"0": "macaws"}),
        ("first_seat", 3),
        ("first_seat", -1),
        ("first_seat", "0"),
        ("first_seat", "Random"),
        ("first_seat", None),
        ("first_seat", True),
        ("first_seat", 1.0),
        ("first_seat", [0]),
        ("round_limit", 49),
        ("round_limit", 1001),
        ("round_limit", 0),
        ("round_limit", -200),
        ("round_limit", "200"),
        ("round_limit", 200.0),
        ("round_limit", True),
        ("round_limit", None),
        ("round_limit", [200]),
        ("players", 3),
        ("memory", "open"),
    ],
)
def test_a_value_that_is_not_offered_is_refused(option: str, value: Any) -> None:
    with pytest.raises(WrongOptionError):
        GAME.start(GAME.read_options({option: value}), 3, LocalRng(0))


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_the_match_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(WrongSeatCountError):
        GAME.start(Options(), seats, LocalRng(0))


@pytest.mark.parametrize("seats", GAME.seats)
def test_sets_are_drawn_evenly_and_all_different(seats: int) -> None:
    seen = Counter[str]()
    for seed in range(120):
        sets = started(Options(), seats, seed).sets
        assert len(sets) == len(set(sets)) == seats + 1
        seen.update(sets)
    assert set(seen) == set(SETS)
    assert min(seen.values()) > 120 * (seats + 1) / 6 * 0.7


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_first_seat_is_drawn_evenly(seats: int) -> None:
    drawn = Counter(started(Options(), seats, seed).first_seat for seed in range(200))
    assert set(drawn) == set(range(seats))
    assert min(drawn.values()) > 120 / seats


@pytest.mark.parametrize(
    ("options", "option", "expected", "found"),
    [
        (Options(first_seat=Seat(3)), "first_seat", '"random" or a seat from 0 to 2', "3"),
        (Options(sets=("macaws",)), "sets", '"random" or 4 different sets', "macaws"),
        (Options(sets=()), "sets", '"random" or 4 different sets', "none"),
        (Options(round_limit=49), "round_limit", "50 to 1000", "49"),
    ],
)
def test_a_refusal_says_what_fits(options: Options, option: str, expected: str, found: str) -> None:
    with pytest.raises(WrongOptionError) as refused:
        GAME.start(options, 3, LocalRng(0))
    assert (refused.value.expected, refused.value.found) == (expected, found)
    assert option in str(refused.value)
