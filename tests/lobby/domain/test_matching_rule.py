"""The matcher does what its published rule says, which here is tried out on all sets of tickets."""

from itertools import count
from typing import Final

from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import IS_LONG
from howff.lobby.domain.matching.proposals import propose
from howff.lobby.domain.matching.waiting import WaitingTicket
from howff.lobby.domain.tickets.events import Rated
from howff.match.clocks import Clock, PerMove, PerTurn
from support.matching import LEVEL, NOW, Wanted, complaints, fitting, names, ruled, waiting

EXAMPLES: Final = 5_000 if IS_LONG else 40
GAMES: Final = (("troedler",), ("highland_clans",), ("troedler", "highland_clans"))
CLOCKS: Final[tuple[tuple[Clock | None, ...], ...]] = (
    (None,),
    (PerMove(60),),
    (None, PerMove(60)),
    (PerTurn(3), PerMove(60)),
)
RATINGS: Final = (1300, 1450, 1500, 1500, 1520, 1590, 1700, 2500)
RATED: Final[tuple[Rated, ...]] = ("yes", "no", "either", "either")
BOTS: Final = (None, None, 0, 20, 100)


@st.composite
def _wanted(draw: st.DrawFn, rating: int) -> Wanted:
    bots = draw(st.sampled_from(BOTS))
    return Wanted(
        games=draw(st.sampled_from(GAMES)),
        seats=draw(st.sampled_from([(3,), (3, 4), (2, 3), (2, 3, 4), (4, 5), (2, 5)])),
        clocks=draw(st.sampled_from(CLOCKS)),
        rated=draw(st.sampled_from(RATED if bots is None else ("no", "either"))),
        bots_after=bots,
        bot_level=draw(st.sampled_from([LEVEL, LEVEL, "sharp"])),
        waited=draw(st.sampled_from([0, 1, 10, 20, 20, 50, 110, 200, 700])),
        options=draw(st.sampled_from([0, 0, 0, 1])),
        rating=rating,
    )


@st.composite
def _tickets(draw: st.DrawFn, most: int) -> tuple[WaitingTicket, ...]:
    numbers = count()
    tickets: list[WaitingTicket] = []
    while len(tickets) < most and draw(st.integers(0, most)) != most:
        account, rating = f"a{next(numbers)}", draw(st.sampled_from(RATINGS))
        for _ in range(draw(st.sampled_from([1, 1, 1, 2]))):
            name = f"t{next(numbers)}"
            tickets.append(waiting(name, draw(_wanted(rating)), account=account))
    return tuple(draw(st.permutations(tickets)))


@settings(max_examples=EXAMPLES)
@given(_tickets(most=7))
def test_it_proposes_what_trying_everything_finds_best(tickets: tuple[WaitingTicket, ...]) -> None:
    proposals = propose(tickets, NOW)
    assert _leveled(names(proposals)) == ruled(tickets)
    assert complaints(proposals, tickets) == []


@settings(max_examples=EXAMPLES)
@given(_tickets(most=12))
def test_it_leaves_nobody_who_fits_somebody_else_who_is_left(
    tickets: tuple[WaitingTicket, ...],
) -> None:
    proposals = propose(tickets, NOW)
    assert complaints(proposals, tickets) == []
    placed = {seat.account for each in proposals for seat in each.tickets}
    left = [each for each in tickets if each.account not in placed]
    assert [group for people in (2, 3, 4) for group in fitting(left, people)] == []
    assert [each for each in left if each.lets_bots_in(NOW) and not each.is_over(NOW)] == []


@given(_tickets(most=12))
def test_the_order_in_which_tickets_are_told_is_of_no_account(
    tickets: tuple[WaitingTicket, ...],
) -> None:
    assert propose(tickets, NOW) == propose(tuple(reversed(tickets)), NOW)


def _leveled(tables: list[list[str]]) -> list[list[str]]:
    """Return the *tables* with all bots of one level, whose levels `complaints` checks."""
    return [[LEVEL if each == "sharp" else each for each in table] for table in tables]
