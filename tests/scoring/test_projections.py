"""Projections of the archive: once, in order, whatever fails, and anew."""

import asyncio
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select, update

from howff.engine.catalogue import game_of
from howff.engine.codec import from_json
from howff.match.export import write_export
from howff.scoring.adapters.plans import PLANS, RATINGS
from howff.scoring.adapters.projections import (
    Archived,
    ArchiveProjection,
    generation_of,
    put_aside,
    rows_of,
)
from howff.scoring.adapters.rows import ArchiveRow, PutAsideRow, RatingRow, ResultRow
from howff.scoring.domain.errors import OtherVersionError
from howff.scoring.domain.results import MatchResult
from howff.scoring.domain.verifying import RESULTS_VERSION, result_again
from howff.servicekit.sql.database import Database
from support.folds import FOLDS, canonical_rows
from support.folds.told import Place
from support.played import exported, played
from support.projected import archived, projected
from support.results import archive, result, results_of_all_kinds
from support.tables import differences

Rows = dict[str, dict[str, bytes]]
each_plan = pytest.mark.parametrize("plan", PLANS, ids=lambda plan: plan.name)


class BrokenOffError(Exception):
    """What a test breaks a rebuild off with."""


async def live_rows(database: Database) -> Rows:
    found: Rows = {}
    async with database.reading() as session:
        for plan in PLANS:
            generation = (await generation_of(session, plan.name)).generation
            for table in plan.tables:
                found[str(table.__tablename__)] = await rows_of(session, table, generation)
    return found


def places_of(told: Sequence[MatchResult]) -> list[Place]:
    """Return where matches stand that `archived` has put into an archive."""
    return [(3 * number + 2, each) for number, each in enumerate(told)]


def folded(places: Sequence[Place]) -> Rows:
    """Return the rows of all projections that folds in memory come to."""
    return {
        table: rows for plan in PLANS for table, rows in canonical_rows(plan.name, places).items()
    }


def test_every_projection_has_a_fold() -> None:
    assert {plan.name for plan in PLANS} == FOLDS.keys()


def test_the_tables_of_the_database_are_those_of_the_rows(on_database: Any) -> None:
    async def story(database: Database) -> None:
        assert await differences(database, "scoring") == []

    on_database(story)


@each_plan
def test_rows_are_what_a_fold_in_memory_comes_to(on_database: Any, plan: Any) -> None:
    told = results_of_all_kinds(40)

    async def story(database: Database) -> None:
        await archived(database, told)
        await projected(database, plan)
        wanted = canonical_rows(plan.name, places_of(told))
        assert await _rows_of_plan(database, plan) == wanted
        assert all(wanted.values()), "some rows of each table"

    on_database(story)


def test_two_that_project_the_same_make_each_row_once(on_database: Any) -> None:
    told = results_of_all_kinds(16)

    async def story(database: Database) -> None:
        await archived(database, told)
        await asyncio.gather(*(projected(database) for _ in range(2)))
        assert await live_rows(database) == folded(places_of(told))

    on_database(story)


@each_plan
def test_a_match_that_is_applied_twice_is_made_of_once(on_database: Any, plan: Any) -> None:
    told = results_of_all_kinds(12)

    async def story(database: Database) -> None:
        await archived(database, told)
        await projected(database, plan)
        before = await _rows_of_plan(database, plan)
        last = Archived(3 * (len(told) - 1) + 2, told[-1])
        assert told[-1].reason == "finished"
        async with database.writing() as session:
            await plan.apply(session, 1, last)
        assert await _rows_of_plan(database, plan) == before

    on_database(story)


def test_rows_made_anew_are_the_same_and_others_are_named(on_database: Any) -> None:
    async def story(database: Database) -> None:
        await archived(database, results_of_all_kinds(20))
        made = await projected(database)
        before = await live_rows(database)
        for each in made:
            assert (await each.rebuild()).differing == 0
        assert await live_rows(database) == before
        async with database.writing() as session:
            await session.execute(
                update(RatingRow).where(col(RatingRow.player) == "ivy").values(points=1)
            )
        ratings = made[1]
        rebuilt = await ratings.rebuild()
        assert rebuilt.differing > 0
        assert all(",ivy" in each for each in rebuilt.differences)
        assert await live_rows(database) == before

    on_database(story)


def test_two_that_make_the_same_anew_come_to_the_same(on_database: Any) -> None:
    async def story(database: Database) -> None:
        await archived(database, results_of_all_kinds(20))
        made = await projected(database, RATINGS)
        first, second = await asyncio.gather(*(made[0].rebuild() for _ in range(2)))
        assert first.rows == second.rows > 0
        assert first.differing == second.differing == 0

    on_database(story)


def test_a_rebuild_that_broke_off_is_gone_on_with_while_matches_end(on_database: Any) -> None:
    told = results_of_all_kinds(24)

    async def story(database: Database) -> None:
        await archived(database, told[:12])
        (ratings,) = await projected(database, RATINGS)

        def break_off(position: int) -> None:
            if position > 15:
                raise BrokenOffError

        with pytest.raises(BrokenOffError):
            await ratings.rebuild(break_off)
        for number, each in enumerate(told[12:]):
            await archive(database, 1000 + number, each)
        assert (await ratings.rebuild()).differing == 0
        async with database.reading() as session:
            rows = (await session.execute(select(RatingRow))).scalars().all()
        assert {row.generation for row in rows} == {2}
        places = [*places_of(told[:12]), *enumerate(told[12:], 1000)]
        assert await _rows_of_plan(database, RATINGS) == canonical_rows("ratings", places)

    on_database(story)


@each_plan
def test_a_match_that_can_not_be_applied_stands_aside_until_it_can(
    on_database: Any, plan: Any
) -> None:
    told = results_of_all_kinds(12)
    is_broken = True

    async def apply(session: AsyncSession, generation: int, each: Archived) -> None:
        if is_broken and each.result.match == "match-7":
            session.add(PutAsideRow(projection="x", generation=1, position=1, match="m", error="e"))
            await session.flush()
            raise ZeroDivisionError
        await plan.apply(session, generation, each)

    async def story(database: Database) -> None:
        nonlocal is_broken
        await archived(database, told)
        (made,) = await projected(database, replace(plan, apply=apply))
        async with database.reading() as session:
            (aside,) = (await session.execute(select(PutAsideRow))).scalars().all()
        assert (aside.match, aside.error, aside.position) == ("match-7", "ZeroDivisionError", 23)
        with pytest.raises(ZeroDivisionError):
            await _retried_plainly(database, made, aside.position)
        is_broken = False
        await made.retry(aside.position)
        async with database.reading() as session:
            assert (await session.execute(select(PutAsideRow))).first() is None
        tables = await _rows_of_plan(database, plan)
        assert tables == await _of_another_generation(database, plan)

    on_database(story)


async def _retried_plainly(database: Database, made: ArchiveProjection, position: int) -> None:
    """Try the match once more without making anything anew."""
    plain = ArchiveProjection(database, replace(made.plan, is_ordered=False))
    await plain.retry(position)


async def _of_another_generation(database: Database, plan: Any) -> Rows:
    """Return the rows that the plan makes of the whole archive, by a rebuild."""
    made = ArchiveProjection(database, plan)
    await made.rebuild()
    return await _rows_of_plan(database, plan)


async def _rows_of_plan(database: Database, plan: Any) -> Rows:
    async with database.reading() as session:
        generation = (await generation_of(session, plan.name)).generation
        return {
            str(table.__tablename__): await rows_of(session, table, generation)
            for table in plan.tables
        }


def test_a_match_that_came_late_is_tried_again_in_its_place(on_database: Any) -> None:
    told = results_of_all_kinds(12)

    async def story(database: Database) -> None:
        for number, one in enumerate(told):
            if number != 5:
                await archive(database, 10 + number, one)
        made = await projected(database)
        await archive(database, 15, told[5])
        async with database.writing() as session:
            for each in made:
                live = await generation_of(session, each.plan.name)
                session.add(put_aside(live, 15, told[5].match, "late"))
        for each in made:
            assert await each.step() is None
            await each.retry(15)
        assert await live_rows(database) == folded(list(enumerate(told, 10)))
        for each in made:
            assert (await each.rebuild()).differing == 0

    on_database(story)


async def broken_off(projection: ArchiveProjection) -> None:
    """Begin a rebuild that breaks off after one match."""

    def break_off(_: int) -> None:
        raise BrokenOffError

    with pytest.raises(BrokenOffError):
        await projection.rebuild(break_off)


def newer(plan: Any) -> Any:
    """Return a plan whose next version makes other rows."""

    async def apply(session: AsyncSession, generation: int, each: Archived) -> None:
        if each.result.game == "troedler":
            await plan.apply(session, generation, each)

    return replace(plan, apply=apply, version=plan.version + 1)


@each_plan
def test_rows_of_an_older_version_are_made_anew_and_left_alone_by_it(
    on_database: Any, plan: Any
) -> None:
    told = results_of_all_kinds(16)

    async def story(database: Database) -> None:
        await archived(database, told[:12])
        (old,) = await projected(database, plan)
        await broken_off(old)  # the newer does not go on with that
        (new,) = await projected(database, newer(plan))
        rows = await _rows_of_plan(database, plan)
        for number, each in enumerate(told[12:]):
            await archive(database, 1000 + number, each)
        assert await old.step() is None
        with pytest.raises(OtherVersionError):
            await old.rebuild()
        await old.begin()
        assert await _rows_of_plan(database, plan) == rows
        while await new.step() is not None:
            pass
        rows = await _rows_of_plan(database, plan)
        assert (await new.rebuild()).differing == 0
        assert rows == await _rows_of_plan(database, plan)
        assert all(b"hellweg" not in row for table in rows.values() for row in table.values())

    on_database(story)


@each_plan
def test_what_a_newer_version_has_begun_is_not_finished_by_an_older_one(
    on_database: Any, plan: Any
) -> None:
    told = results_of_all_kinds(16)

    async def story(database: Database) -> None:
        await archived(database, told)
        await projected(database, plan)
        rows = await _rows_of_plan(database, plan)
        middle = ArchiveProjection(database, newer(plan))
        await middle.begin()
        for _ in told[:-1]:
            assert await middle.step() is not None
        newest = ArchiveProjection(database, newer(newer(plan)))
        await newest.begin()
        await newest.step()
        with pytest.raises(OtherVersionError):
            await middle.step()
        with pytest.raises(OtherVersionError):
            await middle.retry(2)
        assert await _rows_of_plan(database, plan) == rows, "nothing has been swapped yet"
        while await newest.step() is not None:
            pass
        assert await middle.step() is None
        made = await _rows_of_plan(database, plan)
        assert made != rows
        assert await _of_another_generation(database, newest.plan) == made

    on_database(story)


def test_what_was_told_in_an_older_form_is_told_anew(on_database: Any) -> None:
    game = game_of("troedler")
    options: Any = game.read_options(game.bounded({}, 1))
    content = zlib.compress(write_export(exported(played(game, options, 2))))

    async def story(database: Database) -> None:
        await archive(database, 1, result("match-1"))
        as_it_was = {"content": content, "result": {"form": "of old"}, "results_version": 0}
        async with database.writing() as session:
            await session.execute(update(ArchiveRow).values(**as_it_was))
        await projected(database)
        async with database.reading() as session:
            row = (await session.execute(select(ArchiveRow))).scalar_one()
            seats = (await session.execute(select(ResultRow.seat))).scalars().all()
        assert from_json(MatchResult, row.result) == result_again(content)
        assert row.results_version == RESULTS_VERSION
        assert len(seats) == 2

    on_database(story)
