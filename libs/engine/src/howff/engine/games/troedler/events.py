"""What happens in a match of Trödler, with who may know which field.

Card faces and counts of stored cards are momentary: at the table everybody sees them once.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from howff.engine.games.troedler.data import Card, Cards, Colour, Good, Goods, RouteType, Village
from howff.engine.games.troedler.state import Options, Score, VillageGoods
from howff.engine.seats import Seat
from howff.engine.visibility import hidden, momentary, secret_to

Use = Literal["route", "take", "request", "substitute"]
"""What a card was played for."""


@dataclass(frozen=True, slots=True)
class StartVillage:
    """The colour of a seat, and the village where its cart starts."""

    seat: Seat
    colour: Colour
    village: Village


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The match begins; *options* as resolved."""

    seats: int
    options: Options


@dataclass(frozen=True, slots=True)
class StartVillagesAssigned:
    """Every seat has its colour and its cart a village."""

    villages: tuple[StartVillage, ...]


@dataclass(frozen=True, slots=True)
class GoodsPlaced:
    """All goods lie in the numbered villages."""

    villages: tuple[VillageGoods, ...]


@dataclass(frozen=True, slots=True)
class StartCardsTaken:
    """A seat has the starting cards of its colour in hand."""

    seat: Seat
    cards: Annotated[Cards, secret_to("seat")]


@dataclass(frozen=True, slots=True)
class DiscardPileFormed:
    """Requests and feed lie aside as the first discard pile; *order* is bottom first."""

    size: int
    requests: int
    feed: int
    top: Annotated[Card, momentary()]
    order: Annotated[Cards, hidden()]


@dataclass(frozen=True, slots=True)
class RoundPileShuffled:
    """The other cards lie face down; *order* is top first."""

    size: int
    order: Annotated[Cards, hidden()]


@dataclass(frozen=True, slots=True)
class StartingDealerChosen:
    """A seat gets the horse."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round begins; the dealer forms the piles."""

    round: int
    dealer: Seat


@dataclass(frozen=True, slots=True)
class DiscardPileReshuffled:
    """The whole discard pile becomes the round pile; *order* is top first."""

    size: int
    order: Annotated[Cards, hidden()]


@dataclass(frozen=True, slots=True)
class DealerCardRevealed:
    """A card lies face up on a dealer pile and covers the one below; layers count from 1."""

    pile: int
    layer: int
    card: Annotated[Card, momentary()]


@dataclass(frozen=True, slots=True)
class DealerPilesFormed:
    """All dealer piles are complete; *seat* decides next."""

    stage: Literal["dumping", "picking"]
    seat: Seat


@dataclass(frozen=True, slots=True)
class DealerPileDiscarded:
    """A dealer pile lies on the discard pile: dumped by *seat*, or left over (None)."""

    seat: Seat | None
    pile: int
    next_seat: Seat | None
    top: Annotated[Card, momentary()]
    cards: Annotated[Cards, hidden()]


@dataclass(frozen=True, slots=True)
class DealerPileTaken:
    """A seat has taken a dealer pile into its hand; *cards* bottom first."""

    seat: Seat
    pile: int
    next_seat: Seat | None
    top: Annotated[Card, momentary()]
    cards: Annotated[Cards, secret_to("seat")]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat's turn begins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat has played a card."""

    seat: Seat
    card: Annotated[Card, momentary()]
    use: Annotated[Use, momentary()]


@dataclass(frozen=True, slots=True)
class CartMoved:
    """A cart has driven along a route of the map; *take_owed* if goods lie where it is now."""

    seat: Seat
    origin: Village
    to: Village
    route_type: RouteType
    take_owed: bool


@dataclass(frozen=True, slots=True)
class GoodTaken:
    """A good has gone from a village to a seat's collection."""

    seat: Seat
    village: Village
    good: Good


@dataclass(frozen=True, slots=True)
class GoodsLeft:
    """A seat has taken nothing where it arrived."""

    seat: Seat
    village: Village


@dataclass(frozen=True, slots=True)
class GoodSubstituted:
    """Feed has replaced a printed good of a request."""

    seat: Seat
    request: Annotated[Card, momentary()]
    wanted: Annotated[Good, momentary()]
    substitute: Annotated[Good, momentary()]


@dataclass(frozen=True, slots=True)
class GoodsDelivered:
    """Goods have gone from a seat's collection to a village."""

    seat: Seat
    village: Village
    goods: Goods


@dataclass(frozen=True, slots=True)
class RequestFulfilled:
    """A seat has fulfilled a request in a village."""

    seat: Seat
    village: Village
    request: Annotated[Card, momentary()]


@dataclass(frozen=True, slots=True)
class PlayedCardsStored:
    """The played cards lie on the discard pile and the value pile; the seat trims its hand."""

    seat: Seat
    to_discard_count: Annotated[int, momentary()]
    to_value_count: Annotated[int, momentary()]
    to_discard: Annotated[Cards, momentary()]
    to_value: Annotated[Cards, momentary()]


@dataclass(frozen=True, slots=True)
class HandCardDiscarded:
    """A card over the hand limit lies on the discard pile."""

    seat: Seat
    card: Annotated[Card, momentary()]


@dataclass(frozen=True, slots=True)
class SurplusFeedStored:
    """Feed over the hand limit lies in the value pile."""

    seat: Seat
    count: Annotated[int, momentary()]


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat's turn is over."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """Every seat has had its turn of the round."""

    round: int


@dataclass(frozen=True, slots=True)
class HorsePassed:
    """The horse, and with it the dealing, goes to the left."""

    from_seat: Seat
    to_seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The match is over; *scores* by seat."""

    reason: Literal["requests", "round_limit"]
    scores: tuple[Score, ...]


Event = (
    GameStarted
    | StartVillagesAssigned
    | GoodsPlaced
    | StartCardsTaken
    | DiscardPileFormed
    | RoundPileShuffled
    | StartingDealerChosen
    | RoundStarted
    | DiscardPileReshuffled
    | DealerCardRevealed
    | DealerPilesFormed
    | DealerPileDiscarded
    | DealerPileTaken
    | TurnStarted
    | CardPlayed
    | CartMoved
    | GoodTaken
    | GoodsLeft
    | GoodSubstituted
    | GoodsDelivered
    | RequestFulfilled
    | PlayedCardsStored
    | HandCardDiscarded
    | SurplusFeedStored
    | TurnEnded
    | RoundEnded
    | HorsePassed
    | GameEnded
)
