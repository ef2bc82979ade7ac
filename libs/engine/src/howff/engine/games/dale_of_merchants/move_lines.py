"""What a seat reads of its moves in Dale of Merchants: a line each, and no two of them alike."""

from typing import assert_never

from howff.engine.game import Names
from howff.engine.games.dale_of_merchants.card_names import card_name, held_name, value_used
from howff.engine.games.dale_of_merchants.copying import changed_value
from howff.engine.games.dale_of_merchants.data import CARDS, SURCHARGES, Card, Cards
from howff.engine.games.dale_of_merchants.moves import (
    AddFromDiscard,
    AddToStack,
    ChooseOpponent,
    ChooseSecretCard,
    ChooseVictims,
    CopyCookies,
    DeclineBonus,
    DeclineExtraStack,
    DiscardCard,
    DiscardNext,
    FinishInventory,
    FinishPayment,
    FinishStack,
    FinishThrowing,
    GiveBack,
    GuessValue,
    KeepCard,
    Move,
    PayCard,
    PlaceOnDeck,
    PlayTechnique,
    ReturnCard,
    RollDie,
    SetValue,
    SkipCookies,
    StartInventory,
    StartPurchase,
    StartStack,
    SwapWithMarket,
    SwapWithStall,
    TakeFromDiscard,
    TakeMarketCard,
    ThrowFromDiscard,
    ThrowFromMarketDeck,
    ThrowHandCard,
    ThrowLookedCard,
    ThrowMarketCard,
    ThrowPaidJunk,
)
from howff.engine.games.dale_of_merchants.state import HandCard, InPlay, PurchaseTarget, Turn
from howff.engine.games.dale_of_merchants.view import View
from howff.engine.seats import Seat
from howff.engine.words import listed


def move_line(  # noqa: C901, PLR0911, PLR0912, PLR0915
    view: View, seat: Seat, move: Move, names: Names
) -> str:
    """Return what *seat* does with *move*, to be read behind its name."""
    match move:
        case StartPurchase(target):
            return _purchase(view, target)
        case PlayTechnique(card, copy_of):
            return f"plays {_used(view, card, copy_of)}"
        case StartStack():
            return f"begins stack {len(view.players[seat].stall) + 1} of the stall"
        case StartInventory():
            return "takes inventory, to discard any cards"
        case RollDie(card, copy_of):
            return f"rolls the die for {_used(view, card, copy_of)}"
        case ThrowFromMarketDeck(card, _, copy_of):
            with_card = _used(view, card, copy_of)
            return f"throws away the top card of the market deck with {with_card}"
        case DeclineBonus():
            return "does no bonus action"
        case PayCard(card, copy_of):
            return f"pays {_value(view, card, copy_of)} with {_used(view, card, copy_of)}"
        case FinishPayment():
            return "pays no more"
        case ThrowPaidJunk(position):
            paid = tuple(pick.card.card for pick in _turn(view).paid)
            place = f"number {position + 1}"
            return f"throws away {_numbered(paid, position, place)} of the payment"
        case FinishThrowing():
            return "throws away no more of the payment"
        case AddToStack(card, copy_of):
            used = _used(view, card, copy_of)
            return f"adds {_value(view, card, copy_of)} to the stack with {used}"
        case AddFromDiscard(position):
            card = view.players[seat].discard_pile[position]
            value = changed_value(_turn(view), card)
            return f"adds {value} to the stack with {_found(view, seat, position)}"
        case FinishStack():
            return "places the stack as it is"
        case DeclineExtraStack():
            return "builds no extra stack"
        case DiscardCard(held) | DiscardNext(held):
            return f"discards {_held(view, held)}"
        case FinishInventory():
            return "ends the inventory"
        case CopyCookies(held):
            return f"lets {_held(view, held)} count as Cookies"
        case SkipCookies(held):
            return f"does not let {_held(view, held)} count as Cookies"
        case ThrowHandCard(held):
            return f"throws away {_held(view, held)}"
        case KeepCard(card):
            return f"takes {card_name(card)} into the hand"
        case ReturnCard(card):
            return f"puts {card_name(card)} back on top of the deck"
        case ThrowLookedCard(card):
            return f"throws away {card_name(card)}"
        case ThrowMarketCard(slot):
            return f"throws away {_in_slot(view, slot)}"
        case TakeMarketCard(slot):
            return f"takes {_in_slot(view, slot)}"
        case ChooseVictims(()):
            return "lets nobody discard a card"
        case ChooseVictims(seats):
            return f"lets {listed([names[each] for each in seats])} discard a card at random"
        case PlaceOnDeck(held, other):
            return f"puts {_held(view, held)} on top of the deck of {names[other]}"
        case ChooseOpponent(other):
            return f"chooses {names[other]} for {card_name(_in_play(view).effect)}"
        case GiveBack(held):
            return f"gives {_held(view, held)} back"
        case TakeFromDiscard(other):
            top = card_name(view.players[other].discard_pile[-1])
            return f"takes {top} from the discard pile of {names[other]}"
        case SwapWithStall(other, stack, card):
            own = card_name(_in_play(view).card)
            return f"swaps {own} for {card_name(card)} in stack {stack + 1} of {names[other]}"
        case ThrowFromDiscard(position):
            return f"throws away {_found(view, seat, position)}"
        case ChooseSecretCard(card, copy_of):
            used = _used(view, card, copy_of)
            return f"secretly chooses {used}, worth {_value(view, card, copy_of)}"
        case GuessValue(value):
            return f"guesses a value of {value}"
        case SetValue(value):
            return f"sets the value of the card to {value}"
        case SwapWithMarket(slot):
            return f"swaps {card_name(_in_play(view).card)} for {_in_slot(view, slot)}"
        case _:
            assert_never(move)


def _purchase(view: View, target: PurchaseTarget) -> str:
    if target == "discard":
        card = view.market.discard_pile[-1]
        price = CARDS[card].value
        return f"wants {card_name(card)} from the market's discard pile, for {price}"
    card = _card_in(view, target)
    return f"wants {card_name(card)}, for {CARDS[card].value + SURCHARGES[target]}"


def _used(view: View, card: HandCard, copy_of: HandCard | None) -> str:
    copied = "" if copy_of is None else f" as {_held(view, copy_of)}"
    return f"{_held(view, card)}{copied}"


def _value(view: View, card: HandCard, copy_of: HandCard | None) -> int:
    return value_used(_turn(view), card, copy_of)


def _held(view: View, held: HandCard) -> str:
    return held_name(_turn(view), held, view.hand or ())


def _in_slot(view: View, slot: int) -> str:
    return f"{card_name(_card_in(view, slot))} from slot {slot + 1} of the market"


def _card_in(view: View, slot: int) -> Card:
    card = view.market.slots[slot]
    assert card is not None, "the slot is not empty"
    return card


def _found(view: View, seat: Seat, position: int) -> str:
    pile = view.players[seat].discard_pile
    place = f"number {len(pile) - position} from the top"
    return f"{_numbered(pile, position, place)} of the discard pile"


def _numbered(cards: Cards, position: int, place: str) -> str:
    """Return the card at *position*, with its *place* if there are others like it."""
    name = card_name(cards[position])
    return name if cards.count(cards[position]) == 1 else f"{name}, {place}"


def _turn(view: View) -> Turn:
    assert view.turn is not None, "moves are made in a turn"
    return view.turn


def _in_play(view: View) -> InPlay:
    in_play = _turn(view).in_play
    assert in_play is not None, "a technique is in play"
    return in_play
