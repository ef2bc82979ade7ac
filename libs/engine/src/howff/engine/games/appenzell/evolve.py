"""What each event does to the state of a match of Burg Appenzell."""

from typing import Any, assert_never

from howff.engine.games.appenzell.data import Square, Squares
from howff.engine.games.appenzell.events import (
    CheeseCollected,
    Event,
    FirstMousePlaced,
    FloorLaid,
    GameEnded,
    GameSetUp,
    MouseEntered,
    MouseRan,
    MouseTrapped,
    RoofRemoved,
    RoofsReplaced,
    TilePushed,
    TurnEnded,
    TurnStarted,
)
from howff.engine.games.appenzell.state import FLOOR_AT, Ending, State
from howff.engine.multisets import without
from howff.engine.seats import Seat, seat_after
from howff.engine.values import replace, with_item


def evolve(state: State, event: Event) -> State:  # noqa: C901, PLR0911, PLR0912
    """Return the state after *event*; an event that was recorded is never refused."""
    match event:
        case TilePushed():
            return _tile_pushed(state, event)
        case RoofRemoved(_, _, roof, cost, _):
            open_roofs = tuple(sorted((*state.open_roofs, roof)))
            return replace(state, open_roofs=open_roofs, actions_left=state.actions_left - cost)
        case MouseRan():
            return _mouse_ran(state, event)
        case TurnStarted(turn, seat, _, actions):
            return replace(
                state,
                stage="turn",
                turn=turn,
                active=seat,
                actions_left=actions,
                has_pushed=False,
            )
        case TurnEnded():
            return replace(state, actions_left=0)
        case RoofsReplaced(_, roofs):
            still_open = tuple(roof for roof in state.open_roofs if roof not in roofs)
            return replace(state, open_roofs=still_open)
        case MouseEntered(_, seat, _, target, cost):
            return _paid(_entered(state, seat, target), cost)
        case MouseTrapped():
            return _mouse_trapped(state, event)
        case CheeseCollected(_, seat, kind, _):
            return _with(state, seat, cheese=(*state.players[seat].cheese, kind))
        case FirstMousePlaced(_, seat, tower):
            following = seat_after(seat, state.seats)
            return replace(_entered(state, seat, tower), active=following)
        case GameSetUp(_, _, _, side, start_seat):
            return replace(state, side=side, start_seat=start_seat, active=start_seat)
        case FloorLaid(_, spare, floor, _):
            return replace(state, spare=spare, floor=tuple(each.tile for each in floor))
        case GameEnded(_, reasons, ranking, _, _):
            return replace(state, stage="finished", ending=Ending(reasons, ranking))
        case _:
            assert_never(event)


def _tile_pushed(state: State, event: TilePushed) -> State:
    floor = list(state.floor)
    for each in event.line:
        floor[FLOOR_AT[each.square]] = each.tile
    return replace(
        state,
        floor=tuple(floor),
        spare=event.ejected,
        has_pushed=True,
        actions_left=state.actions_left - event.cost,
    )


def _mouse_ran(state: State, event: MouseRan) -> State:
    mice = without(state.players[event.seat].mice, event.start)
    state = _with(state, event.seat, mice=_sorted(mice, event.target))
    return _paid(state, event.cost)


def _mouse_trapped(state: State, event: MouseTrapped) -> State:
    mice = without(state.players[event.seat].mice, event.square)
    return _with(state, event.seat, mice=mice, trapped=event.total)


def _entered(state: State, seat: Seat, square: Square) -> State:
    """Return the state once a mouse of the reserve stands on *square*."""
    player = state.players[seat]
    return _with(state, seat, mice=_sorted(player.mice, square), reserve=player.reserve - 1)


def _sorted(mice: Squares, another: Square) -> Squares:
    return tuple(sorted((*mice, another)))


def _paid(state: State, cost: int) -> State:
    return replace(state, actions_left=state.actions_left - cost)


def _with(state: State, seat: Seat, **changes: Any) -> State:
    """Return the state with *changes* to what *seat* has."""
    players = state.players
    return replace(state, players=with_item(players, seat, replace(players[seat], **changes)))
