"""What a seat may do now: the only place where the legality of Burg Appenzell's moves is written.

Moves are values of a field or two, so they are made once and shared.
"""

from itertools import chain
from typing import Final

from howff.engine.games.appenzell.data import LINES, ROOFS, SQUARES, TOWERS, Roof, Square
from howff.engine.games.appenzell.moves import (
    EndTurn,
    Enter,
    Move,
    PlaceFirstMouse,
    Push,
    Run,
    Uncover,
)
from howff.engine.games.appenzell.state import State
from howff.engine.games.appenzell.walking import castle_of
from howff.engine.seats import Seat

Moves = tuple[Move, ...]

_PLACE: Final = {tower: PlaceFirstMouse(tower) for tower in TOWERS}
_PUSHES: Final = tuple(map(Push, LINES))
_UNCOVER: Final = {roof: Uncover(roof) for roof in ROOFS}
_RUN: Final = {start: {target: Run(start, target) for target in SQUARES} for start in SQUARES}
_ENTER: Final = {tower: {target: Enter(tower, target) for target in SQUARES} for tower in TOWERS}
_END_TURN: Final = EndTurn()


def to_act(state: State) -> tuple[Seat, ...]:
    """Return the seat that decides now; nobody once the match is over."""
    return () if state.stage == "finished" else (state.active,)


def legal_moves(state: State, seat: Seat) -> Moves:
    """Return what *seat* may do now, in the order of the rules; nothing if it owes no decision."""
    if seat not in to_act(state):
        return ()
    if state.stage == "placement":
        mice = state.mice
        return tuple(_PLACE[tower] for tower in TOWERS if tower not in mice)
    return (*_actions(state, seat), _END_TURN)


def _actions(state: State, seat: Seat) -> list[Move]:
    actions, player, castle = state.actions_left, state.players[seat], castle_of(state)
    moves: list[Move] = [_UNCOVER[roof] for roof in _roofs_in_reach(state, player.mice)]
    for start in player.mice:
        moves += map(_RUN[start].__getitem__, sorted(castle.reach(start, actions)))
    if player.reserve:
        for tower in TOWERS:
            moves += map(_ENTER[tower].__getitem__, sorted(castle.entrances(tower, actions)))
    if not state.has_pushed:
        moves += _PUSHES
    return moves


def _roofs_in_reach(state: State, own: tuple[Square, ...]) -> list[Roof]:
    """Return the roofs that are on and touch a square with a mouse of one's own."""
    beside = state.rooms.beside
    near = set(chain.from_iterable(map(beside.__getitem__, own)))
    return sorted(near.difference(state.open_roofs))
