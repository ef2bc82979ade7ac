"""The tickets of an account: opened, claimed for a table, let go, matched, ended."""

from dataclasses import replace
from datetime import timedelta

import pytest

from howff.lobby.domain.errors import (
    NoSuchTicketError,
    NothingChangesError,
    TicketClaimedError,
    TicketExistsError,
    TicketNotDueError,
    TooManyTicketsError,
    WrongWishError,
)
from howff.lobby.domain.tickets.commands import (
    ClaimTicket,
    EndAllTickets,
    EndTicket,
    NoteMatched,
    OpenTicket,
    ReleaseTicket,
    TicketCommand,
)
from howff.lobby.domain.tickets.events import (
    EndedBecause,
    TicketClaimed,
    TicketEnded,
    TicketMatched,
    TicketOpened,
    TicketReleased,
)
from howff.lobby.domain.tickets.rules import MOST_TICKETS
from howff.lobby.domain.tickets.tickets import MOST_ENDED
from support.given import NOW
from support.lobby_domain import WISH, SomeTickets, tickets, waiting

ONE, TWO = waiting("one"), waiting("two")
CLAIMED, RELEASED = TicketClaimed("one", "table"), TicketReleased("one", "table")
MATCHED = TicketMatched("one", "table")
CLAIM = ClaimTicket(ticket="one", table="table")
NOT_CLAIMED = NothingChangesError("no ticket that the table has claimed")


def at(seconds: int, given: SomeTickets) -> SomeTickets:
    """Return the tickets so many seconds later."""
    return replace(given, now=NOW + timedelta(seconds=seconds))


def test_a_ticket_waits_for_its_lifetime() -> None:
    after = tickets().when(OpenTicket(ticket="one", wish=WISH, lifetime=600)).then(ONE)
    assert after is not None
    assert after.find("one") == ONE
    assert (after.claimed, after.ended) == (None, ())


@pytest.mark.parametrize("lifetime", [10, 86_400])
def test_a_ticket_may_wait_for_seconds_or_a_day(lifetime: int) -> None:
    after = tickets().after(OpenTicket(ticket="one", wish=WISH, lifetime=lifetime)).state
    assert after is not None
    expected = (NOW + timedelta(seconds=lifetime)).strftime("%Y-%m-%dT%H:%M:%S.000Z")
    assert after.waiting[0].expires_at == expected


@pytest.mark.parametrize("lifetime", [-1, 9, 86_401])
def test_a_ticket_waits_neither_shorter_nor_longer(lifetime: int) -> None:
    refusal = WrongWishError("lifetime", expected="10 to 86400 seconds", found=str(lifetime))
    tickets().when(OpenTicket(ticket="one", wish=WISH, lifetime=lifetime)).then(refusal)


def test_a_ticket_is_opened_once() -> None:
    tickets(ONE).when(OpenTicket(ticket="one", wish=WISH, lifetime=60)).then(TicketExistsError())


def test_an_account_has_so_many_open_tickets_and_no_more() -> None:
    given = tickets(*(waiting(str(number)) for number in range(MOST_TICKETS)))
    command = OpenTicket(ticket="more", wish=WISH, lifetime=600)
    given.when(command).then(TooManyTicketsError(MOST_TICKETS))
    fewer = given.after(EndTicket(ticket="0", because="cancelled"))
    fewer.when(command).then(waiting("more"))


def test_a_ticket_is_taken_back() -> None:
    ended = TicketEnded("one", "cancelled")
    after = tickets(ONE, TWO).when(EndTicket(ticket="one", because="cancelled")).then(ended)
    assert after is not None
    assert after.waiting == (TWO,)
    assert [(each.state, each.because, each.table) for each in after.ended] == [
        ("ended", "cancelled", None)
    ]


@pytest.mark.parametrize(
    "command",
    [EndTicket(ticket="two", because="cancelled"), ClaimTicket(ticket="two", table="table")],
)
def test_a_ticket_that_does_not_wait_is_none(command: TicketCommand) -> None:
    for events in ((), (ONE,), (TWO, TicketEnded("two", "expired"))):
        tickets(*events).when(command).then(NoSuchTicketError())


def test_a_ticket_expires_when_its_time_is_over_and_not_before() -> None:
    command = EndTicket(ticket="one", because="expired")
    at(599, tickets(ONE)).when(command).then(TicketNotDueError())
    at(600, tickets(ONE)).when(command).then(TicketEnded("one", "expired"))


def test_no_ticket_is_claimed_whose_time_is_over() -> None:
    at(599, tickets(ONE)).when(CLAIM).then(CLAIMED)
    at(600, tickets(ONE)).when(CLAIM).then(NoSuchTicketError())


def test_a_ticket_is_claimed_for_a_table() -> None:
    after = tickets(ONE, TWO).when(CLAIM).then(CLAIMED)
    assert after is not None
    assert (after.claiming("one"), after.claiming("two")) == ("table", None)
    assert after.waiting == (ONE, TWO)


@pytest.mark.parametrize("ticket", ["one", "two"])
def test_of_the_tickets_of_an_account_one_is_claimed_at_a_time(ticket: str) -> None:
    command = ClaimTicket(ticket=ticket, table="other")
    tickets(ONE, TWO, CLAIMED).when(command).then(TicketClaimedError())


@pytest.mark.parametrize("because", ["cancelled", "expired"])
def test_a_claimed_ticket_does_not_end_by_itself(because: EndedBecause) -> None:
    given = at(600, tickets(ONE, TWO, CLAIMED))
    given.when(EndTicket(ticket="one", because=because)).then(TicketClaimedError())
    given.when(EndTicket(ticket="two", because=because)).then(TicketEnded("two", because))


def test_an_account_may_wait_with_more_tickets_while_one_is_claimed() -> None:
    tickets(ONE, CLAIMED).when(OpenTicket(ticket="two", wish=WISH, lifetime=600)).then(TWO)


def test_a_ticket_that_is_let_go_waits_with_its_old_time_and_place() -> None:
    given = at(300, tickets(ONE, TWO, CLAIMED))
    after = given.when(ReleaseTicket(table="table")).then(RELEASED)
    assert after is not None
    assert (after.waiting, after.claimed) == ((ONE, TWO), None)
    again = at(300, tickets(ONE, TWO, CLAIMED, RELEASED))
    again.when(ClaimTicket(ticket="two", table="other")).then(TicketClaimed("two", "other"))


def test_a_ticket_that_is_let_go_may_be_at_its_end() -> None:
    command = ReleaseTicket(table="table", because="refused")
    after = tickets(ONE, TWO, CLAIMED).when(command).then(TicketEnded("one", "refused"))
    assert after is not None
    assert (after.waiting, after.claimed) == ((TWO,), None)


@pytest.mark.parametrize("command", [ReleaseTicket(table="other"), NoteMatched(table="other")])
def test_a_table_has_nothing_to_say_of_tickets_that_it_has_not_claimed(
    command: TicketCommand,
) -> None:
    for events in ((), (ONE,), (ONE, CLAIMED)):
        tickets(*events).when(command).then(NOT_CLAIMED)


def test_all_other_tickets_end_with_a_match() -> None:
    given = tickets(TWO, ONE, waiting("three"), CLAIMED)
    after = given.when(NoteMatched(table="table")).then(
        MATCHED, TicketEnded("two", "matched_elsewhere"), TicketEnded("three", "matched_elsewhere")
    )
    assert after is not None
    assert (after.waiting, after.claimed) == ((), None)
    assert [(each.state, each.table) for each in after.ended] == [
        ("matched", "table"),
        ("ended", None),
        ("ended", None),
    ]


def test_a_match_is_noted_once() -> None:
    tickets(ONE, CLAIMED, MATCHED).when(NoteMatched(table="table")).then(NOT_CLAIMED)


@pytest.mark.parametrize("because", ["suspended", "erased"])
def test_all_tickets_of_an_account_end_at_once_also_one_that_is_claimed(
    because: EndedBecause,
) -> None:
    given = tickets(ONE, TWO, CLAIMED)
    ended = (TicketEnded("one", because), TicketEnded("two", because))
    after = given.when(EndAllTickets(because=because)).then(*ended)
    assert after is not None
    assert (after.waiting, after.claimed) == ((), None)
    gone = tickets(ONE, TWO, CLAIMED, *ended)
    gone.when(NoteMatched(table="table")).then(NOT_CLAIMED)
    gone.when(ReleaseTicket(table="table")).then(NOT_CLAIMED)


def test_an_account_without_tickets_has_none_to_end() -> None:
    refusal = NothingChangesError("no open ticket")
    tickets().when(EndAllTickets(because="erased")).then(refusal)


def test_the_newest_tickets_that_have_ended_are_known() -> None:
    events: list[TicketOpened | TicketEnded] = []
    for number in range(MOST_ENDED + 2):
        events += [waiting(str(number)), TicketEnded(str(number), "cancelled")]
    after = tickets(*events).state
    assert after is not None
    assert [each.ticket.ticket for each in after.ended] == [
        str(number) for number in range(2, MOST_ENDED + 2)
    ]
