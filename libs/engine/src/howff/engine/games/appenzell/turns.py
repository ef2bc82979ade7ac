"""What follows from an action, and beginning and ending turns."""

from collections.abc import Iterable

from howff.engine.games.appenzell.data import ACTIONS, CHEESES, LINES, SLIDING, TRAP, Roofs, Slot
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    Event,
    GameEnded,
    MouseTrapped,
    RoofsReplaced,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.appenzell.ranking import end_reasons, ranking
from howff.engine.games.appenzell.state import EndReason, State
from howff.engine.play import Draft
from howff.engine.seats import Seat, seat_after

Decision = Draft[State, Event]


def start_turn(decision: Decision, number: int, seat: Seat) -> None:
    """Begin turn *number*."""
    decision.add(TurnStarted(number, seat, number // decision.state.seats, ACTIONS))


def spring_traps(decision: Decision, slot: Slot) -> None:
    """Let the mice fall that stand on a trap since the push, from the line's beginning to its end.

    Ruling 18: whosever they are. Ruling 19: on stone nothing happens.
    """
    state = decision.state
    for square in LINES[slot]:
        seat = state.seat_on(square) if state.tile_on(square) == TRAP else None
        if seat is not None:
            total = decision.state.players[seat].trapped + 1
            decision.add(MouseTrapped(state.turn, seat, total, square))


def collect(decision: Decision, seats: Iterable[Seat]) -> None:
    """Let each of *seats* have a cheese of every new kind on which two of its mice stand."""
    state = decision.state
    for seat in seats:
        player = state.players[seat]
        tiles = [state.tile_on(square) for square in player.mice]
        if len(set(tiles)) == len(tiles):  # as nearly always
            continue
        for kind in CHEESES:
            if tiles.count(kind) > 1 and kind not in player.cheese:
                on_kind = zip(player.mice, tiles, strict=True)
                squares = tuple(square for square, tile in on_kind if tile == kind)
                decision.add(CheeseCollected(state.turn, seat, kind, squares))


def go_on(decision: Decision) -> None:
    """End the match or the turn after an action, if either is over."""
    reasons = end_reasons(decision.state)
    if reasons:
        _end_match(decision, reasons)
    elif not decision.state.actions_left:
        end_turn(decision)


def end_turn(decision: Decision) -> None:
    """End the turn: roofs go back on rooms without mice, and the next seat begins."""
    state = decision.state
    emptied = _empty_rooms(state)
    if emptied:
        decision.add(RoofsReplaced(state.turn, emptied))
    decision.add(TurnEnded(state.turn, state.active, state.actions_left))
    following = state.turn + 1
    if following == state.options.round_limit * state.seats:
        _end_match(decision, ("round_limit",))
    else:
        start_turn(decision, following, seat_after(state.active, state.seats))


def _empty_rooms(state: State) -> Roofs:
    """Return the open rooms without any mouse."""
    kept = {state.rooms.roof_of.get(square) for square in state.mice}
    return tuple(roof for roof in state.open_roofs if roof not in kept)


def _end_match(decision: Decision, reasons: tuple[EndReason, ...]) -> None:
    state = decision.state
    floor = state.tiles_on(SLIDING)
    decision.add(GameEnded(state.turn, reasons, ranking(state), floor, state.spare))
