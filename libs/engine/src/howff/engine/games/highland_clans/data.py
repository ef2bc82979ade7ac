"""The tables of Highland Clans as constants; `data.toml` says where each figure comes from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NewType

from howff.engine.tables import hash_of_tables, read_tables

Card = NewType("Card", int)
"""The value of a card; cards of one value are indistinguishable."""
Cards = tuple[Card, ...]
"""A multiset of cards, sorted."""
Colour = Literal["yellow", "blue", "green", "red"]
Clan = Literal["campbell", "macdonald", "macgregor", "mackenzie", "macleod"]
Possession = Literal["castle", "monastery", "cattle"]
"""What fills an estate."""
Person = Literal["warrior", "bagpiper", "monk"]
"""What stands in a court."""
Price = Literal["red", "green"]
"""Which of its two prices is paid for an estate."""

COLOURS: Final[tuple[Colour, ...]] = ("yellow", "blue", "green", "red")


@dataclass(frozen=True, slots=True)
class Cubes:
    """How many cubes of each colour."""

    yellow: int = 0
    blue: int = 0
    green: int = 0
    red: int = 0

    def __add__(self, other: "Cubes") -> "Cubes":
        return Cubes(
            self.yellow + other.yellow,
            self.blue + other.blue,
            self.green + other.green,
            self.red + other.red,
        )

    def __sub__(self, other: "Cubes") -> "Cubes":
        return Cubes(
            self.yellow - other.yellow,
            self.blue - other.blue,
            self.green - other.green,
            self.red - other.red,
        )

    def __mul__(self, count: int) -> "Cubes":
        return Cubes(self.yellow * count, self.blue * count, self.green * count, self.red * count)

    def holds(self, other: "Cubes") -> bool:
        """Return whether there are as many as *other* has, of each colour."""
        return (
            self.yellow >= other.yellow
            and self.blue >= other.blue
            and self.green >= other.green
            and self.red >= other.red
        )

    @property
    def total(self) -> int:
        return self.yellow + self.blue + self.green + self.red

    @property
    def each(self) -> tuple[Colour, ...]:
        """The colour of every cube."""
        counts = (self.yellow, self.blue, self.green, self.red)
        return tuple(colour for colour, n in zip(COLOURS, counts, strict=True) for _ in range(n))


def cubes_of(colours: tuple[Colour, ...]) -> Cubes:
    """Return how many of each colour there are."""
    return Cubes(*map(colours.count, COLOURS))


@dataclass(frozen=True, slots=True)
class Figures:
    """What depends on the number of seats: the cubes set aside, and the score at the start."""

    yellow: int
    blue: int
    score: int

    @property
    def set_aside(self) -> Cubes:
        return Cubes(yellow=self.yellow, blue=self.blue)


@dataclass(frozen=True, slots=True)
class RaidPoints:
    """What a raid is worth; who is not named gets nothing."""

    attacker_wins: int
    attacker_wins_nothing: int
    """When the defender owns nothing that could be taken."""
    attacker_draws: int
    attacker_loses: int
    defender_wins: int


@dataclass(frozen=True, slots=True)
class ClanRecord:
    """The name of a clan, and the colour that it is drawn in."""

    name: str
    colour: str


_TABLES: Final = read_tables("howff.engine.games.highland_clans")
_LIMITS: Final[Mapping[str, int]] = _TABLES["limits"]
_BOARD: Final[Mapping[str, int]] = _TABLES["board"]
_SCORING: Final[Mapping[str, int]] = _TABLES["scoring"]

DATA_HASH: Final = hash_of_tables(_TABLES)

ALL_CUBES: Final = Cubes(**_TABLES["cubes"])
NO_CUBES: Final = Cubes()
CARD_VALUES: Final[Cards] = tuple(sorted(Card(int(value)) for value in _TABLES["cards"]))
ALL_CARDS: Final[Cards] = tuple(
    value for value in CARD_VALUES for _ in range(_TABLES["cards"][str(value)])
)
ESTATE_NUMBERS: Final[tuple[int, ...]] = tuple(
    sorted(int(number) for number, tiles in _TABLES["estate_numbers"].items() for _ in range(tiles))
)
"""The number of each tile."""

START_WARRIORS: Final = _BOARD["warriors"]
START_BAGPIPERS: Final = _BOARD["bagpipers"]
START_ESTATES: Final = _BOARD["estates"]
START_CATTLE: Final = _BOARD["cattle"]
START_CARDS: Final = _BOARD["cards"]
FIGURES: Final[Mapping[int, Figures]] = {
    int(seats): Figures(**row) for seats, row in _TABLES["seats"].items()
}

CUBES_DRAWN: Final = _LIMITS["cubes_drawn"]
CUBES_USED: Final = _LIMITS["cubes_used"]
ACTIONS: Final = _LIMITS["actions"]
ACTIONS_OF_LAST_SEAT: Final = _LIMITS["actions_of_last_seat"]
FEWEST_WARRIORS: Final = _LIMITS["fewest_warriors"]
MOST_ESTATES: Final = _LIMITS["most_estates"]
MOST_MONKS: Final = _LIMITS["most_monks"]
MOST_EXCHANGED: Final = _LIMITS["most_exchanged"]
FIGHTS: Final = _LIMITS["fights"]
REFRESH_DRAWN: Final = _LIMITS["refresh_drawn"]
REFRESH_DISCARDED: Final = _LIMITS["refresh_discarded"]

POSSESSIONS: Final[tuple[Possession, ...]] = ("castle", "monastery", "cattle")
MADE_OF: Final[Mapping[Possession | Person, Cubes]] = {
    thing: Cubes(**cubes) for thing, cubes in _TABLES["made_of"].items()
}
BARD_PRICE: Final = Cubes(**_TABLES["bard"]["price"])
ESTATE_PRICES: Final[Mapping[Price, Cubes]] = {
    "red": Cubes(**_TABLES["estate_prices"]["red"]),
    "green": Cubes(**_TABLES["estate_prices"]["green"]),
}

LOWEST_SCORE: Final[int] = _TABLES["track"]["lowest"]
RED_FROM: Final[int] = _TABLES["track"]["red_from"]
"""From this score on the number of a tile that leaves the match is looked at."""
RAID_POINTS: Final = RaidPoints(**_TABLES["raid_points"])
MOST_GREEN: Final = _SCORING["most_green"]
SECOND_GREEN: Final = _SCORING["second_green"]
TIED_GREEN: Final = _SCORING["tied_green"]
EACH_CATTLE: Final = _SCORING["each_cattle"]
MOST_CATTLE: Final = _SCORING["most_cattle"]

CLANS: Final[Mapping[Clan, ClanRecord]] = {
    row["id"]: ClanRecord(row["name"], row["colour"]) for row in _TABLES["clan"]
}
