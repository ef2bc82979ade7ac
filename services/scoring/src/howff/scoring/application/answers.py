"""What is told of players, matches and projections; as the API tells it."""

from typing import ClassVar, Generic, TypeVar

from pydantic import BaseModel

T = TypeVar("T")


class Named(BaseModel):
    """What tells of an account: its id in the field *account_in*, and what it is called in `name`.

    Names are filled in when an answer goes out (`naming.named`), and stand nowhere.
    """

    account_in: ClassVar[str] = "account"


class RankedPlayer(Named):
    """A place of a leaderboard."""

    account_in: ClassVar[str] = "player"

    rank: int
    """Shared by equals."""
    player: str
    """An account, or a level of bots."""
    name: str | None = None
    """What the account is called; null for one that has no name, or while names can't be had."""
    rating: int
    deviation: int
    sure_rating: int
    """What orders the list: the rating less two deviations."""
    matches: int
    last_match_at: str


class PlayerRating(BaseModel):
    """How good a player is at a game."""

    game: str
    kind: str
    rating: int
    deviation: int
    sure_rating: int
    rank: int
    matches: int
    last_match_at: str


class SeatRecord(BaseModel):
    """How a player has done at a seat, of so many."""

    seats: int
    seat: int
    matches: int
    wins: int
    mean_place: float
    left: int


class OptionRecord(BaseModel):
    """How a player has done where an option had a value."""

    name: str
    value: str
    """In canonical JSON."""
    matches: int
    wins: int
    mean_place: float
    left: int


class PlayerRecord(BaseModel):
    """How a player has done in a game."""

    game: str
    matches: int
    wins: int
    """First places, shared ones too."""
    mean_place: float
    left: int
    """Matches that the player resigned, or a bot ended in its place."""
    by_seat: tuple[SeatRecord, ...]
    by_option: tuple[OptionRecord, ...]


class PlayerStreak(BaseModel):
    """How often a player has won in a row, of the matches that count for a rating."""

    game: str
    kind: str
    is_won: bool
    """Whether the last matches were won, or not."""
    length: int
    """How many in a row."""
    since: str
    """When the first of these ended."""
    longest: int
    """The most matches in a row that were ever won."""
    longest_since: str | None
    """When the first of those ended; null where none was won."""


class Player(Named):
    """All that is known of a player."""

    account_in: ClassVar[str] = "player"

    player: str
    name: str | None = None
    ratings: tuple[PlayerRating, ...]
    records: tuple[PlayerRecord, ...]
    """Of public matches alone, except to the player itself."""
    streaks: tuple[PlayerStreak, ...]


class HeadToHead(Named):
    """How a player has done against an account, or a level of bots."""

    account: str | None
    name: str | None = None
    level: str | None
    matches: int
    ahead: int
    """Matches in which the player came out before the opponent."""
    behind: int
    equal: int


class Opponent(Named):
    """A seat of a match that is over."""

    account: str | None
    name: str | None = None
    level: str | None
    place: int | None
    score: int | None
    stay: str


class PlayedMatch(BaseModel):
    """A match that is over, as one of its seats has seen it."""

    match: str
    game: str
    speed: str
    rated: bool
    reason: str
    ended_at: str
    seat: int
    place: int | None
    score: int | None
    stay: str
    rating_change: int | None
    seats: tuple[Opponent, ...]


class RatingStep(BaseModel):
    """What a match has made of a rating."""

    match: str | None
    """Null where only its seats may know of it."""
    at: str
    rating: int
    deviation: int
    change: int


class PutAside(BaseModel):
    """A match that a projection could not take."""

    position: int
    match: str | None
    """Null where the message about it could not be read, and for all but administrators."""
    error: str


class Rebuilding(BaseModel):
    """How far a rebuild has come."""

    generation: int
    position: int


class Rebuild(BaseModel):
    """What the last rebuild has come to."""

    generation: int
    rows: int
    differing: int
    """How many rows were not as they had been."""
    differences: tuple[str, ...]
    """The first of them, each by its table and key."""


class ProjectionState(BaseModel):
    """How far a projection has come."""

    projection: str
    position: int
    lag: int
    """How many messages, or matches, it has yet to read."""
    generation: int | None = None
    """Which making of its rows is read; null for the archive, which is made once."""
    rebuilding: Rebuilding | None = None
    rebuilt: Rebuild | None = None
    put_aside: tuple[PutAside, ...]


class Page(BaseModel, Generic[T]):
    """A part of a list."""

    items: tuple[T, ...]
    next: str | None
