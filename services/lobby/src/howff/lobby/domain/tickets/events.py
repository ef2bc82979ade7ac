"""What happens to the tickets of one account."""

from dataclasses import dataclass
from typing import Literal

from howff.engine.codec import JSON
from howff.match.clocks import Clock

Rated = Literal["yes", "no", "either"]
EndedBecause = Literal[
    "cancelled", "expired", "matched_elsewhere", "suspended", "erased", "refused"
]


@dataclass(frozen=True, slots=True)
class GameWished:
    """A game that the player would play; options and numbers of seats are set by `checked`."""

    game: str
    options: JSON
    seats: tuple[int, ...] = ()
    """Those wished for that the game is for with these options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a player would accept: any combination of what it names."""

    games: tuple[GameWished, ...]
    seats: tuple[int, ...]
    """The numbers of seats, rising."""
    clocks: tuple[Clock | None, ...]
    rated: Rated
    bots_after: int | None = None
    """Seconds after which bots may have the seats that nobody else wants; None is never."""
    bot_level: str | None = None


@dataclass(frozen=True, slots=True)
class TicketOpened:
    """The player waits; at *expires_at* no longer. Times are RFC 3339 in UTC."""

    ticket: str
    wish: Wish
    opened_at: str
    expires_at: str


@dataclass(frozen=True, slots=True)
class TicketClaimed:
    """A table has a seat for the ticket, and no other may claim one of the account's."""

    ticket: str
    table: str


@dataclass(frozen=True, slots=True)
class TicketReleased:
    """The table that has claimed the ticket came to nothing; it waits as before."""

    ticket: str
    table: str


@dataclass(frozen=True, slots=True)
class TicketMatched:
    """The match of the table is played."""

    ticket: str
    table: str


@dataclass(frozen=True, slots=True)
class TicketEnded:
    """The player waits no longer with this ticket."""

    ticket: str
    because: EndedBecause


TicketEvent = TicketOpened | TicketClaimed | TicketReleased | TicketMatched | TicketEnded
