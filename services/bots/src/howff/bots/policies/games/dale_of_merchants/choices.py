"""How good the moves of each stage look to a seat."""

from typing import Final

from howff.bots.policies.games.dale_of_merchants.actions import (
    Actions,
    Position,
    actions_of,
    payments,
    position_of,
    stacks,
)
from howff.bots.policies.games.dale_of_merchants.following import followed_up, turn_of
from howff.bots.policies.games.dale_of_merchants.hands import (
    Piece,
    Split,
    ways_of,
)
from howff.bots.policies.games.dale_of_merchants.holdings import TURN, VALUE_OF, promise
from howff.bots.policies.games.dale_of_merchants.techniques import at_rest, technique
from howff.engine.games.dale_of_merchants.data import STACKS
from howff.engine.games.dale_of_merchants.moves import (
    AddFromDiscard,
    AddToStack,
    Move,
    PayCard,
    PlayTechnique,
    RollDie,
    StartInventory,
    StartPurchase,
    StartStack,
    ThrowFromMarketDeck,
)
from howff.engine.games.dale_of_merchants.stages import stage_of
from howff.engine.games.dale_of_merchants.state import Pick, State
from howff.engine.seats import Seat

Moves = tuple[Move, ...]
_NEVER: Final = -100 * TURN
_WON: Final = 100 * TURN
_ROLLED: Final = 10
"""The worth of rolling for a Bold Haggler that is not needed as it is."""


def weigh(state: State, seat: Seat, moves: Moves) -> list[int]:
    """Return in hundredths of a turn what each of the moves leads to."""
    match stage_of(state):
        case "choose_action" | "choose_bonus_action" | "choose_extra_stack":
            return _actions(state, seat, moves)
        case "pay":
            return _payment(state, seat, moves)
        case "build":
            return _build(state, seat, moves)
        case _:
            return followed_up(state, seat, moves)


def _actions(state: State, seat: Seat, moves: Moves) -> list[int]:
    position = position_of(state, seat)
    actions = actions_of(position)
    return [_action(state, seat, (position, actions), move) for move in moves]


def _action(  # noqa: PLR0911
    state: State, seat: Seat, known: tuple[Position, Actions], move: Move
) -> int:
    position, actions = known
    match move:
        case StartPurchase(target):
            return actions.purchases.get(target, _NEVER)
        case PlayTechnique(card, copy_of):
            effect = (copy_of or card).current
            return technique(state, seat, effect, position.without(ways_of(state, seat, card)))
        case StartStack():
            return _stack(position, actions)
        case StartInventory():
            return actions.inventory
        case RollDie():
            is_needed = actions.stack == actions.best
            return actions.best + (-_ROLLED if is_needed else _ROLLED)
        case ThrowFromMarketDeck():
            return actions.best - 1
        case _:
            return at_rest(position)


def _stack(position: Position, actions: Actions) -> int:
    if position.number == STACKS:
        return _WON
    if actions.stack is None:
        # Only with cards of the discard pile, which are not looked at.
        return promise(position.owned, position.number + 1)
    return actions.stack


def _payment(state: State, seat: Seat, moves: Moves) -> list[int]:
    position, payment = position_of(state, seat), turn_of(state).payment
    assert payment is not None, "something is paid for"
    paying = payments(position, payment.card, payment.price)
    return _picking(paying, payment.picks, moves)


def _build(state: State, seat: Seat, moves: Moves) -> list[int]:
    position, build = position_of(state, seat), turn_of(state).build
    assert build is not None, "a stack is built"
    weights = _picking(stacks(position), build.picks, moves)
    pile = state.players[seat].discard_pile
    for at, move in enumerate(moves):
        if isinstance(move, AddFromDiscard):
            weights[at] = _NEVER + TURN - VALUE_OF[pile[move.position]]
    return weights


def _picking(
    ways: tuple[tuple[int, Split], ...], picks: tuple[Pick, ...], moves: Moves
) -> list[int]:
    """Return the best worth that can come of each pick, or of no more of them."""
    picked = [Piece(pick.card.card, pick.used_as, pick.value) for pick in picks]
    left = [
        (worth, more)
        for worth, split in ways
        if (more := _without_all(split.used, picked)) is not None
    ]
    return [_pick(left, move) for move in moves]


def _pick(left: list[tuple[int, list[Piece]]], move: Move) -> int:
    if isinstance(move, PayCard | AddToStack):
        used_as = (move.copy_of or move.card).current
        worths = [
            worth
            for worth, more in left
            if any(piece.used_as == used_as and piece.card == move.card.card for piece in more)
        ]
        return max(worths, default=_NEVER - VALUE_OF[used_as])
    return max((worth for worth, more in left if not more), default=_NEVER)


def _without_all(used: tuple[Piece, ...], picked: list[Piece]) -> list[Piece] | None:
    left = list(used)
    for piece in picked:
        if piece not in left:
            return None
        left.remove(piece)
    return left
