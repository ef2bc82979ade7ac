"""The tables of Hellweg Westfalicus as constants; `data.toml` says where each figure comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NewType

from howff.engine.tables import hash_of_tables, read_tables

Town = NewType("Town", str)
House = NewType("House", str)
"""A trading house: its town and what it deals in, such as `soest_salt`."""
Road = NewType("Road", str)
"""The two towns that a road joins, in alphabetical order, such as `hamm_soest`."""
TradingCard = NewType("TradingCard", str)
MerchandiseCard = NewType("MerchandiseCard", str)
Merchandise = Literal["beer", "salt", "ironware"]
Surface = Literal["cobbled", "brown"]
Kind = Literal["coal", "herring", "wine", "tobacco"]
"""What a merchandise card shows."""
Privilege = Literal["storage", "stock_up", "take_thaler"]


@dataclass(frozen=True, slots=True)
class TownRecord:
    """The name of a town, and where it is drawn (0 to 100)."""

    name: str
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class HouseRecord:
    """Where a house stands, and what kind of merchandise a token in it is."""

    town: Town
    merchandise: Merchandise


@dataclass(frozen=True, slots=True)
class RoadRecord:
    """The ends of a road, its surface, and whether a village lies on it."""

    ends: tuple[Town, Town]
    surface: Surface
    village: bool


@dataclass(frozen=True, slots=True)
class Square:
    """A square of a trading card: what it asks for, and what it sells for the same price."""

    house: House
    price: int
    tokens: int
    carriages: int


@dataclass(frozen=True, slots=True)
class KindRecord:
    """What a kind of merchandise card costs, and whether buying one earns a privilege."""

    price: int
    privilege: bool


@dataclass(frozen=True, slots=True)
class Banner:
    """What each pair of cards of two kinds pays at the end, instead of their two values."""

    kinds: tuple[Kind, Kind]
    pays: int


@dataclass(frozen=True, slots=True)
class CardRecord:
    """A merchandise card; its functions count from when it is bought."""

    kind: Kind
    price: int
    value: int
    """At the end of the match, unless it is part of a pair."""
    seats: int
    """It takes part with at least so many."""
    privilege: bool
    """Whether buying it earns a privilege."""
    plus_one: Merchandise | None
    """A sale of this merchandise brings a Thaler more."""
    removal_plus_one: bool
    """Every carriage that a sale removes brings a Thaler."""
    banner: Banner | None


_TABLES: Final = read_tables("howff.engine.games.hellweg")
_SETUP: Final = _TABLES["setup"]
_PRICES: Final[Mapping[str, int]] = _TABLES["prices"]

DATA_HASH: Final = hash_of_tables(_TABLES)

START_MONEY: Final[int] = _SETUP["money"]
TOKENS: Final[int] = _SETUP["tokens"]
CARRIAGES: Final[int] = _SETUP["carriages"]
MERCHANTS: Final[int] = _SETUP["merchants"]
"""So many action rounds has a month."""
PLACEMENT_ROUNDS: Final[int] = _SETUP["placement_rounds"]
SHORT_GAME_REMOVES: Final[int] = _SETUP["short_game_removes"]

STOCK_UP_PRICE: Final = _PRICES["stock_up"]
LEFTOVER_PRICE: Final = _PRICES["leftover"]
LAST_CARD_BONUS: Final = _PRICES["last_card_bonus"]
MARKET_DISCOUNT: Final = _PRICES["market_discount"]
TAKEN_THALER: Final = _PRICES["take_thaler"]
VILLAGE_THALER: Final = _PRICES["village"]
PASSENGER_THALER: Final = _PRICES["passengers"]
PLUS_ONE: Final = _PRICES["plus_one"]

TOWNS: Final[Mapping[Town, TownRecord]] = {
    Town(row["id"]): TownRecord(row["name"], row["x"], row["y"]) for row in _TABLES["town"]
}
HOUSES: Final[Mapping[House, HouseRecord]] = {
    House(f"{row['id']}_{merchandise}"): HouseRecord(Town(row["id"]), merchandise)
    for row in _TABLES["town"]
    for merchandise in row["houses"]
}
ROADS: Final[Mapping[Road, RoadRecord]] = {
    Road("_".join(row["ends"])): RoadRecord(
        (Town(row["ends"][0]), Town(row["ends"][1])), row["surface"], row["village"]
    )
    for row in _TABLES["road"]
}
HOUSE_ORDER: Final[Mapping[House, int]] = {house: at for at, house in enumerate(HOUSES)}
"""The order in which houses are listed; roads are listed by their names."""
ROADS_OF: Final[Mapping[Town, tuple[Road, ...]]] = {
    town: tuple(road for road, record in ROADS.items() if town in record.ends) for town in TOWNS
}
START_HOUSES: Final[tuple[House, ...]] = tuple(
    house for house, record in HOUSES.items() if record.town != _SETUP["forbidden_town"]
)

TRADING_CARDS: Final[Mapping[TradingCard, tuple[Square, ...]]] = {
    TradingCard(card["id"]): tuple(Square(House(row[0]), *row[1:]) for row in card["squares"])
    for card in _TABLES["trading_card"]
}
"""The squares of each card; slot 1 is the first of them."""
SLOTS: Final = range(1, 5)

_KINDS: Final[Mapping[Kind, KindRecord]] = {
    kind: KindRecord(**row) for kind, row in _TABLES["merchandise_kinds"].items()
}
MERCHANDISE_CARDS: Final[Mapping[MerchandiseCard, CardRecord]] = {
    MerchandiseCard(row["id"]): CardRecord(
        kind=row["kind"],
        price=_KINDS[row["kind"]].price,
        value=row["value"],
        seats=row["seats"],
        privilege=_KINDS[row["kind"]].privilege,
        plus_one=row.get("plus_one"),
        removal_plus_one=row.get("removal_plus_one", False),
        banner=Banner(tuple(row["pair"]), row["pays"]) if "pair" in row else None,
    )
    for row in _TABLES["merchandise_card"]
}
CARD_ORDER: Final[Mapping[MerchandiseCard, int]] = {
    card: at for at, card in enumerate(MERCHANDISE_CARDS)
}

PRIVILEGE_ROUTES: Final[Mapping[Privilege, tuple[Town, Town]]] = {
    row["id"]: tuple(row["route"]) for row in _TABLES["privilege"]
}
"""The two towns whose connection brings a privilege."""
PRIVILEGES: Final = tuple(PRIVILEGE_ROUTES)
BLACK_CARRIAGES: Final[int] = _TABLES["additional_carriages"]["carriages"]
BLACK_ROUTE: Final[tuple[Town, Town]] = tuple(_TABLES["additional_carriages"]["route"])
