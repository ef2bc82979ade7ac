"""Who would take the same offer, by rating, and how the closest of them are found.

The most and the least rated at a table bound its spread, so the search looks at pairs of those: for
each least rating, from the seeker's own downwards, for the first highest one at which enough are
together who each allow that spread. What was found bounds the search for better.
"""

import math
from bisect import bisect_left
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from howff.lobby.domain.matching.waiting import WaitingTicket


@dataclass(frozen=True, slots=True, eq=False)
class Waiter:
    """A ticket in a round of the matcher."""

    ticket: WaitingTicket
    account: str
    place: int
    """In the order of waiting, the longest first."""
    window: float

    @staticmethod
    def of(ticket: WaitingTicket, place: int, window: int | None) -> "Waiter":
        """Return the waiter with a *window* as `windows.window` tells it."""
        return Waiter(ticket, ticket.account, place, math.inf if window is None else window)


@dataclass(frozen=True, slots=True)
class Group:
    """Waiters who may sit at one table, the longest waiting first."""

    spread: int
    """Between the highest rating and the lowest."""
    waiters: tuple[Waiter, ...]

    @property
    def order(self) -> tuple[int, ...]:
        """Return by what groups are compared: the smallest spread, then the longest wait."""
        return self.spread, *(each.place for each in self.waiters)


@dataclass(slots=True)
class Search:
    """A search for the best group of so many *people* around its *seeker*; *best* so far."""

    seeker: Waiter
    rating: int
    people: int
    best: Group | None = None

    @property
    def limit(self) -> float:
        """Return the widest spread of a group that may be better than the best so far."""
        own = self.seeker.window
        return own if self.best is None else min(own, self.best.spread)

    def find(self, spread: int, members: list[Waiter]) -> None:
        """Take note of a group: the seeker and those *members* who have waited longest."""
        others = sorted(members[1:], key=lambda each: each.place)[: self.people - 1]
        group = Group(spread, (self.seeker, *others))
        if self.best is None or group.order < self.best.order:
            self.best = group


@dataclass(slots=True)
class Pool:
    """The waiters who would take one offer; of an account the one that has waited longest.

    They are added in the order of waiting. Whose account has been *placed* meanwhile is passed
    over, and let go.
    """

    placed: AbstractSet[str]
    _accounts: set[str] = field(default_factory=set[str])
    _lines: dict[int, list[Waiter]] = field(default_factory=dict[int, list[Waiter]])
    _ratings: list[int] = field(default_factory=list[int])

    def add(self, waiter: Waiter, rating: int) -> None:
        """Add the next in the order of waiting."""
        if waiter.account in self._accounts:
            return  # whom the older ticket of the same account fits no better, this one does not
        self._accounts.add(waiter.account)
        self._lines.setdefault(rating, []).append(waiter)

    def search(self, search: Search) -> None:
        """Find the best group, if one is better than the best so far."""
        if len(self._accounts) < search.people:
            return
        self._ratings = self._ratings or sorted(self._lines)
        lowest = bisect_left(self._ratings, search.rating)
        while lowest >= 0 and search.rating - self._ratings[lowest] <= search.limit:
            self._search_from(lowest, search)
            lowest -= 1

    def _search_from(self, at: int, search: Search) -> None:
        """Find the closest group whose lowest rating stands *at* this place of all ratings."""
        lowest = self._ratings[at]
        members = [search.seeker]
        for rating, line in self._upward(at, search):
            spread = max(rating, search.rating) - lowest
            if spread > search.limit:
                return
            members = [each for each in (*members, *line) if each.window >= spread]
            if rating >= search.rating and len(members) >= search.people:
                search.find(spread, members)
                return
            if len(members) == 1 and lowest < search.rating:
                return  # nobody is as low who allows such a spread

    def _upward(self, at: int, search: Search) -> Iterator[tuple[int, list[Waiter]]]:
        """Give each rating from there on, and who of another account may be placed by it."""
        own = search.seeker.account
        while at < len(self._ratings):
            rating = self._ratings[at]
            line = self._first(rating, search.people)
            if line:
                yield rating, [each for each in line if each.account != own]
                at += 1
            else:
                del self._ratings[at]

    def _first(self, rating: int, count: int) -> list[Waiter]:
        """Return the longest waiting of this *rating*, no more than can be of use.

        Who has waited longer allows as wide a spread, so those behind them are not needed.
        """
        line = self._lines[rating]
        first: list[Waiter] = []
        seen = 0
        for seen, waiter in enumerate(line, 1):  # noqa: B007 — told below
            if waiter.account not in self.placed:
                first.append(waiter)
                if len(first) == count:
                    break
        line[:seen] = first
        return first
