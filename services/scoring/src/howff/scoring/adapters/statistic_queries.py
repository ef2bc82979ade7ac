"""What is read of statistics."""

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.scoring.adapters.plans import STATISTICS
from howff.scoring.adapters.projections import live_generation
from howff.scoring.adapters.rows import StatisticRow
from howff.scoring.application.statistics import Counter


async def counters_of(
    session: AsyncSession, game: str, seats: int | None, who: str | None
) -> list[Counter]:
    """Return the counters of a game, in order, or those of so many *seats*, or of *who* played."""
    row = StatisticRow
    query = select(row).where(
        col(row.generation) == await live_generation(session, STATISTICS.name),
        col(row.game) == game,
    )
    if seats is not None:
        query = query.where(col(row.seats) == seats)
    if who is not None:
        query = query.where(col(row.who) == who)
    order = (row.seats, row.who, row.measure, row.about, row.value)
    rows = (await session.execute(query.order_by(*map(col, order)))).scalars()
    return [Counter.model_validate(each.model_dump()) for each in rows]
