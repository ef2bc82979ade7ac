"""Measure scoring: one JSON line a figure, on SQLite and on PostgreSQL.

Matches of all games with every kind of trouble stand in the match service. Scoring hears of their
ends, fetches each log over HTTP, verifies it and projects it; all processes share the machine.
"""

import asyncio
import tempfile
import time
import zlib
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Final

from service import process_of, report, service_process
from sqlalchemy import func
from sqlmodel import col, select

from howff.contracts.matches import CONTRACTS
from howff.engine.codec import to_json
from howff.game.adapters.secrets import signer_in
from howff.game.adapters.streams import ensure_streams
from howff.match.commit import MatchId
from howff.match.journal import subject_of
from howff.scoring.adapters.plans import PLANS
from howff.scoring.adapters.projections import ArchiveProjection
from howff.scoring.adapters.rows import ArchiveRow, ProjectionRow
from howff.scoring.adapters.target import store_on
from howff.scoring.app import MIGRATIONS
from howff.scoring.domain.results import MatchResult
from howff.scoring.domain.verifying import RESULTS_VERSION
from howff.servicekit.eventstore.store import BEGINNING, StreamId
from howff.servicekit.nats.connection import Connection, connect
from howff.servicekit.nats.server import NatsServer, ServerPlan, free_ports
from howff.servicekit.running import run
from howff.servicekit.sql.database import Database
from howff.servicekit.web.parts import key_pair
from support.played import SIGNER_SECRET
from support.postgres import postgres_address
from support.postgres_kinds import postgres_kind
from support.troubles import Ended, match_number

MATCHES: Final = 200
REBUILT: Final = 2000
"""Matches of the archive that is projected anew."""
PART_SECRET: Final = b"scoring, which is measured, only"
POLL: Final = 0.05


def main() -> None:
    ended = [match_number(number) for number in range(MATCHES)]
    commits = sum(len(each.export.commits) for each in ended) / MATCHES
    report(f"commits of a match, mean of {MATCHES}", commits, "commits")
    # On the disk that holds this repository: the one for temporary files may be memory.
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        port, monitor_port = free_ports(2)
        databases = {
            "SQLite": [f"sqlite:///{folder}/{name}.db" for name in ("live", "rebuilt")],
            f"PostgreSQL ({postgres_kind()})": [postgres_address() for _ in range(2)],
        }
        with NatsServer(ServerPlan(Path(folder), port, monitor_port)) as server:
            run(
                live(server, Path(folder), ended, {name: at for name, (at, _) in databases.items()})
            )
        for name, (_, address) in databases.items():
            run(rebuilds(name, address, ended))


async def live(
    server: NatsServer, folder: Path, ended: Sequence[Ended], databases: Mapping[str, str]
) -> None:
    """Matches that have ended: each fetched, verified, archived and in all projections."""
    keys = key_pair(PART_SECRET)
    (folder / "scoring.key").write_text(keys.private)
    (folder / "scoring.keys").write_text(keys.public)
    async with AsyncExitStack() as held:
        connection = await held.enter_async_context(await connect(server.url, name="game"))
        await put(connection, ended)
        trust = {"HOWFF_SCORING_KEYS_FILE": str(folder / "scoring.keys")}
        game = await held.enter_async_context(service_process(server, **trust))
        while await told(connection) < len(ended):  # noqa: ASYNC110 — the service tells them
            await asyncio.sleep(POLL)
        for name, address in databases.items():
            settings = {
                "HOWFF_NATS_URL": server.url,
                "HOWFF_NATS_MONITOR_URLS": server.monitor_url,
                "HOWFF_GAME_URL": game,
                "HOWFF_SCORING_KEY_FILE": str(folder / "scoring.key"),
                "HOWFF_DATABASE_URL": address,
                "HOWFF_LIMITS": "false",
            }
            async with process_of("howff.scoring", settings):
                found = await rate(address)
                report(f"verified and projected, {name}", found, "matches/s", "10")


async def put(connection: Connection, ended: Sequence[Ended]) -> None:
    """Let matches stand in the server as the match service would have left them."""
    stores = await ensure_streams(connection, 1)
    await signer_in(stores.keys, lambda: SIGNER_SECRET)
    store = store_on(connection)
    for each in ended:
        mark = BEGINNING
        for commit in each.export.commits:
            stream = StreamId(subject_of(MatchId(each.match)))
            mark = await store.append(stream, commit, mark)


async def told(connection: Connection) -> int:
    """Return how many ends the match service has told."""
    ends = "contract.match_ended.*"
    info = await connection.jetstream.stream_info(CONTRACTS, subjects_filter=ends)
    return len(info.state.subjects or {})


async def rate(address: str) -> float:
    """Return how many matches a second come through all projections, from the first one on."""
    database = Database(address)
    try:
        while not (begun := await projected(database)):  # noqa: ASYNC110 — by another process
            await asyncio.sleep(POLL)
        start = time.perf_counter()
        while (done := await projected(database)) < MATCHES:  # noqa: ASYNC110 — by another process
            await asyncio.sleep(POLL)
        return (done - begun) / (time.perf_counter() - start)
    finally:
        await database.close()


async def projected(database: Database) -> int:
    """Return how many matches have come through the archive and all of its projections."""
    live = select(func.min(ProjectionRow.position)).where(
        col(ProjectionRow.is_live),
        col(ProjectionRow.projection).in_([plan.name for plan in PLANS]),
    )
    passed = select(func.count()).where(col(ArchiveRow.position) <= live.scalar_subquery())
    async with database.reading() as session:
        return (await session.execute(passed)).scalar_one()


async def rebuilds(name: str, address: str, ended: Sequence[Ended]) -> None:
    """All matches of an archive, projected at first, and then anew beside the live rows."""
    database = Database(address)
    try:
        await database.migrate(MIGRATIONS)
        await fill(database, ended)
        projections = [ArchiveProjection(database, plan) for plan in PLANS]
        for each in projections:
            await each.begin()
            while await each.step() is not None:
                pass
        seconds = dict[str, float]()
        for each in projections:
            start = time.perf_counter()
            rebuilt = await each.rebuild()
            seconds[each.plan.name] = time.perf_counter() - start
            assert not rebuilt.differing, "rows made anew are as they were"
    finally:
        await database.close()
    for plan, needed in seconds.items():
        report(f"rebuild of {plan}, {name}", REBUILT / needed, "matches/s", "30")
    whole = REBUILT / sum(seconds.values())
    report(f"rebuild of all, one after the other, {name}", whole, "matches/s", "30")


async def fill(database: Database, ended: Sequence[Ended]) -> None:
    """Let an archive have many matches: the same ones again and again, each named anew."""
    entries = [(each, zlib.compress(each.content)) for each in ended]
    async with database.writing() as session:
        for position in range(1, REBUILT + 1):
            each, content = entries[position % len(entries)]
            match = f"match-{position}"
            session.add(
                ArchiveRow(
                    position=position,
                    match=match,
                    game=each.told.game,
                    head_hash=each.export.commits[-1].hash,
                    content=content,
                    unchecked="",
                    result=to_json(MatchResult, replace(each.result, match=match)),
                    results_version=RESULTS_VERSION,
                )
            )


if __name__ == "__main__":
    main()
