"""What became of each seat."""

from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from howff.engine.codec import to_json
from howff.engine.outcome import Figure
from howff.match.events import Account, Bot
from howff.scoring.adapters.projections import Archived, Plan
from howff.scoring.adapters.rows import ResultRow
from howff.scoring.domain.results import SeatResult


async def apply_result(session: AsyncSession, generation: int, archived: Archived) -> None:
    """Write a row for each seat."""
    for seat, each in enumerate(archived.result.seats):
        await session.merge(_result_row(generation, archived, seat, each))


RESULTS: Final = Plan("results", (ResultRow,), apply_result, is_ordered=False)


def _result_row(generation: int, archived: Archived, seat: int, each: SeatResult) -> ResultRow:
    result, holder = archived.result, each.holder
    return ResultRow(
        generation=generation,
        position=archived.position,
        seat=seat,
        match=result.match,
        game=result.game,
        speed=result.speed,
        seats=len(result.seats),
        is_public=result.is_public,
        is_rated=result.is_rated,
        is_branch=result.is_branch,
        reason=result.reason,
        started_at=result.started_at,
        ended_at=result.ended_at,
        account=holder.account if isinstance(holder, Account) else None,
        level=holder.level if isinstance(holder, Bot) else None,
        place=each.place,
        score=each.figures[0].value if each.figures else None,
        figures=[to_json(Figure, figure) for figure in each.figures],
        stay=each.stay,
        flags=each.flags,
    )
