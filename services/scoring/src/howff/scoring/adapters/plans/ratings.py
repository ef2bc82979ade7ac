"""The ratings of all pools, and what each match has made of them."""

from collections.abc import Iterator
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.scoring.adapters.projections import Archived, Plan
from howff.scoring.adapters.rows import RatingRow, RatingStepRow
from howff.scoring.domain.ratings import (
    FIRST_POINTS,
    PARAMETERS_VERSION,
    Contest,
    Rating,
    contests_of,
    rated,
)
from howff.scoring.domain.results import MatchResult


async def apply_ratings(session: AsyncSession, generation: int, archived: Archived) -> None:
    """Write what the ratings of those are who took part, and by what they have changed."""
    for contest in contests_of(archived.result):
        if await _is_counted(session, generation, archived.position, contest):
            continue
        before = await _ratings_before(session, generation, contest)
        after = rated(contest, before, archived.result.ended_at)
        for row in _rating_rows(generation, archived, contest, before, after):
            await session.merge(row)


RATINGS: Final = Plan(
    "ratings",
    (RatingRow, RatingStepRow),
    apply_ratings,
    is_ordered=True,
    version=PARAMETERS_VERSION,
)


async def _is_counted(
    session: AsyncSession, generation: int, position: int, contest: Contest
) -> bool:
    player, _ = contest.seats[0]
    key = (generation, position, contest.pool.kind, player)
    return await session.get(RatingStepRow, key) is not None


async def _ratings_before(
    session: AsyncSession, generation: int, contest: Contest
) -> dict[str, Rating]:
    query = select(RatingRow).where(
        col(RatingRow.generation) == generation,
        col(RatingRow.game) == contest.pool.game,
        col(RatingRow.kind) == contest.pool.kind,
        col(RatingRow.player).in_({player for player, _ in contest.seats}),
    )
    rows = (await session.execute(query)).scalars()
    return {row.player: Rating(row.mu, row.sigma, row.matches, row.at) for row in rows}


def _rating_rows(
    generation: int,
    archived: Archived,
    contest: Contest,
    before: dict[str, Rating],
    after: dict[str, Rating],
) -> Iterator[RatingRow | RatingStepRow]:
    result: MatchResult = archived.result
    for player, rating in after.items():
        told = {"points": rating.points, "deviation": rating.deviation}
        was = before[player].points if player in before else FIRST_POINTS
        yield RatingRow(
            generation=generation,
            game=contest.pool.game,
            kind=contest.pool.kind,
            player=player,
            mu=rating.mu,
            sigma=rating.sigma,
            matches=rating.matches,
            at=result.ended_at,
            sure_points=rating.sure_points,
            **told,
        )
        yield RatingStepRow(
            generation=generation,
            position=archived.position,
            kind=contest.pool.kind,
            player=player,
            game=contest.pool.game,
            match=result.match,
            is_public=result.is_public,
            at=result.ended_at,
            change=rating.points - was,
            **told,
        )
