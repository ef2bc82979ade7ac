"""Waiting tickets for tests, and what the matcher owes to each of them, said without it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import Final

from howff.lobby.domain.matching.proposals import Proposal, Windows
from howff.lobby.domain.matching.waiting import FIRST_RATING, WaitingTicket
from howff.lobby.domain.matching.windows import window
from howff.lobby.domain.tables.events import TicketSeat
from howff.lobby.domain.terms import Terms
from howff.lobby.domain.tickets.events import GameWished, Rated, Wish
from howff.match.clocks import Clock, Speed
from howff.match.events import Bot

NOW: Final = datetime(2026, 11, 28, 12, tzinfo=UTC)
SPEEDS: Final[tuple[Speed, ...]] = ("days", "live")
SEATS: Final = {
    "troedler": (2, 3, 4),
    "dale_of_merchants": (2, 3, 4),
    "hellweg": (2, 3, 4),
    "appenzell": (2, 3, 4),
    "highland_clans": (3, 4, 5),
}
LEVEL: Final = "random"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A wish and how long it waits, in few words."""

    games: tuple[str, ...] = ("troedler",)
    seats: tuple[int, ...] = (2,)
    clocks: tuple[Clock | None, ...] = (None,)
    rated: Rated = "either"
    bots_after: int | None = None
    bot_level: str = LEVEL
    waited: float = 0
    lifetime: int = 600
    rating: int = FIRST_RATING
    options: int = 0

    @property
    def wish(self) -> Wish:
        return Wish(
            games=tuple(
                GameWished(each, {"options": self.options}, self._seats_of(each))
                for each in self.games
            ),
            seats=self.seats,
            clocks=self.clocks,
            rated=self.rated,
            bots_after=self.bots_after,
            bot_level=None if self.bots_after is None else self.bot_level,
        )

    def _seats_of(self, game: str) -> tuple[int, ...]:
        return tuple(each for each in self.seats if each in SEATS[game])


def waiting(name: str, wanted: Wanted, *, account: str | None = None) -> WaitingTicket:
    """Return the ticket *name*; without an *account*, of one that is called like it."""
    since = NOW - timedelta(seconds=wanted.waited)
    return WaitingTicket(
        ticket=name,
        account=account or name,
        wish=wanted.wish,
        since=since,
        expires_at=since + timedelta(seconds=wanted.lifetime),
        ratings={(game, speed): wanted.rating for game in SEATS for speed in SPEEDS},
    )


def names(proposals: Iterable[Proposal]) -> list[list[str]]:
    """Return the tickets, and the levels of bots, that each proposal brings together."""
    return [
        [each.level if isinstance(each, Bot) else each.ticket for each in proposal.seats]
        for proposal in proposals
    ]


def spread_of(terms: Terms, tickets: Iterable[WaitingTicket]) -> int:
    ratings = [each.rating(terms.game, terms.clock) for each in tickets]
    return max(ratings) - min(ratings)


def complaint(
    terms: Terms,
    bots: tuple[Bot, ...],
    tickets: tuple[WaitingTicket, ...],
    now: datetime,
    windows: Windows = window,
) -> str | None:
    """Return what is wrong with a table for these *tickets*; None if it suits them all."""
    if len({each.account for each in tickets}) < len(tickets):
        return "an account with two seats"
    if len(tickets) + len(bots) != terms.seats or not tickets:
        return "the number of seats"
    if bots and terms.rated:
        return "rated with bots"
    spread = spread_of(terms, tickets)
    for each in tickets:
        widest = windows((now - each.since).total_seconds())
        if widest is not None and spread > widest:
            return "too far apart"
    found = (_objection(each, terms, bots, now) for each in tickets)
    return next((each for each in found if each is not None), None)


def _objection(
    ticket: WaitingTicket, terms: Terms, bots: tuple[Bot, ...], now: datetime
) -> str | None:
    wish = ticket.wish
    game = next((each for each in wish.games if each.game == terms.game), None)
    held = {
        "its time is over": now < ticket.expires_at,
        "the game": game is not None and game.options == terms.options,
        "its seats": game is not None and terms.seats in game.seats,
        "the clock": terms.clock in wish.clocks,
        "whether it counts": wish.rated in {"either", "yes" if terms.rated else "no"},
    }
    if bots:
        waited = (now - ticket.since).total_seconds()
        held["bots"] = wish.bots_after is not None and waited >= wish.bots_after
        held["the level of bots"] = {each.level for each in bots} == {wish.bot_level}
    return next((what for what, is_so in held.items() if not is_so), None)


def complaints(proposals: Iterable[Proposal], tickets: Iterable[WaitingTicket]) -> list[str]:
    """Return all that is wrong with *proposals* made of *tickets* at `NOW`."""
    by_seat = {TicketSeat(each.account, each.ticket): each for each in tickets}
    found: list[str] = []
    accounts: list[str] = []
    for each in proposals:
        bots = tuple(seat for seat in each.seats if isinstance(seat, Bot))
        seated = tuple(by_seat[seat] for seat in each.tickets)
        accounts.extend(seat.account for seat in each.tickets)
        found.append(complaint(each.terms, bots, seated, NOW) or "")
    if len(set(accounts)) < len(accounts):
        found.append("an account at two tables")
    return [each for each in found if each]


def terms_for(ticket: WaitingTicket) -> list[Terms]:
    """Return all that the *ticket* would take, in the order of its wish; what counts first."""
    rated = {"yes": (True,), "no": (False,), "either": (True, False)}[ticket.wish.rated]
    return [
        Terms(game=game.game, options=game.options, seats=seats, clock=clock, rated=each)
        for game in ticket.wish.games
        for clock in ticket.wish.clocks
        for each in rated
        for seats in game.seats
    ]


def ruled(tickets: Iterable[WaitingTicket]) -> list[list[str]]:
    """Return what the published rule brings together at `NOW`, found by trying everything."""
    queue = sorted(tickets, key=lambda each: (each.since, each.ticket))
    free = list(queue)
    tables: list[list[str]] = []
    for oldest in queue:
        if oldest in free and (possible := list(_possible(oldest, free))):
            best = min(possible, key=lambda each: each.rank(queue))
            tables.append([*(each.ticket for each in best.group), *(LEVEL,) * best.bots])
            accounts = {each.account for each in best.group}
            free = [each for each in free if each.account not in accounts]
    return tables


@dataclass(frozen=True, slots=True)
class Possible:
    """A table that would suit all of a group."""

    terms: Terms
    number: int
    """Which it is of all that the oldest would take."""
    group: tuple[WaitingTicket, ...]

    @property
    def bots(self) -> int:
        return self.terms.seats - len(self.group)

    def rank(self, queue: list[WaitingTicket]) -> tuple[bool, int, int, int, list[int], int]:
        """Return by what the best is chosen, the least first."""
        people = len(self.group)
        spread = spread_of(self.terms, self.group)
        places = [queue.index(each) for each in self.group]
        return self.bots > 0, -people, self.terms.seats, spread, places, self.number


def _possible(oldest: WaitingTicket, free: list[WaitingTicket]) -> Iterator[Possible]:
    others = [each for each in free if each is not oldest]
    for number, terms in enumerate(terms_for(oldest)):
        for people in range(1, terms.seats + 1):
            bots = (Bot(oldest.wish.bot_level or ""),) * (terms.seats - people)
            for group in combinations(others, people - 1):
                if complaint(terms, bots, (oldest, *group), NOW) is None:
                    yield Possible(terms, number, (oldest, *group))


def fitting(free: Iterable[WaitingTicket], people: int) -> list[tuple[WaitingTicket, ...]]:
    """Return all sets of so many tickets that could have a table without bots at `NOW`."""
    return [
        group
        for group in combinations(free, people)
        if any(
            complaint(terms, (), group, NOW) is None
            for terms in terms_for(group[0])
            if terms.seats == people
        )
    ]
