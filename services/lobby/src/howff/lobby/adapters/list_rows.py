"""The rows that lists are read from; all of them follow from streams and could be made again.

Times are RFC 3339 in UTC with milliseconds, as streams tell them: such texts sort by time.
"""

from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, Index, Text
from sqlmodel import Field, SQLModel


class TableRow(SQLModel, table=True):
    """A table."""

    __tablename__: ClassVar[str] = "lobby_table"
    __table_args__: ClassVar[Any] = (
        Index("lobby_table_open", "visibility", "phase", "opened_at", "id"),
    )

    id: str = Field(primary_key=True, sa_type=Text)
    version: int
    phase: str = Field(sa_type=Text)
    visibility: str = Field(sa_type=Text)
    game: str = Field(sa_type=Text)
    opened_at: str = Field(sa_type=Text)
    folded: Any = Field(sa_type=JSON)
    """The table as its commits have made it."""
    summary: Any = Field(sa_type=JSON)


class TablePartRow(SQLModel, table=True):
    """An account has a part in a table: it sits there, a seat is reserved for it, or it is host."""

    __tablename__: ClassVar[str] = "lobby_table_part"

    account: str = Field(primary_key=True, sa_type=Text)
    table_id: str = Field(primary_key=True, sa_type=Text, index=True)


class TicketRow(SQLModel, table=True):
    """A ticket that waits, or that a table has claimed."""

    __tablename__: ClassVar[str] = "lobby_ticket"

    id: str = Field(primary_key=True, sa_type=Text)
    account: str = Field(sa_type=Text, index=True)
    table_id: str | None = Field(default=None, sa_type=Text)
    """The table that has claimed it."""
    opened_at: str = Field(sa_type=Text)
    expires_at: str = Field(sa_type=Text)
    wish: Any = Field(sa_type=JSON)


class MatchRow(SQLModel, table=True):
    """A match."""

    __tablename__: ClassVar[str] = "lobby_match"
    __table_args__: ClassVar[Any] = (
        Index("lobby_match_watched", "watch", "state", "started_at", "id"),
        Index("lobby_match_ended", "watch", "state", "ended_at", "id"),
    )

    id: str = Field(primary_key=True, sa_type=Text)
    game: str = Field(sa_type=Text)
    watch: str = Field(sa_type=Text)
    rated: bool
    state: str = Field(sa_type=Text)
    seats: Any = Field(sa_type=JSON)
    started_at: str = Field(sa_type=Text)
    ended_at: str | None = Field(default=None, sa_type=Text)
    reason: str | None = Field(default=None, sa_type=Text)
    places: Any = Field(default=None, sa_type=JSON)
    is_begun: bool
    """Whether its beginning was told: who may watch it is not known before."""


class MatchPartRow(SQLModel, table=True):
    """An account plays a match, in one seat or several."""

    __tablename__: ClassVar[str] = "lobby_match_part"

    account: str = Field(primary_key=True, sa_type=Text)
    match_id: str = Field(primary_key=True, sa_type=Text, index=True)


class TurnRow(SQLModel, table=True):
    """Whom a match waits for as it is at *version*."""

    __tablename__: ClassVar[str] = "lobby_turn"

    match_id: str = Field(primary_key=True, sa_type=Text)
    version: int
    waits_for: Any = Field(sa_type=JSON)
    """By account the time when the first flag of its seats falls, or null."""


class RatingRow(SQLModel, table=True):
    """The rating of an account in matches of a game and speed."""

    __tablename__: ClassVar[str] = "lobby_rating"

    account: str = Field(primary_key=True, sa_type=Text)
    game: str = Field(primary_key=True, sa_type=Text)
    speed: str = Field(primary_key=True, sa_type=Text)
    rating: int
    deviation: int


class RatedMatchRow(SQLModel, table=True):
    """A match whose ratings were taken in; told again, they are old."""

    __tablename__: ClassVar[str] = "lobby_rated_match"

    match_id: str = Field(primary_key=True, sa_type=Text)


class FeedEpochRow(SQLModel, table=True):
    """A random word, one for as long as the numbers of the feeds go on."""

    __tablename__: ClassVar[str] = "lobby_feed_epoch"

    word: str = Field(primary_key=True, sa_type=Text)


class FeedRow(SQLModel, table=True):
    """How many entries an audience was told."""

    __tablename__: ClassVar[str] = "lobby_feed"

    audience: str = Field(primary_key=True, sa_type=Text)
    number: int = Field(sa_type=BigInteger)


class FeedEntryRow(SQLModel, table=True):
    """What an audience was told under a number."""

    __tablename__: ClassVar[str] = "lobby_feed_entry"

    audience: str = Field(primary_key=True, sa_type=Text)
    number: int = Field(primary_key=True, sa_type=BigInteger)
    kind: str = Field(sa_type=Text)
    data: str = Field(sa_type=Text)
    """JSON."""
    at: str = Field(sa_type=Text, index=True)


LIST_ROWS: tuple[type[SQLModel], ...] = (
    TableRow,
    TablePartRow,
    TicketRow,
    MatchRow,
    MatchPartRow,
    TurnRow,
    RatingRow,
    RatedMatchRow,
    FeedEpochRow,
    FeedRow,
    FeedEntryRow,
)
