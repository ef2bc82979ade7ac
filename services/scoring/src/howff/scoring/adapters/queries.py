"""What is read of the live rows."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, func, or_
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from howff.scoring.adapters.plans import RATINGS, RESULTS
from howff.scoring.adapters.projections import live_generation
from howff.scoring.adapters.record_queries import opponents_of, records_of, streaks_of
from howff.scoring.adapters.rows import RatingRow, RatingStepRow, ResultRow
from howff.scoring.adapters.statistic_queries import counters_of
from howff.scoring.application.answers import (
    HeadToHead,
    Opponent,
    PlayedMatch,
    Player,
    PlayerRating,
    RankedPlayer,
    RatingStep,
)
from howff.scoring.application.ports import Place, Seating, Standing
from howff.scoring.application.statistics import Counter
from howff.scoring.domain.errors import NoSuchPlayerError
from howff.servicekit.sql.database import Database


class SqlScores:
    """Reads the live rows. All methods raise `DatabaseError` if they can't be read now."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaders(
        self, game: str, kind: str, limit: int, after: Place | None = None
    ) -> list[RankedPlayer]:
        """Return the best players after a place, the best first."""
        async with self._database.reading() as session:
            rows = await _pool(
                session, game, kind, None if after is None else _behind(after), limit
            )
            return await _ranked(session, rows)

    async def around(self, game: str, kind: str, player: str, limit: int) -> list[RankedPlayer]:
        """Return *player* in the middle of those who are about as good.

        Raises:
            NoSuchPlayerError: it has no rating there.
        """
        async with self._database.reading() as session:
            generation = await live_generation(session, RATINGS.name)
            row = await session.get(RatingRow, (generation, game, kind, player))
            if row is None:
                raise NoSuchPlayerError
            place = row.sure_points, row.player
            half = limit // 2
            before = await _pool(session, game, kind, _before(place), half, is_reversed=True)
            behind = await _pool(session, game, kind, _behind(place), limit - 1 - len(before))
            return await _ranked(session, [*reversed(before), row, *behind])

    async def player(self, player: str, *, is_own: bool) -> Player:
        """Return what is known of an account: of private matches to itself alone.

        Raises:
            NoSuchPlayerError: nothing is.
        """
        async with self._database.reading() as session:
            ratings = await _ratings_of(session, player)
            records = await records_of(session, player, is_own=is_own)
            streaks = await streaks_of(session, player)
        if not ratings and not records:
            raise NoSuchPlayerError
        return Player(
            player=player,
            ratings=tuple(ratings),
            records=tuple(records),
            streaks=tuple(streaks),
        )

    async def opponents_of(
        self, player: str, game: str | None, limit: int, after: Standing | None, *, is_own: bool
    ) -> list[tuple[Standing, HeadToHead]]:
        """Return whom an account has met most after a standing, each with its own.

        Matches that their seats alone may watch are counted for the account itself.
        """
        async with self._database.reading() as session:
            return await opponents_of(session, player, game, limit, after, is_own=is_own)

    async def counters_of(self, game: str, seats: int | None, who: str | None) -> list[Counter]:
        """Return what was counted of a game, or of so many *seats*, or of *who* played."""
        async with self._database.reading() as session:
            return await counters_of(session, game, seats, who)

    async def matches_of(
        self, player: str, limit: int, after: Seating | None, *, is_own: bool
    ) -> list[tuple[Seating, PlayedMatch]]:
        """Return the newest matches of an account after a seating, each with its own.

        Those that their seats alone may watch are told to the account itself.
        """
        async with self._database.reading() as session:
            generation = await live_generation(session, RESULTS.name)
            query = select(ResultRow).where(
                col(ResultRow.generation) == generation, col(ResultRow.account) == player
            )
            if after is not None:
                query = query.where(_older(after))
            if not is_own:
                query = query.where(col(ResultRow.is_public))
            newest = query.order_by(col(ResultRow.position).desc(), col(ResultRow.seat)).limit(
                limit
            )
            rows = (await session.execute(newest)).scalars().all()
            seats = await _seats_of(session, generation, [row.position for row in rows])
            changes = await _changes(session, player, [row.position for row in rows])
        return [
            ((row.position, row.seat), _played(row, seats[row.position], changes.get(row.position)))
            for row in rows
        ]

    async def steps_of(  # noqa: PLR0913 — all that narrows it
        self, player: str, game: str, kind: str, limit: int, before: int | None, *, is_own: bool
    ) -> list[tuple[int, RatingStep]]:
        """Return the newest steps of a rating before a position, each with its own.

        Matches that their seats alone may watch are named to the account itself.
        """
        async with self._database.reading() as session:
            query = select(RatingStepRow).where(
                col(RatingStepRow.generation) == await live_generation(session, RATINGS.name),
                col(RatingStepRow.player) == player,
                col(RatingStepRow.game) == game,
                col(RatingStepRow.kind) == kind,
            )
            if before is not None:
                query = query.where(col(RatingStepRow.position) < before)
            newest = query.order_by(col(RatingStepRow.position).desc()).limit(limit)
            rows = (await session.execute(newest)).scalars().all()
        return [
            (
                row.position,
                RatingStep(
                    match=row.match if is_own or row.is_public else None,
                    at=row.at,
                    rating=row.points,
                    deviation=row.deviation,
                    change=row.change,
                ),
            )
            for row in rows
        ]


def _behind(place: Place) -> ColumnElement[bool]:
    points, player = place
    return or_(
        col(RatingRow.sure_points) < points,
        and_(col(RatingRow.sure_points) == points, col(RatingRow.player) > player),
    )


def _before(place: Place) -> ColumnElement[bool]:
    points, player = place
    return or_(
        col(RatingRow.sure_points) > points,
        and_(col(RatingRow.sure_points) == points, col(RatingRow.player) < player),
    )


def _older(seating: Seating) -> ColumnElement[bool]:
    position, seat = seating
    return or_(
        col(ResultRow.position) < position,
        and_(col(ResultRow.position) == position, col(ResultRow.seat) > seat),
    )


async def _pool(  # noqa: PLR0913 — all that narrows it
    session: AsyncSession,
    game: str,
    kind: str,
    where: ColumnElement[bool] | None,
    limit: int,
    *,
    is_reversed: bool = False,
) -> Sequence[RatingRow]:
    query = _of_pool(await live_generation(session, RATINGS.name), game, kind)
    if where is not None:
        query = query.where(where)
    points, player = col(RatingRow.sure_points), col(RatingRow.player)
    order = (points, player.desc()) if is_reversed else (points.desc(), player)
    return (await session.execute(query.order_by(*order).limit(limit))).scalars().all()


def _of_pool(generation: int, game: str, kind: str) -> Any:
    return select(RatingRow).where(
        col(RatingRow.generation) == generation,
        col(RatingRow.game) == game,
        col(RatingRow.kind) == kind,
    )


async def _rank(session: AsyncSession, row: RatingRow) -> int:
    better = _of_pool(row.generation, row.game, row.kind).where(
        col(RatingRow.sure_points) > row.sure_points
    )
    query = select(func.count()).select_from(better.subquery())
    return 1 + (await session.execute(query)).scalar_one()


async def _ranked(session: AsyncSession, rows: Sequence[RatingRow]) -> list[RankedPlayer]:
    """Return the rows with their ranks, of which only that of the first is counted."""
    ranked: list[RankedPlayer] = []
    number = rank = 0
    for row in rows:
        if not ranked:
            rank = await _rank(session, row)
            number = rank + await _equals_before(session, row)
        elif row.sure_points != ranked[-1].sure_rating:
            rank = number
        number += 1
        ranked.append(
            RankedPlayer(
                rank=rank,
                player=row.player,
                rating=row.points,
                deviation=row.deviation,
                sure_rating=row.sure_points,
                matches=row.matches,
                last_match_at=row.at,
            )
        )
    return ranked


async def _equals_before(session: AsyncSession, row: RatingRow) -> int:
    equals = _of_pool(row.generation, row.game, row.kind).where(
        col(RatingRow.sure_points) == row.sure_points, col(RatingRow.player) < row.player
    )
    return (await session.execute(select(func.count()).select_from(equals.subquery()))).scalar_one()


async def _ratings_of(session: AsyncSession, player: str) -> list[PlayerRating]:
    query = (
        select(RatingRow)
        .where(
            col(RatingRow.generation) == await live_generation(session, RATINGS.name),
            col(RatingRow.player) == player,
            col(RatingRow.kind) != "bots",
        )
        .order_by(col(RatingRow.game), col(RatingRow.kind))
    )
    return [
        PlayerRating(
            game=row.game,
            kind=row.kind,
            rating=row.points,
            deviation=row.deviation,
            sure_rating=row.sure_points,
            rank=await _rank(session, row),
            matches=row.matches,
            last_match_at=row.at,
        )
        for row in (await session.execute(query)).scalars().all()
    ]


async def _seats_of(
    session: AsyncSession, generation: int, positions: Sequence[int]
) -> dict[int, list[ResultRow]]:
    query = (
        select(ResultRow)
        .where(col(ResultRow.generation) == generation, col(ResultRow.position).in_(positions))
        .order_by(col(ResultRow.position), col(ResultRow.seat))
    )
    found: dict[int, list[ResultRow]] = {}
    for row in (await session.execute(query)).scalars():
        found.setdefault(row.position, []).append(row)
    return found


async def _changes(session: AsyncSession, player: str, positions: Sequence[int]) -> dict[int, int]:
    query = select(RatingStepRow.position, RatingStepRow.change).where(
        col(RatingStepRow.generation) == await live_generation(session, RATINGS.name),
        col(RatingStepRow.player) == player,
        col(RatingStepRow.kind) != "bots",
        col(RatingStepRow.position).in_(positions),
    )
    return {row.position: row.change for row in (await session.execute(query)).all()}


def _played(row: ResultRow, seats: Sequence[ResultRow], change: int | None) -> PlayedMatch:
    return PlayedMatch(
        match=row.match,
        game=row.game,
        speed=row.speed,
        rated=row.is_rated,
        reason=row.reason,
        ended_at=row.ended_at,
        seat=row.seat,
        place=row.place,
        score=row.score,
        stay=row.stay,
        rating_change=change,
        seats=tuple(
            Opponent(
                account=each.account,
                level=each.level,
                place=each.place,
                score=each.score,
                stay=each.stay,
            )
            for each in seats
        ),
    )
