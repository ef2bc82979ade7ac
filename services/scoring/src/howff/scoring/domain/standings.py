"""How the seats of a match stand to each other, whoever has left it counted too."""

from typing import Final

from howff.match.events import Account
from howff.scoring.domain.results import MatchResult, SeatResult

Standing = tuple[bool, int]
"""Whether a seat was left, and its place; the least is the best, and equals are equal."""
BOT: Final = "bot:"
"""What stands before a level of bots where accounts are named too, whose ids have no colon."""


def standing_of(seat: SeatResult) -> Standing:
    """Return how a seat of a match that was not aborted stands.

    Who has resigned, or was replaced by a bot that kept the seat, comes behind all who stayed.
    """
    assert seat.place is not None, "what counts has places"
    return seat.stay != "stayed", seat.place


def is_left(seat: SeatResult) -> bool:
    """Tell whether a seat was not played to the end by its holder."""
    return seat.stay != "stayed"


def best_seats(result: MatchResult) -> dict[str, int]:
    """Return by account, or `bot:LEVEL`, its seat; of several the one that has come out best."""
    found: dict[str, int] = {}
    order = sorted(range(len(result.seats)), key=lambda seat: standing_of(result.seats[seat]))
    for seat in order:
        found.setdefault(_named(result.seats[seat]), seat)
    return found


def _named(seat: SeatResult) -> str:
    holder = seat.holder
    return holder.account if isinstance(holder, Account) else f"{BOT}{holder.level}"
