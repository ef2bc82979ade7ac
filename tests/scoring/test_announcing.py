"""New ratings are told to the other services: once a match, in order, and not by a rebuild."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from howff.contracts.matches import CONTRACTS
from howff.contracts.ratings import Rated
from howff.scoring.adapters.announcing import ANNOUNCED, Announcing
from howff.scoring.adapters.plans import RATINGS
from howff.scoring.adapters.projections import ArchiveProjection, generation_of
from howff.scoring.app import MIGRATIONS
from howff.scoring.domain.ratings import FIRST_POINTS
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.server import NatsServer
from howff.servicekit.nats.streams import ensure_stream, locked
from howff.servicekit.sql.database import Database
from support.nats import own_server
from support.results import archive, result, seat
from support.running import run


@pytest.fixture
def nats(tmp_path: Path) -> Iterator[NatsServer]:
    with own_server(tmp_path / "nats") as server:
        yield server


async def told_in(connection: Connection) -> list[Rated]:
    """Return all that was told of ratings, in order."""
    jetstream = connection.jetstream
    last = (await jetstream.stream_info(CONTRACTS)).state.last_seq
    return [
        Rated.model_validate_json((await jetstream.get_msg(CONTRACTS, seq)).data or b"")
        for seq in range(1, last + 1)
    ]


TOLD = (
    result("m1", seat("freya", 1), seat("ivy", 2)),
    result("m2", seat("freya", 1), seat("bot:strong", 2), seat("bot:casual", 3)),
    result("m3", seat("ivy", 1), seat("freya", 2), speed="days"),
)


@asynccontextmanager
async def announcing(nats: NatsServer, folder: Path) -> AsyncIterator["World"]:
    """Give a world in which three matches have ended, of which one is not rated."""
    database = Database(f"sqlite:///{folder / 'scoring.db'}")
    await database.migrate(MIGRATIONS)
    async with await connect(nats.url, name="test") as connection:
        await ensure_stream(connection, locked(CONTRACTS, ["contract.>"], replicas=1))
        world = World(connection, database, ArchiveProjection(database, RATINGS))
        assert await world.announced() == [None]
        for number, each in enumerate(TOLD):
            await archive(database, number + 1, each)
        await world.ratings.begin()
        while await world.ratings.step() is not None:
            pass
        yield world
    await database.close()


@dataclass(frozen=True, slots=True)
class World:
    connection: Connection
    database: Database
    ratings: ArchiveProjection

    async def announced(self) -> list[int | None]:
        """Let a new process announce all that it can, and return at which positions."""
        announcing = Announcing(self.connection, self.database)
        await announcing.begin()
        found: list[int | None] = []
        while not found or found[-1] is not None:
            found.append(await announcing.step())
        return found


def test_each_match_of_people_that_was_rated_is_told_in_order(
    nats: NatsServer, tmp_path: Path
) -> None:
    async def story() -> None:
        async with announcing(nats, tmp_path) as world:
            assert await world.announced() == [1, 3, None]
            first, second = await told_in(world.connection)
        assert (first.match, first.game, first.speed) == ("m1", "troedler", "live")
        assert (second.match, second.speed) == ("m3", "days")
        points = {each.account: each.rating for each in first.ratings}
        assert points.keys() == {"freya", "ivy"}
        assert points["freya"] > FIRST_POINTS > points["ivy"]

    run(story)


def test_nothing_is_told_twice_by_a_rebuild_or_a_process_that_died(
    nats: NatsServer, tmp_path: Path
) -> None:
    async def story() -> None:
        async with announcing(nats, tmp_path) as world:
            await world.announced()
            told = await told_in(world.connection)
            await world.ratings.rebuild()
            assert await world.announced() == [None]
            # One that died after it had published has not stored that it has.
            async with world.database.writing() as session:
                (await generation_of(session, ANNOUNCED)).position = 0
            assert await world.announced() == [1, 3, None]
            assert await told_in(world.connection) == told

    run(story)
