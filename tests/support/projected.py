"""Projections of an archive for tests, as the service makes them."""

from collections.abc import Sequence
from typing import Any

from howff.scoring.adapters.plans import PLANS
from howff.scoring.adapters.projections import ArchiveProjection
from howff.scoring.domain.results import MatchResult
from howff.servicekit.sql.database import Database
from support.results import archive


async def archived(database: Database, told: Sequence[MatchResult]) -> None:
    """Put matches into the archive, where other messages stand in between."""
    for number, each in enumerate(told):
        await archive(database, 3 * number + 2, each)


async def projected(database: Database, *plans: Any) -> list[ArchiveProjection]:
    """Return projections, all if no *plans* are named, that have gone through the archive."""
    made = [ArchiveProjection(database, plan) for plan in plans or PLANS]
    for each in made:
        await each.begin()
        while await each.step() is not None:
            pass
    return made
