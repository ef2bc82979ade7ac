"""What happens in a match of Hellweg Westfalicus, with who may know which field.

All is open but the order of the trading cards; those of earlier months lie face down.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from howff.engine.games.hellweg.data import (
    House,
    Merchandise,
    MerchandiseCard,
    Privilege,
    Road,
    Square,
    Town,
    TradingCard,
)
from howff.engine.games.hellweg.state import (
    CarriageOrigin,
    PieceKind,
    Place,
    PlacingCause,
    Roads,
    Source,
    Standing,
    TokenOrigin,
)
from howff.engine.seats import Seat
from howff.engine.visibility import hidden, momentary


@dataclass(frozen=True, slots=True)
class StartingPlayerChosen:
    """A seat begins the setup and the first month."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MerchandiseCardsLaidOut:
    """These cards are for sale."""

    cards: tuple[MerchandiseCard, ...]


@dataclass(frozen=True, slots=True)
class TradingDeckShuffled:
    """The stack of trading cards is formed; *order* from the top."""

    order: Annotated[tuple[TradingCard, ...], hidden()]


@dataclass(frozen=True, slots=True)
class TradingCardsSetAside:
    """The top cards of the stack leave a short game unseen."""

    count: int
    cards: Annotated[tuple[TradingCard, ...], hidden()]


@dataclass(frozen=True, slots=True)
class MonthBegan:
    """A month begins; *starting_seat* is the first in everything."""

    month: int
    starting_seat: Seat


@dataclass(frozen=True, slots=True)
class TradingCardRevealed:
    """The trading card of a month lies open; *slots* from top left to bottom right."""

    month: int
    card: Annotated[TradingCard, momentary()]
    slots: Annotated[tuple[Square, ...], momentary()]
    last: bool


@dataclass(frozen=True, slots=True)
class TownPassed:
    """A seat sells nothing in a slot; *forced* if it could not."""

    seat: Seat
    slot: int
    forced: bool


@dataclass(frozen=True, slots=True)
class MerchandiseSold:
    """A token of *origin* was sold in *town*; the roads of *removes* lost a carriage each.

    *route* leads from the town of *origin* to *town*; it is empty for a sale in the house itself.
    """

    seat: Seat
    slot: int
    town: Town
    merchandise: Merchandise
    origin: House
    route: Roads
    removes: Roads
    price: int
    type_bonus: int
    removal_bonus: int
    last_card_bonus: int
    passenger_bonus: int
    total: int


@dataclass(frozen=True, slots=True)
class LeftoverSold:
    """A seat without any sale has sold a token where it lay."""

    seat: Seat
    origin: House
    merchandise: Merchandise
    price: int
    type_bonus: int
    last_card_bonus: int
    total: int


@dataclass(frozen=True, slots=True)
class LeftoverSkipped:
    """A seat without any sale keeps its tokens."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatSalesEnded:
    """A seat sells no more in this month."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SalesEnded:
    """Nobody sells any more in this month."""

    month: int


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat's action turn begins, in the first or second *round* of the month."""

    seat: Seat
    round: int


@dataclass(frozen=True, slots=True)
class MerchantPlaced:
    """A seat's merchant goes to the market or to a slot, and with it to a town."""

    seat: Seat
    round: int
    place: Place
    town: Town | None


@dataclass(frozen=True, slots=True)
class MoneyPaid:
    """A seat has paid the bank."""

    seat: Seat
    amount: int
    reason: Literal["purchase", "stock_up"]


@dataclass(frozen=True, slots=True)
class MoneyReceived:
    """A seat has taken money from the bank."""

    seat: Seat
    amount: int
    reason: Literal["take_thaler"]


@dataclass(frozen=True, slots=True)
class MerchandiseCardBought:
    """A seat has bought a merchandise card."""

    seat: Seat
    card: MerchandiseCard
    paid: int


@dataclass(frozen=True, slots=True)
class PiecesDue:
    """A seat has pieces to deal with; *house* says where they go, None: it chooses, or stores."""

    seat: Seat
    cause: PlacingCause
    house: House | None
    tokens: int
    carriages: int


@dataclass(frozen=True, slots=True)
class TokenPlaced:
    """A token lies on a house."""

    seat: Seat
    house: House
    source: Source


@dataclass(frozen=True, slots=True)
class CarriagePlaced:
    """A carriage stands on a road; a village brings *village_thaler*."""

    seat: Seat
    road: Road
    source: Source
    village_thaler: int


@dataclass(frozen=True, slots=True)
class TokenTakenBack:
    """A token has gone from a house or the warehouse to the supply."""

    seat: Seat
    origin: TokenOrigin


@dataclass(frozen=True, slots=True)
class CarriageTakenBack:
    """A carriage has gone from a road or the warehouse to the supply."""

    seat: Seat
    origin: CarriageOrigin


@dataclass(frozen=True, slots=True)
class PieceForfeited:
    """A seat does without a piece."""

    seat: Seat
    kind: PieceKind


@dataclass(frozen=True, slots=True)
class BonusCarriageDeclined:
    """A seat does without the carriage that comes with a merchandise card."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PieceStored:
    """A piece lies in the warehouse."""

    seat: Seat
    kind: PieceKind


@dataclass(frozen=True, slots=True)
class WarehouseEmptied:
    """All pieces of a seat's warehouse are in its hand, *black* carriages among them."""

    seat: Seat
    tokens: int
    carriages: int
    """Without the black ones."""
    black: int


@dataclass(frozen=True, slots=True)
class PrivilegeClaimEarned:
    """A merchandise card lets a seat choose a privilege; *claims* are open now."""

    seat: Seat
    claims: int


@dataclass(frozen=True, slots=True)
class PrivilegeReceived:
    """A seat owns a privilege, by a claim or by a connection; *claims* stay open."""

    seat: Seat
    privilege: Privilege
    by: Literal["card", "route"]
    claims: int


@dataclass(frozen=True, slots=True)
class PrivilegeUsed:
    """A seat uses a privilege, which lies face down now."""

    seat: Seat
    privilege: Privilege


@dataclass(frozen=True, slots=True)
class PrivilegesRevealed:
    """Used privileges are turned up; they are usable from the next turn on."""

    seat: Seat
    privileges: tuple[Privilege, ...]


@dataclass(frozen=True, slots=True)
class AdditionalCarriagesReceived:
    """The black carriages belong to a seat."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat's action turn is over."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MerchantsRetrieved:
    """All merchants go back to their seats."""

    month: int


@dataclass(frozen=True, slots=True)
class TradingCardRemoved:
    """The trading card of the month leaves the match, face down."""

    month: int


@dataclass(frozen=True, slots=True)
class StartingPlayerPassed:
    """Another seat will begin the next month."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The match is over; *standings* by seat."""

    standings: tuple[Standing, ...]


Event = (
    StartingPlayerChosen
    | MerchandiseCardsLaidOut
    | TradingDeckShuffled
    | TradingCardsSetAside
    | MonthBegan
    | TradingCardRevealed
    | TownPassed
    | MerchandiseSold
    | LeftoverSold
    | LeftoverSkipped
    | SeatSalesEnded
    | SalesEnded
    | TurnStarted
    | MerchantPlaced
    | MoneyPaid
    | MoneyReceived
    | MerchandiseCardBought
    | PiecesDue
    | TokenPlaced
    | CarriagePlaced
    | TokenTakenBack
    | CarriageTakenBack
    | PieceForfeited
    | BonusCarriageDeclined
    | PieceStored
    | WarehouseEmptied
    | PrivilegeClaimEarned
    | PrivilegeReceived
    | PrivilegeUsed
    | PrivilegesRevealed
    | AdditionalCarriagesReceived
    | TurnEnded
    | MerchantsRetrieved
    | TradingCardRemoved
    | StartingPlayerPassed
    | GameEnded
)
