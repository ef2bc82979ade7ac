"""The state of a match of Highland Clans, and questions about it.

What `evolve` changes has no slots, see `howff.engine.values`.
"""

from dataclasses import dataclass
from typing import Literal

from howff.engine.games.highland_clans.data import (
    ALL_CARDS,
    ALL_CUBES,
    ESTATE_NUMBERS,
    FIGURES,
    NO_CUBES,
    Card,
    Cards,
    Clan,
    Cubes,
    Figures,
)
from howff.engine.multisets import without
from howff.engine.seats import Seat
from howff.engine.values import with_item

Stage = Literal[
    "redraw",
    "actions",
    "hand_limit",
    "raid_or_exchange",
    "attacker_commit",
    "defender_commit",
    "spoils",
    "refresh",
    "finished",
]
"""What is decided now; in `hand_limit` and `refresh` by the seats that owe a discard."""
Action = Literal[
    "place_cattle",
    "build_castle",
    "build_monastery",
    "recruit_warrior",
    "recruit_bagpiper",
    "recruit_monks",
    "acquire_estate",
    "play_bard",
]
DiscardReason = Literal["hand_limit", "raid"]
EndReason = Literal["estate_number", "bag_exhausted", "supply_exhausted"]


@dataclass(frozen=True, slots=True)
class Options:
    """What a table may choose."""

    edition: Literal["consolidated", "dutch"] = "consolidated"
    """`dutch`: after a raid one discards of the cards just drawn, and an attacker who beats a seat
    without possessions gets one point instead of two."""
    start_seat: Seat | None = None
    """The seat that begins the first round; None draws it."""
    clans: tuple[Clan, ...] | None = None
    """One clan a seat, all different; None draws them."""


@dataclass(frozen=True)
class Board:
    """A clan's board and its score: all of it open."""

    warriors: int = 0
    bagpipers: int = 0
    monks: int = 0
    estates: int = 0
    cattle: int = 0
    castles: int = 0
    monasteries: int = 0
    score: int = 0

    @property
    def free_estates(self) -> int:
        return self.estates - self.cattle - self.castles - self.monasteries

    @property
    def court(self) -> int:
        """How many cubes stand in the court."""
        return self.warriors + self.bagpipers + self.monks

    @property
    def owns_nothing(self) -> bool:
        """Whether a raid can take nothing from it."""
        return not (self.cattle or self.castles or self.monasteries)


@dataclass(frozen=True)
class Player:
    """What lies before a seat."""

    clan: Clan
    board: Board = Board()
    hand: Cards = ()
    fresh: Cards = ()
    """Of the hand, what was drawn in this refresh and may be discarded; only in the Dutch edition,
    and only until that is done."""


@dataclass(frozen=True)
class Turn:
    """The turn of the active seat."""

    seat: Seat
    position: int
    """Which turn of the round it is, from 1."""
    action_limit: int
    may_redraw: bool
    cubes: Cubes = NO_CUBES
    """The drawn cubes that still lie before the seat."""
    used: int = 0
    """How many of the drawn cubes were used."""
    done: tuple[Action, ...] = ()


@dataclass(frozen=True, slots=True)
class Commitment:
    """A card that lies face down in a fight; the bagpiper on it is open."""

    value: Card
    bagpiper: bool

    @property
    def strength(self) -> int:
        return self.value + self.bagpiper


@dataclass(frozen=True, slots=True)
class Fight:
    """A fight whose cards were turned up; the winner is None if they were equally strong."""

    attacker: Commitment
    defender: Commitment
    winner: Seat | None


@dataclass(frozen=True)
class RunningRaid:
    """A raid, until the turn has ended."""

    attacker: Seat
    defender: Seat
    fights: tuple[Fight, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    """Of the running fight: the attacker's, then the defender's."""

    def wins(self, seat: Seat) -> int:
        return sum(fight.winner == seat for fight in self.fights)


@dataclass(frozen=True, slots=True)
class Debt:
    """Cards that a seat has to discard before anything else happens."""

    seat: Seat
    count: int
    reason: DiscardReason


@dataclass(frozen=True, slots=True)
class Ending:
    """Why the match ended, and the place of each seat."""

    reason: EndReason
    ranking: tuple[int, ...]


@dataclass(frozen=True)
class State:
    """Everything about a match, secrets included; all piles are multisets without order."""

    options: Options
    seats: int
    stage: Stage = "actions"
    round: int = 0
    start_seat: Seat | None = None
    turn: Turn | None = None
    """None between turns."""
    players: tuple[Player, ...] = ()
    marker: Seat | None = None
    """Who holds the marker of the largest following."""
    bag: Cubes = ALL_CUBES
    set_aside: Cubes = NO_CUBES
    deck: Cards = ALL_CARDS
    discard_pile: Cards = ()
    supply: int = len(ESTATE_NUMBERS)
    """How many estate tiles can be acquired."""
    revealed: tuple[int, ...] = ()
    """The numbers of removed tiles that were looked at, in order."""
    removed: int = 0
    """How many tiles have left the match, looked at or not."""
    raid: RunningRaid | None = None
    owed: tuple[Debt, ...] = ()
    ending: Ending | None = None

    @property
    def figures(self) -> Figures:
        return FIGURES[self.seats]

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple(player.board.score for player in self.players)

    def debt_of(self, seat: Seat) -> Debt:
        """Return what *seat* owes; it owes something."""
        return next(debt for debt in self.owed if debt.seat == seat)

    def with_player(self, seat: Seat, player: Player) -> tuple[Player, ...]:
        """Return all players once *player* sits in *seat*."""
        return with_item(self.players, seat, player)


def numbers_left(revealed: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of all tiles that were not *revealed*, wherever the tiles are."""
    left = ESTATE_NUMBERS
    for number in revealed:
        left = without(left, number)
    return left
