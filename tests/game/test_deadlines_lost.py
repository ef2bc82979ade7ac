"""Lost deadlines are found again, old ones replace nothing new, and none outlives its match."""

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Final

import pytest

from howff.contracts.turns import TURNS
from howff.engine.codec import JSON
from howff.game.adapters.messages import JetStreamPublisher
from howff.game.application.deadlines import Deadlines
from howff.game.application.outbox import Outbox
from howff.match.clocks import SECOND, milliseconds_of
from howff.match.commit import MatchId
from howff.match.match import Match
from howff.servicekit.eventstore.store import Position
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.ranks import RankedBucket
from howff.servicekit.nats.schedules import Register, Schedules
from support.leaving import (
    CLOCKED,
    DEADLINES,
    asked,
    done,
    due_of,
    events_in,
    purge_deadlines,
    registered,
    scheduled,
    wait_until_past,
    wait_until_scheduled,
)
from support.running import SOON
from support.service import Service, Table, nats_server, service_on, wait_until

SLOW: Final[JSON] = {"move_seconds": 600}
QUICK: Final[JSON] = {"move_seconds": 1}


@pytest.fixture(scope="module")
def unswept() -> Iterator[Service]:
    """Give a service of its own that looks for lost deadlines at its start only."""
    with nats_server() as nats, service_on(nats, sweep_seconds=3600) as service:
        yield service


def deadlines_of(service: Service, connection: Connection) -> Deadlines:
    """Return what another process would set deadlines by."""
    schedules = Schedules(connection, DEADLINES, "deadline")
    register = Register(connection, CLOCKED, "clocked")
    return Deadlines(service.parts.matches, schedules=schedules, register=register)


def is_over(table: Table) -> bool:
    return table.match.is_over


def is_scheduled(table: Table) -> bool:
    return scheduled(table.service, table.id) is not None


def is_forgotten(table: Table) -> bool:
    """Return whether neither a deadline nor an entry is left of a match."""
    service = table.service
    return scheduled(service, table.id) is None and table.id not in registered(service)


def test_lost_deadlines_are_found_and_set_again_as_they_were(unswept: Service) -> None:
    tables = [unswept.table(clock=SLOW) for _ in range(3)]
    for table in tables:
        table.play()
        wait_until_scheduled(table)
    before = [scheduled(unswept, table.id) for table in tables]
    purge_deadlines(unswept)
    assert [scheduled(unswept, table.id) for table in tables] == [None] * 3
    with service_on(unswept.nats, sweep_seconds=0.2):
        for table in tables:
            wait_until_scheduled(table)
        assert [scheduled(unswept, table.id) for table in tables] == before
        purge_deadlines(unswept, tables[1].id)
        wait_until_scheduled(tables[1])


def test_what_is_overdue_without_a_message_happens_when_that_is_found(unswept: Service) -> None:
    tables = [unswept.table("troedler", seats, clock=QUICK) for seats in (2, 2, 3)]
    wait_until(lambda: registered(unswept) >= {each.id for each in tables})
    for table in tables:
        wait_until(partial(is_scheduled, table))
    purge_deadlines(unswept)
    dues = [due_of(table) for table in tables]
    wait_until_past(max(dues))
    assert [table.match.version for table in tables] == [1, 1, 1]
    with service_on(unswept.nats, sweep_seconds=0.2) as sweeping:
        for table, due in zip(tables, dues, strict=True):
            wait_until(partial(is_over, table))
            first, *_ = events_in(table.commits, "FlagFallen")
            assert first[0] == 2
            assert due <= milliseconds_of(table.commits[1].at) < due + SOON * SECOND
        assert {sweeping.match(each.id).is_over for each in tables} == {True}


def test_a_match_that_is_not_there_does_not_keep_others_from_being_mended(
    unswept: Service,
) -> None:
    table = unswept.table(clock=SLOW)
    wait_until_scheduled(table)

    async def story(connection: Connection) -> None:
        register = Register(connection, CLOCKED, "clocked")
        for number in range(20):
            await register.add(f"nothing-{number}")

    unswept.on_nats(story)
    purge_deadlines(unswept)
    with service_on(unswept.nats, sweep_seconds=0.2):
        wait_until_scheduled(table)


def follow(service: Service, *matches: Match) -> None:
    """Let one process set the deadlines of these matches, one after the other."""

    async def story() -> None:
        async with await connect(service.nats.url, name="again") as connection:
            deadlines = deadlines_of(service, connection)
            for match in matches:
                await deadlines.follow(match)

    service.call(story())


def test_an_older_commit_never_sets_a_deadline_back(unswept: Service) -> None:
    table = unswept.table(clock=SLOW)
    older = []
    for _ in range(3):
        older.append(table.match)
        table.play()
    wait_until_scheduled(table)
    newest = table.match
    for matches in ((older[0],), (older[2], older[1]), (newest, *older), (older[1], newest)):
        follow(unswept, *matches)
        assert scheduled(unswept, table.id) == (newest.version, due_of(table))


def test_commits_that_come_again_leave_the_deadline_as_it_is(unswept: Service) -> None:
    running, over = unswept.table(clock=SLOW), unswept.table(clock=SLOW)
    for _ in range(4):
        running.play()
        over.play()
    done(asked(over, 0, "resign"))
    wait_until_scheduled(running)
    wait_until(partial(is_forgotten, over))
    before = [(table.match, scheduled(unswept, table.id)) for table in (running, over)]

    async def story() -> None:
        async with await connect(unswept.nats.url, name="again") as connection:
            outbox = Outbox(
                unswept.parts.matches,
                deadlines_of(unswept, connection),
                turns=RankedBucket(connection, TURNS),
                publisher=JetStreamPublisher(connection),
            )
            for table in (running, over):
                await deliver_again(outbox, table)

    positions = {table.id: positions_of(table) for table in (running, over)}

    async def deliver_again(outbox: Outbox, table: Table) -> None:
        again = reversed(positions[table.id] * 2)
        await asyncio.gather(*(outbox.on_commit(MatchId(table.id), each) for each in again))

    unswept.call(story())
    assert [(table.match, scheduled(unswept, table.id)) for table in (running, over)] == before
    assert is_forgotten(over)
    assert running.id in registered(unswept)


def positions_of(table: Table) -> list[Position]:
    """Return where the commits of a match stand."""
    base = table.log.known.base
    return [base.mark_at(version).position for version in range(1, base.mark.version + 1)]


def test_a_match_that_is_over_leaves_nothing_to_be_waited_for(service: Service) -> None:
    finished = service.table(clock=SLOW, options={"round_limit": 1})
    resigned, aborted = service.table(clock=SLOW), service.table(clock=SLOW)
    fallen = service.table(clock=QUICK)
    running, timeless = service.table(clock=SLOW), service.table()
    wait_until(lambda: registered(service) >= {running.id, fallen.id, resigned.id, aborted.id})
    assert timeless.id not in registered(service)
    finished.advance()
    done(asked(resigned, 1, "resign"))
    for seat in (0, 1):
        done(asked(aborted, seat, "abort"))
    for table in (finished, resigned, aborted, fallen):
        wait_until(partial(is_over, table))
        wait_until(partial(is_forgotten, table))
    assert running.id in registered(service)
    wait_until_scheduled(running)
