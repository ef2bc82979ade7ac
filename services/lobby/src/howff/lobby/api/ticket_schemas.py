"""What requests about tickets tell, and what answers do."""

from typing import Annotated

from pydantic import BaseModel, Field

from howff.contracts.ids import JSON, Level
from howff.contracts.matches import Clock
from howff.lobby.api.table_schemas import GameKey, SeatCount
from howff.lobby.application.summaries import TicketSummary
from howff.lobby.domain.tickets.events import Rated
from howff.servicekit.web.bodies import Listed, StrictModel


class GameWishedBody(StrictModel):
    """A game that the player would play."""

    game: GameKey
    options: Annotated[dict[str, JSON], Field(default_factory=dict)]


class TicketBody(StrictModel):
    """What the player would accept: any combination of what it names."""

    games: Annotated[Listed[GameWishedBody], Field(min_length=1, max_length=8)]
    seats: Annotated[Listed[SeatCount], Field(min_length=1, max_length=8)]
    clocks: Annotated[Listed[Clock | None], Field(min_length=1, max_length=8)] = (None,)
    rated: Rated = "either"
    bots_after: Annotated[int, Field(ge=0, le=86_400)] | None = None
    """Seconds after which bots may have the seats that nobody else wants; null is never."""
    bot_level: Level | None = None
    lifetime: Annotated[int, Field(ge=10, le=86_400)] = 600
    """Seconds after which the player waits no longer."""


class TicketView(TicketSummary):
    """A ticket as it stands."""

    window: int | None
    """By how much the ratings at a table may differ now; null when they may as they like."""


class TicketsView(BaseModel):
    """The tickets of an account, those that wait first, and the newest that have ended."""

    items: list[TicketView]
