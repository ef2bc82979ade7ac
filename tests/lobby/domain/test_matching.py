"""Who is brought to a table with whom, in examples of docs/quick-match.md."""

import hashlib
from dataclasses import replace
from datetime import timedelta

import pytest

from howff.lobby.domain.matching.proposals import Proposal, propose
from howff.lobby.domain.matching.seating import Seated, seated
from howff.lobby.domain.matching.waiting import FIRST_RATING, Ratings, WaitingTicket
from howff.lobby.domain.matching.windows import CURVE, window, window_at
from howff.lobby.domain.tables.events import TicketSeat
from howff.lobby.domain.terms import resolved
from howff.lobby.domain.tickets.events import GameWished, Rated, Wish
from howff.lobby.domain.tickets.wishes import checked
from howff.match.clocks import PerMatch, PerMove, PerTurn, speed_of
from howff.match.events import Bot
from support.matching import NOW, Wanted, names, waiting

PAIR = Wanted()


def _proposed(**wanted: Wanted) -> list[list[str]]:
    return names(propose([waiting(name, each) for name, each in wanted.items()], NOW))


def _only(*tickets: WaitingTicket) -> Proposal:
    (proposal,) = propose(tickets, NOW)
    return proposal


def test_two_who_want_the_same_are_brought_together_with_all_that_both_want() -> None:
    clock = PerMove(60)
    wanted = Wanted(games=("hellweg",), seats=(3, 2), clocks=(clock,), rated="yes")
    terms = _only(waiting("a", wanted), waiting("b", wanted)).terms
    assert (terms.game, terms.seats, terms.clock) == ("hellweg", 2, clock)
    assert (terms.rated, terms.watch) == (True, "public")


def test_a_proposal_of_checked_wishes_has_terms_that_a_match_can_be_started_by() -> None:
    wish = checked(
        Wish(games=(GameWished("troedler", {}),), seats=(2,), clocks=(None,), rated="either")
    )
    a, b = (replace(waiting(name, PAIR), wish=wish) for name in "ab")
    terms = _only(a, b).terms
    assert resolved(terms) == terms


def test_one_alone_waits() -> None:
    assert _proposed(a=PAIR) == []
    assert propose((), NOW) == ()


@pytest.mark.parametrize(
    "other",
    [
        Wanted(games=("hellweg",)),
        Wanted(options=1),
        Wanted(seats=(3,)),
        Wanted(clocks=(PerMove(60),)),
        Wanted(rated="no"),
        Wanted(rating=1601),
        Wanted(lifetime=10, waited=10),
    ],
)
def test_who_wants_something_else_is_not_brought_in(other: Wanted) -> None:
    assert _proposed(a=Wanted(rated="yes"), b=other) == []


def test_nobody_plays_against_himself() -> None:
    assert propose([waiting(name, PAIR, account="freya") for name in "ab"], NOW) == ()


def test_of_several_tickets_of_an_account_one_is_proposed_at_most() -> None:
    mine = [waiting(name, PAIR, account="freya") for name in "ab"]
    proposals = propose([*mine, waiting("c", PAIR), waiting("d", PAIR)], NOW)
    assert names(proposals) == [["a", "c"]]


def test_a_match_counts_if_both_ways_are_right_for_all() -> None:
    def is_rated(one: Rated, other: Rated) -> bool:
        a, b = Wanted(rated=one), Wanted(rated=other)
        return _only(waiting("a", a), waiting("b", b)).terms.rated

    assert is_rated("either", "either")
    assert is_rated("either", "yes")
    assert not is_rated("no", "either")


def test_whoever_has_waited_longest_is_served_first_with_the_closest_rating() -> None:
    proposed = _proposed(
        late=Wanted(rating=1500),
        first=Wanted(rating=1550, waited=9),
        near=Wanted(rating=1530),
        second=Wanted(rating=1490, waited=5),
    )
    assert proposed == [["first", "near"], ["second", "late"]]


def test_of_equally_close_ones_the_longest_wait_counts() -> None:
    above, below = Wanted(rating=1510, waited=3), Wanted(rating=1490, waited=4)
    assert _proposed(a=Wanted(waited=9), b=above, c=below) == [["a", "c"]]


def test_of_equally_long_waits_the_id_of_the_ticket_decides() -> None:
    assert _proposed(c=PAIR, b=PAIR, a=PAIR) == [["a", "b"]]


def test_the_oldest_gets_the_biggest_table_that_can_be_filled_now() -> None:
    any_number, pair = Wanted(seats=(2, 3, 4), waited=1), Wanted(seats=(2,))
    proposed = _proposed(a=any_number, b=any_number, c=any_number, d=pair, e=pair)
    assert proposed == [["a", "b", "c"], ["d", "e"]]


def test_nobody_waits_for_a_bigger_table() -> None:
    proposed = _proposed(a=Wanted(seats=(4,), waited=9), b=Wanted(seats=(2, 4)), c=PAIR)
    assert proposed == [["b", "c"]]


def test_the_window_of_each_at_the_table_counts() -> None:
    patient = Wanted(rating=1500, waited=60)
    assert _proposed(a=patient, b=Wanted(rating=1750)) == []
    assert _proposed(a=patient, b=Wanted(rating=1750, waited=60)) == [["a", "b"]]


def test_a_rating_is_that_of_the_game_at_the_speed_of_the_clock() -> None:
    ratings: Ratings = {("troedler", "live"): 2000, ("troedler", "days"): 1500}
    assert (speed_of(None), speed_of(PerTurn(3))) == ("days", "days")
    assert (speed_of(PerMove(5)), speed_of(PerMatch(600, 5))) == ("live", "live")
    strong = replace(waiting("a", PAIR), ratings=ratings)
    assert strong.rating("troedler", PerMove(5)) == 2000
    assert strong.rating("hellweg", None) == FIRST_RATING
    live = Wanted(clocks=(PerMove(5), None))
    strong = replace(waiting("a", live), ratings=ratings)
    assert _only(strong, waiting("b", live)).terms.clock is None


def test_bots_fill_up_what_nobody_else_wants() -> None:
    wanted = Wanted(seats=(3, 4), bots_after=20, waited=20)
    proposal = _only(waiting("a", wanted), waiting("b", wanted))
    assert names([proposal]) == [["a", "b", "random"]]
    assert not proposal.terms.rated


def test_bots_are_let_in_no_earlier_than_each_has_said() -> None:
    soon, later = Wanted(seats=(3,), bots_after=5, waited=10), Wanted(seats=(3,), bots_after=11)
    assert _proposed(a=replace(soon, waited=4)) == []
    assert _proposed(a=soon, b=replace(later, waited=10)) == [["a", "random", "random"]]
    assert _proposed(a=soon, b=Wanted(seats=(3,), waited=9)) == [["a", "random", "random"]]


def test_people_come_before_bots_however_long_a_ticket_has_waited() -> None:
    patient = Wanted(seats=(2, 3), bots_after=0, waited=99)
    assert _proposed(a=patient, b=Wanted(seats=(2,))) == [["a", "b"]]


def test_bots_are_of_the_level_that_all_at_the_table_want() -> None:
    one = Wanted(seats=(3,), bots_after=0)
    other = replace(one, bot_level="sharp")
    assert _proposed(a=one, b=other) == [["a", "random", "random"], ["b", "sharp", "sharp"]]


def test_a_ticket_whose_time_is_over_is_left_out_to_the_second() -> None:
    last = Wanted(waited=599)
    assert _proposed(a=last, b=PAIR) == [["a", "b"]]
    assert _proposed(a=replace(last, waited=600), b=PAIR) == []


@pytest.mark.parametrize(
    ("waited", "points"),
    [
        (-5, 100),
        (0, 100),
        (15, 150),
        (29.99, 199),
        (30, 200),
        (60, 400),
        (90, 600),
        (120, 800),
        (150, 1000),
        (179, 1193),
        (180, None),
        (1e6, None),
    ],
)
def test_the_window_widens_by_straight_lines_until_anybody_will_do(
    waited: float, points: int | None
) -> None:
    assert window(waited) == points
    assert window_at(NOW, NOW + timedelta(seconds=waited)) == points


def test_the_window_never_narrows() -> None:
    widths = [window(tenths / 10) for tenths in range(-10, 10 * CURVE[-1][0])]
    assert None not in widths
    assert widths == sorted(each for each in widths if each is not None)


SEATS: tuple[Seated, ...] = (
    TicketSeat("freya", "a"),
    TicketSeat("ada", "b"),
    Bot("random"),
    Bot("random"),
)


def test_seats_stand_by_the_hash_of_commitment_and_account() -> None:
    commitment = "c0" * 32
    marks = {
        hashlib.sha256((commitment + name).encode()).hexdigest(): name
        for name in ("freya", "ada", ":0", ":1")
    }
    expected = ["bot" if name[0] == ":" else name for _, name in sorted(marks.items())]
    order = seated(SEATS, commitment)
    assert ["bot" if isinstance(each, Bot) else each.account for each in order] == expected


def test_each_order_of_seats_comes_about_as_often_as_any_other() -> None:
    firsts = [seated(SEATS[:2], f"{number:064x}")[0] for number in range(400)]
    assert 150 < firsts.count(SEATS[0]) < 250
    assert seated(SEATS[1::-1], "5" * 64) == seated(SEATS[:2], "5" * 64)
