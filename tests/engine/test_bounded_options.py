"""Options under which a match ends, whoever plays it."""

import pytest

from howff.engine.catalogue import GAMES
from howff.engine.codec import JSON
from howff.engine.errors import WrongOptionError

UNENDING = {"troedler": None, "appenzell": 0}
"""The games that may go on without end, and what says so there."""


@pytest.mark.parametrize("key", sorted(GAMES))
def test_a_game_that_may_go_on_without_end_gets_a_limit_and_no_other_does(key: str) -> None:
    bounded = GAMES[key].bounded({}, 40)
    assert bounded == ({"round_limit": 40} if key in UNENDING else {})
    GAMES[key].opening(GAMES[key].read_options(bounded), GAMES[key].seats[0])


@pytest.mark.parametrize("key", sorted(UNENDING))
def test_no_limit_is_none_whether_it_is_told_or_not(key: str) -> None:
    assert GAMES[key].bounded({"round_limit": UNENDING[key]}, 40) == {"round_limit": 40}


@pytest.mark.parametrize("told", [7, "soon"])
def test_a_limit_that_is_told_stays_as_it_is(told: JSON) -> None:
    assert GAMES["troedler"].bounded({"round_limit": told}, 40) == {"round_limit": told}


@pytest.mark.parametrize(
    ("key", "wrong"),
    [
        ("troedler", 0),
        ("troedler", False),
        ("troedler", 0.0),
        ("appenzell", None),
        ("appenzell", False),
    ],
)
def test_what_means_no_limit_in_another_game_alone_is_refused(key: str, wrong: JSON) -> None:
    game = GAMES[key]
    with pytest.raises(WrongOptionError):
        game.opening(game.read_options(game.bounded({"round_limit": wrong}, 40)), game.seats[0])
