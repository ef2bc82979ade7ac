"""What holds in every state of every match of Burg Appenzell: tiles, mice, roofs and actions."""

from collections import Counter
from itertools import pairwise
from typing import Final

from hypothesis import given as given_any

from howff.engine.games.appenzell import GAME
from howff.engine.games.appenzell.data import ROOFS, SQUARES, Cheese, Slot, Tile
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    FirstMousePlaced,
    MouseEntered,
    MouseRan,
    MouseTrapped,
    RoofRemoved,
    TilePushed,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.appenzell.moves import EndTurn, Push
from howff.engine.games.appenzell.state import State
from support.appenzell import F1X, NoLuck, given, when
from support.appenzell_castle import line_of
from support.appenzell_playouts import Playout, Step, places, playouts
from support.texts import of

TOWERS: Final = ("a1", "a7", "g1", "g7")
KINDS: Final = tuple(
    Cheese(Tile(kind))
    for kind in ("emmental", "blue", "slices", "gouda", "brie", "camembert", "goat")
)
ACTIONS: Final = (RoofRemoved, MouseRan, MouseEntered, TilePushed)
OPPOSITE: Final = {"n": "s", "s": "n", "w": "e", "e": "w"}


def mice_on_towers(state: State) -> list[int]:
    return [sum(square in TOWERS for square in player.mice) for player in state.players]


def floor_of(state: State) -> dict[str, str | None]:
    """Return the tile on each square, None where there can be none."""
    return {square: state.tile_on(square) for square in SQUARES}


def other_end(slot: Slot) -> Slot:
    return Slot(OPPOSITE[slot[0]] + slot[1])


@given_any(match=playouts)
def test_invariant_01_no_tile_of_the_floor_appears_or_vanishes(match: Playout) -> None:
    for moment in match.later_moments:
        state = moment.after
        assert len(state.floor) == 33
        tiles = Counter((*state.floor, state.spare))
        assert tiles == dict.fromkeys(KINDS, 3) | {"plain": 10, "trap": 3}


@given_any(match=playouts)
def test_invariant_02_every_seat_keeps_four_mice(match: Playout) -> None:
    for moment in match.moments:
        assert len(moment.after.players) == match.seats
        for player in moment.after.players:
            assert player.reserve + player.trapped + len(player.mice) == 4
            assert min(player.reserve, player.trapped) >= 0


@given_any(match=playouts)
def test_invariant_03_four_cheeses_of_a_kind_lie_there_or_are_owned(match: Playout) -> None:
    supply = dict.fromkeys(KINDS, 4)
    for moment in match.moments:
        state = moment.after
        if isinstance(moment.event, CheeseCollected):
            supply[moment.event.kind] -= 1
            view = GAME.view(state, None)
            assert [(each.cheese, each.count) for each in view.supply] == list(supply.items())
        owned = Counter(kind for player in state.players for kind in player.cheese)
        assert supply == {kind: 4 - owned[kind] for kind in supply}
        assert all(len(set(player.cheese)) == len(player.cheese) for player in state.players)


@given_any(match=playouts)
def test_invariant_04_mice_stand_alone_and_on_good_ground(match: Playout) -> None:
    for moment in match.moments:
        if isinstance(moment.event, TilePushed):
            continue  # Mice fall with the next events.
        state = moment.after
        squares = [square for player in state.players for square in player.mice]
        falling = moment.event if isinstance(moment.event, MouseTrapped) else None
        assert len(squares) == len(set(squares))
        for square in squares:
            assert square in TOWERS or state.rooms.roof_of[square] in state.open_roofs
            assert falling or state.tile_on(square) != "trap"


@given_any(match=playouts)
def test_invariant_04_mice_are_listed_in_order(match: Playout) -> None:
    for moment in match.moments:
        for player in moment.after.players:
            assert list(player.mice) == sorted(player.mice)


@given_any(match=playouts)
def test_invariant_05_after_a_turn_only_rooms_with_mice_lie_open(match: Playout) -> None:
    for _, event, state in match.of(TurnEnded):
        rooms = {state.rooms.roof_of.get(square) for square in state.mice}
        assert set(state.open_roofs) == rooms - {None}, event


@given_any(match=playouts)
def test_invariant_05_there_are_eighteen_roofs_on_or_off(match: Playout) -> None:
    assert "".join(ROOFS) == "ABCDEFGHIJKLMNOPQR"
    for moment in match.moments:
        roofs = moment.after.open_roofs
        assert list(roofs) == sorted(set(roofs) & set(ROOFS))


@given_any(match=playouts)
def test_invariant_06_a_turn_has_four_actions_and_one_push(match: Playout) -> None:
    spent, pushes = 0, 0
    for moment in match.later_moments:
        event, state = moment.event, moment.after
        if isinstance(event, TurnStarted):
            assert event.actions == 4
            spent, pushes = 0, 0
        elif isinstance(event, ACTIONS):
            assert event.cost >= 1
            spent += event.cost
            pushes += isinstance(event, TilePushed)
        elif isinstance(event, TurnEnded):
            assert event.unused == 4 - spent
        assert spent <= 4
        assert pushes <= 1
        assert state.has_pushed == (pushes == 1)
        if state.stage == "turn" and not isinstance(event, TurnEnded):
            assert state.actions_left == 4 - spent


@given_any(match=playouts)
def test_invariant_07_a_push_moves_its_line_on_and_nothing_else(match: Playout) -> None:
    for before, event, after in match.of(TilePushed):
        line = line_of(event.slot)
        old, new = floor_of(before), floor_of(after)
        expected = dict(zip(line, (before.spare, *(old[square] for square in line)), strict=False))
        assert new == old | expected
        assert after.spare == old[line[-1]]
        assert [player.mice for player in after.players] == [p.mice for p in before.players]
        assert after.open_roofs == before.open_roofs


@given_any(match=playouts, at=places)
def test_invariant_07_the_opposite_push_puts_everything_back(match: Playout, at: int) -> None:
    tried = 0
    for offset in range(20):
        step = match.step(at + offset)
        for move in GAME.legal_moves(step.before, step.seat):
            if isinstance(move, Push):
                tried += pushes_back(step, move)
    assert tried


def pushes_back(step: Step, push: Push) -> bool:
    """Push, and have the next seat push from the other end, if the match goes on till then."""
    state = GAME.play(step.before, step.seat, push, NoLuck()).state
    if state.active == step.seat and state.stage == "turn":
        state = GAME.play(state, step.seat, EndTurn(), NoLuck()).state
    if state.stage == "finished":
        return False
    assert state.active == (step.seat + 1) % state.seats
    back = GAME.play(state, state.active, Push(other_end(push.slot)), NoLuck()).state
    assert (back.floor, back.spare) == (step.before.floor, step.before.spare)
    return True


@given_any(match=playouts)
def test_invariant_08_no_mouse_runs_onto_a_tower(match: Playout) -> None:
    for moment in match.moments:
        before, after = mice_on_towers(moment.before), mice_on_towers(moment.after)
        for seat, (earlier, now) in enumerate(zip(before, after, strict=True)):
            if now > earlier:
                assert isinstance(moment.event, FirstMousePlaced | MouseEntered)
                assert (moment.event.seat, now - earlier) == (seat, 1)
        if isinstance(moment.event, MouseRan):
            assert moment.event.target not in TOWERS


@given_any(match=playouts)
def test_invariant_09_what_is_lost_or_collected_stays_so(match: Playout) -> None:
    for moment in match.moments:
        for before, after in zip(moment.before.players, moment.after.players, strict=True):
            assert after.cheese[: len(before.cheese)] == before.cheese
            assert after.trapped in {before.trapped, before.trapped + 1}
            assert after.trapped == before.trapped or isinstance(moment.event, MouseTrapped)


@given_any(match=playouts)
def test_invariant_09_mice_fall_by_pushes_only(match: Playout) -> None:
    for step in match.steps:
        lost = [player.trapped for player in step.before.players]
        if not isinstance(step.move, Push):
            assert [player.trapped for player in step.after.players] == lost
        falls = [event.square for event in step.events if isinstance(event, MouseTrapped)]
        if falls:
            assert isinstance(step.move, Push)
            line = line_of(step.move.slot)
            at = [line.index(square) for square in falls]
            assert all(one < other for one, other in pairwise(at))


def test_invariant_09_mice_fall_from_where_the_tile_goes_in() -> None:
    state = given(floor=F1X, spare="X", mice={0: "a1", 1: "e4 g4"})
    for slot, squares in (("e4", ["g4", "e4"]), ("w4", ["g4"])):
        falls = of(when(state, f"push {slot}").events, MouseTrapped)
        assert [(event.square, event.total) for event in falls] == [
            (square, total) for total, square in enumerate(squares, start=1)
        ]


@given_any(match=playouts)
def test_invariant_10_no_pair_of_a_kind_is_left_uncollected(match: Playout) -> None:
    for state in match.states:
        for player in state.players:
            tiles = Counter(state.tile_on(square) for square in player.mice)
            pairs = {kind for kind in KINDS if tiles[kind] > 1}
            assert pairs <= set(player.cheese)


@given_any(match=playouts)
def test_invariant_10_cheese_is_collected_clockwise_and_in_the_order_of_kinds(
    match: Playout,
) -> None:
    for step in match.steps:
        order = [
            ((event.seat - step.seat) % match.seats, KINDS.index(event.kind))
            for event in of(step.events, CheeseCollected)
        ]
        assert order == sorted(order)
        assert isinstance(step.move, Push) or not any(seat for seat, _ in order)


def test_invariant_10_a_push_may_bring_two_kinds_at_once() -> None:
    draft = when(given(mice={0: "a1", 1: "a6 b2 b5 b6"}), "push nb")
    collected = of(draft.events, CheeseCollected)
    assert [event.kind for event in collected] == ["emmental", "slices"]
    assert [event.squares for event in collected] == [("a6", "b6"), ("b2", "b5")]
