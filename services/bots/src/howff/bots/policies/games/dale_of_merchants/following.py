"""How good the choices look that follow from an action."""

from howff.bots.policies.games.dale_of_merchants.actions import Position, actions_of, position_of
from howff.bots.policies.games.dale_of_merchants.hands import plain_ways, ways_of
from howff.bots.policies.games.dale_of_merchants.holdings import VALUE_OF, promise, without_cards
from howff.bots.policies.games.dale_of_merchants.techniques import (
    at_rest,
    best,
    gained,
    held,
    lost,
)
from howff.engine.games.dale_of_merchants.data import JUNK, Card
from howff.engine.games.dale_of_merchants.moves import (
    ChooseOpponent,
    ChooseSecretCard,
    ChooseVictims,
    CopyCookies,
    DiscardCard,
    FinishInventory,
    FinishThrowing,
    GiveBack,
    GuessValue,
    KeepCard,
    Move,
    PlaceOnDeck,
    ReturnCard,
    SetValue,
    SwapWithMarket,
    SwapWithStall,
    TakeFromDiscard,
    TakeMarketCard,
    ThrowFromDiscard,
    ThrowHandCard,
    ThrowLookedCard,
    ThrowPaidJunk,
)
from howff.engine.games.dale_of_merchants.state import HandCard, State, Turn
from howff.engine.seats import Seat


def followed_up(state: State, seat: Seat, moves: tuple[Move, ...]) -> list[int]:
    """Return how good each of these moves looks, compared with the others."""
    position = position_of(state, seat)
    return [_worth(state, seat, position, move) for move in moves]


def _worth(  # noqa: C901, PLR0911, PLR0912
    state: State, seat: Seat, position: Position, move: Move
) -> int:
    match move:
        case ThrowPaidJunk():
            return promise(without_cards(position.owned, (JUNK,)), position.number)
        case FinishThrowing():
            return promise(position.owned, position.number)
        case DiscardCard(card):
            return actions_of(position.without(ways_of(state, seat, card))).inventory
        case FinishInventory():
            return at_rest(position)
        case ThrowHandCard(card) | GiveBack(card):
            return best(lost(position, ways_of(state, seat, card)))
        case PlaceOnDeck(card, other):
            return best(lost(position, ways_of(state, seat, card))) + _danger(state, other)
        case KeepCard(looked_at):
            return _kept(state, position, looked_at)
        case ReturnCard(looked_at) | ThrowLookedCard(looked_at):
            return _let_go(state, looked_at)
        case TakeMarketCard(slot):
            return at_rest(gained(position, state.market.slots[slot] or JUNK))
        case SwapWithMarket(slot):
            return best(gained(_given(state, position), state.market.slots[slot] or JUNK))
        case SwapWithStall(_, _, stacked):
            return best(gained(_given(state, position), stacked))
        case TakeFromDiscard(other):
            return at_rest(gained(position, state.players[other].discard_pile[-1]))
        case ThrowFromDiscard(at):
            thrown = state.players[seat].discard_pile[at]
            return promise(without_cards(position.owned, (thrown,)), position.number)
        case ChooseOpponent(other):
            return _danger(state, other) + 10 * bool(state.players[other].hand)
        case ChooseVictims(others):
            return sum(_danger(state, other) for other in others)
        case ChooseSecretCard(card):
            return max(_with_value(state, seat, position, card, value) for value in range(1, 6))
        case GuessValue(value):
            return _frequency(state, value)
        case SetValue(value):
            return _with_value(state, seat, position, _secret_card(state), value)
        case CopyCookies():
            return 1
        case _:
            return 0


def _danger(state: State, seat: Seat) -> int:
    """Return how far another seat is, as one to be held back."""
    return 1 + len(state.players[seat].stall)


def _kept(state: State, position: Position, card: Card) -> int:
    if _effect(state) == "special_offer":
        return at_rest(gained(position, card))
    return best(held(position, card))


def _let_go(state: State, card: Card) -> int:
    """Return how gladly a card is put back first, or thrown away."""
    if _effect(state) == "spyglass":
        return -VALUE_OF[card]
    return 0 if card == JUNK else VALUE_OF[card]


def _given(state: State, position: Position) -> Position:
    """Return the position without the card in play, which changes its place for good."""
    in_play = turn_of(state).in_play
    assert in_play is not None, "a technique swaps"
    return position._replace(owned=without_cards(position.owned, (in_play.card,)))


def _with_value(state: State, seat: Seat, position: Position, card: HandCard, value: int) -> int:
    ways = ways_of(state, seat, card)
    if ways not in position.hand:
        return 0
    changed = tuple(piece._replace(value=value) for piece in ways)
    hand = (*position.without(ways).hand, changed)
    return best(position._replace(hand=tuple(sorted(hand))))


def _frequency(state: State, value: int) -> int:
    """Return how many cards of such a value the seat holds whose secret is guessed."""
    hand = state.players[turn_of(state).seat].hand
    return sum(plain_ways(held.current)[0].value == value for held in hand)


def _secret_card(state: State) -> HandCard:
    assert state.private.secret is not None, "a card was chosen"
    return state.private.secret.as_bound


def _effect(state: State) -> Card | None:
    in_play = turn_of(state).in_play
    return None if in_play is None else in_play.effect


def turn_of(state: State) -> Turn:
    """Return the turn in which somebody decides."""
    assert state.turn is not None, "somebody decides"
    return state.turn
