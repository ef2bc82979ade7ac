"""The options of a match: what is offered, what is refused."""

from collections import Counter
from typing import Any

import pytest

from howff.engine.errors import WrongOptionError, WrongSeatCountError
from howff.engine.games.troedler import GAME
from howff.engine.games.troedler.events import GameStarted, StartingDealerChosen
from howff.engine.games.troedler.state import Options
from support.rng import LocalRng
from support.texts import of


def test_what_is_missing_has_its_default() -> None:
    assert GAME.read_options({}) == Options("random", "random", "dealer", "strict", None)


@pytest.mark.parametrize(
    "plain",
    [
        {"starting_dealer": 2},
        {"starting_dealer": "random"},
        {"colours": ["yellow", "red", "blue"]},
        {"dealing": "auto"},
        {"memory": "open"},
        {"round_limit": 1},
        {"round_limit": None},
    ],
)
def test_an_offered_value_is_taken(plain: dict[str, Any]) -> None:
    options = GAME.read_options(plain)
    (started,) = of(GAME.start(options, 3, LocalRng(0)).events, GameStarted)
    assert started == GameStarted(3, options)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("starting_dealer", 3),
        ("starting_dealer", -1),
        ("starting_dealer", "last"),
        ("starting_dealer", True),
        ("starting_dealer", None),
        ("colours", []),
        ("colours", ["red", "blue"]),
        ("colours", ["red", "blue", "green", "yellow"]),
        ("colours", ["red", "blue", "red"]),
        ("colours", ["red", "blue", "pink"]),
        ("colours", "red"),
        ("colours", None),
        ("dealing", "manual"),
        ("dealing", None),
        ("memory", "none"),
        ("memory", True),
        ("round_limit", 0),
        ("round_limit", -3),
        ("round_limit", "3"),
        ("round_limit", True),
        ("round_limit", 2.5),
        ("players", 3),
    ],
)
def test_a_value_that_is_not_offered_is_refused(option: str, value: Any) -> None:
    with pytest.raises(WrongOptionError):
        GAME.start(GAME.read_options({option: value}), 3, LocalRng(0))


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_the_match_is_for_two_to_four(seats: int) -> None:
    with pytest.raises(WrongSeatCountError):
        GAME.start(Options(), seats, LocalRng(0))


def test_the_dealer_is_the_seat_of_the_option_or_drawn_evenly() -> None:
    def dealer(options: Options, seed: int) -> int:
        (chosen,) = of(GAME.start(options, 4, LocalRng(seed)).events, StartingDealerChosen)
        return chosen.seat

    named = GAME.read_options({"starting_dealer": 2})
    assert {dealer(named, seed) for seed in range(10)} == {2}
    drawn = Counter(dealer(Options(), seed) for seed in range(200))
    assert set(drawn) == {0, 1, 2, 3}
    assert min(drawn.values()) > 25
