"""Measure the match service: one JSON line a figure.

NATS syncs every append to the disk, as in production. Server, service and load generator share
the machine, so the figures are of the whole on that machine and not of its parts.
"""

import asyncio
import gc
import json
import os
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from uuid import UUID

from load import Http
from plans import OWNER, PLAYERS, Plan, plan

from howff.game.adapters.commits import COMMIT_FORM, fold_commit
from howff.game.adapters.secrets import BucketSeeds, signer_in
from howff.game.adapters.streams import ensure_streams
from howff.game.application.matches import Matches, stream_of
from howff.game.application.orders import MoveWanted, SeatOrder
from howff.game.application.ports import MatchAggregates
from howff.match.commit import CommandId, Commit
from howff.match.journal import MATCHES
from howff.servicekit import clock, ids
from howff.servicekit.aggregates import Aggregates
from howff.servicekit.eventstore.jetstream import JetStreamStore
from howff.servicekit.nats.connection import connect
from howff.servicekit.nats.kv import Bucket
from howff.servicekit.nats.server import NatsServer, ServerPlan, free_ports
from howff.servicekit.running import run

JSON_BODY = "Content-Type: application/json\r\n"
MATCHES_AT_ONCE = 64
MOVES = 120
"""A match, where many are played at once."""
LONG = 299
"""Moves of the match that is loaded cold: 300 commits with the first."""
KEPT_MOVES = 600
KEPT = 12
"""Folded matches whose memory is measured."""
STEADY_RATE = 200
"""Moves a second."""
STEADY_SECONDS = 20
SPECTATORS = 500
SPECTATED_MOVES = 60
RUNS = 5
MOST_POINTS = "1000000000"


def main() -> None:
    # On the disk that holds this repository: the one for temporary files may be memory.
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        port, monitor_port = free_ports(2)
        with NatsServer(ServerPlan(Path(folder), port, monitor_port)) as server:
            run(measure(server))


async def measure(server: NatsServer) -> None:
    await handler(server)
    await kept(server)
    async with service_process(server) as url:
        await over_http(server, url)
        await steady(server, url)
        await spectated(server, url)


def report(figure: str, value: float, unit: str, aim: str = "") -> None:
    rounded = round(value, 2) if value < 100 else round(value)  # noqa: PLR2004
    line = {"figure": figure, "value": rounded, "unit": unit} | ({"aim": aim} if aim else {})
    print(json.dumps(line), flush=True)


@dataclass(frozen=True, slots=True)
class Local:
    """The service's parts in this process, without HTTP."""

    matches: Matches
    store: JetStreamStore[Commit]
    seeds: Bucket

    def fresh(self) -> MatchAggregates:
        """Return the aggregates with nothing kept."""
        return Aggregates(self.store, fold_commit, most_kept=1000)

    async def play(self, each: Plan) -> None:
        await self.seeds.create(each.match, each.seed)
        await self.matches.start(each.order)
        for number, move in enumerate(each.moves):
            order = SeatOrder(
                id=CommandId(str(number)),
                asker=PLAYERS[move.seat],
                seat=None,
                wanted=MoveWanted(move.move),
                expected_version=None,
            )
            await self.matches.act(each.match, order)


@asynccontextmanager
async def local(server: NatsServer) -> AsyncIterator[Local]:
    async with await connect(server.url, name="game") as connection:
        buckets = await ensure_streams(connection, 1)
        store = JetStreamStore(connection.client, MATCHES, COMMIT_FORM)
        matches = Matches(
            Aggregates(store, fold_commit, most_kept=1000),
            seeds=BucketSeeds(buckets.seeds, ids.new_secret),
            signer=await signer_in(buckets.keys, ids.new_secret),
            now=clock.now,
        )
        yield Local(matches, store, buckets.seeds)


async def handler(server: NatsServer) -> None:
    """Commands by the handler: folded, decided, sealed, signed, appended, told."""
    plans = [plan(number, MOVES) for number in range(MATCHES_AT_ONCE)]
    async with local(server) as service:
        start = time.perf_counter()
        await asyncio.gather(*map(service.play, plans))
        seconds = time.perf_counter() - start
        commands = sum(len(each.moves) + 1 for each in plans)
        report("commands through the handler", commands / seconds, "commands/s", "1700")


async def kept(server: NatsServer) -> None:
    """How long a match takes to be loaded, and how much of it is kept."""
    async with local(server) as service:
        long = plan(10_000, LONG)
        await service.play(long)
        times: list[float] = []
        for _ in range(RUNS):
            start = time.perf_counter()
            await service.fresh().load(stream_of(long.match))
            times.append(time.perf_counter() - start)
        report("cold load of 300 commits", 1000 * statistics.median(times), "ms", "60")
        plans = [plan(20_000 + number, KEPT_MOVES) for number in range(KEPT)]
        await asyncio.gather(*map(service.play, plans))
        tracemalloc.start()
        aggregates = [service.fresh(), service.fresh()]
        bytes_kept: list[int] = []
        for each in aggregates:
            for one in plans:
                await each.load(stream_of(one.match))
            gc.collect()
            bytes_kept.append(tracemalloc.get_traced_memory()[0])
        tracemalloc.stop()
        # The second time, whatever loading leaves behind is there already.
        kibibytes = (bytes_kept[1] - bytes_kept[0]) / KEPT / 1024
        commits = statistics.median(len(each.moves) + 1 for each in plans)
        report(f"memory of a match of {commits:.0f} commits", kibibytes, "KiB", "100")


@asynccontextmanager
async def service_process(server: NatsServer, **more: str) -> AsyncIterator[str]:
    """Give the URL of the match service in a process of its own; *more* are settings."""
    settings = {
        "HOWFF_NATS_URL": server.url,
        "HOWFF_NATS_MONITOR_URLS": server.monitor_url,
        "HOWFF_DEVELOPMENT_TOKENS": "true",
        # Counted as always, but for more than anybody could ask.
        "HOWFF_ADDRESS_POINTS": MOST_POINTS,
        "HOWFF_TOKEN_POINTS": MOST_POINTS,
        "HOWFF_ACCOUNT_POINTS": MOST_POINTS,
    }
    async with process_of("howff.game", settings | more) as url:
        yield url


@asynccontextmanager
async def process_of(module: str, settings: Mapping[str, str]) -> AsyncIterator[str]:
    """Give the URL of a service in a process of its own."""
    (port,) = free_ports(1)
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        module,
        env=os.environ | settings | {"HOWFF_PORT": str(port)},
        stderr=asyncio.subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        while not await is_up(url):  # noqa: ASYNC110 — another process can't set an event
            await asyncio.sleep(0.1)
        yield url
    finally:
        process.terminate()
        await process.wait()


async def is_up(url: str) -> bool:
    try:
        http = await Http.to(url)
    except OSError:
        return False
    http.close()
    return True


class Client:
    """Plays plans over HTTP, in the name of all their players."""

    def __init__(self, url: str, tokens: Mapping[str, str]) -> None:
        self.url = url
        self.tokens = tokens

    @classmethod
    async def at(cls, url: str) -> Self:
        http = await Http.to(url)
        tokens: dict[str, str] = {}
        for account in PLAYERS:
            body = json.dumps({"account": account}).encode()
            answer = await http.ask("POST", "/v1/development/tokens", JSON_BODY, body)
            tokens[account] = json.loads(answer)["access_token"]
        http.close()
        return cls(url, tokens)

    def headers(self, account: str) -> str:
        return f"Authorization: Bearer {self.tokens[account]}\r\n"

    async def start(self, http: Http, each: Plan) -> None:
        headers = f"{self.headers(OWNER)}{JSON_BODY}Idempotency-Key: {each.key}\r\n"
        await http.ask("POST", "/v1/matches", headers, each.body)

    async def move(self, http: Http, each: Plan, number: int) -> None:
        move = each.moves[number]
        headers = (
            f"{self.headers(PLAYERS[move.seat])}{JSON_BODY}Idempotency-Key: {UUID(int=number)}\r\n"
        )
        body = json.dumps({"move": move.move}).encode()
        await http.ask("POST", f"/v1/matches/{each.match}/moves", headers, body)


@asynccontextmanager
async def started(server: NatsServer, url: str, plans: Sequence[Plan]) -> AsyncIterator[Client]:
    """Give a client of matches that have started."""
    client = await Client.at(url)
    async with local(server) as service:
        for each in plans:
            await service.seeds.create(each.match, each.seed)
    http = await Http.to(url)
    for each in plans:
        await client.start(http, each)
    http.close()
    yield client


async def over_http(server: NatsServer, url: str) -> None:
    """Moves of many matches at once, each as soon as the one before is answered."""
    plans = [plan(30_000 + number, MOVES) for number in range(MATCHES_AT_ONCE)]
    async with started(server, url, plans) as client:

        async def play(each: Plan) -> None:
            http = await Http.to(url)
            for number in range(len(each.moves)):
                await client.move(http, each, number)
            http.close()

        start = time.perf_counter()
        await asyncio.gather(*map(play, plans))
        seconds = time.perf_counter() - start
    moves = sum(len(each.moves) for each in plans)
    report(f"moves over HTTP, {MATCHES_AT_ONCE} matches at once", moves / seconds, "moves/s", "500")


class Steady:
    """Moves that are sent when they are due, and when they were answered and told."""

    def __init__(self, client: Client, plans: Sequence[Plan]) -> None:
        self._client = client
        self._plans = plans
        self._due: dict[tuple[int, int], float] = {}
        self.answered: list[float] = []
        self.told: list[float] = []

    async def run(self) -> None:
        numbered = list(enumerate(self._plans))
        following = [asyncio.create_task(self._follow(*each)) for each in numbered]
        begin = time.perf_counter() + 1
        await asyncio.gather(*(self._play(*each, begin) for each in numbered))
        await asyncio.gather(*following)

    async def _play(self, at: int, each: Plan, begin: float) -> None:
        http = await Http.to(self._client.url)
        for number in range(len(each.moves)):
            due = begin + (number * MATCHES_AT_ONCE + at) / STEADY_RATE
            await asyncio.sleep(max(0, due - time.perf_counter()))
            # From when it was due: a late start counts as waiting.
            self._due[at, number + 2] = due
            await self._client.move(http, each, number)
            self.answered.append(time.perf_counter() - due)
        http.close()

    async def _follow(self, at: int, each: Plan) -> None:
        http = await Http.to(self._client.url)
        path = f"/v1/matches/{each.match}/events?after=1"
        async for version in http.versions(path, self._client.headers(PLAYERS[-1])):
            self.told.append(time.perf_counter() - self._due[at, version])
            if version == len(each.moves) + 1:
                break
        http.close()


async def steady(server: NatsServer, url: str) -> None:
    """Moves at a steady rate: until the answer, and until the other seats' feed has it."""
    per_match = STEADY_RATE * STEADY_SECONDS // MATCHES_AT_ONCE
    plans = [plan(40_000 + number, per_match) for number in range(MATCHES_AT_ONCE)]
    async with started(server, url, plans) as client:
        load = Steady(client, plans)
        await load.run()
    for what, times, aim in (
        ("the answer", load.answered, "50"),
        ("the opponent's feed", load.told, ""),
    ):
        percentiles = statistics.quantiles(times, n=100)
        report(f"{STEADY_RATE} moves/s: p50 to {what}", 1000 * percentiles[49], "ms")
        report(f"{STEADY_RATE} moves/s: p99 to {what}", 1000 * percentiles[98], "ms", aim)


class Audience:
    """Spectators of one match, and how far each of them was told."""

    def __init__(self, url: str, watched: Plan) -> None:
        self._url = url
        self._watched = watched
        self._waiting = dict.fromkeys(range(1, len(watched.moves) + 2), SPECTATORS)
        self._told = {version: asyncio.Event() for version in self._waiting}

    async def watch(self) -> None:
        http = await Http.to(self._url)
        async for version in http.versions(f"/v1/matches/{self._watched.match}/events"):
            self._waiting[version] -= 1
            if not self._waiting[version]:
                self._told[version].set()
            if version == len(self._waiting):
                break
        http.close()

    async def all_told(self, version: int) -> None:
        await self._told[version].wait()


async def spectated(server: NatsServer, url: str) -> None:
    """One match before many spectators: from the move until the last of them was told."""
    watched = plan(50_000, SPECTATED_MOVES)
    async with started(server, url, [watched]) as client:
        audience = Audience(url, watched)
        watching = [asyncio.create_task(audience.watch()) for _ in range(SPECTATORS)]
        http = await Http.to(url)
        times: list[float] = []
        for number in range(len(watched.moves)):
            await audience.all_told(number + 1)
            start = time.perf_counter()
            await client.move(http, watched, number)
            await audience.all_told(number + 2)
            times.append(time.perf_counter() - start)
        await asyncio.gather(*watching)
        http.close()
    what = f"{SPECTATORS} spectators: from a move until all are told"
    report(f"{what}, median", 1000 * statistics.median(times), "ms")
    report(f"{what}, slowest", 1000 * max(times), "ms")


if __name__ == "__main__":
    main()
