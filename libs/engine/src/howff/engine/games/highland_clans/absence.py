"""What an absent seat does in Highland Clans: sensible, peaceful, and without luck."""

from typing import Final

from howff.engine.games.highland_clans.moves import (
    AcquireEstate,
    BuildCastle,
    BuildMonastery,
    CommitCard,
    DiscardCards,
    EndActions,
    EndTurn,
    KeepCubes,
    Move,
    PlaceCattle,
    PlayBard,
    RecruitBagpiper,
    RecruitMonks,
    RecruitWarrior,
    TakeSpoils,
)
from howff.engine.games.highland_clans.view import View

_PREFERRED: Final = (
    KeepCubes,
    EndActions,
    EndTurn,
    PlaceCattle,
    BuildMonastery,
    BuildCastle,
    RecruitMonks,
    RecruitBagpiper,
    RecruitWarrior,
    AcquireEstate,
    PlayBard,
    TakeSpoils,
    DiscardCards,
)


def default_move(view: View, moves: tuple[Move, ...]) -> Move:
    """Return the move of a seat that is away: one action for itself, and no raid.

    It defends with its best cards, keeps its bagpipers, and parts with its lowest cards.
    """
    del view
    for kind in _PREFERRED:
        for move in moves:
            if isinstance(move, kind):
                return move
    return max(moves, key=_strength)


def _strength(move: Move) -> int:
    """Return the strength of a card to commit without a bagpiper."""
    return move.value if isinstance(move, CommitCard) and not move.bagpiper else 0
