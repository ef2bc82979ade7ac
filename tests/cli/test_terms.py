import pytest

from howff.cli.errors import WrongChoiceError
from howff.cli.server.terms import terms_from
from howff.engine.codec import JSON
from support.cli import howff
from support.online import refused


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("move=60", {"move_seconds": 60}),
        ("match=600+5", {"match_seconds": 600, "increment_seconds": 5}),
        ("match=600", {"match_seconds": 600, "increment_seconds": 0}),
        ("days=3", {"turn_days": 3}),
    ],
)
def test_a_clock_is_told_in_a_word(text: str, clock: JSON) -> None:
    terms = terms_from(text, "resign", "default_moves")
    assert terms == {"clock": clock, "on_flag": "resign", "on_leave": "default_moves"}


def test_bots_that_may_take_over_are_named_and_others_are_not() -> None:
    assert terms_from("days=3", "bot", "default_moves")["stand_in"] == "random"
    assert terms_from(None, "resign", "bot")["stand_in"] == "random"
    assert "stand_in" not in terms_from(None, "resign", "default_moves")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "60",
        "move=",
        "move=x",
        "move=-1",
        "move=1+1",
        "days=1.5",
        "move=²",
        "move=" + 5000 * "9",
    ],
)
def test_a_clock_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(WrongChoiceError):
        terms_from(text, "resign", "default_moves")


@pytest.mark.parametrize(
    "more",
    [
        ("--clock", "move=60"),
        ("--on-flag", "bot"),
        ("--on-leave", "bot"),
        ("--clock", "move=60", "--server", "http://localhost:1", "--match", "m"),
    ],
)
def test_terms_are_for_matches_that_start_on_a_server(more: tuple[str, ...]) -> None:
    told = howff("play", "troedler", *more)
    assert refused(told, "wrong_choice")
    assert ("with a new match" if "--match" in more else "--server with") in told.stderr
