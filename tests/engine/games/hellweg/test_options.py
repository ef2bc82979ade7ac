"""The options of a match: what is offered, what is refused."""

from collections import Counter
from dataclasses import fields
from typing import Any

import pytest

from howff.engine.errors import WrongOptionError, WrongSeatCountError
from howff.engine.games.hellweg import GAME
from howff.engine.games.hellweg.data import TRADING_CARDS
from howff.engine.games.hellweg.events import (
    MerchandiseCardsLaidOut,
    PiecesDue,
    StartingPlayerChosen,
    TradingCardsSetAside,
    TradingDeckShuffled,
)
from howff.engine.games.hellweg.state import AdditionalCarriages, Options
from support.hellweg_playouts import ALL_OPTIONS
from support.rng import LocalRng
from support.texts import of

NAMES = (
    "warehouse_and_privileges",
    "passenger_transportation",
    "short_game",
    "simultaneous_sales",
)


def test_what_is_missing_is_not_chosen() -> None:
    assert GAME.read_options({}) == Options()
    assert tuple(each.name for each in fields(Options)) == NAMES
    assert not any(getattr(Options(), name) for name in NAMES)
    assert GAME.read_options({"short_game": False}) == Options()


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("options", ALL_OPTIONS)
def test_every_set_of_options_is_offered_to_every_number_of_seats(
    options: Options, seats: int
) -> None:
    chosen = {name: getattr(options, name) for name in NAMES}
    assert GAME.read_options(chosen) == options
    draft = GAME.start(options, seats, LocalRng(seats))
    assert draft.state.options == options
    (laid_out,) = of(draft.events, MerchandiseCardsLaidOut)
    assert len(laid_out.cards) == {2: 6, 3: 8, 4: 9}[seats]
    black = AdditionalCarriages() if options.warehouse_and_privileges else None
    assert draft.state.additional_carriages == black
    assert len(draft.state.stack) == (10 if options.short_game else 12)
    (due,) = of(draft.events, PiecesDue)
    assert (due.tokens, due.carriages) == (1, 1)


def test_there_are_sixteen_sets_of_options() -> None:
    assert len(set(ALL_OPTIONS)) == len(ALL_OPTIONS) == 16


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("value", [None, 0, 1, "true", "", [], [True], {}, 1.0])
def test_a_value_that_is_not_offered_is_refused(name: str, value: Any) -> None:
    with pytest.raises(WrongOptionError):
        GAME.read_options({name: value})


@pytest.mark.parametrize(
    "plain",
    [
        {"expansion": True},
        {"Short_game": True},
        {"short-game": True},
        {"memory": "open"},
        {"starting_seat": 0},
        {"seats": 3},
        {"": True},
        {"short_game": True, "months": 10},
        [],
        ["short_game"],
        "short_game",
        None,
        True,
    ],
)
def test_an_option_that_is_not_offered_is_refused(plain: Any) -> None:
    with pytest.raises(WrongOptionError):
        GAME.read_options(plain)


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 12])
def test_the_match_is_for_two_to_four(seats: int) -> None:
    assert list(GAME.seats) == [2, 3, 4]
    with pytest.raises(WrongSeatCountError):
        GAME.start(Options(), seats, LocalRng(0))


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_starting_player_is_drawn_evenly(seats: int) -> None:
    drawn = Counter(
        event.seat
        for seed in range(200)
        for event in of(GAME.start(Options(), seats, LocalRng(seed)).events, StartingPlayerChosen)
    )
    assert set(drawn) == set(range(seats))
    assert min(drawn.values()) > 100 / seats


@pytest.mark.parametrize("short", [False, True])
def test_the_stack_is_shuffled_evenly(short: bool) -> None:  # noqa: FBT001
    tops = Counter[str]()
    for seed in range(300):
        events = GAME.start(Options(short_game=short), 2, LocalRng(seed)).events
        (shuffled,) = of(events, TradingDeckShuffled)
        assert sorted(shuffled.order) == sorted(TRADING_CARDS)
        tops[shuffled.order[2 if short else 0]] += 1
        aside = [(event.count, event.cards) for event in of(events, TradingCardsSetAside)]
        assert aside == ([(2, shuffled.order[:2])] if short else [])
    assert set(tops) == set(TRADING_CARDS)
    assert min(tops.values()) > 8
