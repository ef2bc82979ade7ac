"""The state of a match of Hellweg Westfalicus, and questions about it.

Colours of pieces play no part, so a seat's pieces are multisets of places, sorted by house or road.
What `evolve` changes has no slots, see `howff.engine.values`.
"""

from dataclasses import dataclass
from typing import Final, Literal

from howff.engine.games.hellweg.data import (
    BLACK_CARRIAGES,
    CARRIAGES,
    MARKET_DISCOUNT,
    SHORT_GAME_REMOVES,
    SLOTS,
    START_MONEY,
    TOKENS,
    TRADING_CARDS,
    House,
    MerchandiseCard,
    Privilege,
    Road,
    Square,
    TradingCard,
)
from howff.engine.seats import Seat, seat_after
from howff.engine.values import with_item

Stage = Literal["setup", "sales", "actions", "finished"]
PieceKind = Literal["token", "carriage"]
PlacingCause = Literal["setup", "purchase", "stock_up", "bonus", "store"]
Cause = PlacingCause | Literal["warehouse"]
"""Why pieces are due; `warehouse`: they have all been taken out of it and are in hand."""
Side = Literal["face_up", "face_down", "locked"]
"""Of a privilege: usable, used, or turned up again in this turn and usable from the next one on."""
TokenOrigin = House | Literal["warehouse"]
"""Where a token is taken back from."""
CarriageOrigin = Road | Literal["warehouse"]
Houses = tuple[House, ...]
Roads = tuple[Road, ...]

Source = Literal["supply", "hand"]
"""Where a piece comes from that is placed."""
Slot = int
"""A square of the trading card, 1 to 4."""
Place = Slot | Literal["market"]
"""Where a merchant stands."""

FIRST_SEAT: Final = Seat(0)
LEFTOVER: Final = "leftover"
"""What a seat stands before once it has dealt with all slots."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    warehouse_and_privileges: bool = False
    """The expansion: storing pieces, privileges, routes that bring them, two more carriages."""
    passenger_transportation: bool = False
    """A sale over a road with a village brings a Thaler more."""
    short_game: bool = False
    """Ten months instead of twelve."""
    simultaneous_sales: bool = False
    """All seats sell at the same time, each for itself."""


@dataclass(frozen=True, slots=True)
class HeldPrivilege:
    """A privilege that a seat owns."""

    privilege: Privilege
    side: Side = "face_up"


@dataclass(frozen=True)
class Sales:
    """How far a seat is with the sales of this month."""

    slot: Slot | Literal["leftover"] = SLOTS.start
    """What comes next."""
    sold: int = 0
    """How many items it has sold."""
    is_over: bool = False

    @property
    def next_slot(self) -> Slot:
        """The slot that comes next, where one does."""
        assert self.slot != LEFTOVER, "there is a slot ahead"
        return self.slot


@dataclass(frozen=True)
class Player:
    """What a seat owns; all of it is open."""

    money: int = START_MONEY
    """In Thaler."""
    supply_tokens: int = TOKENS
    supply_carriages: int = CARRIAGES
    tokens: Houses = ()
    """The house of each token on the board."""
    carriages: Roads = ()
    """The road of each carriage on the board."""
    warehouse_tokens: int = 0
    warehouse_carriages: int = 0
    """Without black carriages that still wait there."""
    cards: tuple[MerchandiseCard, ...] = ()
    """In the order of the table."""
    merchants: tuple[Place, ...] = ()
    """Where the merchants of this month stand, by action round."""
    privileges: tuple[HeldPrivilege, ...] = ()
    """In the order of the table."""
    claims: int = 0
    """How many privileges the seat may still choose for merchandise cards."""
    sales: Sales | None = None
    """None outside the sales of a month."""

    @property
    def discount(self) -> int:
        """What a main action costs less, in Thaler, once a merchant stands on the market."""
        return MARKET_DISCOUNT if self.merchants[:1] == ("market",) else 0

    @property
    def open_sales(self) -> Sales:
        """Its sales, which there are in the sales of a month."""
        assert self.sales is not None, "this is asked in the sales of a month"
        return self.sales

    def supply(self, kind: PieceKind) -> int:
        return self.supply_tokens if kind == "token" else self.supply_carriages

    def stored(self, kind: PieceKind) -> int:
        return self.warehouse_tokens if kind == "token" else self.warehouse_carriages

    def on_board(self, kind: PieceKind) -> Houses | Roads:
        return self.tokens if kind == "token" else self.carriages

    def owns(self, privilege: Privilege) -> bool:
        return any(held.privilege == privilege for held in self.privileges)

    def can_use(self, privilege: Privilege) -> bool:
        return HeldPrivilege(privilege) in self.privileges


@dataclass(frozen=True)
class Due:
    """The pieces that a seat has to deal with now, tokens first."""

    seat: Seat
    cause: Cause
    house: House | None
    """Where tokens go, and the town of carriages; None where the seat chooses, or stores."""
    tokens: int
    carriages: int
    is_bound: bool = False
    """Whether a piece was taken back for this: then it has to be placed."""

    @property
    def kind(self) -> PieceKind:
        """What comes next."""
        return "token" if self.tokens else "carriage"


@dataclass(frozen=True)
class Turn:
    """The action turn of a seat."""

    seat: Seat
    round: int
    """1 or 2."""
    is_main_done: bool = False
    """Whether the main action is done, or under way."""


@dataclass(frozen=True)
class AdditionalCarriages:
    """The card of the two black carriages."""

    owner: Seat | None = None
    waiting: int = BLACK_CARRIAGES
    """How many of them have not come into play."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two merchandise cards that count together."""

    card: MerchandiseCard
    other: MerchandiseCard
    value: int


@dataclass(frozen=True, slots=True)
class Standing:
    """The final account of a seat."""

    money: int
    card_value: int
    pairs: tuple[Pair, ...]
    score: int
    tokens: int
    """On houses."""
    carriages: int
    """On roads."""
    rank: int


@dataclass(frozen=True)
class State:
    """Everything about a match; only the order of the stack and what was set aside is secret."""

    options: Options
    seats: int
    stage: Stage = "setup"
    starting_seat: Seat = FIRST_SEAT
    """Who comes first in this month; in the setup, and between months, in the next one."""
    month: int = 0
    players: tuple[Player, ...] = ()
    for_sale: tuple[MerchandiseCard, ...] = ()
    stack: tuple[TradingCard, ...] = ()
    """Face down, top first."""
    set_aside: tuple[TradingCard, ...] = ()
    """What a short game does without."""
    card: TradingCard | None = None
    """The open trading card."""
    turn: Turn | None = None
    due: Due | None = None
    additional_carriages: AdditionalCarriages | None = None
    """None without the expansion."""
    standings: tuple[Standing, ...] | None = None

    @property
    def is_last_month(self) -> bool:
        return not self.stack

    @property
    def squares(self) -> tuple[Square, ...]:
        """The squares of the open trading card; that of slot 1 comes first."""
        assert self.card is not None, "squares are those of an open card"
        return TRADING_CARDS[self.card]

    def square(self, slot: Slot) -> Square:
        return self.squares[slot - 1]

    def waiting_for(self, seat: Seat) -> int:
        """Return how many black carriages of *seat* wait in the warehouse."""
        black = self.additional_carriages
        return black.waiting if black is not None and black.owner == seat else 0

    def next_seat(self, seat: Seat) -> Seat:
        return seat_after(seat, self.seats)

    def with_player(self, seat: Seat, player: Player) -> tuple[Player, ...]:
        """Return all players once *player* sits in *seat*."""
        return with_item(self.players, seat, player)


def months_of(options: Options) -> int:
    """Return how many months a match has."""
    return len(TRADING_CARDS) - (SHORT_GAME_REMOVES if options.short_game else 0)
