"""What has to hold of a scoring database: each check returns what violates it, in words."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from sqlmodel import select

from howff.scoring.adapters.plans import PLANS, RATINGS
from howff.scoring.adapters.projections import ArchiveProjection, Plan, generation_of, rows_of
from howff.scoring.adapters.rows import ArchiveRow, PutAsideRow
from howff.scoring.domain.verifying import content_of
from howff.servicekit.sql.checkpoints import CheckpointRow, QuarantineRow
from howff.servicekit.sql.database import Database
from support.folds import FOLDS, Exported, canonical_rows
from support.folds.told import Place
from support.troubles import Ended

FIRST_POINTS: Final = 1500


@dataclass(frozen=True)
class Scored:
    """What stands in a database: all of it that somebody can be told."""

    archive: dict[int, tuple[str, str, bytes]]
    """By position the match, the hash of its last commit, and its file."""
    checkpoint: int | None
    quarantine: dict[int, str]
    aside: dict[tuple[str, int], str]
    """By projection and position the match that it has not."""
    rows: dict[str, Exported]
    """By projection."""


@dataclass(frozen=True)
class Expected:
    """What should stand there."""

    archive: Mapping[int, Ended]
    checkpoint: int
    quarantine: Mapping[int, str]
    aside: Mapping[tuple[str, int], str]

    def places(self, plan: str) -> Sequence[Place]:
        """Return the matches of which a projection has rows, in order."""
        return [
            (position, self.archive[position].result)
            for position in sorted(self.archive)
            if (plan, position) not in self.aside
        ]


async def scored(database: Database) -> Scored:
    """Return what stands in a database."""
    rows = {plan.name: await live_rows(database, plan) for plan in PLANS}
    async with database.reading() as session:
        archived = (await session.execute(select(ArchiveRow))).scalars().all()
        checkpoints = (await session.execute(select(CheckpointRow))).scalars().all()
        quarantined = (await session.execute(select(QuarantineRow))).scalars().all()
        asides = (await session.execute(select(PutAsideRow))).scalars().all()
    return Scored(
        {
            each.position: (each.match, each.head_hash, content_of(each.content))
            for each in archived
        },
        next((each.position for each in checkpoints), None),
        {each.position: each.error for each in quarantined},
        {(each.projection, each.position): each.match for each in asides},
        rows,
    )


async def live_generations(database: Database) -> dict[str, int]:
    """Return the number of the live generation of each projection."""
    async with database.reading() as session:
        return {plan.name: (await generation_of(session, plan.name)).generation for plan in PLANS}


async def live_rows(database: Database, plan: Plan) -> Exported:
    """Return the rows of the live generation, as they are exported."""
    async with database.reading() as session:
        generation = (await generation_of(session, plan.name)).generation
        return {
            str(table.__tablename__): await rows_of(session, table, generation)
            for table in plan.tables
        }


def archive_is_right(found: Scored, expected: Expected) -> Iterator[str]:
    """All that could be verified is there as it was, once; how far was read, and what was not."""
    wanted = {
        position: (each.match, each.export.commits[-1].hash, each.content)
        for position, each in expected.archive.items()
    }
    for position in sorted(wanted.keys() | found.archive.keys()):
        if wanted.get(position) != found.archive.get(position):
            yield f"archive at {position}: {found.archive.get(position, ('nothing',))[0]}"
    for what in ("checkpoint", "quarantine", "aside"):
        if getattr(found, what) != getattr(expected, what):
            yield f"{what}: {getattr(found, what)} instead of {getattr(expected, what)}"


def rows_are_those_of_the_fold(found: Scored, expected: Expected) -> Iterator[str]:
    """The rows of each projection are what its fold comes to, byte for byte."""
    for plan in FOLDS:
        wanted = canonical_rows(plan, expected.places(plan))
        yield from (f"{plan}: {each}" for each in differing(found.rows[plan], wanted))


def each_match_is_rated_once(found: Scored, expected: Expected) -> Iterator[str]:
    """The changes of a rating add up to it, one for each match that is counted, in order."""
    del expected
    steps: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in _rows(found, "scoring_rating_step"):
        steps[row["game"], row["kind"], row["player"]].append(row)
    ratings = {
        (row["game"], row["kind"], row["player"]): row for row in _rows(found, "scoring_rating")
    }
    if steps.keys() != ratings.keys():
        yield f"ratings without steps or the other way round: {steps.keys() ^ ratings.keys()}"
    for pool in steps.keys() & ratings.keys():
        own, rating = sorted(steps[pool], key=lambda row: int(row["position"])), ratings[pool]
        points = FIRST_POINTS
        for row in own:
            points += row["change"]
            if points != row["points"]:
                yield f"{pool} at {row['position']}: {row['points']} instead of {points} points"
        if (len(own), points, own[-1]["at"]) != (rating["matches"], rating["points"], rating["at"]):
            yield f"{pool}: {rating['matches']} matches and {rating['points']} points"


Check = Callable[[Scored, Expected], Iterator[str]]
CHECKS: Final[Mapping[str, Check]] = {
    "the archive is right": archive_is_right,
    "rows are those of the fold": rows_are_those_of_the_fold,
    "each match is rated once": each_match_is_rated_once,
}
"""All checks that look at what stands there, by name."""
REBUILDS_ARE_EQUAL: Final = "rows are those of a rebuild"


def violations(found: Scored, expected: Expected) -> dict[str, list[str]]:
    """Return what violates each check that is violated."""
    told = {name: list(check(found, expected)) for name, check in CHECKS.items()}
    return {name: each for name, each in told.items() if each}


async def differing_from_rebuilt(database: Database, plans: Sequence[Plan] = PLANS) -> list[str]:
    """Make all rows anew by *plans*, and return where they are not as they were."""
    found: list[str] = []
    for plan in plans:
        before = await live_rows(database, plan)
        rebuilt = await ArchiveProjection(database, plan).rebuild()
        after = await live_rows(database, plan)
        named = list(differing(before, after))
        assert rebuilt.differing == len(named), "a rebuild tells how many rows differ"
        found += [f"{plan.name}: {each}" for each in named]
    return found


def differing(found: Exported, wanted: Exported) -> Iterator[str]:
    """Yield the rows that are not the same, byte for byte."""
    for table in sorted(found.keys() | wanted.keys()):
        here, there = found.get(table, {}), wanted.get(table, {})
        for key in sorted(here.keys() | there.keys()):
            if here.get(key) != there.get(key):
                yield f"{table} {key}: {here.get(key)!r} instead of {there.get(key)!r}"


def _rows(found: Scored, table: str) -> Iterator[dict[str, Any]]:
    for row in found.rows[RATINGS.name][table].values():
        yield orjson.loads(row)
