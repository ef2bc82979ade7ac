"""The rows of scoring. The archive is the truth here; all else is made of it, and could be again.

Rows that are projected stand in generations: a new one is made beside the live one, and takes its
place at once. Times are RFC 3339 in UTC with milliseconds: such texts sort by time.
"""

from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, Double, Index, LargeBinary, Text
from sqlmodel import Field, SQLModel


class ArchiveRow(SQLModel, table=True):
    """A match that is over, and was verified."""

    __tablename__: ClassVar[str] = "scoring_archive"

    position: int = Field(primary_key=True, sa_type=BigInteger)
    """That of its end in the stream `CONTRACTS`."""
    match: str = Field(unique=True, sa_type=Text)
    game: str = Field(sa_type=Text)
    head_hash: str = Field(sa_type=Text)
    """The hash of its last commit, which tells all of them."""
    content: bytes = Field(sa_type=LargeBinary)
    """The file of its whole export, compressed."""
    unchecked: str = Field(sa_type=Text)
    """The checks that could not be made here, as for rules that are not installed."""
    result: Any = Field(sa_type=JSON)
    """What its log says of its seats, so that it need not be read again."""
    results_version: int


class ProjectionRow(SQLModel, table=True):
    """How far a generation of a projection has come through the archive."""

    __tablename__: ClassVar[str] = "scoring_projection"

    projection: str = Field(primary_key=True, sa_type=Text)
    generation: int = Field(primary_key=True)
    is_live: bool
    version: int
    """By which version of their making its rows are made."""
    position: int = Field(sa_type=BigInteger)


class RebuiltRow(SQLModel, table=True):
    """What came of making a generation anew."""

    __tablename__: ClassVar[str] = "scoring_rebuilt"

    projection: str = Field(primary_key=True, sa_type=Text)
    generation: int = Field(primary_key=True)
    rows: int
    differing: int
    differences: Any = Field(sa_type=JSON)


class PutAsideRow(SQLModel, table=True):
    """A match of the archive that a generation could not apply, or not in its turn."""

    __tablename__: ClassVar[str] = "scoring_put_aside"

    projection: str = Field(primary_key=True, sa_type=Text)
    generation: int = Field(primary_key=True)
    position: int = Field(primary_key=True, sa_type=BigInteger)
    match: str = Field(sa_type=Text)
    error: str = Field(sa_type=Text)


class ResultRow(SQLModel, table=True):
    """What became of one seat of a match."""

    __tablename__: ClassVar[str] = "scoring_result"
    __table_args__: ClassVar[Any] = (
        Index("scoring_result_of", "generation", "account", "position"),
    )

    generation: int = Field(primary_key=True)
    position: int = Field(primary_key=True, sa_type=BigInteger)
    seat: int = Field(primary_key=True)
    match: str = Field(sa_type=Text)
    game: str = Field(sa_type=Text)
    speed: str = Field(sa_type=Text)
    seats: int
    is_public: bool
    is_rated: bool
    is_branch: bool
    reason: str = Field(sa_type=Text)
    started_at: str = Field(sa_type=Text)
    ended_at: str = Field(sa_type=Text)
    account: str | None = Field(default=None, sa_type=Text)
    level: str | None = Field(default=None, sa_type=Text)
    place: int | None = None
    score: int | None = None
    figures: Any = Field(sa_type=JSON)
    stay: str = Field(sa_type=Text)
    flags: int


class RatingRow(SQLModel, table=True):
    """The rating of an account, or a level of bots, in a pool."""

    __tablename__: ClassVar[str] = "scoring_rating"
    __table_args__: ClassVar[Any] = (
        Index("scoring_rating_best", "generation", "game", "kind", "sure_points", "player"),
    )

    generation: int = Field(primary_key=True)
    game: str = Field(primary_key=True, sa_type=Text)
    kind: str = Field(primary_key=True, sa_type=Text)
    player: str = Field(primary_key=True, sa_type=Text)
    mu: float = Field(sa_type=Double)
    sigma: float = Field(sa_type=Double)
    matches: int
    at: str = Field(sa_type=Text)
    points: int
    deviation: int
    sure_points: int


class RatingStepRow(SQLModel, table=True):
    """What a match has made of a rating."""

    __tablename__: ClassVar[str] = "scoring_rating_step"
    __table_args__: ClassVar[Any] = (
        Index("scoring_rating_step_of", "generation", "player", "game", "kind", "position"),
    )

    generation: int = Field(primary_key=True)
    position: int = Field(primary_key=True, sa_type=BigInteger)
    kind: str = Field(primary_key=True, sa_type=Text)
    player: str = Field(primary_key=True, sa_type=Text)
    game: str = Field(sa_type=Text)
    match: str = Field(sa_type=Text)
    is_public: bool
    at: str = Field(sa_type=Text)
    points: int
    deviation: int
    change: int


class SeatRecordRow(SQLModel, table=True):
    """How an account has done at a seat, of so many."""

    __tablename__: ClassVar[str] = "scoring_seat_record"

    generation: int = Field(primary_key=True)
    player: str = Field(primary_key=True, sa_type=Text)
    game: str = Field(primary_key=True, sa_type=Text)
    is_public: bool = Field(primary_key=True)
    seats: int = Field(primary_key=True)
    seat: int = Field(primary_key=True)
    matches: int
    firsts: int
    places: int
    """Their sum."""
    left: int


class OptionRecordRow(SQLModel, table=True):
    """How an account has done where an option had a value."""

    __tablename__: ClassVar[str] = "scoring_option_record"

    generation: int = Field(primary_key=True)
    player: str = Field(primary_key=True, sa_type=Text)
    game: str = Field(primary_key=True, sa_type=Text)
    is_public: bool = Field(primary_key=True)
    name: str = Field(primary_key=True, sa_type=Text)
    value: str = Field(primary_key=True, sa_type=Text)
    """In canonical JSON."""
    matches: int
    firsts: int
    places: int
    left: int


class HeadToHeadRow(SQLModel, table=True):
    """How an account has done against another, or against a level of bots."""

    __tablename__: ClassVar[str] = "scoring_head_to_head"

    generation: int = Field(primary_key=True)
    player: str = Field(primary_key=True, sa_type=Text)
    opponent: str = Field(primary_key=True, sa_type=Text)
    """An account, or `bot:LEVEL`: no id of an account has a colon."""
    game: str = Field(primary_key=True, sa_type=Text)
    is_public: bool = Field(primary_key=True)
    matches: int
    ahead: int
    behind: int
    level: int


class RecordedRow(SQLModel, table=True):
    """A match that the records have counted."""

    __tablename__: ClassVar[str] = "scoring_recorded"

    generation: int = Field(primary_key=True)
    position: int = Field(primary_key=True, sa_type=BigInteger)


class StreakRow(SQLModel, table=True):
    """How often an account has won in a row, or not, in a pool."""

    __tablename__: ClassVar[str] = "scoring_streak"
    __table_args__: ClassVar[Any] = (Index("scoring_streak_of", "generation", "player"),)

    generation: int = Field(primary_key=True)
    game: str = Field(primary_key=True, sa_type=Text)
    kind: str = Field(primary_key=True, sa_type=Text)
    player: str = Field(primary_key=True, sa_type=Text)
    position: int = Field(sa_type=BigInteger)
    """That of the last match in it."""
    is_won: bool
    length: int
    since: str = Field(sa_type=Text)
    longest: int
    longest_since: str | None = Field(default=None, sa_type=Text)


class StatisticRow(SQLModel, table=True):
    """How often a number was met: a bar of a histogram."""

    __tablename__: ClassVar[str] = "scoring_statistic"

    generation: int = Field(primary_key=True)
    game: str = Field(primary_key=True, sa_type=Text)
    seats: int = Field(primary_key=True)
    who: str = Field(primary_key=True, sa_type=Text)
    measure: str = Field(primary_key=True, sa_type=Text)
    about: str = Field(primary_key=True, sa_type=Text)
    """What it is measured of, such as a seat, or a kind of move."""
    value: int = Field(primary_key=True, sa_type=BigInteger)
    count: int


class StatisticCountedRow(SQLModel, table=True):
    """A match that the statistics have counted."""

    __tablename__: ClassVar[str] = "scoring_statistic_counted"

    generation: int = Field(primary_key=True)
    position: int = Field(primary_key=True, sa_type=BigInteger)
