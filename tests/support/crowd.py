"""A crowd that uses quick match, in simulated time: who comes, what they want, how they fare.

People come one by one at random times; each opens a ticket, some of them two. Once a second the
matcher looks through what waits, and its tables are claimed by the rules of tickets, at once.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final, Literal

from howff.lobby.domain.matching.proposals import Proposal, Windows, propose
from howff.lobby.domain.matching.waiting import WaitingTicket
from howff.lobby.domain.matching.windows import window
from howff.lobby.domain.tickets.commands import (
    ClaimTicket,
    EndTicket,
    NoteMatched,
    TicketCommand,
)
from howff.lobby.domain.tickets.events import TicketEnded, TicketMatched, TicketOpened
from howff.lobby.domain.tickets.rules import decide
from howff.lobby.domain.tickets.tickets import Tickets, evolve
from howff.match.clocks import Clock, PerMatch, PerTurn
from howff.match.commit import time_text
from howff.match.events import Bot
from support.matching import NOW, SEATS, Wanted, complaint, spread_of, waiting
from support.rng import LocalRng

Ending = Literal["matched", "with bots", "cancelled", "expired", "matched elsewhere"]
ROUND: Final = 1.0
"""Seconds between two looks of the matcher."""
LIVE: Final = PerMatch(600, 5)
DAYS: Final = PerTurn(3)
CLOCKS: Final[tuple[tuple[Clock | None, ...], ...]] = ((LIVE,), (LIVE,), (DAYS,), (LIVE, DAYS))
SEAT_NUMBERS: Final = ((2,), (2, 3), (3, 4), (2, 3, 4))
EVERY_GAME: Final = tuple(SEATS)
PLAIN_GAME: Final = EVERY_GAME[0]
"""For whoever wants to be two at a game that is for more."""


def never_wider(_: float) -> int:
    """Return the window that everybody begins with, however long they wait."""
    return 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """What a crowd is like; *people* come at so many a second."""

    people: int
    a_second: float
    names_all: bool
    """Whether everybody would play any game; else each would play one of them."""
    windows: Windows = window
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Arrival:
    """A ticket that is opened; seconds are from the beginning, to cancel and to expire too."""

    at: float
    ticket: WaitingTicket
    cancelled_at: float

    @property
    def bots_at(self) -> float:
        after = self.ticket.wish.bots_after
        return math.inf if after is None else self.at + after


@dataclass(frozen=True, slots=True)
class Fate:
    """How a ticket ended; *waited* seconds, at a table whose ratings span *spread*, if at one."""

    ending: Ending
    waited: float
    spread: int | None = None


def arrivals(crowd: Crowd) -> Iterator[Arrival]:
    """Give the tickets that are opened, in order."""
    rng = LocalRng(crowd.seed)
    at = 0.0
    for number in range(crowd.people):
        at = round(at + _exponential(rng, 1 / crowd.a_second), 3)  # as tickets tell times
        rating = sum(rng.draw("rating", 301) for _ in range(12)) - 300  # near normal: 1500, 300
        for opened in range(rng.roll("tickets", (1, 1, 1, 1, 2))):
            wanted = _wanted(rng, rating, names_all=crowd.names_all)
            patience = rng.roll("patience", (math.inf, math.inf, math.inf, 60.0))
            cancelled_at = at + (patience if patience == math.inf else _exponential(rng, patience))
            yield Arrival(at, _ticket(number, opened, at, wanted), cancelled_at)


def _wanted(rng: LocalRng, rating: int, *, names_all: bool) -> Wanted:
    bots_after = rng.roll("bots", (None, None, 20, 60))
    game, seats = rng.roll("game", EVERY_GAME), rng.roll("seats", SEAT_NUMBERS)
    named = EVERY_GAME if names_all else (game,)
    return Wanted(
        games=tuple(each for each in named if set(seats) & set(SEATS[each])) or (PLAIN_GAME,),
        seats=seats,
        clocks=rng.roll("clocks", CLOCKS),
        rated=rng.roll("rated", ("either", "either", "no", "yes" if bots_after is None else "no")),
        bots_after=bots_after,
        lifetime=rng.roll("lifetime", (120, 300, 600)),
        rating=rating,
    )


def _ticket(number: int, opened: int, at: float, wanted: Wanted) -> WaitingTicket:
    since_now = waiting(f"{number:06}-{opened}", wanted, account=f"{number:06}")
    since = NOW + timedelta(seconds=at)
    return WaitingTicket(
        ticket=since_now.ticket,
        account=since_now.account,
        wish=since_now.wish,
        since=since,
        expires_at=since + timedelta(seconds=wanted.lifetime),
        ratings=since_now.ratings,
    )


def _exponential(rng: LocalRng, mean: float) -> float:
    return -mean * math.log(1 - rng.draw("time", 1_000_000) / 1_000_000)


@dataclass
class Evening:
    """A crowd from the first ticket to the end of the last one."""

    crowd: Crowd
    arrivals: dict[str, Arrival] = field(default_factory=dict)
    fates: dict[str, Fate] = field(default_factory=dict)
    most_waiting: int = 0
    _waiting: dict[str, WaitingTicket] = field(default_factory=dict)
    _accounts: dict[str, Tickets] = field(default_factory=dict)
    _tables: int = 0
    _at: float = 0.0

    def pass_by(self) -> "Evening":
        """Let it pass, round by round; return it."""
        coming = list(reversed(list(arrivals(self.crowd))))
        while coming or self._waiting:
            self._at += ROUND
            while coming and coming[-1].at <= self._at:
                self._open(coming.pop())
            self._end_due()
            self.most_waiting = max(self.most_waiting, len(self._waiting))
            now = NOW + timedelta(seconds=self._at)
            for each in propose(self._waiting.values(), now, windows=self.crowd.windows):
                self._seat(each)
        return self

    def _open(self, arrival: Arrival) -> None:
        ticket = arrival.ticket
        self.arrivals[ticket.ticket] = arrival
        self._waiting[ticket.ticket] = ticket
        times = time_text(ticket.since), time_text(ticket.expires_at)
        opened = TicketOpened(ticket.ticket, ticket.wish, *times)
        self._accounts[ticket.account] = evolve(self._accounts.get(ticket.account), opened)

    def _end_due(self) -> None:
        now = NOW + timedelta(seconds=self._at)
        for name, ticket in list(self._waiting.items()):
            if self.arrivals[name].cancelled_at <= self._at:
                self._do(ticket.account, EndTicket(ticket=name, because="cancelled"))
            elif ticket.is_over(now):
                self._do(ticket.account, EndTicket(ticket=name, because="expired"))

    def _seat(self, proposal: Proposal) -> None:
        bots = tuple(each for each in proposal.seats if isinstance(each, Bot))
        tickets = tuple(self._waiting[each.ticket] for each in proposal.tickets)
        now = NOW + timedelta(seconds=self._at)
        wrong = complaint(proposal.terms, bots, tickets, now, self.crowd.windows)
        assert wrong is None, wrong
        self._tables += 1
        table, spread = f"table-{self._tables}", spread_of(proposal.terms, tickets)
        for each in proposal.tickets:
            self._do(each.account, ClaimTicket(ticket=each.ticket, table=table))
        for each in proposal.tickets:
            self._do(each.account, NoteMatched(table=table))
            ending: Ending = "with bots" if bots else "matched"
            waited = self._at - self.arrivals[each.ticket].at
            self.fates[each.ticket] = Fate(ending, waited, None if len(tickets) == 1 else spread)

    def _do(self, account: str, command: TicketCommand) -> None:
        """Do what the rules of tickets let happen, and take note of each ticket that ends."""
        for event in decide(self._accounts[account], command, NOW + timedelta(seconds=self._at)):
            self._accounts[account] = evolve(self._accounts[account], event)
            match event:
                case TicketMatched(ticket):
                    self._let_go(ticket, "matched")
                case TicketEnded(ticket, because):
                    self._let_go(ticket, _ENDINGS[because])
                case _:
                    pass

    def _let_go(self, ticket: str, ending: Ending) -> None:
        assert ticket not in self.fates, f"{ticket} ended twice"
        del self._waiting[ticket]
        self.fates[ticket] = Fate(ending, self._at - self.arrivals[ticket].at)


_ENDINGS: Final[dict[str, Ending]] = {
    "cancelled": "cancelled",
    "expired": "expired",
    "matched_elsewhere": "matched elsewhere",
}
