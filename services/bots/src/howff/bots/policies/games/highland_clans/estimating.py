"""What a state promises each seat, in the middle of a turn too."""

from typing import Final

from howff.bots.policies.games.highland_clans.actions import weigh_actions
from howff.bots.policies.games.highland_clans.raids import (
    expected_of,
    pips_of,
    raid_gain,
    with_spoils,
)
from howff.bots.policies.games.highland_clans.standing import pip_of, standing_of
from howff.engine.games.highland_clans.legality import legal_moves
from howff.engine.games.highland_clans.state import Board, State, Turn
from howff.engine.seats import Seat

_RAID: Final = 220
"""What a raid brings on the average to who chooses it well."""


def estimate(state: State) -> list[int]:
    """Return what each seat has and may expect, in hundredths of points."""
    boards = tuple(player.board for player in state.players)
    pip = pip_of(standing_of(boards).later)
    values = [
        value + pip * pips_of(state, Seat(seat)) // 100
        for seat, value in enumerate(_on_boards(state, boards))
    ]
    for seat, gain in enumerate(_to_come(state, boards)):
        values[seat] += gain
    return values


def _on_boards(state: State, boards: tuple[Board, ...]) -> list[int]:
    raid = state.raid
    if raid is None or state.stage == "refresh":
        return standing_of(boards).values()
    if state.stage == "spoils":
        return with_spoils(boards, raid.attacker, raid.defender).values()
    return expected_of(state, boards, raid)


def _to_come(state: State, boards: tuple[Board, ...]) -> list[int]:
    """Return what the turns of this round that have not ended should bring to each seat.

    Without it ending a turn would seem to be a mistake, since another begins. The turn under way is
    worth what can be done in it, once the cubes for it have been drawn.
    """
    turn = state.turn
    if turn is None or state.start_seat is None:
        return [0] * state.seats
    gains = [0] * state.seats
    later = standing_of(boards).later
    for position in range(turn.position, state.seats + 1):
        seat = (state.start_seat + position - 1) % state.seats
        is_last = position == state.seats
        gains[seat] = _RAID + (240 + 14 * later if is_last else 280 + 16 * later)
    if state.stage != "redraw":
        gains[turn.seat] = _rest_of_turn(state, boards, turn)
    return gains


def _rest_of_turn(state: State, boards: tuple[Board, ...], turn: Turn) -> int:
    """Return what is left to gain in a turn under way; a raid that is begun counts elsewhere."""
    if state.raid is not None:
        return 0
    gain = 0
    if state.stage == "actions":
        gain = max(weigh_actions(state, turn.seat, legal_moves(state, turn.seat)))
    targets = (Seat(seat) for seat in range(state.seats) if seat != turn.seat)
    raid = max(raid_gain(state, boards, turn.seat, target) for target in targets)
    return (max(gain, 0) + max(raid, 0)) // (state.seats - 1)
