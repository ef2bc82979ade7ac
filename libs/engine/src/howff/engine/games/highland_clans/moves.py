"""What a seat may do in Highland Clans."""

from dataclasses import dataclass
from typing import Literal

from howff.engine.games.highland_clans.data import Card, Cards, Colour, Possession, Price
from howff.engine.seats import Seat

Spoils = Possession | Literal["none"]


@dataclass(frozen=True, slots=True)
class KeepCubes:
    """Keep the drawn cubes (holder of the marker only)."""


@dataclass(frozen=True, slots=True)
class RedrawCubes:
    """Put some of the drawn cubes into the bag and draw as many (holder of the marker only)."""

    yellow: int
    blue: int
    green: int
    red: int


@dataclass(frozen=True, slots=True)
class PlaceCattle:
    """Put cattle on a free estate."""


@dataclass(frozen=True, slots=True)
class BuildCastle:
    """Build a castle on a free estate."""


@dataclass(frozen=True, slots=True)
class BuildMonastery:
    """Build a monastery on a free estate."""


@dataclass(frozen=True, slots=True)
class RecruitWarrior:
    """Bring a warrior to the court, and with it a card into the hand."""


@dataclass(frozen=True, slots=True)
class RecruitBagpiper:
    """Bring a bagpiper to the court."""


@dataclass(frozen=True, slots=True)
class RecruitMonks:
    """Bring one or two monks to the court."""

    count: int


@dataclass(frozen=True, slots=True)
class AcquireEstate:
    """Pay for an estate, with drawn cubes or with such of the own court."""

    price: Price
    yellow_from_court: bool
    green_from_court: int


@dataclass(frozen=True, slots=True)
class PlayBard:
    """Take one or two cubes of different colours from a court; one of two may be kept."""

    target: Seat
    take: tuple[Colour, ...]
    keep: Colour | None


@dataclass(frozen=True, slots=True)
class EndActions:
    """Do no more actions in this turn."""


@dataclass(frozen=True, slots=True)
class DiscardCards:
    """Discard as many cards of the hand as are owed."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class Raid:
    """Raid another clan."""

    target: Seat


@dataclass(frozen=True, slots=True)
class ExchangeCards:
    """Discard up to three cards and draw as many; the turn ends."""

    cards: Cards


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Neither raid nor exchange cards."""


@dataclass(frozen=True, slots=True)
class CommitCard:
    """Lay a card face down for the fight, with or without a bagpiper on it."""

    value: Card
    bagpiper: bool


@dataclass(frozen=True, slots=True)
class TakeSpoils:
    """Take one thing from the seat that lost a raid, or nothing."""

    kind: Spoils


Move = (
    KeepCubes
    | RedrawCubes
    | PlaceCattle
    | BuildCastle
    | BuildMonastery
    | RecruitWarrior
    | RecruitBagpiper
    | RecruitMonks
    | AcquireEstate
    | PlayBard
    | EndActions
    | DiscardCards
    | Raid
    | ExchangeCards
    | EndTurn
    | CommitCard
    | TakeSpoils
)
