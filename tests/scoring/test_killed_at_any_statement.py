"""Scoring is killed at each of its statements in turn; the rows are those of a fold in memory."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from sqlalchemy import func
from sqlmodel import col, select

from conftest import IS_LONG
from howff.contracts.matches import CONTRACTS
from howff.contracts.ratings import Rated
from howff.scoring.adapters.announcing import ANNOUNCED
from howff.scoring.adapters.plans import PLANS
from howff.scoring.adapters.rows import ArchiveRow, ProjectionRow, RatingStepRow
from howff.scoring.app import MIGRATIONS
from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.reading import stored_at
from howff.servicekit.nats.streams import ensure_stream, locked
from howff.servicekit.sql.checkpoints import CheckpointRow
from howff.servicekit.sql.database import Database
from support.killed import Deaths, Work, killed_until_done, serving, shelf_of
from support.many_matches import expected_of
from support.nats import own_server
from support.running import run
from support.scored import live_generations, scored, violations
from support.shelf import OTHER, Message
from support.troubles import Trouble

T = TypeVar("T")
MATCHES: tuple[tuple[Trouble, str, int], ...] = (
    ("none", "troedler", 1),
    ("resigned", "appenzell", 2),
    ("none", "troedler", 4),
)
if IS_LONG:
    MATCHES = (
        *MATCHES,
        ("bots", "appenzell", 3),
        ("given back", "appenzell", 5),
        ("aborted", "troedler", 6),
    )
SERVED: tuple[tuple[Trouble, str, int], ...] = tuple(
    ("none", "troedler", number) for number in range(40 if IS_LONG else 10)
)
DAMAGED, UNPROJECTED = "match-2", "match-4"
# A prime step, so that the moments that are tried differ from one transaction to the next.
EVERY = {"sqlite": 1 if IS_LONG else 29, "postgresql": 1 if IS_LONG else 61}


async def publish(nats: str, messages: Iterable[Message]) -> None:
    async with await connect(nats, name="test") as connection:
        await ensure_stream(connection, locked(CONTRACTS, ["contract.>"], replicas=1))
        for subject, payload in messages:
            await connection.jetstream.publish(subject, payload)


async def tell(nats: str, work: Work) -> None:
    """Let `CONTRACTS` tell of all matches, of one of them twice."""
    ended = list(shelf_of(work).matches.values())
    messages = [OTHER, *((each.subject, each.message) for each in (*ended, ended[0]))]
    await publish(nats, messages)


async def told_in(nats: str) -> list[Message]:
    """Return all that stands in `CONTRACTS`."""
    found: list[Message] = []
    async with await connect(nats, name="test") as connection:
        while message := await stored_at(connection, CONTRACTS, len(found) + 1):
            found.append((message.subject, message.payload))
    return found


def on(address: str, story: Callable[[Database], Awaitable[T]]) -> T:
    async def whole() -> T:
        database = Database(address)
        try:
            return await story(database)
        finally:
            await database.close()

    return run(whole)


def migrated(address: str) -> str:
    on(address, lambda database: asyncio.wait_for(database.migrate(MIGRATIONS), 60))
    return address


def test_whatever_statement_a_process_dies_at_the_rows_are_those_of_a_fold(
    address: str, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    with own_server(tmp_path / "nats") as nats:
        broken = Work(
            migrated(address),
            nats.url,
            "follow",
            MATCHES,
            frozenset({DAMAGED}),
            frozenset({UNPROJECTED}),
            every=EVERY[address.partition(":")[0]],
            is_after_too=IS_LONG,
        )
        run(lambda: tell(nats.url, broken))
        deaths = [killed_until_done(broken)]
        messages = run(lambda: told_in(nats.url))
        check(broken, messages)

        # What was the matter is no longer: all that stands aside gets in, in its place.
        mended = replace(broken, what="retry", damaged=frozenset(), unprojected=frozenset())
        deaths.append(killed_until_done(mended))
        wanted = {plan: live + 1 for plan, live in on(address, live_generations).items()}
        before = on(address, scored)
        deaths.append(killed_until_done(replace(mended, what="rebuild", wanted=wanted)))
        assert on(address, scored) == before
        assert run(lambda: told_in(nats.url)) == messages, "a rebuild tells nothing"
        check(mended, messages)
    check_told_once(messages)
    check_deaths(deaths)
    figures = ", ".join(f"{each.killed} of {len(each.moments)} kinds" for each in deaths)
    record_property("figures", f"killed {figures}")


def check(work: Work, messages: list[Message]) -> None:
    """Compare with the folds."""
    expected = expected_of(messages, shelf_of(work), work.unprojected)
    assert violations(on(work.address, scored), expected) == {}


def check_told_once(messages: list[Message]) -> None:
    """Check that new ratings were told of each match that has some, once, in order."""
    rated = [
        Rated.model_validate_json(payload).match
        for subject, payload in messages
        if subject.startswith("contract.rated.")
    ]
    assert rated
    ends = [subject.rpartition(".")[2] for subject, _ in messages if ".match_ended." in subject]
    assert rated == [each for each in dict.fromkeys(ends) if each in rated]


def check_deaths(deaths: list[Deaths]) -> None:
    """Check that processes have died beside commits, and where rows of each kind are written."""
    assert all(each.killed for each in deaths)
    moments = {each for one in deaths for each in one.moments}
    if IS_LONG:
        assert {"before commit", "after commit"} <= moments
        for table in ("scoring_archive", "scoring_result", "scoring_rating", "scoring_rebuilt"):
            assert any(f"before INSERT INTO {table} " in each for each in moments), table


def test_two_that_serve_by_mistake_make_each_row_once_though_one_is_killed(
    address: str, tmp_path: Path
) -> None:
    with own_server(tmp_path / "nats") as nats:
        work = Work(migrated(address), nats.url, "follow", SERVED, frozenset({DAMAGED}))
        ended = [(each.subject, each.message) for each in shelf_of(work).matches.values()]
        run(lambda: publish(nats.url, ended[:3]))
        with serving(work) as first, serving(work):
            wait_until_projected(address, nats.url)
            run(lambda: publish(nats.url, ended[3:]))
            first.kill()
            first.join()
            messages = wait_until_projected(address, nats.url)
    found = on(address, scored)
    assert violations(found, expected_of(messages, shelf_of(work), ())) == {}
    check_told_once(messages)


def wait_until_projected(address: str, nats: str) -> list[Message]:
    """Return what stands in `CONTRACTS` once all of it is archived, projected, and told on."""

    async def all_done(database: Database) -> list[Message]:
        while True:
            messages = await told_in(nats)
            if await is_projected(database, len(messages)):
                return messages
            await asyncio.sleep(0.05)

    return on(address, all_done)


async def is_projected(database: Database, told: int) -> bool:
    """Return whether all that was *told* is read, projected, and what was rated told on."""
    async with database.reading() as session:
        rows = (await session.execute(select(ProjectionRow))).scalars().all()
        read = (await session.execute(select(CheckpointRow.position))).scalar_one_or_none()
        archived = (await session.execute(select(func.max(ArchiveRow.position)))).scalar_one()
        people = select(func.max(RatingStepRow.position)).where(col(RatingStepRow.kind) != "bots")
        rated = (await session.execute(people)).scalar_one()
    wanted = {**{plan.name: archived or 0 for plan in PLANS}, ANNOUNCED: rated or 0}
    return read == told and {row.projection: row.position for row in rows} == wanted
