"""What a state promises each seat, in eighths of an action that it is ahead."""

from collections.abc import Sequence
from typing import Final

from howff.bots.policies.games.appenzell.danger import squares_in_danger
from howff.bots.policies.games.appenzell.plans import STEPS, Plan, places_of, plans_of
from howff.bots.policies.games.appenzell.pushing import KIND
from howff.bots.policies.games.appenzell.ways import FAR, castle_of
from howff.engine.games.appenzell.state import State
from howff.engine.seats import Seat

_ACTION: Final = 5
"""What an action counts that the active seat still has: less than one that serves a plan."""
_LOST: Final = (0, 50, 150, 1000, 1000)
"""What so many lost mice count."""
_OWN_DANGER: Final = (10, 20, 60, 0)
"""What a mouse in danger counts to the active seat, which may run, after so many lost ones."""
_DANGER: Final = (35, 60, 300, 0)
"""What it counts to the others."""


def estimate(state: State) -> list[int]:
    """Return what *state* promises each seat."""
    seats = [Seat(each) for each in range(state.seats)]
    if state.stage != "turn":
        return [_had(state, seat) for seat in seats]
    castle, places, danger = castle_of(state), places_of(state), squares_in_danger(state)
    return [
        _had(state, seat)
        + _tempo(state, seat)
        - _to_go(state, seat, plans_of(state, seat, castle, places).found)
        - _fear(state, seat, sum(square in danger for square in state.players[seat].mice))
        for seat in seats
    ]


def _had(state: State, seat: Seat) -> int:
    player = state.players[seat]
    return KIND * len(player.cheese) - _LOST[player.trapped]


def _tempo(state: State, seat: Seat) -> int:
    return _ACTION * state.actions_left if seat == state.active else 0


def _to_go(state: State, seat: Seat, plans: Sequence[Plan]) -> int:
    """Return what is still to do for the kinds that *seat* needs."""
    needed = state.options.cheese_target - len(state.players[seat].cheese)
    costs = [plan[0] for plan in plans[:needed]] or [2 * FAR] * needed
    return sum(step * cost for step, cost in zip(STEPS, costs, strict=False))


def _fear(state: State, seat: Seat, threatened: int) -> int:
    table = _OWN_DANGER if seat == state.active else _DANGER
    return table[min(state.players[seat].trapped, 3)] * threatened
