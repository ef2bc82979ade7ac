"""Whom matches wait for, as the game service keeps it for whoever wants to know."""

from typing import Final

from howff.contracts.ids import AccountId, MatchId, Message, SeatNumber

TURNS: Final = "TURNS"
"""The bucket of `TurnsTold` by match; a match that waits for no account has no entry."""


class AwaitedSeat(Message):
    """A seat whose account has to decide."""

    seat: SeatNumber
    account: AccountId
    due: str | None
    """When its flag falls, in UTC (RFC 3339); null without a clock."""


class TurnsTold(Message):
    """Whom a match waits for as it is at *version*; never follows one of a later version."""

    match: MatchId
    version: int
    waits_for: tuple[AwaitedSeat, ...]
