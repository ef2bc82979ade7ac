"""How good moves look at a glance: what they do for pairs, who falls, and who is in danger."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from howff.bots.policies.games.appenzell.danger import squares_in_danger
from howff.bots.policies.games.appenzell.plans import STEPS, places_of, plans_of
from howff.bots.policies.games.appenzell.pushing import KIND, worth_of_pushes
from howff.bots.policies.games.appenzell.ways import AT, Castle, Ways, castle_of
from howff.engine.games.appenzell.data import Square
from howff.engine.games.appenzell.moves import EndTurn, Enter, Move, Push, Run, Uncover
from howff.engine.games.appenzell.state import State
from howff.engine.seats import Seat

_PLAIN: Final[Mapping[type, int]] = {Enter: 3, EndTurn: 0, Push: -1, Uncover: -1, Run: -2}
"""What moves count that serve no plan: another mouse may be of use, other things cost actions."""
_FEAR: Final = (12, 25, 90)
"""What it counts to bring a mouse into danger or out of it, after so many lost ones."""


def weigh(state: State, seat: Seat, moves: tuple[Move, ...]) -> list[int]:
    """Return how good each of *moves* looks."""
    if state.stage == "placement":
        return [0] * len(moves)
    steps = _steps(state, seat)
    pushes = {} if state.has_pushed else worth_of_pushes(state, seat)
    fear, danger = _FEAR[state.players[seat].trapped], squares_in_danger(state)
    weights: list[int] = []
    for move in moves:
        weight = _PLAIN[type(move)] + steps.get(move, 0)
        if isinstance(move, Push):
            weight += pushes.get(move.slot, 0)
        elif isinstance(move, Run):
            weight += fear * ((move.start in danger) - (move.target in danger))
        elif isinstance(move, Enter):
            weight -= fear * (move.target in danger)
        weights.append(weight)
    return weights


def _steps(state: State, seat: Seat) -> dict[Move, int]:
    """Return what those moves count with which plans of *seat* go on."""
    worth: dict[Move, int] = {}
    castle, mice, left = castle_of(state), state.mice, state.actions_left
    plans = plans_of(state, seat, castle, places_of(state))
    needed = state.options.cheese_target - len(state.players[seat].cheese)
    for step, (cost, one, here, other, there) in zip(STEPS, plans.found[:needed], strict=False):
        gain = 4 * step + (KIND - cost if cost <= left else 0)
        for mouse, square in ((one, here), (other, there)):
            move = _begin(castle, mice, plans.ways[mouse], square)
            # A roof that is taken off with the last action goes on again at once.
            if move is not None and (left > 1 or not isinstance(move, Uncover)):
                worth[move] = worth.get(move, 0) + gain
    return worth


def _begin(castle: Castle, mice: AbstractSet[Square], ways: Ways, square: int) -> Move | None:
    """Return the first move on the way to *square*: over the mice that stand in it."""
    move = ways.begins[square]
    if isinstance(move, Run):
        passed = move.target
    elif isinstance(move, Enter):
        passed = move.tower
    else:
        return move
    if passed not in mice:
        return move
    onward = _begin(castle, mice, castle.ways(AT[passed]), square)
    if not isinstance(onward, Run):
        return onward
    run_on = onward.target
    return Run(move.start, run_on) if isinstance(move, Run) else Enter(move.tower, run_on)
