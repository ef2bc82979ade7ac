"""The options of a match: what is offered, what is refused, and what each of them does."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple
from itertools import product
from typing import Any

import pytest

from howff.engine.codec import to_json
from howff.engine.errors import WrongOptionError, WrongSeatCountError
from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.data import PLAIN, TILES
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    FloorLaid,
    GameEnded,
    GameSetUp,
    RoofRemoved,
)
from howff.engine.games.appenzell.moves import EndTurn
from howff.engine.games.appenzell.state import Options, State
from howff.engine.seats import Seat
from support.appenzell import given, when
from support.playouts import NotingLuck
from support.rng import LocalRng
from support.texts import kinds, of


def opened(options: Options, seats: int = 2, seed: int = 0) -> tuple[GameSetUp, FloorLaid]:
    events = GAME.start(options, seats, LocalRng(seed)).events
    assert kinds(events) == ["GameSetUp", "FloorLaid"]
    (set_up,), (laid,) = of(events, GameSetUp), of(events, FloorLaid)
    assert (set_up.options, set_up.seats) == (options, seats)
    return set_up, laid


def names_of_draws(options: Options) -> list[str]:
    luck = NotingLuck(LocalRng(0))
    GAME.start(options, 3, luck)
    return list(luck.names)


def test_what_is_missing_has_its_default() -> None:
    assert GAME.read_options({}) == Options(4, "a", "any", False, "strict", "random", 0)  # noqa: FBT003


@pytest.mark.parametrize(
    "plain",
    [
        *({"cheese_target": target} for target in (4, 5, 6)),
        *({"board_side": side} for side in ("a", "b", "random")),
        *({"spare_tile": tile} for tile in ("any", "plain")),
        *({"open_setup": is_open} for is_open in (False, True)),
        *({"memory": memory} for memory in ("strict", "open")),
        *({"start_seat": seat} for seat in ("random", 0, 1, 2)),
        *({"round_limit": limit} for limit in (0, 1, 40, 500)),
    ],
)
def test_an_offered_value_is_taken(plain: dict[str, Any]) -> None:
    options = GAME.read_options(plain)
    assert to_json(Options, options).items() >= plain.items()
    set_up, _ = opened(options, seats=3)
    assert set_up.options == options


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(("cheese_target", value) for value in (3, 7, 0, -4, 4.0, "4", None, True, [4])),
        *(("board_side", value) for value in ("c", "A", "", "both", None, 0, True, ["a"])),
        *(("spare_tile", value) for value in ("trap", "emmental", "Plain", "", None, 1)),
        *(("open_setup", value) for value in (0, 1, "true", "", None, [True])),
        *(("memory", value) for value in ("closed", "Strict", "", None, True)),
        *(("start_seat", value) for value in (3, -1, "0", "first", None, True, 1.0, [0])),
        *(("round_limit", value) for value in (-1, 501, 1.0, "10", None, True, [1])),
        ("players", 3),
        ("Memory", "open"),
        ("", 0),
    ],
)
def test_a_value_that_is_not_offered_is_refused(option: str, value: Any) -> None:
    with pytest.raises(WrongOptionError):
        GAME.start(GAME.read_options({option: value}), 3, LocalRng(0))


@pytest.mark.parametrize("plain", [None, [], "a", 4, {"board_side": "b", "cheese_target": 3}])
def test_options_of_another_form_are_refused(plain: Any) -> None:
    with pytest.raises(WrongOptionError):
        GAME.read_options(plain)


@pytest.mark.parametrize(
    ("options", "option", "expected", "found"),
    [
        (Options(start_seat=Seat(2)), "start_seat", '"random" or a seat from 0 to 1', "2"),
        (Options(start_seat=Seat(-1)), "start_seat", '"random" or a seat from 0 to 1', "-1"),
        (Options(round_limit=-1), "round_limit", "0 for none, or up to 500 rounds", "-1"),
        (Options(round_limit=501), "round_limit", "0 for none, or up to 500 rounds", "501"),
    ],
)
def test_a_refusal_says_what_fits(options: Options, option: str, expected: str, found: str) -> None:
    with pytest.raises(WrongOptionError) as refused:
        GAME.start(options, 2, LocalRng(0))
    error = refused.value
    assert (error.option, error.expected, error.found) == (option, expected, found)


@pytest.mark.parametrize("seats", [-1, 0, 1, 5])
def test_the_match_is_for_two_to_four(seats: int) -> None:
    assert GAME.seats == range(2, 5)
    with pytest.raises(WrongSeatCountError):
        GAME.start(Options(), seats, LocalRng(0))


def all_options() -> Iterator[Options]:
    for side, spare, is_open, memory in product(
        ("a", "b", "random"), ("any", "plain"), (False, True), ("strict", "open")
    ):
        plain = {"board_side": side, "spare_tile": spare, "open_setup": is_open, "memory": memory}
        yield GAME.read_options(plain)


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_match_starts_with_every_set_of_options(seats: int) -> None:
    sets = list(all_options())
    assert len(set(sets)) == 24
    for seed, options in enumerate(sets):
        set_up, laid = opened(options, seats, seed)
        assert set_up.board_side in {options.board_side, "a", "b"} - {"random"}
        assert bool(laid.shown) == options.open_setup
        assert laid.spare == "plain" or options.spare_tile == "any"


@pytest.mark.parametrize("target", [4, 5, 6])
def test_so_many_kinds_of_cheese_win(target: int) -> None:
    options = GAME.read_options({"cheese_target": target})
    owned = ["blue", "slices", "goat", "gouda", "brie"]
    for kinds_owned in range(3, target):
        state = given(
            options=options,
            mice={0: "a6 a7", 1: "g7"},
            opened="A",
            cheese={0: " ".join(owned[:kinds_owned])},
        )
        draft = when(state, "run a7 b7")
        assert len(of(draft.events, CheeseCollected)) == 1
        assert bool(of(draft.events, GameEnded)) == (kinds_owned + 1 == target)


def test_the_side_of_the_board_is_the_one_of_the_option_or_drawn_evenly() -> None:
    for side in ("a", "b"):
        options = GAME.read_options({"board_side": side})
        assert {opened(options, seed=seed)[0].board_side for seed in range(20)} == {side}
    drawn = Counter(
        opened(Options(board_side="random"), seed=seed)[0].board_side for seed in range(200)
    )
    assert set(drawn) == {"a", "b"}
    assert min(drawn.values()) > 60


def test_each_side_has_its_own_rooms() -> None:
    for side, roofs in (("a", ["uncover L", "uncover O"]), ("b", ["uncover M", "uncover P"])):
        options = GAME.read_options({"board_side": side, "start_seat": 0})
        state = GAME.start(options, 2, LocalRng(0)).state
        draft = when(state, "place_first_mouse a1", "place_first_mouse g7", roofs[0])
        assert [event.roof for event in of(draft.events, RoofRemoved)] == [roofs[0][-1]]
        assert when(draft.state, roofs[1]).state.open_roofs == (roofs[0][-1], roofs[1][-1])


def test_any_tile_may_lie_outside_or_only_a_plain_one() -> None:
    outside = [opened(Options(), seed=seed)[1].spare for seed in range(300)]
    assert set(outside) == set(TILES)
    assert 50 < outside.count(PLAIN) < 130
    plain = Options(spare_tile="plain")
    assert {opened(plain, seed=seed)[1].spare for seed in range(50)} == {"plain"}


@pytest.mark.parametrize("spare_tile", ["any", "plain"])
def test_all_tiles_are_laid_evenly(spare_tile: str) -> None:
    options = GAME.read_options({"spare_tile": spare_tile})
    traps = Counter[str]()
    for seed in range(300):
        _, laid = opened(options, seed=seed)
        assert Counter((laid.spare, *(each.tile for each in laid.floor))) == Counter(TILES)
        traps.update(each.square for each in laid.floor if each.tile == "trap")
    assert len(traps) == 33
    assert max(traps.values()) < 60


def test_an_open_setup_shows_the_whole_floor_to_everybody() -> None:
    _, laid = opened(Options(open_setup=True))
    assert laid.shown == laid.floor
    assert [each.square for each in laid.floor] == sorted(each.square for each in laid.floor)
    assert opened(Options())[1].shown == ()
    for is_open in (False, True):
        state = GAME.start(Options(open_setup=is_open), 2, LocalRng(0)).state
        squares = GAME.view(state, Seat(0)).squares
        assert all(each.tile is None for each in squares)
        assert sum(each.is_covered for each in squares) == 45


def test_the_memory_of_a_table_changes_nothing_that_happens() -> None:
    strict, open_ = (
        GAME.start(GAME.read_options({"memory": memory, "open_setup": True}), 3, LocalRng(7))
        for memory in ("strict", "open")
    )
    assert strict.events[1:] == open_.events[1:]
    assert astuple(strict.events[0])[2:] == astuple(open_.events[0])[2:]


@pytest.mark.parametrize("seats", GAME.seats)
def test_the_start_seat_is_the_one_of_the_option_or_drawn_evenly(seats: int) -> None:
    for seat in range(seats):
        options = Options(start_seat=Seat(seat))
        assert {opened(options, seats, seed)[0].start_seat for seed in range(10)} == {seat}
        state = GAME.start(options, seats, LocalRng(0)).state
        assert (state.active, state.start_seat, GAME.to_act(state)) == (seat, seat, (seat,))
    drawn = Counter(opened(Options(), seats, seed)[0].start_seat for seed in range(200))
    assert set(drawn) == set(range(seats))
    assert min(drawn.values()) > 100 / seats


@pytest.mark.parametrize("limit", [1, 3])
@pytest.mark.parametrize("seats", GAME.seats)
def test_a_round_limit_ends_the_match_after_so_many_rounds(limit: int, seats: int) -> None:
    state = in_first_turn(Options(round_limit=limit), seats)
    for turn in range(limit * seats):
        assert (state.stage, state.turn, state.round) == ("turn", turn, turn // seats)
        state = GAME.play(state, GAME.to_act(state)[0], EndTurn(), LocalRng(0)).state
    assert state.ending is not None
    assert state.ending.reasons == ("round_limit",)
    assert state.turn == limit * seats - 1


def test_without_a_limit_rounds_go_on() -> None:
    state = in_first_turn(Options(), 2)
    for _ in range(2 * 501):
        state = GAME.play(state, GAME.to_act(state)[0], EndTurn(), LocalRng(0)).state
    assert (state.stage, state.round) == ("turn", 501)


def in_first_turn(options: Options, seats: int) -> State:
    state = GAME.start(options, seats, LocalRng(0)).state
    for _ in range(seats):
        (seat,) = GAME.to_act(state)
        state = GAME.play(state, seat, GAME.legal_moves(state, seat)[0], LocalRng(0)).state
    return state


@pytest.mark.parametrize(
    ("options", "names"),
    [
        (Options(), ["start seat", "floor tiles"]),
        (Options(board_side="random"), ["board side", "start seat", "floor tiles"]),
        (Options(start_seat=Seat(2)), ["floor tiles"]),
        (Options(board_side="random", start_seat=Seat(0)), ["board side", "floor tiles"]),
        (Options(spare_tile="plain", open_setup=True), ["start seat", "floor tiles"]),
    ],
)
def test_luck_is_asked_only_for_what_the_options_leave_to_it(
    options: Options, names: list[str]
) -> None:
    assert names_of_draws(options) == names
