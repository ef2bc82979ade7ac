"""Decisions that are no choice: they are taken at once, unless that would tell of a hand."""

from itertools import islice
from typing import Final

from howff.engine.games.dale_of_merchants.legality import moves_at
from howff.engine.games.dale_of_merchants.moves import Move
from howff.engine.games.dale_of_merchants.stages import Stage, stage_of, to_act
from howff.engine.games.dale_of_merchants.state import State

_ALWAYS_ASKED: Final[frozenset[Stage]] = frozenset(
    {"choose_action", "choose_bonus_action", "guess_value", "choose_secret_card"}
)
_ABOUT_THE_HAND: Final[frozenset[Stage]] = frozenset(
    {"throw_hand_card", "place_on_deck", "give_back"}
)
_ABOUT_CARDS_LOOKED_AT: Final[frozenset[Stage]] = frozenset({"keep_card", "return_card"})


def forced_move(state: State) -> tuple[Move, ...]:
    """Return the one move that is left where nothing is to be chosen, else none."""
    for seat in to_act(state):
        stage = stage_of(state)
        if not _is_asked(state, stage):
            moves = tuple(islice(moves_at(state, stage, seat), 2))
            if len(moves) == 1 or (stage == "throw_market_card" and _is_market_alike(state)):
                return moves[:1]
    return ()


def _is_asked(state: State, stage: Stage) -> bool:
    """Return whether a decision is asked even if there is one move only.

    Two or more hidden cards that are alike, counted, must not be told by an automatic step.
    """
    assert state.turn is not None, "a decision is part of a turn"
    hand = state.players[state.turn.seat].hand
    if stage in _ABOUT_THE_HAND:
        return len(hand) > 1
    if stage in _ABOUT_CARDS_LOOKED_AT:
        return len(state.private.looked_at) > 1
    if stage == "choose_extra_stack":
        return bool(hand)
    return stage in _ALWAYS_ASKED


def _is_market_alike(state: State) -> bool:
    return len({card for card in state.market.slots if card is not None}) == 1
