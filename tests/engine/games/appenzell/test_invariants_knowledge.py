"""Nobody learns of covered squares, nobody learns more than another, and luck ends with setup."""

from dataclasses import astuple
from typing import Any, Final

from hypothesis import given

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.data import LINES
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    FloorLaid,
    GameEnded,
    MouseEntered,
    MouseRan,
    MouseTrapped,
    RoofRemoved,
    TilePushed,
)
from howff.engine.games.appenzell.moves import Move
from howff.engine.games.appenzell.state import FLOOR_AT, State
from howff.engine.seats import Seat
from howff.engine.values import replace
from howff.engine.visibility import Sealed
from support.appenzell import NoLuck
from support.appenzell_playouts import Playout, all_playouts, places, playouts
from support.playouts import told_live
from support.rng import LocalRng
from support.seals import redacted

COSTLY: Final = (RoofRemoved, MouseRan, MouseEntered, TilePushed)


def covered_places(state: State) -> list[int]:
    return [at for square, at in FLOOR_AT.items() if not state.is_open(square)]


def relaid(state: State, seed: int) -> State:
    """Return *state* with the tiles under roofs in another order."""
    covered = covered_places(state)
    tiles = LocalRng(seed).shuffle("tiles", [state.floor[at] for at in covered])
    floor = list(state.floor)
    for at, tile in zip(covered, tiles, strict=True):
        floor[at] = tile
    return replace(state, floor=tuple(floor))


def cost_of(state: State, seat: Seat, move: Move) -> int:
    event = GAME.play(state, seat, move, NoLuck()).events[0]
    return event.cost if isinstance(event, COSTLY) else 0


@given(match=playouts, at=places, seed=places)
def test_invariant_11_views_moves_and_costs_depend_on_nothing_covered(
    match: Playout, at: int, seed: int
) -> None:
    for offset in range(8):
        step = match.step(at + offset)
        other = relaid(step.before, seed)
        for viewer in (None, *map(Seat, range(match.seats))):
            assert GAME.view(other, viewer) == GAME.view(step.before, viewer)
            if viewer is not None:
                assert GAME.legal_moves(other, viewer) == GAME.legal_moves(step.before, viewer)
        for move in GAME.legal_moves(step.before, step.seat):
            assert cost_of(other, step.seat, move) == cost_of(step.before, step.seat, move)


def test_invariant_11_floors_laid_anew_do_differ() -> None:
    states = [step.before for match in all_playouts() for step in match.steps[::10]]
    differing = [relaid(state, seed) != state for seed, state in enumerate(states)]
    assert sum(differing) > 0.95 * len(states)


@given(match=playouts)
def test_invariant_12_all_see_the_same(match: Playout) -> None:
    for step in (*match.steps[::20], match.steps[-1]):
        spectator = GAME.view(step.after, None)
        for seat in map(Seat, range(match.seats)):
            assert GAME.view(step.after, seat) == spectator


@given(match=playouts)
def test_invariant_12_all_are_told_the_same(match: Playout) -> None:
    for event in tuple(match.events)[::5]:
        for live in (True, False):
            spectator = redacted(event, None, told_live=live)
            for seat in map(Seat, range(match.seats)):
                assert redacted(event, seat, told_live=live) == spectator


@given(match=playouts)
def test_invariant_12_what_is_told_live_leaves_out_only_what_lies_covered(match: Playout) -> None:
    for event, told in zip(match.events, told_live(tuple(match.events), None), strict=True):
        sealed = {name for name in type(event).__slots__ if is_sealed(told, name)}
        hidden = {FloorLaid: {"floor"}, TilePushed: {"line"}}
        assert sealed == hidden.get(type(event), set())


@given(match=playouts)
def test_invariant_12_what_is_read_again_leaves_out_what_was_shown(match: Playout) -> None:
    momentary = {
        "FloorLaid": {"floor", "shown"},
        "RoofRemoved": {"shown"},
        "TilePushed": {"line", "inserted", "ejected", "shown"},
        "MouseTrapped": {"square"},
        "CheeseCollected": {"squares"},
    }
    for event in match.events:
        again = redacted(event, Seat(0), told_live=False)
        sealed = {name for name in type(event).__slots__ if is_sealed(again, name)}
        assert sealed == momentary.get(type(event).__name__, set())


def is_sealed(event: Any, field: str) -> bool:
    return isinstance(getattr(event, field), Sealed)


@given(match=playouts)
def test_invariant_13_after_setup_the_same_moves_give_the_same_events(match: Playout) -> None:
    state = match.steps[0].before
    for step in match.steps:
        draft = GAME.play(state, step.seat, step.move, NoLuck())
        assert tuple(draft.events) == step.events
        state = draft.state
    assert state == match.final


def test_no_state_of_a_match_shows_a_tile_under_a_roof() -> None:
    for match in all_playouts():
        for step in match.steps:
            assert_shows_open_tiles_only(step.before)


def assert_shows_open_tiles_only(state: State) -> None:
    roof_of, mice = state.rooms.roof_of, [player.mice for player in state.players]
    for each in GAME.view(state, None).squares:
        roof = roof_of.get(each.square)
        is_open = roof in state.open_roofs
        assert (each.roof, each.is_covered) == (roof, roof is not None and not is_open)
        assert each.tile == (state.tile_on(each.square) if is_open else None)
        assert (each.sort == "sliding") == (each.square in FLOOR_AT)
        assert (each.sort == "tower") == (roof is None)
        owners = [seat for seat, squares in enumerate(mice) if each.square in squares]
        assert owners == ([] if each.mouse is None else [each.mouse])


@given(match=playouts)
def test_what_is_told_of_squares_is_told_of_open_ones(match: Playout) -> None:
    for moment in match.later_moments:
        event, state = moment.event, moment.after
        match event:
            case RoofRemoved():
                room = state.rooms.squares_of[event.roof]
                assert event.shown == state.tiles_on(room)
            case TilePushed():
                opened = [each for each in event.line if state.is_open(each.square)]
                assert event.shown == tuple(opened)
                assert event.line == state.tiles_on(LINES[event.slot])
                assert (event.inserted, event.ejected) == (moment.before.spare, state.spare)
            case MouseTrapped():
                assert (state.is_open(event.square), state.tile_on(event.square)) == (True, "trap")
            case CheeseCollected():
                squares = [each for each in event.squares if state.is_open(each)]
                own = state.players[event.seat].mice
                assert squares == [each for each in own if state.tile_on(each) == event.kind]
                assert len(squares) == len(event.squares) >= 2
            case _:
                pass


@given(match=playouts)
def test_at_the_end_the_whole_floor_lies_open(match: Playout) -> None:
    final = match.final
    shown = {each.square: each.tile for each in GAME.view(final, None).squares if each.tile}
    floor = {square: final.floor[at] for square, at in FLOOR_AT.items()}
    assert shown == floor
    (ended,) = (event for event in match.events if isinstance(event, GameEnded))
    assert dict(map(astuple, ended.floor)) == floor
    assert [each.square for each in ended.floor] == sorted(floor)
    assert ended.spare == final.spare == GAME.view(final, None).spare
