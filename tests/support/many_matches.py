"""Scoring that hears of many matches with every kind of trouble, on a database of its own."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from typing import Final, TypeVar

from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import col, select

from conftest import IS_LONG
from howff.scoring.adapters.archive import Archive
from howff.scoring.adapters.plans import PLANS
from howff.scoring.adapters.projections import Archived, ArchiveProjection, Plan
from howff.scoring.adapters.rows import PutAsideRow
from howff.scoring.app import MIGRATIONS
from howff.servicekit.projections import Checkpoint
from howff.servicekit.sql.database import Database
from support.running import run
from support.scored import Expected, scored
from support.shelf import OTHER, Message, Shelf, deliver
from support.troubles import Ended, match_number
from support.verifiers import HERE

T = TypeVar("T")
MATCHES: Final = 1000 if IS_LONG else 20
FEW: Final = 200 if IS_LONG else 8
"""Where they are verified more than once."""
WITHIN: Final = 1800.0 if IS_LONG else 60.0
EVERY: Final = 20
DAMAGED, MISSING, UNPROJECTED = 3, 14, 9
"""Which of so many can't be verified, has no log, can't be applied by any projection."""


def first_matches(count: int = MATCHES) -> list[Ended]:
    return [match_number(number) for number in range(count)]


class World:
    """Matches that end, one after the other, and scoring that hears of them."""

    def __init__(
        self, database: Database, ended: Sequence[Ended], plans: tuple[Plan, ...] = PLANS
    ) -> None:
        self.database = database
        self.ended = ended
        self.shelf = Shelf({each.match: each for each in self.ended})
        numbered = list(enumerate(self.ended))
        self.shelf.damaged = {each.match for at, each in numbered if at % EVERY == DAMAGED}
        self.shelf.missing = {each.match for at, each in numbered if at % EVERY == MISSING}
        self.unprojected = {each.match for at, each in numbered if at % EVERY == UNPROJECTED}
        self.is_mended = False
        self.archive = Archive(database, self.shelf, HERE, archived=lambda: None)
        self.projections = [ArchiveProjection(database, self._refusing(plan)) for plan in plans]
        self.messages = self._messages()

    def _refusing(self, plan: Plan) -> Plan:
        async def apply(session: AsyncSession, generation: int, archived: Archived) -> None:
            if not self.is_mended and archived.result.match in self.unprojected:
                raise ZeroDivisionError
            await plan.apply(session, generation, archived)

        return replace(plan, apply=apply)

    def _messages(self) -> list[Message]:
        """Return what is told: other things in between, and some ends twice."""
        found: list[Message] = []
        for number, each in enumerate(self.ended):
            found += [OTHER] if number % 3 == 0 else []
            found.append((each.subject, each.message))
            if number % 7 == 6:
                before = self.ended[number - 5]
                found.append((before.subject, before.message))
        return found

    async def begin(self) -> None:
        await self.archive.begin(Checkpoint(0, "now"))
        for each in self.projections:
            await each.begin()

    async def hear(self, message: Message, position: int) -> None:
        await deliver(self.archive, position, message)
        for each in self.projections:
            while await each.step() is not None:
                pass

    async def hear_all(self) -> None:
        for number, message in enumerate(self.messages):
            await self.hear(message, number + 1)

    async def mend(self) -> None:
        """Try again all that stands aside, once its causes are gone."""
        self.shelf.mend()
        self.is_mended = True
        found = await scored(self.database)
        for position in found.quarantine:
            subject, payload = self.messages[position - 1]
            await self.archive.retry(position, subject, payload, self.projections)
        for each in self.projections:
            while aside := await self._aside_of(each):
                await each.retry(aside[0])

    async def _aside_of(self, projection: ArchiveProjection) -> list[int]:
        own = col(PutAsideRow.projection) == projection.plan.name
        async with self.database.reading() as session:
            found = await session.execute(select(PutAsideRow.position).where(own))
        return sorted(found.scalars())

    def expected(self) -> Expected:
        """Return what has to stand there."""
        unprojected = set[str]() if self.is_mended else self.unprojected
        return expected_of(self.messages, self.shelf, unprojected)


def expected_of(
    messages: Sequence[Message], shelf: Shelf, unprojected: Collection[str]
) -> Expected:
    """Return what has to stand in a database once these messages have come, and nothing else."""
    archive: dict[int, Ended] = {}
    quarantine: dict[int, str] = {}
    matches = {each.subject: each for each in shelf.matches.values()}
    for position, (subject, _) in enumerate(messages, 1):
        each = matches.get(subject)
        if each is None:
            continue
        if each.match in shelf.damaged:
            quarantine[position] = "unverified"
        elif each.match in shelf.missing:
            quarantine[position] = "no_log"
        elif each.match not in {other.match for other in archive.values()}:
            archive[position] = each
    aside = {
        (plan.name, position): each.match
        for plan in PLANS
        for position, each in archive.items()
        if each.match in unprojected
    }
    return Expected(archive, len(messages), quarantine, aside)


def in_world(
    address: str,
    story: Callable[[World], Awaitable[T]],
    ended: Sequence[Ended] | None = None,
    plans: tuple[Plan, ...] = PLANS,
) -> T:
    """Run a *story* of many matches in a database."""

    async def whole() -> T:
        database = Database(address)
        try:
            await asyncio.wait_for(database.migrate(MIGRATIONS), 60)
            world = World(database, ended or first_matches(), plans)
            await world.begin()
            return await story(world)
        finally:
            await database.close()

    return run(whole, WITHIN)
