"""Scoring as a process that is killed at each statement in turn, and started again.

One process imports everything; from it those are forked that work and die. Each is told at which
moment: before its n-th statement or commit, or just after. What it does then is what the database
makes of it. As long as the database stays as it was, the next one dies a moment later; once it has
changed, they begin again with the first moment. So in a chain of deaths each transaction is broken
off at each of its statements, and the last process, whom nothing kills, finds nothing left to do.
"""

import asyncio
import logging
import os
import signal
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection as Pipe
from multiprocessing.process import BaseProcess
from typing import Any, Final

from sqlalchemy import NullPool, create_engine, event
from sqlalchemy.ext.asyncio import AsyncSession
from sqlmodel import Session, select

from howff.contracts.matches import CONTRACTS
from howff.scoring.adapters.announcing import ANNOUNCED, Announcing
from howff.scoring.adapters.archive import Archive
from howff.scoring.adapters.plans import PLANS
from howff.scoring.adapters.projections import Archived, ArchiveProjection, Plan, generation_of
from howff.scoring.adapters.rows import ProjectionRow, PutAsideRow
from howff.scoring.adapters.upkeep import SqlUpkeep
from howff.scoring.application.following import Following, Steps
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.reading import stored_at
from howff.servicekit.projections import Checkpoint, Projector
from howff.servicekit.sql.checkpoints import CheckpointRow, QuarantineRow
from howff.servicekit.sql.database import Database
from support.forked import CONTEXT
from support.shelf import Shelf, deliver
from support.troubles import Trouble, match_with
from support.verifiers import HERE

_NAMES: Final = tuple(plan.name for plan in PLANS)
STAMP: Final = "the one stream"


@dataclass(frozen=True, slots=True)
class Work:
    """What processes do to a database until it is done, and how they are killed meanwhile."""

    address: str
    nats: str
    what: str
    """A key of `WORKS`."""
    matches: tuple[tuple[Trouble, str, int], ...]
    """The arguments of `match_with`."""
    damaged: frozenset[str] = frozenset()
    unprojected: frozenset[str] = frozenset()
    wanted: Mapping[str, int] = field(default_factory=dict[str, int])
    """Which generation of each projection is to be live after a rebuild."""
    every: int = 1
    """Which of the moments are tried."""
    is_after_too: bool = False
    """Whether to kill after each statement as well, where for the database nothing has changed."""


@dataclass(frozen=True, slots=True)
class Deaths:
    """How often processes were killed, and at what."""

    killed: int
    moments: frozenset[str]


def shelf_of(work: Work) -> Shelf:
    """Return the logs that a process finds."""
    ended = (match_with(*each) for each in work.matches)
    return Shelf({each.match: each for each in ended}, damaged=set(work.damaged))


def killed_until_done(work: Work) -> Deaths:
    """Let processes work and die until one ends by itself."""
    here, there = CONTEXT.Pipe(duplex=False)
    process = CONTEXT.Process(target=_kill_in_turn, args=(work, there))
    process.start()
    there.close()
    try:
        found = here.recv()
    finally:
        process.join()
    assert isinstance(found, Deaths), found
    return found


def serve(work: Work) -> None:
    """Project as the service does, in a process of its own, until that is ended."""
    logging.disable()
    shelf = shelf_of(work)

    async def story() -> None:
        database = Database(work.address)
        async with await connect(work.nats, name="served") as connection:
            scoring = Scoring(connection, database, shelf, work)
            following = Following(*scoring.steps)
            archive = Archive(database, shelf, HERE, archived=following.nudge)
            await asyncio.gather(Projector(connection, CONTRACTS, archive).run(), following.run())

    asyncio.run(story())


@contextmanager
def serving(work: Work) -> Iterator[BaseProcess]:
    """Let a process serve until the context ends, or it is killed before."""
    process = CONTEXT.Process(target=serve, args=(work,))
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


def _kill_in_turn(work: Work, told: Pipe) -> None:
    told.send(_deaths(work))


def _deaths(work: Work) -> Deaths | str:
    shelf, moment, killed, moments = shelf_of(work), 1, 0, set[str]()
    for each in shelf.matches.values():
        assert each.content, "written once, for all who are forked off"
    before = _state(work.address)
    while True:
        last, failed = _forked(work, shelf, moment, is_begun=_is_begun(before))
        if not failed and last == "":
            return Deaths(killed, frozenset(moments))
        if failed:
            return last
        killed += 1
        moments.add(last)
        after = _state(work.address)
        moment = moment + work.every if after == before else 1 + killed % work.every
        before = after


def _forked(work: Work, shelf: Shelf, moment: int, *, is_begun: bool) -> tuple[str, bool]:
    """Return what a process died of, empty if it did not, and whether it has failed instead."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        killer = Killer(moment, writing, is_after_too=work.is_after_too)
        _live(work, shelf, killer, is_begun=is_begun)
    os.close(writing)
    with os.fdopen(reading) as said:
        last = said.read()
    _, status = os.waitpid(child, 0)
    return last, not ((os.WIFSIGNALED(status) and last) or (status == 0 and not last))


def _live(work: Work, shelf: Shelf, killer: "Killer", *, is_begun: bool) -> None:
    logging.disable()
    try:
        asyncio.run(_worked(work, shelf, killer, is_begun=is_begun))
        os._exit(0)
    except BaseException:  # noqa: BLE001 — the test is told
        os.write(killer.says, traceback.format_exc().encode())
        os._exit(1)


class Killer:
    """Kills its process at a moment, counted from when it is armed; at 0 never."""

    def __init__(self, moment: int, says: int, *, is_after_too: bool) -> None:
        self.says = says
        self._left = moment
        self._is_after_too = is_after_too
        self._is_armed = False

    def arm(self) -> None:
        self._is_armed = True

    def strike(self, moment: str) -> None:
        """Count a moment, and kill if it is the one."""
        if not self._is_armed:
            return
        self._left -= 1
        if self._left == 0:
            os.write(self.says, moment.encode())
            os.kill(os.getpid(), signal.SIGKILL)

    def watch(self, database: Database) -> None:
        """Let all statements and commits be moments."""
        engine = database.engine.sync_engine

        def before(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            self.strike(f"before {statement}")

        def after(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
            self.strike(f"after {statement}")

        event.listen(engine, "before_cursor_execute", before)
        if self._is_after_too:
            event.listen(engine, "after_cursor_execute", after)
        dialect: Any = engine.dialect
        commit = dialect.do_commit

        def committing(connection: Any) -> None:
            self.strike("before commit")
            commit(connection)
            self.strike("after commit")

        dialect.do_commit = committing


async def _worked(work: Work, shelf: Shelf, killer: Killer, *, is_begun: bool) -> None:
    database = Database(work.address)
    killer.watch(database)
    if not is_begun:
        killer.arm()
    async with await connect(work.nats, name="killed") as connection:
        scoring = Scoring(connection, database, shelf, work)
        await scoring.begin()
        killer.arm()
        await WORKS[work.what](scoring)
    await database.close()


class Scoring:
    """All that a scoring process has, in one thread of events, so that its moments are the same."""

    def __init__(
        self, connection: Connection, database: Database, shelf: Shelf, work: Work
    ) -> None:
        self.connection = connection
        self.database = database
        self.wanted = work.wanted
        self.archive = Archive(database, shelf, HERE, archived=lambda: None)
        plans = [_refusing(plan, work.unprojected) for plan in PLANS]
        self.projections = [ArchiveProjection(database, plan) for plan in plans]
        self.steps: tuple[Steps, ...] = (*self.projections, Announcing(connection, database))
        self.upkeep = SqlUpkeep(connection, database, self.archive, self.projections)

    async def begin(self) -> None:
        await self.archive.begin(Checkpoint(0, STAMP))
        for each in self.steps:
            await each.begin()

    async def follow(self) -> None:
        """Read `CONTRACTS` to its end, as the projector would, and project all that is archived."""
        while True:
            for each in self.steps:
                while await each.step() is not None:
                    pass
            checkpoint = await self.archive.checkpoint()
            assert checkpoint is not None
            position = checkpoint.position + 1
            message = await stored_at(self.connection, CONTRACTS, position)
            if message is None:
                return
            await deliver(self.archive, position, (message.subject, message.payload))

    async def retry(self) -> None:
        """Try again whatever stands aside, as an administrator would, until nothing does."""
        while aside := [
            (state.projection, each.position)
            for state in await self.upkeep.states()
            for each in state.put_aside
        ]:
            await self.upkeep.retry(*aside[0])

    async def rebuild(self) -> None:
        """Make all rows anew that are not of the wanted generation or a later one."""
        for each in self.projections:
            async with self.database.reading() as session:
                live = await generation_of(session, each.plan.name)
            if live.generation < self.wanted[each.plan.name]:
                await each.rebuild()


WORKS: Final[dict[str, Callable[[Scoring], Awaitable[None]]]] = {
    "follow": Scoring.follow,
    "retry": Scoring.retry,
    "rebuild": Scoring.rebuild,
}


def _refusing(plan: Plan, unprojected: frozenset[str]) -> Plan:
    async def apply(session: AsyncSession, generation: int, archived: Archived) -> None:
        await plan.apply(session, generation, archived)
        if archived.result.match in unprojected:
            raise ZeroDivisionError

    return replace(plan, apply=apply)


def _is_begun(state: Sequence[str]) -> bool:
    return all(any(f'"{name}"' in each for each in state) for name in (*_NAMES, ANNOUNCED))


def _state(address: str) -> Sequence[str]:
    """Return how far everything is: with each transaction that has done anything it is another."""
    url = Database(address).url
    engine = create_engine(
        url.set(drivername=url.get_backend_name() + _SYNC[url.get_backend_name()]),
        poolclass=NullPool,
    )
    with Session(engine) as session:
        return [
            row.model_dump_json()
            for table in (ProjectionRow, CheckpointRow, PutAsideRow, QuarantineRow)
            for row in session.exec(select(table)).all()
        ]


_SYNC: Final = {"sqlite": "", "postgresql": "+psycopg"}
