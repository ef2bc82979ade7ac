"""How a game is played: exact histograms, kept as counters."""

from dataclasses import asdict
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from howff.scoring.adapters.plans.counting import add_counts, is_first_time
from howff.scoring.adapters.projections import Archived, Plan
from howff.scoring.adapters.rows import StatisticCountedRow, StatisticRow
from howff.scoring.domain.statistics import tallies_of


async def apply_statistics(session: AsyncSession, generation: int, archived: Archived) -> None:
    """Count what a match says of its game, in one statement."""
    if not await is_first_time(session, StatisticCountedRow, generation, archived.position):
        return
    where = {"generation": generation, "game": archived.result.game, "count": 1}
    told = [{**where, **asdict(each)} for each in tallies_of(archived.result)]
    await add_counts(session, StatisticRow, told)


STATISTICS: Final = Plan(
    "statistics", (StatisticRow, StatisticCountedRow), apply_statistics, is_ordered=False
)
