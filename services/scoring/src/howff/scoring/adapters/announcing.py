"""What is told of new ratings: once each, in the order in which they came about.

A rebuild tells nothing: whoever listens has heard what was then true, and hears of every rating
again with the next match that changes it.
"""

from collections.abc import Sequence
from typing import Final, cast

from sqlmodel import col, select

from howff.contracts.ratings import AccountRating, Rated, Speed, subject_of
from howff.scoring.adapters.plans import RATINGS
from howff.scoring.adapters.projections import generation_of
from howff.scoring.adapters.rows import ProjectionRow, RatingStepRow
from howff.servicekit.nats.connection import Connection
from howff.servicekit.nats.publishing import publish
from howff.servicekit.sql.database import Database
from howff.servicekit.sql.statements import insert_missing

ANNOUNCED: Final = "announced"


class Announcing:
    """Follows the ratings, and publishes `Rated` for each match that has changed those of people.

    All methods raise `DatabaseError` if the database can't be used now.
    """

    def __init__(self, connection: Connection, database: Database) -> None:
        self._connection = connection
        self._database = database

    async def begin(self) -> None:
        """Let it begin with the first match, unless it has begun before."""
        async with self._database.writing() as session:
            await insert_missing(
                session,
                ProjectionRow,
                projection=ANNOUNCED,
                generation=1,
                is_live=True,
                version=1,
                position=0,
            )

    async def step(self) -> int | None:
        """Announce the next match that was rated; return its position, or None if there is none.

        Raises:
            NatsUnavailableError: it may have been announced; that it was is not stored.
        """
        steps = await self._following()
        if not steps:
            return None
        message = _message(steps)
        content = message.model_dump_json().encode()
        await publish(self._connection, subject_of(message), content, is_once=True)
        async with self._database.writing() as session:
            row = await generation_of(session, ANNOUNCED)
            row.position = max(row.position, steps[0].position)
        return steps[0].position

    async def _following(self) -> Sequence[RatingStepRow]:
        async with self._database.reading() as session:
            announced = await session.get(ProjectionRow, (ANNOUNCED, 1))
            query = (
                select(ProjectionRow.generation)
                .where(col(ProjectionRow.projection) == RATINGS.name, col(ProjectionRow.is_live))
                .limit(1)
            )
            generation = (await session.execute(query)).scalar_one_or_none()
            if announced is None or generation is None:
                return ()
            people = (
                col(RatingStepRow.generation) == generation,
                col(RatingStepRow.kind) != "bots",
            )
            later = select(RatingStepRow.position).where(
                *people, col(RatingStepRow.position) > announced.position
            )
            first = later.order_by(col(RatingStepRow.position)).limit(1)
            position = (await session.execute(first)).scalar_one_or_none()
            steps = select(RatingStepRow).where(*people, col(RatingStepRow.position) == position)
            ordered = steps.order_by(col(RatingStepRow.player))
            return (await session.execute(ordered)).scalars().all()


def _message(steps: Sequence[RatingStepRow]) -> Rated:
    return Rated(
        match=steps[0].match,
        game=steps[0].game,
        speed=cast("Speed", steps[0].kind),
        ratings=tuple(
            AccountRating(account=each.player, rating=each.points, deviation=each.deviation)
            for each in steps
        ),
    )
