"""Quick match brings tickets to tables, once, whatever it knows late or is refused."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from howff.lobby.application.quick_match import SEEN_WITHIN
from howff.lobby.domain.matching.seating import seated
from howff.lobby.domain.tables.events import TicketSeat
from howff.servicekit.sql.database import DatabaseError
from support.hall import Hall
from support.running import run

A_WHILE = SEEN_WITHIN / timedelta(seconds=1)


def _run(story: Callable[[Hall], Awaitable[None]]) -> None:
    async def told() -> None:
        await story(Hall())

    run(told)


def test_two_tickets_that_fit_lead_to_a_match() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a", "b")
        await hall.round()
        await hall.claims.settle()
        (table,) = await hall.tables()
        assert table.phase == "playing"
        assert {each.ticket for each in table.persons.values()} == {"a", "b"}
        assert [(await hall.claims.known(each)).waiting for each in "ab"] == [(), ()]

    _run(story)


def test_the_seats_stand_as_the_commitment_says() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a", "b", "c")
        await hall.round()
        (table,) = await hall.tables()
        told = tuple(TicketSeat(each.account, each.account) for each in table.persons.values())
        assert told == seated(tuple(sorted(told, key=str)), table.seed_commitment)
        assert len(told) == 3

    _run(story)


def test_what_was_proposed_is_not_again_while_the_rows_are_behind() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a", "b")
        await hall.round()
        hall.wait(A_WHILE / 2)
        await hall.worker.round()
        assert len(await hall.tables()) == 1
        await hall.open("c", "d")
        await hall.round()
        assert await hall.seated() == [{"a", "b"}, {"c", "d"}]

    _run(story)


def test_on_rows_that_stay_behind_a_table_is_made_that_comes_to_nothing() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a", "b")
        await hall.round()
        hall.wait(A_WHILE + 1)
        await hall.worker.round()
        await hall.claims.settle()
        tables = await hall.tables()
        assert sorted(each.phase for each in tables) == ["closed", "playing"]
        assert [each.closed_because for each in tables if each.phase == "closed"] == ["ticket_gone"]

    _run(story)


def test_a_ticket_that_was_seen_claimed_and_is_released_is_proposed_at_once() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a", "b")
        await hall.round()
        hall.rows = ()  # as while both are claimed
        await hall.worker.round()
        await hall.round()
        assert len(await hall.tables()) == 2

    _run(story)


def test_whose_partner_has_gone_gets_another_one_within_a_while() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a", "b")
        await hall.round()
        await hall.claims.cancel("b")
        await hall.claims.settle()
        hall.wait(A_WHILE + 1)
        await hall.open("c")
        await hall.round()
        assert await hall.seated() == [{"a", "c"}]

    _run(story)


def test_a_ticket_whose_time_is_over_expires_and_is_not_proposed() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a")
        hall.wait(600)
        await hall.open("b")
        await hall.round()
        await hall.worker.round()  # on rows that are behind
        assert await hall.tables() == []
        (ended,) = (await hall.claims.known("a")).ended
        assert ended.because == "expired"
        assert len((await hall.claims.known("b")).waiting) == 1

    _run(story)


def test_a_claimed_ticket_does_not_expire_and_holds_up_nobody() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a", "b")
        await hall.catch_up()
        await hall.claims.propose("other", ("a", "b"))
        for each in [*hall.claims.waiting]:
            await each()
        rows = hall.rows
        hall.wait(601)
        await hall.open("c", "d")
        await hall.catch_up()
        hall.rows = (*rows, *hall.rows)
        await hall.worker.round()
        assert (await hall.claims.known("a")).ended == ()
        assert {"c", "d"} in await hall.seated()

    _run(story)


def test_what_is_refused_holds_up_nobody_and_is_tried_again_in_the_next_round() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a", "b", "c", "d", "e", "f")
        hall.failing = 1
        await hall.round()
        assert len(await hall.seated()) == 1
        await hall.round()
        assert len(await hall.seated()) == 2

    _run(story)


def test_without_its_turn_it_does_nothing() -> None:
    async def story(hall: Hall) -> None:
        await hall.open("a", "b")
        hall.is_held = False
        await hall.round()
        hall.wait(601)
        await hall.round()
        assert await hall.tables() == []
        assert (await hall.claims.known("a")).ended == ()

    _run(story)


def test_tickets_that_can_not_be_read_are_a_refusal_of_the_round() -> None:
    async def story(hall: Hall) -> None:
        async def unreadable() -> tuple[()]:
            raise DatabaseError(expected="an answer", found="none")

        hall.worker.waiting = unreadable
        with pytest.raises(DatabaseError):
            await hall.worker.round()

    _run(story)


def test_two_that_work_at_once_seat_nobody_twice() -> None:
    async def story(hall: Hall) -> None:
        tickets = [f"{account}{number}" for account in "abcdefgh" for number in range(2)]
        await hall.open(*tickets)
        await hall.catch_up()
        other = Hall(hall.claims, rows=hall.rows)
        other.numbers = iter(range(100, 200))  # type: ignore[assignment]
        await asyncio.gather(hall.worker.round(), other.worker.round())
        assert len(await hall.tables()) > 4
        await hall.claims.settle()
        seated = [account for table in await hall.seated() for account in table]
        assert seated
        assert len(seated) == len(set(seated))

    _run(story)
