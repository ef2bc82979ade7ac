"""The tables of Trödler as constants, read once from `data.toml`, where their provenance stands."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NewType

from howff.engine.tables import hash_of_tables, read_tables

Good = NewType("Good", str)
"""A kind of goods, such as `anvil`."""
Village = NewType("Village", str)
"""The id of a village, such as `rothes`."""
Card = NewType("Card", str)
"""The code of a card; cards of one code are indistinguishable."""
RouteType = Literal["bridge", "ferry", "moor_path", "mountain_trail"]
Colour = Literal["red", "blue", "green", "yellow"]
Goods = tuple[Good, ...]
"""A multiset of goods, sorted."""
Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class VillageRecord:
    """A village on the map: its printed number of goods, and where it is drawn (0 to 100)."""

    name: str
    goods: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Request:
    """What a goods request asks for and what it is worth."""

    goods: Goods
    points: int


@dataclass(frozen=True, slots=True)
class StartingSet:
    """The cards that a colour starts with, and where its cart stands."""

    village: Village
    cards: Cards


@dataclass(frozen=True, slots=True)
class Figures:
    """What depends on the number of seats; counts of cards."""

    piles: int
    discard_requests: int
    discard_feed: int
    round_pile: int
    end_requests: int

    @property
    def rounds_before_reshuffle(self) -> int:
        """How many rounds the first round pile is for; it runs out exactly at a round's end."""
        return self.round_pile // (self.piles * CARDS_PER_PILE)


_TABLES: Final = read_tables("howff.engine.games.troedler")

DATA_HASH: Final = hash_of_tables(_TABLES)

GOODS: Final[Goods] = tuple(map(Good, _TABLES["goods"]))
PIECES_PER_GOOD: Final[int] = _TABLES["pieces_per_good"]
CARDS_PER_PILE: Final[int] = _TABLES["limits"]["cards_per_pile"]
HAND_LIMIT: Final[int] = _TABLES["limits"]["hand_limit"]
TWO_PLAYER_DAMAGE_GAP: Final[int] = _TABLES["limits"]["two_player_damage_gap"]

ROUTE_TYPES: Final[tuple[RouteType, ...]] = ("bridge", "ferry", "moor_path", "mountain_trail")
COLOURS: Final[tuple[Colour, ...]] = ("red", "blue", "green", "yellow")

VILLAGES: Final[Mapping[Village, VillageRecord]] = {
    Village(row["id"]): VillageRecord(row["name"], row["goods"], row["x"], row["y"])
    for row in _TABLES["village"]
}
VILLAGE_INDEX: Final[Mapping[Village, int]] = {village: at for at, village in enumerate(VILLAGES)}


def _neighbours(village: Village, route_type: RouteType) -> tuple[Village, ...]:
    ends = {
        Village(other)
        for route in _TABLES["routes"][route_type]
        for end, other in (route, reversed(route))
        if end == village
    }
    return tuple(each for each in VILLAGES if each in ends)


NEIGHBOURS: Final[Mapping[Village, Mapping[RouteType, tuple[Village, ...]]]] = {
    village: {route_type: _neighbours(village, route_type) for route_type in ROUTE_TYPES}
    for village in VILLAGES
}
"""Where each type of route leads from each village, in the order of the table of villages."""

ROUTE_BETWEEN: Final[Mapping[tuple[Village, Village], RouteType]] = {
    (village, other): route_type
    for village, routes in NEIGHBOURS.items()
    for route_type, others in routes.items()
    for other in others
}
"""The type of the one route between two neighbours."""

EXTRA: Final = Card("extra")
FEED: Final = Card("feed")
ROUTE_CARDS: Final[Mapping[RouteType, Card]] = {each: Card(each) for each in ROUTE_TYPES}
REQUESTS: Final[Mapping[Card, Request]] = {
    Card(row["id"]): Request(tuple(map(Good, row["goods"])), row["points"])
    for row in _TABLES["request"]
}

CARD_ORDER: Final[Mapping[Card, int]] = {
    card: at for at, card in enumerate((*ROUTE_CARDS.values(), EXTRA, FEED, *REQUESTS))
}
"""The order in which a multiset of cards is written."""

STARTING_SETS: Final[Mapping[Colour, StartingSet]] = {
    colour: StartingSet(
        Village(_TABLES["start"][colour]["village"]),
        tuple(map(Card, _TABLES["start"][colour]["cards"])),
    )
    for colour in COLOURS
}
FIRST_HAND: Final = len(STARTING_SETS[COLOURS[0]].cards) + CARDS_PER_PILE
"""So many cards each seat has when the first turn begins."""

_STARTING_CARDS: Final = {card for each in STARTING_SETS.values() for card in each.cards}
DECK_REQUESTS: Final[Cards] = tuple(card for card in REQUESTS if card not in _STARTING_CARDS)
"""The requests that are not part of a starting set."""
DECK_OTHERS: Final[Cards] = tuple(
    card for card in (*ROUTE_CARDS.values(), EXTRA, FEED) for _ in range(_TABLES["cards"][card])
)
"""Routes, extras and feed that are not part of a starting set."""

FIGURES: Final[Mapping[int, Figures]] = {
    int(seats): Figures(**row) for seats, row in _TABLES["seats"].items()
}
