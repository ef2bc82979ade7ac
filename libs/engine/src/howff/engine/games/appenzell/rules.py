"""What a legal move causes in a match of Burg Appenzell."""

from typing import assert_never

from howff.engine.games.appenzell.data import LINES, Roof, Slot, Square
from howff.engine.games.appenzell.events import (
    FirstMousePlaced,
    MouseEntered,
    MouseRan,
    RoofRemoved,
    TilePushed,
)
from howff.engine.games.appenzell.evolve import evolve
from howff.engine.games.appenzell.moves import (
    EndTurn,
    Enter,
    Move,
    PlaceFirstMouse,
    Push,
    Run,
    Uncover,
)
from howff.engine.games.appenzell.state import FLOOR_AT, State, TileAt
from howff.engine.games.appenzell.turns import (
    Decision,
    collect,
    end_turn,
    go_on,
    spring_traps,
    start_turn,
)
from howff.engine.games.appenzell.walking import castle_of
from howff.engine.play import Draft
from howff.engine.rng import Rng
from howff.engine.seats import Seat, seats_from


def decide(state: State, seat: Seat, move: Move, rng: Rng) -> Decision:
    """Return what *move* causes; it is one of the legal moves of *seat*, and draws no luck."""
    del rng
    decision = Draft(state, evolve)
    match move:
        case PlaceFirstMouse(tower):
            _place_first_mouse(decision, seat, tower)
            return decision
        case EndTurn():
            end_turn(decision)
            return decision
        case Run(start, target):
            cost = castle_of(state).reach(start, state.actions_left)[target]
            decision.add(MouseRan(state.turn, seat, start, target, cost))
            collect(decision, (seat,))
        case Enter(tower, target):
            cost = castle_of(state).entrances(tower, state.actions_left)[target]
            decision.add(MouseEntered(state.turn, seat, tower, target, cost))
            collect(decision, (seat,))
        case Push(slot):
            _push(decision, seat, slot)
            # Ruling 21: first the traps, then the cheese, then the end.
            spring_traps(decision, slot)
            collect(decision, seats_from(seat, state.seats))
        case Uncover(roof):
            _uncover(decision, seat, roof)
        case _:
            assert_never(move)
    go_on(decision)
    return decision


def _place_first_mouse(decision: Decision, seat: Seat, tower: Square) -> None:
    decision.add(FirstMousePlaced(decision.state.turn, seat, tower))
    state = decision.state
    if all(player.mice for player in state.players):
        start_turn(decision, 0, state.active)


def _uncover(decision: Decision, seat: Seat, roof: Roof) -> None:
    state = decision.state
    shown = state.tiles_on(state.rooms.squares_of[roof])
    decision.add(RoofRemoved(state.turn, seat, roof, 1, shown))


def _push(decision: Decision, seat: Seat, slot: Slot) -> None:
    state = decision.state
    squares = LINES[slot]
    tiles = [state.floor[FLOOR_AT[square]] for square in squares]
    moved = sorted(zip(squares, (state.spare, *tiles[:-1]), strict=True))
    line = tuple(TileAt(square, tile) for square, tile in moved)
    shown = tuple(each for each in line if state.is_open(each.square))
    decision.add(TilePushed(state.turn, seat, slot, 1, line, state.spare, tiles[-1], shown))
