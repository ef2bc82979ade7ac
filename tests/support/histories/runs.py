"""Runs: tables that are played by concurrent clients while faults strike, and their history."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Final

from nats.js.api import ConsumerConfig, DeliverPolicy
from nats.js.errors import NotFoundError

from howff.engine.codec import JSON
from howff.engine.seats import Seat, Viewer
from howff.game.adapters.streams import OUTBOX, ensure_streams
from howff.match.commit import MatchId
from howff.match.decisions import SEED_BYTES
from howff.match.journal import MATCHES
from howff.servicekit.nats.connection import LINE_ERRORS, Connection, connect
from howff.servicekit.nats.reading import StreamReader
from howff.servicekit.nats.server import NatsServer
from support.bots import bots_on
from support.histories.clients import Person, Watcher
from support.histories.history import History, Look, Record, StreamMark
from support.histories.lines import Replica
from support.histories.world import Table, Terms, World
from support.leaving import now
from support.running import POLL, eventually
from support.workers import KEY

RUN_OUT_WITHIN: Final = 10.0
"""Seconds in which all clocks of a table have to run out that everybody has left."""
LOOKS_EVERY: Final = 0.1
"""Seconds between two looks whether a match goes on."""
WATCHED_WITHIN: Final = 15.0
"""Seconds in which every feed has to tell what was the last."""
SIGNING_KEY: Final = b"a private key only for the tests"
ISSUER_KEY: Final = bytes(range(32))


@dataclass(frozen=True, slots=True)
class Strike:
    """A fault that strikes once so many commands have come to their end."""

    after: int
    name: str
    act: Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is played, so many tables at once, and what strikes meanwhile; luck is of *seed*."""

    seed: str
    tables: Sequence[Terms]
    at_once: int = 6
    strikes: Sequence[Strike] = ()
    within: float = 600.0
    """Seconds after which nobody moves any more."""
    patience: float = 60.0
    """Seconds for which a client asks again, and a watcher waits for what it was not told."""


async def prepared(servers: Sequence[NatsServer]) -> None:
    """Let the service on these servers have the keys that the tests know."""
    async with await connect([each.url for each in servers], name="test") as connection:
        buckets = await ensure_streams(connection, len(servers))
        await buckets.keys.create("development_issuer", ISSUER_KEY)
        await buckets.keys.create("receipts", SIGNING_KEY)


async def recorded(
    plan: Plan, servers: Sequence[NatsServer], replicas: Sequence[Replica]
) -> History:
    """Return what playing by *plan* has led to; bots speak to the first of the *replicas*."""
    world = World(plan.seed, replicas, plan.patience, History(signing_key=SIGNING_KEY))
    begun = time.monotonic()
    async with (
        await connect([each.url for each in servers], name="test") as connection,
        bots_on(connection, replicas[0].url, KEY),
    ):
        world.history.marks.append(await mark_of(connection))
        await _played(world, plan, connection)
        world.history.seconds = time.monotonic() - begun
        world.history.marks.append(await eventually(lambda: mark_of(connection), *LINE_ERRORS))
        world.history.ended = now()
        await read_again(world.history, connection, len(servers))
    return world.history


async def _played(world: World, plan: Plan, connection: Connection) -> None:
    """Play all tables, and then again while faults are to strike still."""
    numbers = count()

    async def one_after_the_other() -> None:
        while not world.is_over:
            number = next(numbers)
            if number >= len(plan.tables) and striking.done():
                return
            terms = plan.tables[number % len(plan.tables)]
            await _table_played(world, Table(f"{plan.seed}-{number}", terms, world.new_key()))

    async with asyncio.TaskGroup() as group:
        striking = group.create_task(_strike(world, plan.strikes, connection))
        players = [group.create_task(one_after_the_other()) for _ in range(plan.at_once)]
        await asyncio.wait(players, timeout=plan.within)
        world.is_over = True


async def _strike(world: World, strikes: Sequence[Strike], connection: Connection) -> None:
    for strike in strikes:
        while world.settled < strike.after:
            if world.is_over:
                return
            await asyncio.sleep(POLL)
        await strike.act()
        world.history.faults.append(strike.name)
        world.history.marks.append(await eventually(lambda: mark_of(connection), *LINE_ERRORS))


async def _table_played(world: World, table: Table) -> None:
    """Play a match with all its clients, and wait until everybody was told its end."""
    await _started(world, table)
    watchers = [
        Watcher(world, table, viewer, f"watcher-{number}")
        for number, viewer in enumerate(_watching(world, table))
    ]
    async with asyncio.TaskGroup() as group:
        watching = [group.create_task(each.watch()) for each in watchers]
        async with asyncio.TaskGroup() as playing:
            for seat in table.seats:
                playing.create_task(Person(world, table, seat).play())
        table.final = await _final(world, table)
        if watching:
            await asyncio.wait(watching, timeout=min(WATCHED_WITHIN, world.patience))
        for each in watching:
            each.cancel()  # whoever was not told everything is found in the history


def _watching(world: World, table: Table) -> list[Viewer]:
    """Return through whose eyes the table is watched; who has no seat may watch in public only."""
    rng = world.rng(f"{table.name}/watching")
    eyes = table.seats if table.terms.watch == "private" else (*table.seats, None)
    return [rng.roll("eyes", eyes) for _ in range(table.terms.watchers)]


async def _started(world: World, table: Table) -> None:
    """Start the match, by several requests at once, until one is answered."""
    replicas = range(len(world.replicas))
    while True:
        if any(await asyncio.gather(*(world.start(table, each) for each in replicas))):
            return
        await asyncio.sleep(0.1)


async def _final(world: World, table: Table) -> int:
    """Return the version at which nothing happens any more, since people have gone."""
    patience = world.patience if table.terms.clock is None else max(world.patience, RUN_OUT_WITHIN)
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        for replica in range(len(world.replicas)):
            read = await world.look(table, Look(Seat(0), "match"), replica)
            await world.look(table, Look(Seat(0), "export"), replica)
            if read is not None and _is_left(table, read.content):
                return read.version
        await asyncio.sleep(LOOKS_EVERY)
    return table.newest  # some check will tell why it goes on


def _is_left(table: Table, seen: JSON) -> bool:
    """Return whether nobody is to move but people, and no clock waits for them."""
    if table.terms.clock is not None:
        return bool(seen["is_over"])
    return set(seen["to_act"]) <= set(table.seats)


async def mark_of(connection: Connection) -> StreamMark:
    found = await connection.jetstream.stream_info(MATCHES)
    floor = 0
    with suppress(NotFoundError):  # nobody has begun to work anything off
        outbox = await connection.jetstream.consumer_info(MATCHES, OUTBOX.durable)
        assert outbox.ack_floor is not None
        floor = outbox.ack_floor.stream_seq or 0
    return StreamMark(str(found.created), found.state.last_seq, floor)


async def read_again(history: History, connection: Connection, replicas: int) -> None:
    """Read the stream and the seeds as they stand in the end."""
    seeds = (await ensure_streams(connection, replicas)).seeds
    start = ConsumerConfig(deliver_policy=DeliverPolicy.ALL)
    reader = await StreamReader.opened(connection, MATCHES, start)
    messages: dict[str, list[tuple[int, bytes]]] = {}
    while not reader.has_caught_up:
        for each in await reader.more(1):
            match = each.subject.partition(".")[2]
            messages.setdefault(match, []).append((each.position, each.payload))
    await reader.close()
    for match, found in messages.items():
        seed = await seeds.get(MatchId(match))
        assert seed is not None, f"{match} has no seed"
        history.records[match] = Record(match, seed[:SEED_BYTES], tuple(found))
