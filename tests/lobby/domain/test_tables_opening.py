"""How tables come to be: opened by a host, for those who have played, and for tickets."""

from dataclasses import replace

import pytest

from howff.engine.errors import (
    RefusalError,
    UnknownGameError,
    WrongOptionError,
    WrongSeatCountError,
)
from howff.lobby.domain.errors import (
    NoSuchSeatError,
    NoSuchTableError,
    RatedWithBotsError,
    TableExistsError,
    WrongEntropyError,
)
from howff.lobby.domain.tables.commands import (
    CloseTable,
    MatchTickets,
    OpenRematch,
    OpenTable,
)
from howff.lobby.domain.tables.events import BotSeated, SeatTaken, TicketSeat
from howff.lobby.domain.terms import Terms
from howff.match.clocks import PerMove
from howff.match.errors import WrongTermError
from howff.match.events import Bot
from support.lobby_domain import (
    COMMITMENT,
    NOBODY,
    TERMS,
    hash_of,
    matched,
    opened,
    rated,
    table,
)

PLAIN = Terms(game="troedler", options={}, seats=3)
OPEN = OpenTable(by="ada", terms=PLAIN, visibility="public", seed_commitment=COMMITMENT, seat=0)
REMATCH = OpenRematch(
    by="bea",
    terms=TERMS,
    visibility="invitation",
    seed_commitment=COMMITMENT,
    reserved=("ada", "bea", None),
    bots=(None, None, "random"),
    previous="former",
)
MATCH = MatchTickets(terms=PLAIN, seed_commitment=COMMITMENT, seats=matched().seats)


def test_a_table_opens_with_all_options_told_and_its_host_in_a_seat() -> None:
    after = table().when(OPEN).then(opened(), SeatTaken(0, "ada"))
    assert after is not None
    assert (after.phase, after.seat_of("ada"), after.free) == ("open", 0, (1, 2))
    assert after.terms.options["dealing"] == "dealer"


def test_a_host_may_fix_an_entropy_at_once() -> None:
    command = replace(OPEN, seat=2, entropy_hash=hash_of("luck"))
    table().when(command).then(opened(), SeatTaken(2, "ada", hash_of("luck")))


def test_a_host_need_not_sit_down() -> None:
    after = table().when(replace(OPEN, seat=None)).then(opened())
    assert after is not None
    assert (after.host, after.free) == ("ada", (0, 1, 2))


@pytest.mark.parametrize("command", [OPEN, REMATCH, MATCH])
def test_a_table_opens_once(command: OpenTable | OpenRematch | MatchTickets) -> None:
    table(opened()).when(command).then(TableExistsError())


def test_what_was_never_opened_is_no_table() -> None:
    table().when(CloseTable(by="ada")).then(NoSuchTableError())


@pytest.mark.parametrize("seat", [-1, 3])
def test_a_host_sits_down_in_a_seat_that_there_is(seat: int) -> None:
    table().when(replace(OPEN, seat=seat)).then(NoSuchSeatError(3, seat))


@pytest.mark.parametrize("entropy_hash", ["", "5E" * 32, "5e" * 31, "5e" * 32 + "\n"])
def test_the_hash_of_an_entropy_is_sha_256_in_lower_case(entropy_hash: str) -> None:
    refusal = WrongEntropyError(expected="SHA-256 in lower-case hex", found=repr(entropy_hash))
    table().when(replace(OPEN, entropy_hash=entropy_hash)).then(refusal)


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"game": "chess"}, UnknownGameError),
        ({"options": {"colours": "green"}}, WrongOptionError),
        ({"seats": 5}, WrongSeatCountError),
        ({"seats": 0}, WrongSeatCountError),
        ({"clock": PerMove(0)}, WrongTermError),
        ({"on_leave": "bot"}, WrongTermError),
        ({"stand_in": "random"}, WrongTermError),
    ],
)
def test_terms_by_which_no_match_starts_open_no_table(
    changes: dict[str, object], refusal: type[RefusalError]
) -> None:
    for command in (OPEN, REMATCH, MATCH):
        terms: Terms = replace(PLAIN, **changes)  # type: ignore[arg-type]
        with pytest.raises(refusal):
            table().after(replace(command, terms=terms))


def test_a_rematch_keeps_the_seats_of_all_and_seats_bots_and_whoever_asked() -> None:
    reserved = opened(
        visibility="invitation", host="bea", reserved=("ada", "bea", None), previous="former"
    )
    after = table().when(REMATCH).then(reserved, BotSeated(2, "random"), SeatTaken(1, "bea"))
    assert after is not None
    assert (after.free, after.is_known_to("ada"), after.is_known_to("cid")) == ((0,), True, False)


def test_tickets_come_to_a_table_without_a_host_where_all_are_ready() -> None:
    after = table().when(MATCH).then(matched())
    assert after is not None
    assert (after.phase, after.host, after.reserved) == ("gathering", None, NOBODY)
    assert all(each.is_ready for each in after.persons.values())
    assert [each.ticket for each in after.persons.values()] == ["of-ada", "of-bea", "of-cid"]
    assert after.is_known_to("ada")
    assert not after.is_known_to("dan")
    assert not after.is_known_to(None)


def test_bots_have_no_seat_in_a_match_that_counts() -> None:
    bots = (TicketSeat("ada", "of-ada"), TicketSeat("bea", "of-bea"), Bot("random"))
    table().when(replace(MATCH, seats=bots)).then(matched(seats=bots))
    table().when(replace(MATCH, seats=bots, terms=rated())).then(RatedWithBotsError())
    table().when(replace(REMATCH, terms=rated())).then(RatedWithBotsError())
