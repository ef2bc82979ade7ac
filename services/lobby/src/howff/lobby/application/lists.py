"""Lists: what they show, a page at a time, and where they are read from."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

from howff.lobby.application.summaries import (
    MatchState,
    MatchSummary,
    MyMatchSummary,
    TableSummary,
    TicketSummary,
)

T = TypeVar("T")

Place = tuple[str, str]
"""Where something stands in a list: its time and its id, neither of which changes."""
AnyState = MatchState | None
"""The state that matches are in; None is any."""


@dataclass(frozen=True, slots=True)
class Span:
    """So many items of a list, from its beginning or *after* a place."""

    limit: int
    after: Place | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items of a list, and the place of the last one if there are others after it."""

    items: tuple[T, ...]
    next: Place | None


class LobbySnapshot(BaseModel):
    """What the lobby shows, with which its feed begins: the newest of each list."""

    tables: tuple[TableSummary, ...]
    matches: tuple[MatchSummary, ...]
    is_whole: bool
    """Whether nothing is left out."""


class MySnapshot(BaseModel):
    """What concerns an account, with which its feed begins: the newest of each list."""

    tickets: tuple[TicketSummary, ...]
    tables: tuple[TableSummary, ...]
    matches: tuple[MyMatchSummary, ...]
    is_whole: bool
    """Whether nothing is left out."""


class Lists(Protocol):
    """The lists of the lobby and of each account, the newest first.

    Matches stand where they have started; those that are asked for as ended, where they have
    ended. All refuse with `DatabaseError` while they can't be read.
    """

    async def open_tables(self, span: Span, game: str | None) -> Page[TableSummary]:
        """Return open tables where anybody may sit down."""
        ...

    async def tables_of(self, account: str, span: Span) -> Page[TableSummary]:
        """Return the tables where *account* has a part and that are not over."""
        ...

    async def watchable_matches(
        self, span: Span, game: str | None, state: AnyState
    ) -> Page[MatchSummary]:
        """Return matches that everybody may watch."""
        ...

    async def matches_of(self, account: str, span: Span, state: AnyState) -> Page[MyMatchSummary]:
        """Return the matches that *account* plays or has played."""
        ...
