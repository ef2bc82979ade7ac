"""Tables, tickets and matches in short, as lists and feeds tell them to whoever may know."""

from typing import Literal

from pydantic import BaseModel

from howff.contracts.ids import JSON
from howff.contracts.matches import Clock, Holder, Watch
from howff.lobby.application.clocks import clock_message
from howff.lobby.domain.tables.events import Visibility
from howff.lobby.domain.tables.table import Phase, Table
from howff.lobby.domain.tickets.events import EndedBecause, Rated, Wish
from howff.lobby.domain.tickets.tickets import TicketState
from howff.match.events import Bot

MatchState = Literal["playing", "ended"]


class PlayerSummary(BaseModel):
    """Who has a seat: an account, or a bot of some level."""

    seat: int
    account: str | None = None
    bot: str | None = None


class TableSummary(BaseModel):
    """A table; free seats have no player."""

    id: str
    version: int
    phase: Phase
    game: str
    options: JSON
    seats: int
    free: int
    players: tuple[PlayerSummary, ...]
    clock: Clock | None
    rated: bool
    watch: Watch
    visibility: Visibility
    host: str | None
    opened_at: str


class GameWishedSummary(BaseModel):
    """A game that the player would play, with all its options."""

    game: str
    options: JSON


class TicketSummary(BaseModel):
    """A ticket, to its account."""

    id: str
    games: tuple[GameWishedSummary, ...]
    seats: tuple[int, ...]
    clocks: tuple[Clock | None, ...]
    rated: Rated
    bots_after: int | None
    bot_level: str | None
    opened_at: str
    expires_at: str
    state: TicketState
    ended_because: EndedBecause | None
    table: str | None
    """The table that has claimed it, or the match that it has led to."""


class MatchSummary(BaseModel):
    """A match; places are by seat, of a match that has ended and was not aborted."""

    id: str
    game: str
    seats: tuple[Holder, ...]
    rated: bool
    watch: Watch
    state: MatchState
    started_at: str
    ended_at: str | None
    reason: str | None
    places: tuple[int, ...] | None


class MyMatchSummary(MatchSummary):
    """A match to an account that plays it: whether it has to decide, and by when."""

    waits_for_me: bool
    due: str | None


class TurnSummary(BaseModel):
    """Whether a match waits for the account, by when, and since which version at the latest."""

    match: str
    version: int
    waits_for_me: bool
    due: str | None


def table_summary(id: str, version: int, table: Table, opened_at: str) -> TableSummary:  # noqa: A002
    """Return a table in short."""
    terms = table.terms
    return TableSummary(
        id=id,
        version=version,
        phase=table.phase,
        game=terms.game,
        options=terms.options,
        seats=terms.seats,
        free=len(table.free),
        players=_players(table),
        clock=clock_message(terms.clock),
        rated=terms.rated,
        watch=terms.watch,
        visibility=table.visibility,
        host=table.host,
        opened_at=opened_at,
    )


def wish_summary(wish: Wish) -> dict[str, JSON]:
    """Return the fields of a `TicketSummary` that tell what is wished for."""
    return {
        "games": tuple(
            GameWishedSummary(game=each.game, options=each.options) for each in wish.games
        ),
        "seats": wish.seats,
        "clocks": tuple(map(clock_message, wish.clocks)),
        "rated": wish.rated,
        "bots_after": wish.bots_after,
        "bot_level": wish.bot_level,
    }


def _players(table: Table) -> tuple[PlayerSummary, ...]:
    return tuple(
        PlayerSummary(seat=seat, bot=holder.level)
        if isinstance(holder, Bot)
        else PlayerSummary(seat=seat, account=holder.account)
        for seat, holder in enumerate(table.seats)
        if holder is not None
    )
