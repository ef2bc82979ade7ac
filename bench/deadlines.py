"""Measure how late flags fall when nobody sends anything: one JSON line a figure."""

import asyncio
import statistics
import tempfile
from dataclasses import replace
from pathlib import Path

from plans import order_for
from service import Local, local, report, service_process

from howff.game.application.orders import StartOrder
from howff.match.clocks import GRACE, SECOND, PerMove, milliseconds_of
from howff.match.commit import MatchId
from howff.servicekit import ids
from howff.servicekit.nats.server import NatsServer, ServerPlan, free_ports
from howff.servicekit.running import run

FLAGS = 1000
RATE = 100
"""Flags that fall in a second."""
MOVE_SECONDS = 5
POLL = 0.2


def main() -> None:
    with tempfile.TemporaryDirectory(dir=Path.cwd(), prefix=".bench-") as folder:
        port, monitor_port = free_ports(2)
        with NatsServer(ServerPlan(Path(folder), port, monitor_port)) as server:
            run(measure(server))


async def measure(server: NatsServer) -> None:
    async with service_process(server), local(server) as service:
        orders = [clocked(order_for(MatchId(ids.new_id()))) for _ in range(FLAGS)]
        starting = []
        for order in orders:
            starting.append(asyncio.create_task(service.matches.start(order)))
            await asyncio.sleep(1 / RATE)
        await asyncio.gather(*starting)
        late = [await lateness(service, order.match) for order in orders]
    percentiles = statistics.quantiles(late, n=100)
    what = f"{FLAGS} flags, {RATE}/s"
    report(f"{what}: p50 of lateness", percentiles[49], "ms")
    report(f"{what}: p99 of lateness", percentiles[98], "ms", "1000")
    report(f"{what}: earliest", min(late), "ms", "0 or more")


def clocked(order: StartOrder) -> StartOrder:
    return replace(order, command=replace(order.command, clock=PerMove(MOVE_SECONDS)))


async def lateness(service: Local, match: MatchId) -> int:
    """Return by how many milliseconds the flag of *match*, once it falls, falls too late."""
    known = await service.matches.find(match)
    while not known.match.is_over:
        await asyncio.sleep(POLL)
        known = await service.matches.find(match)
    first, second, *_ = (await service.matches.log(known)).commits
    due = milliseconds_of(first.at) + MOVE_SECONDS * SECOND + GRACE
    return milliseconds_of(second.at) - due


if __name__ == "__main__":
    main()
