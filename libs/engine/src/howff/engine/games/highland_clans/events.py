"""What happens in a match of Highland Clans, with who may know which field.

Cards are their seat's secret wherever they move; only fights turn them up, for a turn.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from howff.engine.games.highland_clans.data import Card, Cards, Clan, Colour, Cubes, Possession
from howff.engine.games.highland_clans.state import DiscardReason, EndReason, Options
from howff.engine.seats import Seat
from howff.engine.visibility import momentary, secret_to

DrawReason = Literal["recruit", "bard", "exchange", "raid"]
"""Why a seat draws cards."""
RaidResult = Literal["attacker", "defender", "draw"]
"""Who has won more fights."""


@dataclass(frozen=True, slots=True)
class GameStarted:
    """The match begins; *clans* by seat."""

    seats: int
    options: Options
    clans: tuple[Clan, ...]


@dataclass(frozen=True, slots=True)
class CubesSetAside:
    """Cubes that stay out of this match."""

    yellow: int
    blue: int


@dataclass(frozen=True, slots=True)
class BoardsPrepared:
    """What every clan starts with."""

    warriors: int
    bagpipers: int
    estates: int
    cattle: int
    score: int


@dataclass(frozen=True, slots=True)
class HandDealt:
    """A seat has its first cards."""

    seat: Seat
    count: int
    cards: Annotated[Cards, secret_to("seat")]


@dataclass(frozen=True, slots=True)
class StartSeatChosen:
    """A seat begins the first round."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round begins, with the turn of *start_seat*."""

    round: int
    start_seat: Seat


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat's turn begins; *position* counts from 1."""

    seat: Seat
    round: int
    position: int
    action_limit: int
    may_redraw: bool


@dataclass(frozen=True, slots=True)
class CubesDrawn:
    """A seat has drawn its cubes from the bag."""

    seat: Seat
    cubes: Cubes


@dataclass(frozen=True, slots=True)
class CubesKept:
    """The holder of the marker keeps its cubes."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CubesRedrawn:
    """The holder of the marker has put cubes back and then drawn as many."""

    seat: Seat
    returned: Cubes
    drawn: Cubes


@dataclass(frozen=True, slots=True)
class CattlePlaced:
    """A drawn red cube is cattle on an estate now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CastleBuilt:
    """Drawn blue cubes are a castle now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MonasteryBuilt:
    """Drawn green cubes are a monastery now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WarriorRecruited:
    """A drawn yellow cube is a warrior now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BagpiperRecruited:
    """A drawn blue cube is a bagpiper now."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MonksRecruited:
    """Drawn green cubes are monks now."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class EstateAcquired:
    """A seat has an estate tile more; what paid for it lies in the bag."""

    seat: Seat
    from_drawn: Cubes
    from_court: Cubes


@dataclass(frozen=True, slots=True)
class BardPlayed:
    """A drawn blue cube and what was not *kept* of the target's *taken* cubes lie in the bag."""

    seat: Seat
    target: Seat
    taken: tuple[Colour, ...]
    kept: Colour | None


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """A seat has drawn cards from the deck."""

    seat: Seat
    reason: DrawReason
    count: int
    cards: Annotated[Cards, secret_to("seat")]


@dataclass(frozen=True, slots=True)
class DeckReshuffled:
    """The deck is empty, and the whole discard pile becomes the new one."""

    deck_size: int


@dataclass(frozen=True, slots=True)
class DiscardRequired:
    """A seat has to discard cards before the match goes on."""

    seat: Seat
    count: int
    reason: DiscardReason


@dataclass(frozen=True, slots=True)
class CardsDiscarded:
    """A seat has discarded cards face down."""

    seat: Seat
    reason: DiscardReason | Literal["exchange"]
    count: int
    cards: Annotated[Cards, secret_to("seat")]


@dataclass(frozen=True, slots=True)
class ActionsEnded:
    """The actions of a turn are over; cubes not used lie in the bag."""

    seat: Seat
    returned: Cubes


@dataclass(frozen=True, slots=True)
class RaidDeclared:
    """A raid of three fights begins."""

    attacker: Seat
    defender: Seat


@dataclass(frozen=True, slots=True)
class CardCommitted:
    """A seat has laid a card face down; fights count from 1."""

    seat: Seat
    fight: int
    bagpiper: bool
    value: Annotated[Card, secret_to("seat")]


@dataclass(frozen=True, slots=True)
class FightResolved:
    """Both cards were turned up and lie on the discard pile; used bagpipers lie in the bag."""

    fight: int
    attacker_value: Annotated[Card, momentary()]
    attacker_bagpiper: bool
    defender_value: Annotated[Card, momentary()]
    defender_bagpiper: bool
    winner: Seat | None


@dataclass(frozen=True, slots=True)
class RaidResolved:
    """A raid is over; deltas as they change the scores, *spoils* if something can be taken."""

    attacker: Seat
    defender: Seat
    attacker_wins: int
    defender_wins: int
    result: RaidResult
    attacker_delta: int
    defender_delta: int
    spoils: bool


@dataclass(frozen=True, slots=True)
class SpoilsTaken:
    """The attacker has taken something; only cattle can come to stand on its own estate."""

    attacker: Seat
    defender: Seat
    kind: Possession
    cattle_placed: bool


@dataclass(frozen=True, slots=True)
class SpoilsDeclined:
    """The attacker takes nothing."""

    attacker: Seat
    defender: Seat


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A seat's turn is over."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class FollowingAssigned:
    """The marker of the largest following was looked at; it may stay where it was."""

    seat: Seat | None
    previous: Seat | None


@dataclass(frozen=True, slots=True)
class RoundScore:
    """What a seat gets for a round, and its score then."""

    green: int
    cattle: int
    cattle_bonus: int
    blue: int
    total: int
    score: int


@dataclass(frozen=True, slots=True)
class RoundScored:
    """All seats were scored at once; *seats* by seat."""

    round: int
    seats: tuple[RoundScore, ...]


@dataclass(frozen=True, slots=True)
class EstateRemoved:
    """A tile of the supply has left the match; its number is None if nobody looked."""

    number: int | None


@dataclass(frozen=True, slots=True)
class StartSeatPassed:
    """The start card goes to the left."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The match is over; *ranking* holds the place of each seat."""

    reason: EndReason
    ranking: tuple[int, ...]


Event = (
    GameStarted
    | CubesSetAside
    | BoardsPrepared
    | HandDealt
    | StartSeatChosen
    | RoundStarted
    | TurnStarted
    | CubesDrawn
    | CubesKept
    | CubesRedrawn
    | CattlePlaced
    | CastleBuilt
    | MonasteryBuilt
    | WarriorRecruited
    | BagpiperRecruited
    | MonksRecruited
    | EstateAcquired
    | BardPlayed
    | CardsDrawn
    | DeckReshuffled
    | DiscardRequired
    | CardsDiscarded
    | ActionsEnded
    | RaidDeclared
    | CardCommitted
    | FightResolved
    | RaidResolved
    | SpoilsTaken
    | SpoilsDeclined
    | TurnEnded
    | FollowingAssigned
    | RoundScored
    | EstateRemoved
    | StartSeatPassed
    | GameEnded
)
