"""Bugs that are planted into projections: each is caught by the check that is for it."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, update

from howff.scoring.adapters.plans import PLANS, RATINGS, RESULTS
from howff.scoring.adapters.plans import ratings as plans
from howff.scoring.adapters.projections import Archived, Plan
from howff.scoring.adapters.rows import ResultRow
from howff.scoring.domain.ratings import Contest, contests_of
from howff.scoring.domain.results import MatchResult
from support.many_matches import World, in_world
from support.scored import differing_from_rebuilt, scored, violations
from support.troubles import match_with

ENDED = [match_with("none", "troedler", number) for number in range(12)]
"""Of one game, so that one match matters to the next."""
Apply = Callable[[AsyncSession, int, Archived], Awaitable[None]]
CHOSEN = "match-2"
FOLD, ONCE = "rows are those of the fold", "each match is rated once"


async def skips_one(session: AsyncSession, generation: int, archived: Archived) -> None:
    if archived.result.match != CHOSEN:
        await RATINGS.apply(session, generation, archived)


async def skips_a_result(session: AsyncSession, generation: int, archived: Archived) -> None:
    if archived.result.match != CHOSEN:
        await RESULTS.apply(session, generation, archived)


async def applies_twice(session: AsyncSession, generation: int, archived: Archived) -> None:
    for _ in range(2):
        await RATINGS.apply(session, generation, archived)


async def rates_by_the_end(session: AsyncSession, generation: int, archived: Archived) -> None:
    """Make the steps of a match at the position of another, as if it had ended before."""
    moved = replace(archived, position=archived.position + 2 * (archived.position % 2))
    await RATINGS.apply(session, generation, moved)


class HoldsOneBack:
    """Applies one match after three of those that follow it."""

    def __init__(self) -> None:
        self.held: Archived | None = None
        self.since = 0

    async def __call__(self, session: AsyncSession, generation: int, archived: Archived) -> None:
        if archived.result.match == CHOSEN:
            self.held = archived
            return
        await RATINGS.apply(session, generation, archived)
        self.since += self.held is not None
        if self.since == 3 and self.held is not None:
            await RATINGS.apply(session, generation, self.held)


def ties_broken_by_seat(result: MatchResult) -> Iterator[Contest]:
    for contest in contests_of(result):
        order = sorted((rank, seat) for seat, (_, rank) in enumerate(contest.seats))
        seats = tuple(
            (player, 1 + order.index((rank, seat)))
            for seat, (player, rank) in enumerate(contest.seats)
        )
        yield Contest(contest.pool, seats)


async def never_counted(*_: object) -> bool:
    return False


def found_with(folder: Path, plan: Plan | None = None) -> dict[str, list[str]]:
    """Return what checks find where one plan is another."""

    async def story(world: World) -> dict[str, list[str]]:
        await world.hear_all()
        return violations(await scored(world.database), world.expected())

    used = tuple(plan if plan and plan.name == each.name else each for each in PLANS)
    return in_world(f"sqlite:///{folder / 'scoring.db'}", story, ENDED, used)


def test_nothing_is_found_where_no_bug_is_planted(tmp_path: Path) -> None:
    assert found_with(tmp_path) == {}


@pytest.mark.parametrize("apply", [skips_one, HoldsOneBack(), rates_by_the_end, skips_a_result])
def test_a_projection_that_skips_or_disorders_matches_is_found(
    tmp_path: Path, apply: Apply
) -> None:
    real = RESULTS if apply is skips_a_result else RATINGS
    assert FOLD in found_with(tmp_path, replace(real, apply=apply))


def test_a_match_that_is_rated_twice_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "_is_counted", never_counted)
    found = found_with(tmp_path, replace(RATINGS, apply=applies_twice))
    assert found.keys() == {FOLD, ONCE}


def test_ties_that_are_broken_by_seat_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plans, "contests_of", ties_broken_by_seat)
    assert found_with(tmp_path).keys() == {FOLD}


def test_rows_that_are_not_those_of_a_rebuild_are_found(tmp_path: Path) -> None:
    async def story(world: World) -> list[str]:
        await world.hear_all()
        async with world.database.writing() as session:
            await session.execute(
                update(ResultRow).where(col(ResultRow.match) == CHOSEN).values(flags=9)
            )
        return await differing_from_rebuilt(world.database)

    differing = in_world(f"sqlite:///{tmp_path / 'scoring.db'}", story, ENDED)
    assert any("scoring_result" in each and '"flags":9' in each for each in differing)
