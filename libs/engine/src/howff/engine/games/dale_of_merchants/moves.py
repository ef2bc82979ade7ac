"""What a seat may do in Dale of Merchants."""

from dataclasses import dataclass
from typing import Literal

from howff.engine.games.dale_of_merchants.data import Card
from howff.engine.games.dale_of_merchants.state import HandCard, PurchaseTarget
from howff.engine.seats import Seat


@dataclass(frozen=True, slots=True)
class StartPurchase:
    """Begin to pay for a card of the market."""

    target: PurchaseTarget


@dataclass(frozen=True, slots=True)
class PlayTechnique:
    """Play a technique, or a copier as a copy of one."""

    card: HandCard
    copy_of: HandCard | None


@dataclass(frozen=True, slots=True)
class StartStack:
    """Begin to put the next stack of the stall together."""


@dataclass(frozen=True, slots=True)
class StartInventory:
    """Begin to discard cards."""


@dataclass(frozen=True, slots=True)
class RollDie:
    """Roll the die for a Bold Haggler, or for a copy of one."""

    card: HandCard
    copy_of: HandCard | None


@dataclass(frozen=True, slots=True)
class ThrowFromMarketDeck:
    """Throw away the top card of the market deck with the ability of a hand card."""

    card: HandCard
    ability: Literal["market_discovery", "good_old_times"]
    copy_of: HandCard | None


@dataclass(frozen=True, slots=True)
class DeclineBonus:
    """Do no bonus action."""


@dataclass(frozen=True, slots=True)
class PayCard:
    """Pick a card for the payment."""

    card: HandCard
    copy_of: HandCard | None


@dataclass(frozen=True, slots=True)
class FinishPayment:
    """Pay with what is picked."""


@dataclass(frozen=True, slots=True)
class ThrowPaidJunk:
    """Throw away junk that was paid; positions count from 0 in the payment."""

    position: int


@dataclass(frozen=True, slots=True)
class FinishThrowing:
    """Throw away no more of the payment."""


@dataclass(frozen=True, slots=True)
class AddToStack:
    """Pick a card of the hand for the stack."""

    card: HandCard
    copy_of: HandCard | None


@dataclass(frozen=True, slots=True)
class AddFromDiscard:
    """Pick a card of the own discard pile for the stack; positions count from the bottom."""

    position: int


@dataclass(frozen=True, slots=True)
class FinishStack:
    """Place the stack."""


@dataclass(frozen=True, slots=True)
class DeclineExtraStack:
    """Build no extra stack."""


@dataclass(frozen=True, slots=True)
class DiscardCard:
    """Discard a card of the hand, as the action of the turn."""

    card: HandCard


@dataclass(frozen=True, slots=True)
class FinishInventory:
    """Discard no more cards."""


@dataclass(frozen=True, slots=True)
class CopyCookies:
    """Let a copier count as Cookies."""

    card: HandCard


@dataclass(frozen=True, slots=True)
class SkipCookies:
    """Let a copier, and those like it, not count as Cookies in this clean-up."""

    card: HandCard


@dataclass(frozen=True, slots=True)
class DiscardNext:
    """Discard a card, as all of the hand must go."""

    card: HandCard


@dataclass(frozen=True, slots=True)
class ThrowHandCard:
    """Throw away a card of the hand."""

    card: HandCard


@dataclass(frozen=True, slots=True)
class KeepCard:
    """Take one of the cards looked at into the hand."""

    card: Card


@dataclass(frozen=True, slots=True)
class ReturnCard:
    """Put one of the cards looked at back on top of the deck."""

    card: Card


@dataclass(frozen=True, slots=True)
class ThrowLookedCard:
    """Throw away one of the cards looked at."""

    card: Card


@dataclass(frozen=True, slots=True)
class ThrowMarketCard:
    """Throw away a card of the market."""

    slot: int


@dataclass(frozen=True, slots=True)
class TakeMarketCard:
    """Take a card of the market into the hand."""

    slot: int


@dataclass(frozen=True, slots=True)
class ChooseVictims:
    """Choose who has to discard a card."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class PlaceOnDeck:
    """Put a card of the hand on top of another seat's deck."""

    card: HandCard
    seat: Seat


@dataclass(frozen=True, slots=True)
class ChooseOpponent:
    """Choose whom a technique is for."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GiveBack:
    """Give a card of the hand to the opponent."""

    card: HandCard


@dataclass(frozen=True, slots=True)
class TakeFromDiscard:
    """Take the top card of another seat's discard pile."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SwapWithStall:
    """Put the played card in the place of a card in another seat's stall, and take that."""

    seat: Seat
    stack: int
    card: Card


@dataclass(frozen=True, slots=True)
class ThrowFromDiscard:
    """Throw away a card of the own discard pile; positions count from the bottom."""

    position: int


@dataclass(frozen=True, slots=True)
class ChooseSecretCard:
    """Choose a card of the hand whose value is to be guessed."""

    card: HandCard
    copy_of: HandCard | None


@dataclass(frozen=True, slots=True)
class GuessValue:
    """Guess the value of the secret card."""

    value: int


@dataclass(frozen=True, slots=True)
class SetValue:
    """Set the value of a card that was not guessed."""

    value: int


@dataclass(frozen=True, slots=True)
class SwapWithMarket:
    """Put the played card in a slot of the market, and take the card there."""

    slot: int


Move = (
    StartPurchase
    | PlayTechnique
    | StartStack
    | StartInventory
    | RollDie
    | ThrowFromMarketDeck
    | DeclineBonus
    | PayCard
    | FinishPayment
    | ThrowPaidJunk
    | FinishThrowing
    | AddToStack
    | AddFromDiscard
    | FinishStack
    | DeclineExtraStack
    | DiscardCard
    | FinishInventory
    | CopyCookies
    | SkipCookies
    | DiscardNext
    | ThrowHandCard
    | KeepCard
    | ReturnCard
    | ThrowLookedCard
    | ThrowMarketCard
    | TakeMarketCard
    | ChooseVictims
    | PlaceOnDeck
    | ChooseOpponent
    | GiveBack
    | TakeFromDiscard
    | SwapWithStall
    | ThrowFromDiscard
    | ChooseSecretCard
    | GuessValue
    | SetValue
    | SwapWithMarket
)
