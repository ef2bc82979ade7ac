"""What a seat may do in Hellweg Westfalicus."""

from dataclasses import dataclass

from howff.engine.games.hellweg.data import House, MerchandiseCard, Privilege, Road
from howff.engine.games.hellweg.state import CarriageOrigin, PieceKind, Roads, TokenOrigin


@dataclass(frozen=True, slots=True)
class PlaceStartToken:
    """Begin the match with a token on a house."""

    house: House


@dataclass(frozen=True, slots=True)
class PlaceStartCarriage:
    """Begin the match with a carriage on a road of the town just chosen."""

    road: Road


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell a token of *origin* in the next slot.

    *removes* are the roads that the way to the town clears of a single carriage, in alphabetical
    order.
    """

    origin: House
    removes: Roads


@dataclass(frozen=True, slots=True)
class SkipTown:
    """Sell nothing in the next slot."""


@dataclass(frozen=True, slots=True)
class SellLeftover:
    """Sell a token where it lies; only for a seat that has sold nothing in this month."""

    origin: House


@dataclass(frozen=True, slots=True)
class SkipLeftover:
    """Sell nothing at all in this month."""


@dataclass(frozen=True, slots=True)
class BuyInTown:
    """Buy what a slot of the trading card offers."""

    slot: int


@dataclass(frozen=True, slots=True)
class StockUpOne:
    """Pay for one piece where the seat trades already (family game)."""

    kind: PieceKind


@dataclass(frozen=True, slots=True)
class BuyMerchandiseCard:
    """Buy a merchandise card."""

    card: MerchandiseCard


@dataclass(frozen=True, slots=True)
class TakeThaler:
    """Take a Thaler; with the expansion all used privileges are turned up."""


@dataclass(frozen=True, slots=True)
class Store:
    """Put a piece into the warehouse (expansion)."""

    kind: PieceKind


@dataclass(frozen=True, slots=True)
class StockUpAll:
    """Bring all pieces of the warehouse into play (expansion)."""


@dataclass(frozen=True, slots=True)
class UsePrivilegeStorage:
    """Put a piece into the warehouse beside the main action."""

    kind: PieceKind


@dataclass(frozen=True, slots=True)
class UsePrivilegeStockUp:
    """Bring all pieces of the warehouse into play beside the main action."""


@dataclass(frozen=True, slots=True)
class UsePrivilegeTakeThaler:
    """Take a Thaler beside the main action; all other used privileges are turned up."""


@dataclass(frozen=True, slots=True)
class ClaimPrivilege:
    """Choose a privilege for a merchandise card bought."""

    privilege: Privilege


@dataclass(frozen=True, slots=True)
class TakeBackToken:
    """Take a token from the board or the warehouse, as the supply has none."""

    origin: TokenOrigin


@dataclass(frozen=True, slots=True)
class TakeBackCarriage:
    """Take a carriage from the board or the warehouse, as the supply has none."""

    origin: CarriageOrigin


@dataclass(frozen=True, slots=True)
class ForfeitPiece:
    """Do without a piece that the supply does not have."""


@dataclass(frozen=True, slots=True)
class PlaceToken:
    """Put a token on a house where one lies already."""

    house: House


@dataclass(frozen=True, slots=True)
class PlaceCarriage:
    """Put a carriage on a road."""

    road: Road


@dataclass(frozen=True, slots=True)
class DeclineBonusCarriage:
    """Do without the carriage that comes with a merchandise card."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Use and claim no more privileges in this turn."""


Move = (
    PlaceStartToken
    | PlaceStartCarriage
    | Sell
    | SkipTown
    | SellLeftover
    | SkipLeftover
    | BuyInTown
    | StockUpOne
    | BuyMerchandiseCard
    | TakeThaler
    | Store
    | StockUpAll
    | UsePrivilegeStorage
    | UsePrivilegeStockUp
    | UsePrivilegeTakeThaler
    | ClaimPrivilege
    | TakeBackToken
    | TakeBackCarriage
    | ForfeitPiece
    | PlaceToken
    | PlaceCarriage
    | DeclineBonusCarriage
    | EndTurn
)
