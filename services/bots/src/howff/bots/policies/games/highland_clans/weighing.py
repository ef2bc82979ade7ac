"""How good moves look at a glance."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from howff.bots.policies.games.highland_clans.actions import weigh_actions, weigh_redraws
from howff.bots.policies.games.highland_clans.raids import (
    raid_gain,
    robbed,
    weigh_commitments,
)
from howff.bots.policies.games.highland_clans.standing import pip_of, standing_of
from howff.engine.games.highland_clans.moves import (
    DiscardCards,
    ExchangeCards,
    Move,
    Raid,
    TakeSpoils,
)
from howff.engine.games.highland_clans.state import Stage, State
from howff.engine.seats import Seat

_MEAN: Final = 233


def weigh(state: State, seat: Seat, moves: tuple[Move, ...]) -> Sequence[int]:
    """Return by how much each of the *moves* improves the lead of *seat*, in one unit a stage."""
    return _WEIGHERS[state.stage](state, seat, moves)


def _weigh_raids(state: State, seat: Seat, moves: Sequence[Move]) -> list[int]:
    boards = tuple(player.board for player in state.players)
    pips = pip_of(standing_of(boards).later) * (state.seats - 1)
    weights: list[int] = []
    for move in moves:
        match move:
            case Raid(target):
                weights.append(raid_gain(state, boards, seat, target))
            case ExchangeCards(cards):
                weights.append(pips * (_MEAN * len(cards) - 100 * sum(cards)) // 100)
            case _:
                weights.append(0)
    return weights


def _weigh_spoils(state: State, seat: Seat, moves: Sequence[TakeSpoils]) -> list[int]:
    raid = state.raid
    assert raid is not None, "spoils are taken in a raid"
    standing = standing_of(tuple(player.board for player in state.players))
    is_room = state.players[seat].board.free_estates > 0
    return [
        (
            standing
            if move.kind == "none"
            else robbed(standing, seat, raid.defender, move.kind, is_room=is_room)
        ).lead(seat)
        for move in moves
    ]


def _weigh_discards(_: State, __: Seat, moves: Sequence[DiscardCards]) -> list[int]:
    return [-sum(move.cards) for move in moves]


_WEIGHERS: Final[dict[Stage, Callable[[State, Seat, Any], Sequence[int]]]] = {
    "redraw": weigh_redraws,
    "actions": weigh_actions,
    "hand_limit": _weigh_discards,
    "raid_or_exchange": _weigh_raids,
    "attacker_commit": weigh_commitments,
    "defender_commit": weigh_commitments,
    "spoils": _weigh_spoils,
    "refresh": _weigh_discards,
}
