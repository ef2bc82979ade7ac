"""The types of the toy game, see `support.toy_game`."""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal

from howff.engine.seats import Seat, Viewer
from howff.engine.visibility import hidden, momentary, secret_to

Card = int
Cards = tuple[Card, ...]
Stage = Literal["bidding", "turn", "answering", "finished"]

DECK: Final[Cards] = tuple(rank for rank in range(1, 7) for _ in range(8))
HAND: Final = 3
MOST_ROUNDS: Final = 4


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    rounds: int = 3
    memory: Literal["strict", "open"] = "strict"


@dataclass(frozen=True, slots=True)
class Passed:
    """A card face down that *giver* has passed on; None where a viewer may not know it."""

    giver: Seat
    to: Seat
    card: Card | None


@dataclass(frozen=True, slots=True)
class Player:
    """What a seat has; `hand` is sorted."""

    hand: Cards = ()
    bid: Card | None = None
    prizes: Cards = ()
    store: tuple[Passed, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """Everything about a match; the deck top first, the discarded bids sorted."""

    options: Options
    players: tuple[Player, ...]
    starter: Seat
    stage: Stage = "bidding"
    round: int = 0
    active: Seat | None = None
    prize: Card | None = None
    offer: Passed | None = None
    has_peeked: bool = False
    has_exchanged: bool = False
    deck: Cards = ()
    discards: Cards = ()
    points: tuple[int, ...] | None = None

    def with_player(self, seat: Seat, **changes: Any) -> "State":
        """Return the state with *changes* to the player of *seat*."""
        players = list(self.players)
        players[seat] = replace(players[seat], **changes)
        return replace(self, players=tuple(players))


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What a viewer may know of a seat; `hand` and `bid` are None for others."""

    hand_count: int
    hand: Cards | None
    has_bid: bool
    bid: Card | None
    prizes: Cards
    store: tuple[Passed, ...]


@dataclass(frozen=True, slots=True)
class View:
    """What a viewer may know of a match; `discards` only if memory is open."""

    options: Options
    viewer: Viewer
    players: tuple[PlayerView, ...]
    stage: Stage
    round: int
    starter: Seat
    active: Seat | None
    prize: Card | None
    offer: Passed | None
    has_peeked: bool
    has_exchanged: bool
    deck_count: int
    discard_count: int
    discards: Cards | None
    points: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat remembers beyond its view: bids once shown, and the bottom of the deck."""

    discards: Cards = ()
    bottom: Card | None = None


@dataclass(frozen=True, slots=True)
class Bid:
    """Bid a card of the hand, face down."""

    card: Card


@dataclass(frozen=True, slots=True)
class Peek:
    """Look at the bottom card of the deck."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Offer a card of the hand to another seat."""

    to: Seat
    card: Card


@dataclass(frozen=True, slots=True)
class Answer:
    """Give a card of the hand for the one offered."""

    card: Card


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Do nothing more in this turn."""


Move = Bid | Peek | Offer | Answer | EndTurn


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The match begins; *starter* was drawn."""

    seats: int
    options: Options
    starter: Seat


@dataclass(frozen=True, slots=True)
class DeckShuffled:
    """The deck lies face down; *order* is top first."""

    size: int
    order: Annotated[Cards, hidden()]


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat has drawn from the top of the deck."""

    seat: Seat
    count: int
    cards: Annotated[Cards, secret_to("seat")]


@dataclass(frozen=True, slots=True)
class PrizeTurned:
    """A round begins: the top card of the deck lies open as its prize."""

    round: int
    card: Card


@dataclass(frozen=True, slots=True)
class CardBid:
    """A seat has laid a bid face down."""

    seat: Seat
    card: Annotated[Card, secret_to("seat")]


@dataclass(frozen=True, slots=True)
class BidsRevealed:
    """All bids were shown, by seat, and lie covered on the discard pile; *winner* has the prize."""

    winner: Seat
    cards: Annotated[Cards, momentary()]


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat's turn begins."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BottomPeeked:
    """A seat has looked at the bottom of the deck."""

    seat: Seat
    card: Annotated[Card, secret_to("seat", momentary=True)]


@dataclass(frozen=True, slots=True)
class CardOffered:
    """A seat offers a card to another."""

    seat: Seat
    to: Seat
    card: Annotated[Card, secret_to("seat", "to")]


@dataclass(frozen=True, slots=True)
class CardsExchanged:
    """The offered card lies in the store of *to*, the answer in the store of *seat*."""

    seat: Seat
    to: Seat
    given: Annotated[Card, secret_to("seat", "to")]
    answer: Annotated[Card, secret_to("seat", "to")]


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat's turn is over."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The match is over: all *stores* are shown and count with the prizes, by seat."""

    stores: tuple[Cards, ...]
    points: tuple[int, ...]


Event = (
    GameStarted
    | DeckShuffled
    | CardsDrawn
    | PrizeTurned
    | CardBid
    | BidsRevealed
    | TurnStarted
    | BottomPeeked
    | CardOffered
    | CardsExchanged
    | TurnEnded
    | GameEnded
)
