"""What each ticket would take: every combination of what its wish names."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, TypeVar

from howff.engine.codec import canonical
from howff.lobby.domain.matching.pools import Pool, Waiter
from howff.lobby.domain.matching.waiting import WaitingTicket
from howff.lobby.domain.terms import Terms
from howff.lobby.domain.tickets.events import GameWished, Rated
from howff.lobby.domain.tickets.wishes import terms_of
from howff.match.clocks import Clock

PoolKey = tuple[int, int, int, bool, str | None]
"""Numbers of the game with its options and of the clock; seats, rated, level of bots."""
_RATED: Final[dict[Rated, tuple[bool, ...]]] = {
    "yes": (True,),
    "no": (False,),
    "either": (True, False),
}
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Offer:
    """A table that a ticket would take, and who else would."""

    game: GameWished
    clock: Clock | None
    seats: int
    rated: bool
    bot_level: str | None
    """Of the bots that may have seats; None where nobody may but accounts."""
    rating: int
    """That of the ticket's account in such a match."""
    pool: Pool

    @property
    def terms(self) -> Terms:
        return terms_of(self.game, self.seats, self.clock, rated=self.rated)


@dataclass(slots=True)
class Market:
    """All offers of a round of the matcher; whose account is *placed* takes no other."""

    placed: AbstractSet[str]
    now: datetime
    _games: dict[tuple[str, str], int] = field(default_factory=dict[tuple[str, str], int])
    _clocks: dict[Clock | None, int] = field(default_factory=dict["Clock | None", int])
    _pools: dict[PoolKey, Pool] = field(default_factory=dict[PoolKey, Pool])

    def enter(self, waiter: Waiter) -> tuple[Offer, ...]:
        """Return what the next in the order of waiting would take, and let others find it there."""
        offers = tuple(self._offers(waiter.ticket))
        for each in offers:
            each.pool.add(waiter, each.rating)
        return offers

    def _offers(self, ticket: WaitingTicket) -> Iterator[Offer]:
        """Give the offers in the order of the wish; where both will do, rated ones first."""
        wish = ticket.wish
        kinds: list[tuple[bool, str | None]] = [(rated, None) for rated in _RATED[wish.rated]]
        if ticket.lets_bots_in(self.now):
            kinds.append((False, wish.bot_level))
        for game in wish.games:
            game_number = _number(self._games, (game.game, canonical(game.options)))
            for clock in wish.clocks:
                clock_number = _number(self._clocks, clock)
                rating = ticket.rating(game.game, clock)
                for seats in game.seats:
                    for rated, level in kinds:
                        key = (game_number, clock_number, seats, rated, level)
                        yield Offer(game, clock, seats, rated, level, rating, self._pool(key))

    def _pool(self, key: PoolKey) -> Pool:
        pool = self._pools.get(key)
        if pool is None:
            pool = self._pools[key] = Pool(self.placed)
        return pool


def _number(numbers: dict[T, int], thing: T) -> int:
    """Return the number of a *thing*, so that pools are found by what is quick to compare."""
    return numbers.setdefault(thing, len(numbers))
