"""Who gets which seat of a table that tickets have led to."""

import hashlib
from collections.abc import Iterator
from itertools import count

from howff.lobby.domain.tables.events import TicketSeat
from howff.match.events import Bot

Seated = TicketSeat | Bot


def seated(seats: tuple[Seated, ...], commitment: str) -> tuple[Seated, ...]:
    """Return *seats* in an order that nobody has chosen, for the first one may be of advantage.

    They stand by the SHA-256 of the seed's *commitment* and the account; of the n-th bot, from 0,
    that is `:n`, which no account is called.
    """
    numbers = count()
    marked = [(_mark(commitment, each, numbers), each) for each in seats]
    return tuple(seat for _, seat in sorted(marked, key=lambda each: each[0]))


def _mark(commitment: str, seat: Seated, numbers: Iterator[int]) -> bytes:
    name = f":{next(numbers)}" if isinstance(seat, Bot) else seat.account
    return hashlib.sha256(f"{commitment}{name}".encode()).digest()
