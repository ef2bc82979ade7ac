"""What a ticket may ask for."""

from dataclasses import replace
from typing import Any

import pytest

from howff.engine.errors import (
    RefusalError,
    UnknownGameError,
    WrongOptionError,
    WrongSeatCountError,
)
from howff.lobby.domain.errors import WrongWishError
from howff.lobby.domain.terms import Terms
from howff.lobby.domain.tickets.events import GameWished
from howff.lobby.domain.tickets.wishes import MOST_NAMED, checked, terms_of
from howff.match.clocks import PerMatch, PerMove, PerTurn
from howff.match.errors import WrongTermError
from support.lobby_domain import TERMS, WISH

TROEDLER, CLANS = GameWished("troedler", {}), GameWished("highland_clans", {})
CLOCKS = (None, PerMove(30), PerMatch(600, 5), PerTurn(2))


def test_a_wish_tells_all_options_and_the_seats_of_each_game() -> None:
    wish = checked(replace(WISH, games=(TROEDLER, CLANS), seats=(5, 3, 2), clocks=CLOCKS))
    assert wish.seats == (2, 3, 5)
    assert [each.seats for each in wish.games] == [(2, 3), (3, 5)]
    assert wish.games[0].options == TERMS.options


def test_a_wish_that_was_checked_is_as_it_was() -> None:
    assert checked(checked(WISH)) == checked(WISH)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"games": ()}, "games"),
        ({"clocks": ()}, "clocks"),
        ({"seats": ()}, "seats"),
        ({"games": (TROEDLER, TROEDLER)}, "games"),
        ({"games": (TROEDLER, GameWished("troedler", TERMS.options))}, "games"),
        ({"clocks": (None, None)}, "clocks"),
        ({"seats": (2, 2)}, "seats"),
        ({"clocks": tuple(map(PerMove, range(1, MOST_NAMED + 2)))}, "clocks"),
        ({"seats": (2, 9)}, "seats"),
        ({"bots_after": 30}, "bot_level"),
        ({"bot_level": "random"}, "bot_level"),
        ({"bots_after": -1, "bot_level": "random"}, "bots_after"),
        ({"bots_after": 30, "bot_level": "random", "rated": "yes"}, "rated"),
    ],
)
def test_a_wish_that_nobody_could_fulfil_is_refused(changes: dict[str, Any], field: str) -> None:
    with pytest.raises(WrongWishError, match=f"wrong {field}: expected"):
        checked(replace(WISH, **changes))


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"games": (GameWished("chess", {}),)}, UnknownGameError),
        ({"games": (GameWished("troedler", {"colours": "green"}),)}, WrongOptionError),
        ({"games": (TROEDLER, GameWished("chess", {}))}, UnknownGameError),
        ({"seats": (9,)}, WrongSeatCountError),
        ({"clocks": (None, PerMove(0))}, WrongTermError),
    ],
)
def test_a_wish_for_what_there_is_not_is_refused(
    changes: dict[str, Any], refusal: type[RefusalError]
) -> None:
    with pytest.raises(refusal):
        checked(replace(WISH, **changes))


@pytest.mark.parametrize("rated", ["no", "either"])
def test_bots_may_fill_up_what_need_not_count(rated: Any) -> None:
    wish = replace(WISH, bots_after=0, bot_level="random", rated=rated)
    assert checked(wish).bots_after == 0


def test_a_match_of_tickets_is_played_by_plain_terms() -> None:
    terms = terms_of(GameWished("troedler", TERMS.options, (2, 3)), 3, PerMove(30), rated=True)
    assert terms == Terms(
        game="troedler", options=TERMS.options, seats=3, clock=PerMove(30), rated=True
    )
