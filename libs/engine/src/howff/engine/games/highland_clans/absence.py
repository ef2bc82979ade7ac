"""What an absent seat does in Highland Clans: sensible, peaceful, and without luck."""

from typing import Final

from howff.engine.games.highland_clans.moves import (
    BuildCastle,
    BuildMonastery,
    CommitCard,
    EndActions,
    EndTurn,
    KeepCubes,
    Move,
    PlaceCattle,
    RecruitBagpiper,
    RecruitMonks,
    RecruitWarrior,
    TakeSpoils,
)
from howff.engine.games.highland_clans.view import View

_PREFERRED: Final[tuple[Move, ...]] = (
    KeepCubes(),
    EndActions(),
    EndTurn(),
    PlaceCattle(),
    BuildMonastery(),
    BuildCastle(),
    RecruitMonks(2),
    RecruitMonks(1),
    RecruitBagpiper(),
    RecruitWarrior(),
)


def default_move(view: View, moves: tuple[Move, ...]) -> Move:
    """Return the move of a seat that is away: one action for its own good, and no raid.

    In a raid it lays down its best cards, keeps its bagpipers, and takes only what it has room for.
    It parts with its lowest cards.
    """
    for move in _PREFERRED:
        if move in moves:
            return move
    return max(moves, key=lambda move: _worth(view, move))


def _worth(view: View, move: Move) -> int:
    """Return how good *move* is; of equal moves the first is meant, with the lowest cards."""
    match move:
        case CommitCard(value, bagpiper):
            return 0 if bagpiper else value
        case TakeSpoils("cattle"):
            has_room = view.seat is not None and view.players[view.seat].board.free_estates > 0
            return 2 if has_room else 0
        case TakeSpoils("none"):
            return 1
        case _:
            return 0
