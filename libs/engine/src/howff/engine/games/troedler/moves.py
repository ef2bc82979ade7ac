"""What a seat may do in Trödler."""

from dataclasses import dataclass

from howff.engine.games.troedler.data import Card, Good, RouteType, Village


@dataclass(frozen=True, slots=True)
class RevealCard:
    """Deal one card onto the next dealer pile."""


@dataclass(frozen=True, slots=True)
class RevealAll:
    """Deal all cards that the dealer piles still need."""


@dataclass(frozen=True, slots=True)
class DiscardPile:
    """Put a dealer pile onto the discard pile (two seats only)."""

    pile: int


@dataclass(frozen=True, slots=True)
class TakePile:
    """Take the four cards of a dealer pile into the hand."""

    pile: int


@dataclass(frozen=True, slots=True)
class PlayRoute:
    """Drive along a route with a card of its type."""

    route_type: RouteType
    to: Village


@dataclass(frozen=True, slots=True)
class FeedRoute:
    """Drive along a route of any type with special feed."""

    to: Village


@dataclass(frozen=True, slots=True)
class PlayExtra:
    """Take a good from the cart's village with an extra card."""

    good: Good


@dataclass(frozen=True, slots=True)
class FeedTake:
    """Take a good from the cart's village with special feed."""

    good: Good


@dataclass(frozen=True, slots=True)
class FulfilRequest:
    """Deliver the printed goods of a request to the cart's empty village."""

    request: Card


@dataclass(frozen=True, slots=True)
class FeedSubstitute:
    """Replace one printed good of a request by another from the collection, with special feed."""

    request: Card
    wanted: Good
    substitute: Good


@dataclass(frozen=True, slots=True)
class CompleteDelivery:
    """Deliver what is left of the open request, and the substitutes."""


@dataclass(frozen=True, slots=True)
class TakeGood:
    """Take a good from the village just reached."""

    good: Good


@dataclass(frozen=True, slots=True)
class LeaveGoods:
    """Take nothing from the village just reached."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Play no more cards in this turn."""


@dataclass(frozen=True, slots=True)
class DiscardCard:
    """Discard one card that is over the hand limit; never special feed."""

    card: Card


Move = (
    RevealCard
    | RevealAll
    | DiscardPile
    | TakePile
    | PlayRoute
    | FeedRoute
    | PlayExtra
    | FeedTake
    | FulfilRequest
    | FeedSubstitute
    | EndTurn
    | TakeGood
    | LeaveGoods
    | CompleteDelivery
    | DiscardCard
)
