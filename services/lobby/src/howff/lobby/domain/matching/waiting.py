"""Tickets that wait for a match, as the matcher sees them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from howff.lobby.domain.tickets.events import Wish
from howff.match.clocks import Clock, Speed, speed_of

Ratings = Mapping[tuple[str, Speed], int]
"""Ratings by game and speed."""
FIRST_RATING: Final = 1500
"""Of an account that has none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingTicket:
    """A ticket that nobody has claimed, of an account none of whose tickets is claimed."""

    ticket: str
    account: str
    wish: Wish
    """As `wishes.checked` returns it."""
    since: datetime
    expires_at: datetime
    ratings: Ratings
    """Of the account, so the same for all its tickets."""

    def rating(self, game: str, clock: Clock | None) -> int:
        """Return what the account's play in such matches is rated at."""
        return self.ratings.get((game, speed_of(clock)), FIRST_RATING)

    def is_over(self, now: datetime) -> bool:
        """Tell whether its time is over."""
        return now >= self.expires_at

    def lets_bots_in(self, now: datetime) -> bool:
        """Tell whether bots may have the seats that nobody else wants, by now."""
        after = self.wish.bots_after
        return after is not None and now >= self.since + timedelta(seconds=after)
