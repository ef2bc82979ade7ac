"""What happens in a match of Dale of Merchants, with who may know which field.

Hidden cards, and cards of a hand that were shown, are told for a moment only: what one has seen one
must keep in mind. Whatever lies open on a pile or in a stall stays public.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from howff.engine.games.dale_of_merchants.data import Card, Cards, SetId
from howff.engine.games.dale_of_merchants.state import (
    Ability,
    Change,
    EndReason,
    Hand,
    HandCard,
    Options,
    PurchaseTarget,
)
from howff.engine.seats import Seat
from howff.engine.visibility import hidden, momentary, secret_to

DiscardCause = Literal[
    "purchase", "inventory", "swift_broker", "whirligig", "nuisance", "sabotage", "blindfold"
]
"""Why cards are discarded."""
ThrowSource = Literal[
    "hand", "payment", "market", "market_deck", "looked_at", "revealed", "discard"
]
"""Where cards are thrown away from."""
ShowCause = Literal["copy", "cookies", "ability", "secret"]
"""Why cards of a hand are shown."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A card of the market has moved from one slot to another."""

    origin: int
    to: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A card has come into a slot of the market."""

    slot: int
    card: Card


@dataclass(frozen=True, slots=True)
class Paid:
    """A card of a payment, and what it counted as if it was a copy."""

    card: HandCard
    as_type: Card | None


@dataclass(frozen=True, slots=True)
class Thrown:
    """A card that was thrown away: *at* is its slot, or its position in a payment or a pile."""

    card: HandCard
    source: ThrowSource
    at: int | None
    to: Literal["market_discard", "junk_pile"]


@dataclass(frozen=True, slots=True)
class Stacked:
    """A card of a stack; *position* is its place in the own discard pile."""

    card: HandCard
    source: Literal["hand", "discard", "revealed"]
    position: int | None


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The match begins with these *sets*."""

    seats: int
    options: Options
    sets: tuple[SetId, ...]
    first_seat: Seat


@dataclass(frozen=True, slots=True)
class CardsRemoved:
    """Cards that no seat got and that stay out of the match."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class PlayerDeckShuffled:
    """A seat has a new deck; *order* is top first."""

    seat: Seat
    reason: Literal["setup", "reshuffle", "wily_fellow"]
    count: int
    order: Annotated[Cards, hidden()]


@dataclass(frozen=True, slots=True)
class MarketDeckShuffled:
    """The market has a new deck; *order* is top first."""

    reason: Literal["setup", "reshuffle"]
    count: int
    order: Annotated[Cards, hidden()]


@dataclass(frozen=True, slots=True)
class MarketShifted:
    """Cards have slid to the right in the market."""

    moves: tuple[Shift, ...]


@dataclass(frozen=True, slots=True)
class MarketFilled:
    """Cards have come from the market deck into empty slots."""

    placements: tuple[Placement, ...]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat has drawn cards into its hand, from its own deck or from the market's."""

    seat: Seat
    deck: Literal["own", "market"]
    count: int
    cards: Annotated[Cards, secret_to("seat", momentary=True)]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat's turn begins."""

    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class PurchaseStarted:
    """A seat has begun to pay for a card."""

    seat: Seat
    target: PurchaseTarget
    card: Card
    price: int


@dataclass(frozen=True, slots=True)
class PaymentCardPicked:
    """A card of the hand is part of the payment."""

    seat: Seat
    card: HandCard
    as_type: Card | None
    copied_card: HandCard | None
    value: int


@dataclass(frozen=True, slots=True)
class CardPurchased:
    """A seat has bought a card; the payment lies open."""

    seat: Seat
    card: Card
    target: PurchaseTarget
    price: int
    paid: tuple[Paid, ...]
    total: int


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """Cards lie on the discard pile of *owner*, in this order."""

    owner: Seat
    cards: Hand
    source: Literal["hand", "payment", "looked_at"]
    cause: DiscardCause


@dataclass(frozen=True, slots=True)
class CardsThrownAway:
    """Cards lie on the market's discard pile or the junk pile, in this order."""

    seat: Seat
    cards: tuple[Thrown, ...]


@dataclass(frozen=True, slots=True)
class StackStarted:
    """A seat has begun to put its next stack together."""

    seat: Seat
    number: int


@dataclass(frozen=True, slots=True)
class StackCardPicked:
    """A card is part of the stack; *position* in the own discard pile, or None."""

    seat: Seat
    card: HandCard
    position: int | None
    as_type: Card | None
    copied_card: HandCard | None
    value: int


@dataclass(frozen=True, slots=True)
class StackBuilt:
    """A stack stands in the stall; *accordion_shift* is what its values lack."""

    seat: Seat
    number: int
    cards: tuple[Stacked, ...]
    accordion_shift: int


@dataclass(frozen=True, slots=True)
class ExtraStackGranted:
    """A seat may build extra stacks, *owed* in all."""

    seat: Seat
    owed: int


@dataclass(frozen=True, slots=True)
class ExtraStackDeclined:
    """A seat builds no extra stack."""

    seat: Seat
    owed: int


@dataclass(frozen=True, slots=True)
class InventoryStarted:
    """A seat has begun to discard cards."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class InventoryFinished:
    """A seat discards no more."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TechniquePlayed:
    """A technique lies in play; *ordinal* counts those of the turn."""

    seat: Seat
    card: HandCard
    as_type: Card | None
    copied_card: HandCard | None
    ordinal: int


@dataclass(frozen=True, slots=True)
class TechniqueResolved:
    """A technique has been carried out; *destination* is where its card lies."""

    seat: Seat
    card: Card
    destination: Literal["discard", "market", "stall"]


@dataclass(frozen=True, slots=True)
class BonusActionGranted:
    """A seat may do another action."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BonusActionDeclined:
    """A seat does no other action."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class HandCardsShown:
    """A seat has shown cards of its hand."""

    seat: Seat
    cards: Annotated[Hand, momentary()]
    cause: ShowCause


@dataclass(frozen=True, slots=True)
class CardBound:
    """A hand card is a copy for this turn, with changes and abilities taken over."""

    seat: Seat
    card: Annotated[HandCard, momentary()]
    as_type: Annotated[Card, momentary()]
    copied_card: Annotated[HandCard, momentary()]
    changes: Annotated[tuple[Change, ...], momentary()]
    used: Annotated[tuple[Ability, ...], momentary()]


@dataclass(frozen=True, slots=True)
class CookiesCopySkipped:
    """A copier is not to count as Cookies in this clean-up."""

    seat: Seat
    card: Annotated[HandCard, secret_to("seat", momentary=True)]


@dataclass(frozen=True, slots=True)
class AbilityUsed:
    """A hand card has used an ability."""

    seat: Seat
    card: Annotated[HandCard, momentary()]
    ability: Ability


@dataclass(frozen=True, slots=True)
class CardValueChanged:
    """The value of a hand card has changed."""

    seat: Seat
    card: Annotated[HandCard, momentary()]
    op: Literal["add", "set"]
    amount: int


@dataclass(frozen=True, slots=True)
class GlobalValueChanged:
    """Every card that the seat uses in this turn is worth more."""

    seat: Seat
    amount: int


@dataclass(frozen=True, slots=True)
class DieRolled:
    """The die shows *face*."""

    seat: Seat
    cause: Literal["bold_haggler", "gamble"]
    face: int


@dataclass(frozen=True, slots=True)
class OpponentChosen:
    """A technique is for another seat."""

    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class VictimsChosen:
    """Seats have to discard a card each."""

    seat: Seat
    targets: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class CardsLookedAt:
    """A seat looks at cards of a deck, top first."""

    seat: Seat
    deck: Seat | Literal["market"]
    count: int
    cards: Annotated[Cards, secret_to("seat", momentary=True)]


@dataclass(frozen=True, slots=True)
class CardKept:
    """A seat has taken one of the cards looked at into its hand."""

    seat: Seat
    card: Annotated[Card, secret_to("seat", momentary=True)]


@dataclass(frozen=True, slots=True)
class CardReturnedToDeck:
    """A card looked at lies on top of the deck again."""

    seat: Seat
    card: Annotated[Card, secret_to("seat", momentary=True)]


@dataclass(frozen=True, slots=True)
class CardPlacedOnDeck:
    """A card of a hand lies face down on top of the owner's deck."""

    seat: Seat
    owner: Seat
    card: Annotated[HandCard, secret_to("seat", momentary=True)]


@dataclass(frozen=True, slots=True)
class CardTakenFromHand:
    """A card has gone from the target's hand to the seat's."""

    seat: Seat
    target: Seat
    card: Annotated[Card, secret_to("seat", "target", momentary=True)]


@dataclass(frozen=True, slots=True)
class CardGivenBack:
    """A card has gone from the seat's hand to the target's."""

    seat: Seat
    target: Seat
    card: Annotated[HandCard, secret_to("seat", "target", momentary=True)]


@dataclass(frozen=True, slots=True)
class CardTakenFromDiscard:
    """A card has gone from the top of a discard pile into a hand."""

    seat: Seat
    owner: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class MarketCardTaken:
    """A card has gone from the market into a hand."""

    seat: Seat
    slot: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardSwappedWithMarket:
    """The played card and one of the market have changed places."""

    seat: Seat
    slot: int
    card_in: Card
    card_out: Card


@dataclass(frozen=True, slots=True)
class CardSwappedWithStall:
    """The played card and one of a stall have changed places."""

    seat: Seat
    owner: Seat
    stack: int
    card_in: Card
    card_out: Card


@dataclass(frozen=True, slots=True)
class DeckAndDiscardSwapped:
    """A seat's deck is its discard pile now, bottom first, and the other way round."""

    seat: Seat
    new_discard: Cards


@dataclass(frozen=True, slots=True)
class HandsMixed:
    """Two hands were mixed and dealt anew."""

    seat: Seat
    target: Seat
    seat_count: int
    target_count: int
    new_hand_seat: Annotated[Cards, secret_to("seat", momentary=True)]
    new_hand_target: Annotated[Cards, secret_to("target", momentary=True)]


@dataclass(frozen=True, slots=True)
class HandCardsExchanged:
    """Cards have changed places between two hands."""

    seat: Seat
    target: Seat
    count: int
    given: Annotated[Hand, secret_to("seat", "target", momentary=True)]
    received: Annotated[Cards, secret_to("seat", "target", momentary=True)]


@dataclass(frozen=True, slots=True)
class MarketCardRevealed:
    """The top card of the market deck lies open."""

    seat: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class SecretCardChosen:
    """A seat has chosen a card, with what it is used as."""

    seat: Seat
    card: Annotated[HandCard, secret_to("seat", momentary=True)]
    as_type: Annotated[Card | None, secret_to("seat", momentary=True)]
    copied_card: Annotated[HandCard | None, secret_to("seat", momentary=True)]
    value: Annotated[int, secret_to("seat", momentary=True)]
    changes: Annotated[tuple[Change, ...], secret_to("seat", momentary=True)]
    used: Annotated[tuple[Ability, ...], secret_to("seat", momentary=True)]


@dataclass(frozen=True, slots=True)
class ValueGuessed:
    """The value of the secret card was guessed."""

    guesser: Seat
    value: int
    correct: bool


@dataclass(frozen=True, slots=True)
class SecretCardShown:
    """The secret card lies open."""

    seat: Seat
    card: Annotated[HandCard, momentary()]
    as_type: Annotated[Card | None, momentary()]
    copied_card: Annotated[HandCard | None, momentary()]
    value: Annotated[int, momentary()]


@dataclass(frozen=True, slots=True)
class JunkTaken:
    """A seat has taken junk into its hand; so many *substitutes* are new."""

    seat: Seat
    count: int
    substitutes: int


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat's turn is over."""

    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The match is over; *ranking* holds the place of each seat."""

    reason: EndReason
    ranking: tuple[int, ...]


Event = (
    GameStarted
    | CardsRemoved
    | PlayerDeckShuffled
    | MarketDeckShuffled
    | MarketShifted
    | MarketFilled
    | CardsDrawn
    | TurnStarted
    | PurchaseStarted
    | PaymentCardPicked
    | CardPurchased
    | CardsDiscarded
    | CardsThrownAway
    | StackStarted
    | StackCardPicked
    | StackBuilt
    | ExtraStackGranted
    | ExtraStackDeclined
    | InventoryStarted
    | InventoryFinished
    | TechniquePlayed
    | TechniqueResolved
    | BonusActionGranted
    | BonusActionDeclined
    | HandCardsShown
    | CardBound
    | CookiesCopySkipped
    | AbilityUsed
    | CardValueChanged
    | GlobalValueChanged
    | DieRolled
    | OpponentChosen
    | VictimsChosen
    | CardsLookedAt
    | CardKept
    | CardReturnedToDeck
    | CardPlacedOnDeck
    | CardTakenFromHand
    | CardGivenBack
    | CardTakenFromDiscard
    | MarketCardTaken
    | CardSwappedWithMarket
    | CardSwappedWithStall
    | DeckAndDiscardSwapped
    | HandsMixed
    | HandCardsExchanged
    | MarketCardRevealed
    | SecretCardChosen
    | ValueGuessed
    | SecretCardShown
    | JunkTaken
    | TurnEnded
    | GameEnded
)
