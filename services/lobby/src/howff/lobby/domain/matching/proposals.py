"""Which tickets make a table together: the rule that docs/quick-match.md tells to everybody."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from howff.lobby.domain.matching.offers import Market, Offer
from howff.lobby.domain.matching.pools import Group, Search, Waiter
from howff.lobby.domain.matching.waiting import WaitingTicket
from howff.lobby.domain.matching.windows import window
from howff.lobby.domain.tables.events import TicketSeat
from howff.lobby.domain.terms import Terms
from howff.match.events import Bot

Windows = Callable[[float], int | None]
"""From the seconds waited to the window; who has waited longer has none that is narrower."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A table that could be made now; its seats are in no order that means anything."""

    terms: Terms
    seats: tuple[TicketSeat | Bot, ...]

    @property
    def tickets(self) -> tuple[TicketSeat, ...]:
        return tuple(each for each in self.seats if isinstance(each, TicketSeat))


def propose(
    tickets: Iterable[WaitingTicket], now: datetime, *, windows: Windows = window
) -> tuple[Proposal, ...]:
    """Return tables for as many *tickets* as can be brought together at *now*.

    No account has two seats, and whoever is left fits nobody else who is.
    """
    placed: set[str] = set()
    market = Market(placed, now)
    entries = [(each, market.enter(each)) for each in _queue(tickets, now, windows)]
    proposals: list[Proposal] = []
    for waiter, offers in entries:
        if waiter.account in placed:
            continue
        found = _with_people(waiter, offers) or _with_bots(waiter, offers)
        if found is not None:
            proposals.append(found)
            placed.update(each.account for each in found.tickets)
    return tuple(proposals)


def _queue(tickets: Iterable[WaitingTicket], now: datetime, windows: Windows) -> tuple[Waiter, ...]:
    waiting = sorted(
        (each for each in tickets if not each.is_over(now)),
        key=lambda each: (each.since, each.ticket),
    )
    return tuple(
        Waiter.of(each, place, windows((now - each.since).total_seconds()))
        for place, each in enumerate(waiting)
    )


def _with_people(waiter: Waiter, offers: Iterable[Offer]) -> Proposal | None:
    """Return the biggest table that accounts alone fill."""
    by_seats = _by_seats(each for each in offers if each.bot_level is None)
    for seats in sorted(by_seats, reverse=True):
        found = _closest(waiter, by_seats[seats], people=seats)
        if found is not None:
            return found
    return None


def _with_bots(waiter: Waiter, offers: Iterable[Offer]) -> Proposal | None:
    """Return the table with the most accounts, and then the fewest bots."""
    by_seats = _by_seats(each for each in offers if each.bot_level is not None)
    for people in range(max(by_seats, default=1) - 1, 0, -1):
        for seats in sorted(each for each in by_seats if each > people):
            found = _closest(waiter, by_seats[seats], people=people)
            if found is not None:
                return found
    return None


def _by_seats(offers: Iterable[Offer]) -> dict[int, list[Offer]]:
    by_seats: dict[int, list[Offer]] = {}
    for each in offers:
        by_seats.setdefault(each.seats, []).append(each)
    return by_seats


def _closest(waiter: Waiter, offers: Iterable[Offer], *, people: int) -> Proposal | None:
    """Return the table with so many *people* whose ratings span least; of equals the first."""
    best: tuple[Offer, Group] | None = None
    for offer in offers:
        search = Search(waiter, offer.rating, people, None if best is None else best[1])
        offer.pool.search(search)
        if search.best is not None and (best is None or search.best is not best[1]):
            best = offer, search.best
    return None if best is None else _proposal(*best)


def _proposal(offer: Offer, group: Group) -> Proposal:
    seats = (TicketSeat(each.account, each.ticket.ticket) for each in group.waiters)
    bots = (Bot(offer.bot_level or ""),) * (offer.seats - len(group.waiters))
    return Proposal(offer.terms, (*seats, *bots))
