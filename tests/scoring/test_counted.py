"""Records, streaks and statistics: their rows are what folds in memory come to."""

from collections import Counter
from dataclasses import asdict
from typing import Any, Final

from sqlmodel import SQLModel, select

from howff.scoring.adapters.plans import RECORDS, STATISTICS, STREAKS
from howff.scoring.adapters.rows import (
    HeadToHeadRow,
    OptionRecordRow,
    SeatRecordRow,
    StatisticRow,
    StreakRow,
)
from howff.scoring.domain import records, statistics
from howff.scoring.domain.results import MatchResult
from howff.scoring.domain.streaks import Streak, streak_after, wins_of
from howff.servicekit.sql.database import Database
from support.projected import archived, projected
from support.results import results_of_all_kinds

Key = tuple[Any, ...]
COUNTS: Final = ("matches", "firsts", "places", "left", "ahead", "behind", "level", "count")


def split(plain: dict[str, Any]) -> tuple[Key, Counter[str]]:
    """Return what a row or tally is about, and its numbers, but for those that are none."""
    key = tuple(sorted((name, value) for name, value in plain.items() if name not in COUNTS))
    return key, Counter({name: value for name, value in plain.items() if name in COUNTS})


def summed(tallies: list[dict[str, Any]]) -> dict[Key, Counter[str]]:
    """Return the sums that tallies come to."""
    sums: dict[Key, Counter[str]] = {}
    for each in tallies:
        key, counts = split(each)
        sums.setdefault(key, Counter()).update(counts)
    return sums


async def rows_in(database: Database, table: type[SQLModel]) -> list[dict[str, Any]]:
    async with database.reading() as session:
        rows = (await session.execute(select(table))).scalars().all()
    return [row.model_dump(exclude={"generation"}) for row in rows]


def recorded(told: list[MatchResult], kind: str) -> dict[Key, Counter[str]]:
    return summed(
        [
            {"game": each.game, "is_public": each.is_public, **asdict(tally)}
            for each in told
            for tally in getattr(records.tallies_of(each), kind)
        ]
    )


def test_records_are_what_a_fold_in_memory_comes_to(on_database: Any) -> None:
    told = results_of_all_kinds(30)

    async def story(database: Database) -> None:
        await archived(database, told)
        await projected(database, RECORDS)
        for kind, table in (
            ("seats", SeatRecordRow),
            ("options", OptionRecordRow),
            ("meetings", HeadToHeadRow),
        ):
            rows = await rows_in(database, table)
            assert dict(map(split, rows)) == recorded(told, kind)
            assert {row["is_public"] for row in rows} == {True, False}

    on_database(story)


def test_statistics_are_what_a_fold_in_memory_comes_to(on_database: Any) -> None:
    told = results_of_all_kinds(30)
    folded = summed(
        [
            {"game": each.game, "count": 1, **asdict(tally)}
            for each in told
            for tally in statistics.tallies_of(each)
        ]
    )

    async def story(database: Database) -> None:
        await archived(database, told)
        await projected(database, STATISTICS)
        rows = await rows_in(database, StatisticRow)
        assert dict(map(split, rows)) == folded
        assert max(row["count"] for row in rows) > 2

    on_database(story)


def test_streaks_are_what_a_fold_in_memory_comes_to(on_database: Any) -> None:
    told = results_of_all_kinds(30)
    folded: dict[Key, Streak] = {}
    for each in told:
        for pool, wins in wins_of(each).items():
            for player, is_won in wins.items():
                key = pool.game, pool.kind, player
                folded[key] = streak_after(folded.get(key), is_won=is_won, at=each.ended_at)

    async def story(database: Database) -> None:
        await archived(database, told)
        await projected(database, STREAKS)
        rows = [StreakRow(generation=1, **row) for row in await rows_in(database, StreakRow)]
        assert {
            (row.game, row.kind, row.player): Streak(
                row.is_won, row.length, row.since, row.longest, row.longest_since
            )
            for row in rows
        } == folded
        assert max(row.longest for row in rows) > 1

    on_database(story)
