"""How accounts have done: by seat, by option, and against each other."""

from dataclasses import asdict
from typing import Final

from sqlalchemy.ext.asyncio import AsyncSession

from howff.scoring.adapters.plans.counting import add_counts, is_first_time
from howff.scoring.adapters.projections import Archived, Plan
from howff.scoring.adapters.rows import (
    HeadToHeadRow,
    OptionRecordRow,
    RecordedRow,
    SeatRecordRow,
)
from howff.scoring.domain.records import tallies_of


async def apply_records(session: AsyncSession, generation: int, archived: Archived) -> None:
    """Add what a match says to the records of the accounts that took part."""
    if not await is_first_time(session, RecordedRow, generation, archived.position):
        return
    result, tallies = archived.result, tallies_of(archived.result)
    where = {"generation": generation, "game": result.game, "is_public": result.is_public}
    for row, told in (
        (SeatRecordRow, tallies.seats),
        (OptionRecordRow, tallies.options),
        (HeadToHeadRow, tallies.meetings),
    ):
        await add_counts(session, row, [{**where, **asdict(each)} for each in told])


RECORDS: Final = Plan(
    "records",
    (SeatRecordRow, OptionRecordRow, HeadToHeadRow, RecordedRow),
    apply_records,
    is_ordered=False,
)
