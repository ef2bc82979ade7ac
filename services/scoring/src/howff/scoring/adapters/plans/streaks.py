"""How often accounts have won in a row."""

from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.scoring.adapters.projections import Archived, Plan
from howff.scoring.adapters.rows import StreakRow
from howff.scoring.domain.ratings import PARAMETERS_VERSION, Pool
from howff.scoring.domain.streaks import Streak, streak_after, wins_of


async def apply_streaks(session: AsyncSession, generation: int, archived: Archived) -> None:
    """Write the streaks of those who took part, unless the match is in them already."""
    for pool, wins in wins_of(archived.result).items():
        rows = await _rows_before(session, generation, pool, wins)
        for player, is_won in wins.items():
            row = rows.get(player)
            if row is not None and row.position >= archived.position:
                continue
            before = None if row is None else _streak(row)
            after = streak_after(before, is_won=is_won, at=archived.result.ended_at)
            await session.merge(
                StreakRow(
                    generation=generation,
                    game=pool.game,
                    kind=pool.kind,
                    player=player,
                    position=archived.position,
                    is_won=after.is_won,
                    length=after.length,
                    since=after.since,
                    longest=after.longest,
                    longest_since=after.longest_since,
                )
            )


STREAKS: Final = Plan(
    "streaks",
    (StreakRow,),
    apply_streaks,
    is_ordered=True,
    version=PARAMETERS_VERSION,  # by which is decided who has met whom
)


async def _rows_before(
    session: AsyncSession, generation: int, pool: Pool, wins: dict[str, bool]
) -> dict[str, StreakRow]:
    query = select(StreakRow).where(
        col(StreakRow.generation) == generation,
        col(StreakRow.game) == pool.game,
        col(StreakRow.kind) == pool.kind,
        col(StreakRow.player).in_(wins),
    )
    return {row.player: row for row in (await session.execute(query)).scalars()}


def _streak(row: StreakRow) -> Streak:
    return Streak(row.is_won, row.length, row.since, row.longest, row.longest_since)
